import type { Clock } from '../../base/clock.ts';
import type { CommunityGate } from '../../command/community-settings.ts';
import type { Caller } from '../../command/place.ts';
import type { SavedFaces } from '../../community/faces/saved-faces.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { Moderators } from '../../community/rules/moderators.ts';
import type { CommunityRules } from '../../community/rules/settings.ts';
import type { Log } from '../../log/log.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import type { Decoder } from '../../picture/decoder.ts';
import type { Words } from '../../words/words.ts';
import type { UsePhoto } from '../photos/use-photo.ts';
import type { PlatformRegistry } from './registry.ts';

/** What many parts of the program use; each names what it needs of it. */
export interface Services {
  readonly clock: Clock;
  readonly log: Log;
  readonly decoder: Decoder;
  readonly platforms: PlatformRegistry;
  readonly usePhoto: UsePhoto;
  readonly owners: readonly Caller[];
  /** In the language of notices to owners. */
  readonly ownerWords: Words;
  readonly rules: CommunityRules;
  /** In the language of a community's log channel. */
  readonly wordsIn: (community: string) => Promise<Words>;
  readonly audit: Pick<Audit, 'note' | 'tell'>;
  readonly moderators: Moderators;
  readonly gate: CommunityGate;
  /** Undefined: not switched on, because nothing is encrypted. */
  readonly faces: SavedFaces | undefined;
  readonly orchestrator: Orchestrator;
}
