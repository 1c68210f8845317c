import type { Caller, Place } from './place.ts';

export interface Pause {
  /** May be empty. */
  readonly reason: string;
  /** Nobody asked for it: the community's settings were damaged. */
  readonly lost?: true;
}

/** What a community decided about people, times and words. Answered from memory where possible. */
export interface Gate {
  blocked(caller: Caller, place: Place): Promise<boolean>;
  paused(place: Place): Promise<Pause | undefined>;
  /** Whether one of these texts has a word that the community does not allow. */
  banned(place: Place, texts: readonly string[]): Promise<boolean>;
}
