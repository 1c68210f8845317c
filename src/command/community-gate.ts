import type { Language } from '../words/words.ts';
import type { CommunitySettings } from './community-settings.ts';
import type { Caller, Place } from './place.ts';

export type Pause = NonNullable<CommunitySettings['paused']>;

/** A community's approval, blocks, pause, blocked words and language. Answered from memory where possible. */
export interface CommunityGate {
  /** No owner has approved this place, which is needed, and the caller is no owner. */
  unapproved(caller: Caller, place: Place): Promise<boolean>;
  blocked(caller: Caller, place: Place): Promise<boolean>;
  paused(place: Place): Promise<Pause | undefined>;
  /** The channels in which jobs are accepted, if this is none of them. */
  otherChannels(place: Place): Promise<readonly Place[] | undefined>;
  /** Whether one of these texts has a word that the community does not allow. */
  banned(place: Place, texts: readonly string[]): Promise<boolean>;
  /** The one that the community chose. */
  language(place: Place): Promise<Language | undefined>;
}
