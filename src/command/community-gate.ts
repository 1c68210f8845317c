import type { Language } from '../words/language.ts';
import type { GateRefusal } from './gate-refusal.ts';
import type { Caller, Place } from './place.ts';

/** A community's approval, blocks, pause, channels, blocked words and language. Answered from memory where possible. */
export interface CommunityGate {
  /** Whether the place needs an owner's approval and has none, and the caller is no owner. */
  unapproved(caller: Caller, place: Place): Promise<boolean>;
  blocked(caller: Caller, place: Place): Promise<boolean>;
  /**
   * The reason why this person cannot make anything of these texts there now; undefined: they can. It is asked for a new
   * command, again for a job that waits (which then fails), and before a result is shared. A rule for new jobs alone is
   * another function of this gate, which only `refusalOfRequest` (`src/command/desk/access/check-access.ts`) asks.
   */
  refusal(caller: Caller, place: Place, texts: readonly string[]): Promise<GateRefusal | undefined>;
  /** The language that the community chose. */
  language(place: Place): Promise<Language | undefined>;
}
