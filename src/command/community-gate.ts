import type { Language } from '../words/words.ts';
import type { CommunitySettings } from './community-settings.ts';
import type { Caller, Place } from './place.ts';

export type Pause = NonNullable<CommunitySettings['paused']>;

/** Why nothing can be made there. `channels`: those in which jobs are accepted. */
export type GateRefusal =
  | { readonly code: 'unapproved' | 'blocked' | 'banned-word' }
  | { readonly code: 'paused'; readonly pause: Pause }
  | { readonly code: 'other-channel'; readonly channels: readonly Place[] };

/** A community's approval, blocks, pause, channels, blocked words and language. Answered from memory where possible. */
export interface CommunityGate {
  /** No owner has approved this place, which is needed, and the caller is no owner. */
  unapproved(caller: Caller, place: Place): Promise<boolean>;
  blocked(caller: Caller, place: Place): Promise<boolean>;
  /** Why this person cannot make anything of these texts there now. Undefined: they can. */
  refusal(caller: Caller, place: Place, texts: readonly string[]): Promise<GateRefusal | undefined>;
  /** The one that the community chose. */
  language(place: Place): Promise<Language | undefined>;
}
