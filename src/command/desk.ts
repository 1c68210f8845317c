import type { Given } from './option.ts';
import type { PhotoRef } from './photo.ts';
import type { Caller, CardRef, Place } from './place.ts';
import type { Meanwhile, Reply, ResultReply } from './reply.ts';

/** The entry point for all adapters: an event goes in, a reply comes out. */

/** An event of a person, as an adapter gives it to the desk. */
export interface Incoming {
  readonly event: string;
  /** It is handled for the first time, so it has made no job yet. */
  readonly isNew?: boolean;
  readonly caller: Caller;
  readonly place: Place;
  /** The caller's Discord roles as they are now; never stored. */
  readonly roles?: readonly string[];
  /** The message that will show the answer, on platforms where it can be looked up later. */
  readonly answer?: CardRef;
  /** The message of the pressed button, if the platform guarantees it. */
  readonly pressed?: CardRef;
  /** The id of the press itself, if `event` is another id that it counts as. */
  readonly press?: string;
  /** The job whose Again button was pressed; only one new job at a time is made from it. */
  readonly againOf?: string;
  /** Aborted when the caller deletes their data meanwhile, in this process: then nothing is made of this event, and nothing is stored. */
  readonly forgotten?: AbortSignal;
  /** When this process began to handle it, by `machineTime.passed`: the store knows whether its caller's data was deleted since. */
  readonly begunAt?: number;
  /** Shows this while the answer takes long; the answer then takes its place (`inPlaceOfMeanwhile`). */
  readonly meanwhile?: (shown: Meanwhile) => void;
}

/** A message of a person, with the photos that came with it. */
export interface TextMessage extends Incoming {
  readonly text: string;
  readonly photos: readonly PhotoRef[];
}

/** A value that is suggested while a person types an option. */
export interface Suggestion {
  readonly value: string;
  readonly label: string;
  /** The address of its picture. */
  readonly preview?: string;
}

/** The desk as the adapters see it. `createDesk` makes it. */
export interface Desk {
  /** A typed command. Never throws for a user's mistake: the reply explains it. */
  command(
    incoming: Incoming & { readonly command: string; readonly subcommand?: string; readonly given: Given },
  ): Promise<Reply>;
  /** A line of text with its photos. `undefined`: not a command and not an answer. */
  text(incoming: TextMessage): Promise<Reply | undefined>;
  /** A button. */
  press(incoming: Incoming & { readonly action: string }): Promise<Reply>;
  /** Answers to an `ask` reply. */
  answer(incoming: Incoming & { readonly draft: string; readonly answers: Given }): Promise<Reply>;
  /** Completions for the option that is being typed, at once: nothing here waits for the service. */
  complete(
    incoming: Omit<Incoming, 'event'> & {
      readonly command: string;
      readonly subcommand?: string;
      readonly option: string;
      readonly typed: string;
      readonly given?: Given;
    },
    limit: number,
  ): Promise<readonly Suggestion[]>;
  /** For answers that an adapter gives without the desk: the refusal if the caller is blocked, or the place not approved. */
  turnAway(incoming: Pick<Incoming, 'caller' | 'place'>): Promise<Reply | undefined>;
  /**
   * The reply that refuses this command, no matter what its caller adds; undefined: none is known. For a platform on which
   * an answer that only its caller sees must be the first one.
   */
  refusal(incoming: Parameters<Desk['command']>[0]): Promise<Reply | undefined>;
  /**
   * The event with a caller whose language we speak: their own, else the community's, else English. The desk does this itself; adapters
   * call it for their own texts, and what they then give to the desk needs no second look at the community's settings.
   */
  inLanguage<About extends Pick<Incoming, 'caller' | 'place'>>(incoming: About): Promise<About>;
  /** Whether this event has made a job. */
  hasJob(event: string): Promise<boolean>;
  /** The card of a job is visible there, so the job may proceed. `undefined`: it cannot be shown. */
  cardShown(job: string, card: CardRef | undefined): Promise<void>;
  /**
   * The message of this reply is visible there, or is about to be. `undefined`: it certainly cannot be shown. A result that was removed
   * meanwhile is deleted there at once.
   */
  resultShown(reply: ResultReply, card: CardRef | undefined): Promise<void>;
}
