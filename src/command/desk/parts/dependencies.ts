import type { Clock } from '../../../base/clock.ts';
import type { Platform } from '../../../platforms/platforms.ts';
import { type Words, wordsFor } from '../../../words/words.ts';
import type { ButtonDeclaration, Command, DeskContext } from '../../command.ts';
import type { CommunityGate } from '../../community-gate.ts';
import type { Desk, Incoming } from '../../desk.ts';
import type { Draft } from '../../draft.ts';
import type { SavedFace } from '../../faces-port.ts';
import type { ErasedMeanwhile } from '../../forgotten.ts';
import type { Given } from '../../option.ts';
import type { Caller, Place } from '../../place.ts';
import type { DeskPorts } from '../../ports.ts';
import type { Reply, ResultReply } from '../../reply.ts';
import type { KnownNames } from '../../search/complete.ts';
import type { Drafts } from './draft-store.ts';
import type { EventsUnderWay } from './under-way.ts';

/** The dependencies of the desk, connected in `src/app/core.ts`. */
export interface DeskDependencies {
  readonly commands: readonly Command[];
  readonly buttons: readonly ButtonDeclaration[];
  readonly drafts: Drafts;
  readonly underWay: Pick<EventsUnderWay, 'handle'>;
  readonly erasedMeanwhile: ErasedMeanwhile;
  readonly gate: CommunityGate;
  /** A caller was refused because no owner has approved the place. */
  askOwners(incoming: Pick<Incoming, 'caller' | 'place'>): void;
  readonly knownNames: KnownNames;
  /** This person's faces, the default first; none where they are not switched on. */
  savedFaces(caller: Caller): Promise<readonly SavedFace[]>;
  portsFor(incoming: Incoming): DeskPorts;
  readonly hasJob: Desk['hasJob'];
  readonly cardShown: Desk['cardShown'];
  readonly resultShown: Desk['resultShown'];
  /** Notes that a message with a result is sent; returns the reply that is shown then. */
  resultShows(reply: ResultReply, words: Words): Promise<Reply>;
  /** People who are known by name before they use the bot. */
  readonly knownUsers?: readonly { readonly caller: Caller; readonly place: Place }[];
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** A command or a text was handled there. */
  readonly noticed?: (place: Place) => void;
  /** How long an answer took. */
  readonly answered?: ((platform: Platform, ms: number) => void) | undefined;
  /** An unguessable id of at most 16 ASCII letters, digits, `-` and `_`. */
  newId(): string;
  /** Turns an error with a text for users into a UserError; others are returned unchanged. */
  explain(error: unknown, words: Words, caller: Caller): unknown;
  /** Handles an event once more if the store was away for a moment: the event's id makes that harmless. */
  retryAfterLoss<T>(work: () => Promise<T>): Promise<T>;
  /** An internal error: for the log, never for the chat. */
  onError(error: unknown, what: string): void;
}

/** A command with the values given so far, while the desk handles it. */
export interface PendingCommand {
  readonly incoming: Incoming;
  readonly command: Command;
  readonly subcommand?: string | undefined;
  readonly given: Given;
  /** The draft that it continues. */
  readonly draft?: Draft;
  readonly page?: number;
  /** See `Draft`. */
  readonly alone?: boolean;
}

/** The context that commands and buttons of this event have in common. */
export function contextFor(
  parts: DeskDependencies,
  incoming: Incoming,
): DeskContext & { readonly ports: DeskPorts } {
  const { caller, place } = incoming;
  return {
    ports: parts.portsFor(incoming),
    caller,
    place,
    words: wordsFor(caller.locale),
    commands: parts.commands,
    now: parts.clock.now(),
  };
}
