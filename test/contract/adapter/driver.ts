import type { Adapter } from '../../../src/adapters/adapter.ts';
import type { Desk } from '../../../src/command/desk.ts';
import type { Caller, Place } from '../../../src/command/place.ts';

/** A message as a person sees it on the screen: markup already taken effect. */
export interface Seen {
  readonly id: string;
  readonly text: string;
  /** Labels, in reading order. */
  readonly buttons: readonly string[];
  /** Numbers or letters of what can be chosen by eye, in reading order. */
  readonly tiles: readonly string[];
  readonly media?: {
    readonly kind: 'image' | 'video' | 'file';
    readonly bytes: Uint8Array;
    readonly spoiler: boolean;
  };
  /** Addresses that open when clicked. */
  readonly links: readonly string[];
  /** People or groups that are notified or highlighted. */
  readonly mentions: readonly string[];
}

/** Somebody in the common room, or talking to the bot directly. Every action resolves when the platform took it. */
export interface Person {
  readonly caller: Caller;
  /** A command such as `/faceswap` with options, and a photo attached. */
  type(command: string, options?: Readonly<Record<string, string>>, photo?: Uint8Array): Promise<void>;
  press(message: Seen, label: string): Promise<void>;
  /** Chooses the tile with this number or letter. */
  choose(message: Seen, tile: string): Promise<void>;
  /** Writes the answer to a question in the way that the platform offers for it. */
  write(question: Seen, text: string): Promise<void>;
  /** Takes a message of the bot's out of the room, as a moderator of the platform can. */
  takeDown(message: Seen): Promise<void>;
  /** The bot's messages in the room that this person sees, oldest first, notes that only they get included. */
  room(): Promise<readonly Seen[]>;
  /** The bot's direct messages to this person, oldest first. */
  inbox(): Promise<readonly Seen[]>;
}

export interface Stage {
  readonly adapter: Adapter;
  /** The common room, as the adapter names it. */
  readonly place: Place;
  /** An ordinary member. */
  readonly ann: Person;
  /** Another one. */
  readonly bob: Person;
  /** A moderator of the community. */
  readonly mod: Person;
  /** What the fake platform objected to: wrong requests, late answers, messages that could ping people. */
  complaints(): readonly string[];
  /** Stops adapter and fake. */
  stop(): Promise<void>;
}

export interface AdapterDriver {
  readonly name: string;
  /** A started adapter against a fresh fake platform, handing its events to this desk. */
  start(desk: Desk): Promise<Stage>;
}
