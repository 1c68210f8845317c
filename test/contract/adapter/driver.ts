import type { Adapter } from '../../../src/adapters/adapter.ts';
import type { Desk } from '../../../src/command/desk.ts';
import type { Caller, Place } from '../../../src/command/place.ts';
import type { Spot as CommonSpot, PersonInChat, SeenMessage } from '../../fakes/person.ts';

/** A message as a person sees it on the screen: markup already taken effect. */
export interface Seen extends SeenMessage {
  /** Numbers or letters of what can be chosen by eye, in reading order. */
  readonly tiles: readonly string[];
  readonly media?: NonNullable<SeenMessage['media']> & {
    readonly spoiler: boolean;
    /** The text that a screen reader says. */
    readonly alt?: string | undefined;
  };
  /** Addresses that open when clicked. */
  readonly links: readonly string[];
  /** People or groups that are notified or highlighted. */
  readonly mentions: readonly string[];
}

/** The common room, a thread in it, or the person's direct chat with the bot. */
export type Spot = CommonSpot | 'thread';

/** Somebody in the common room. Each action resolves as soon as the platform took it; the bot's answer comes later. */
export interface Person extends PersonInChat<Seen, Seen, Promise<void>> {
  readonly caller: Caller;
  /** The labels that are offered while an option is typed. */
  completes(command: string, option: string, typed: string): Promise<readonly string[]>;
  /** Answers a question with a text, or a photo. */
  answers(question: Seen, answer: string | Uint8Array): Promise<void>;
  /** Sends something that the adapter answers, or prepares to, before it asks the desk. */
  blunders(): Promise<void>;
  /** The platform delivers this person's latest event again. */
  repeats(): Promise<void>;
  takesDown(message: Seen): Promise<void>;
  sees(): Promise<readonly Seen[]>;
  at(spot: Spot): Person;
}

export interface Stage {
  /** The one that runs now. */
  readonly adapter: Adapter;
  /** The common room, as the adapter names it. */
  readonly place: Place;
  /** A room that does not exist any more. */
  readonly nowhere: Place;
  /** An ordinary member. */
  readonly ann: Person;
  /** Another one. */
  readonly bob: Person;
  /** A moderator of the community. */
  readonly mod: Person;
  /** A member whose language is German. */
  readonly eva: Person;
  /** Somebody who is not in the community, and whom the bot cannot write to. */
  readonly stranger: Caller;
  /** The process dies with what it is doing; another one takes over platform and store. */
  crash(): Promise<void>;
  /** The platform cannot be reached meanwhile. */
  outage<T>(work: () => Promise<T>): Promise<T>;
  /** The photos that people have sent so far no longer exist. */
  losePhotos(): Promise<void>;
  /** All that the adapter has stored. */
  stored(): Promise<string>;
  /** Everything that the fake platform objected to: wrong requests, late answers, messages that could ping people. */
  complaints(): readonly string[];
  /** Ends process and platform. */
  end(): Promise<void>;
}

/** Parts of the interface that not every platform has. */
export type Optional = {
  [Part in keyof Adapter]-?: undefined extends Adapter[Part] ? Part : never;
}[keyof Adapter];

/** Abilities that a platform may lack; its driver then says why. */
export type Ability =
  | Optional
  | 'threads'
  | 'roles'
  | 'completions'
  /** A message in the common room that one person sees. */
  | 'messages for one'
  /** Nothing is said where the answer was given before. */
  | 'silence'
  /** Whoever removes a message by its button gets the note. */
  | 'notes on removal'
  | 'alternative texts'
  /** A file that is attached, and not shown in the message, can be a spoiler. */
  | 'hidden attachments'
  /** An answer whose sending a crash interrupted is shown once. */
  | 'one answer after a crash'
  | 'repeats of what was confirmed'
  /** A result that is shared again is the same message, at least for a while. */
  | 'one message when shared again'
  /** An event that a crash interrupted is delivered, or read from the store, again. */
  | 'events after a crash'
  /** A photo that somebody sent before the crash can be fetched after it. */
  | 'photos after a crash'
  /** An answer that is for one person must be the first one, so it has to be known early whether a command is refused. */
  | 'refusals beforehand'
  /** Answers that the adapter gives without the desk. */
  | 'own answers'
  | 'outages'
  /** An event that a crash interrupted is delivered again, also if the platform was told that the answer takes longer. */
  | 'slow answers after a crash'
  /** The adapter itself deletes what it has stored about a person. */
  | 'forgetting';

export type Lacks = Readonly<Partial<Record<Ability, string>>>;

export interface AdapterDriver {
  readonly name: string;
  readonly lacks: Lacks;
  /** A fake platform and an adapter, whose events go to this desk. */
  open(desk: Desk): Promise<Stage>;
}
