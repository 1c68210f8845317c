import type { Clock } from '../base/clock.ts';
import type { Records } from '../base/keyv/records.ts';
import type { Inbox } from '../base/members/inbox.ts';
import type { Members } from '../base/members/members.ts';
import type { Command } from '../command/command.ts';
import type { Desk } from '../command/desk.ts';
import type { PhotoRef } from '../command/photo.ts';
import type { Caller, CardRef, Place } from '../command/place.ts';
import type { Drawn } from '../command/reply.ts';
import type { View } from '../command/view.ts';
import type { Log } from '../log/log.ts';
import type { Platform } from '../platforms/platforms.ts';
import type { OwnerTrouble, Words } from '../words/words.ts';

export type { Drawn } from '../command/reply.ts';

/** What every adapter is created with. */
export interface AdapterOptions {
  readonly commands: readonly Command[];
  readonly desk: Desk;
  /** What the adapter stores. */
  readonly state: Records;
  readonly clock: Clock;
  readonly log: Log;
  readonly words: (locale: string) => Words;
}

/** What a platform says about a community: untrusted text. */
export interface CommunityInfo {
  readonly name?: string;
  readonly members?: number;
}

/** The bot was added to a community, or may write to a person again. */
export interface Membership {
  readonly place: Place;
  readonly by: Caller;
  readonly name?: string;
}

/** On platforms that report them. */
export interface Memberships {
  /** `waits`: an owner must approve the community first. */
  joined(membership: Membership): Promise<'waits' | undefined>;
  /** The bot was taken from it, or the person blocks the bot. */
  left(community: string): Promise<void>;
}

/** What a platform can carry in one message. */
export interface MediaLimits {
  readonly imageBytes: number;
  readonly fileBytes: number;
  readonly videoBytes: number;
  /** How many copies the library makes of an upload. */
  readonly uploadCopies?: number;
}

/** The person and job of a result that a message shows to everybody. Sent again, it is the same message where possible. */
export interface ShareOf {
  readonly caller: Caller;
  readonly job: string;
}

/** The photo no longer exists on the platform: a retry cannot help. */
export class PhotoGone extends Error {
  override readonly name = 'PhotoGone';
}

/** The platform refused the token. The message is for the owner. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/**
 * A chat platform. Outgoing calls need only the stored references, so they work from any process. All but `say` are safe to
 * repeat; `say` is with `share`, where `sharesOnce`.
 */
export interface Adapter {
  readonly platform: Platform;
  /** Connects and passes events to the desk from then on. */
  start(): Promise<void>;
  /** Accepts no more events and finishes current ones. */
  stop(): Promise<void>;
  /**
   * Makes the message show this view. A cosmetic edit may be skipped to save the edit budget; the result is then `later`. It
   * never takes a picture or video out of the message: it may come late.
   */
  draw(card: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<Drawn>;
  /** Removes the message; succeeds if it is already gone. */
  removeMessage(card: CardRef): Promise<void>;
  /**
   * Finds the message with this job's card, on platforms that can; undefined: it was never shown. Throws if that is
   * unknown now.
   */
  find?(answer: CardRef, job: string): Promise<CardRef | undefined>;
  /**
   * A new message: to a channel (the log channel, a result that is shared), or a direct message to a person. With `share`,
   * nothing is thrown once it is known that nothing was sent.
   */
  say(
    to: { readonly place: Place } | { readonly caller: Caller },
    view: View,
    share?: ShareOf,
  ): Promise<Drawn>;
  /** What is shared a second time is the same message. */
  readonly sharesOnce?: true;
  /** The adapter stores the chat itself: `forget` also deletes a person's messages and results. */
  readonly keepsChat?: boolean;
  /** Deletes everything that the adapter stores about a person. */
  forget(caller: Caller): Promise<void>;
  /**
   * The bytes of a photo from this platform; throws `PhotoGone` if it no longer exists, and a `UserError` if it has more than
   * `maxBytes`. Awaits `reserve` before more than its beginning is in memory.
   */
  photo(
    ref: Extract<PhotoRef, { from: Platform }>,
    maxBytes: number,
    signal: AbortSignal,
    reserve?: (bytes: number) => Promise<void>,
  ): Promise<Uint8Array>;
  /** Without a card: the limits of a new message. */
  limits(card?: CardRef): MediaLimits;
  /** Whether the caller is there, and not muted. Asks the platform, without a cache; needed where buttons can be pressed elsewhere. */
  isMember?(caller: Caller, place: Place): Promise<boolean>;
  /** Asks the platform, without a cache. */
  isModerator(caller: Caller, place: Place): Promise<boolean>;
  communityInfo?(place: Place): Promise<CommunityInfo | undefined>;
  /** Every community that the bot is in, on platforms that list them. */
  communities?(): Promise<readonly (CommunityInfo & { readonly community: string })[]>;
  /** A person's current name, on platforms that do not replace ids with names themselves. */
  personName?(id: string, place: Place): Promise<string | undefined>;
  /** Whether both are the same message, even if its content differs; needed where presses name the pressed message. */
  isSame?(a: CardRef, b: CardRef): boolean;
  /** A link to the message, if the platform has links. */
  link?(card: CardRef, place: Place): string | undefined;
  /** For /readyz: why this process receives nothing although all is well, e.g. because another one does. */
  standsBy?(): string | undefined;
  /** For /readyz: the reason why it does not work, if any. */
  trouble(): string | undefined;
}

/** What the program has for every adapter. */
export interface ConnectParts extends Omit<AdapterOptions, 'state'> {
  /** What the adapter stores; `rules` of its records. `part`: apart from the rest, so that all of it can be read. */
  state(rules: RecordRules, part?: string): Records;
  /** The processes that share the store. */
  readonly members: Members;
  readonly inbox: Inbox;
  /** A community got a new id. */
  migrated(from: string, to: string): Promise<void>;
  readonly memberships: Memberships;
  /** Tells the owners of something that only they can fix, once an hour. */
  tellOwners(trouble: OwnerTrouble): void;
}

interface RecordRules {
  /** The person (`personKey`) with whose data it is deleted. */
  ownerOf(key: string, value: unknown): string | undefined;
  /** An invalid record is set aside. */
  isValid(key: string, value: unknown): boolean;
}

/** An adapter that is on. */
export interface Connected {
  readonly adapter: Adapter;
  /** It takes POST requests of its platform on a path of its own. */
  readonly webhook?: { readonly path: string; handle(request: Request): Promise<Response> };
  /** The link that invites the bot with exactly the permissions it needs. */
  readonly invite?: string;
}
