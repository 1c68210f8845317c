import type { Caller, Place } from './place.ts';

/** What a community decided about people, times and words. Answered from memory where possible. */
export interface Gate {
  blocked(caller: Caller, place: Place): Promise<boolean>;
  /** The reason may be empty. */
  paused(place: Place): Promise<{ readonly reason: string } | undefined>;
  /** Whether one of these texts has a word that the community does not allow. */
  banned(place: Place, texts: readonly string[]): Promise<boolean>;
}
