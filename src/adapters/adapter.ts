/**
 * The interface between the program and a chat platform. Each platform's folder implements `Adapter` in its `adapter.ts` and
 * declares its settings and checks in its `connection.ts` (`Connection` in `connection.ts` here). Begin with `Adapter`
 * below.
 */

import type { Clock } from '../base/clock.ts';
import type { Records } from '../base/keyv/records.ts';
import type { Inbox } from '../base/members/inbox.ts';
import type { Members } from '../base/members/members.ts';
import type { Command } from '../command/command.ts';
import type { Desk } from '../command/desk.ts';
import type { SentPhoto } from '../command/photo.ts';
import type { Caller, CardRef, Place } from '../command/place.ts';
import type { DrawOutcome } from '../command/reply.ts';
import type { View } from '../command/view.ts';
import type { Log } from '../log/log.ts';
import type { Platform } from '../platforms/platforms.ts';
import type { OwnerTrouble } from '../words/words.ts';

/**
 * The outcome of a deletion. `gone`: the message does not exist any more. `blanked`: it is too old to be deleted, and shows only words.
 * `unreachable`: it may still be seen, and the bot will never get at it again.
 */
export type DeletionOutcome = 'gone' | 'blanked' | 'unreachable';

/** The parts of the program that every adapter is created with, whatever its platform. */
export interface AdapterOptions {
  readonly commands: readonly Command[];
  readonly desk: Desk;
  /** The adapter's own records. */
  readonly state: Records;
  readonly clock: Clock;
  readonly log: Log;
}

/** The name and size of a community as its platform tells them; the name is untrusted text. */
export interface CommunityInfo {
  readonly name?: string;
  readonly members?: number;
}

/** An event: the bot was added to a community, or a person no longer blocks it. */
export interface Membership {
  readonly place: Place;
  readonly by: Caller;
  readonly name?: string;
}

/** Called by adapters whose platform reports that the bot was added to or removed from a community. */
export interface Memberships {
  /** Resolves with `waits` if an owner must approve the community first. */
  joined(membership: Membership): Promise<'waits' | undefined>;
  /** The bot was removed from this community, or the person of this direct chat blocks the bot. */
  left(community: string): Promise<void>;
}

/** How large the files in one message may be. */
export interface MediaLimits {
  readonly imageBytes: number;
  readonly fileBytes: number;
  readonly videoBytes: number;
  /** How many copies of an upload the platform's library makes in memory; they count against the memory budget. */
  readonly uploadCopies?: number;
  /** People can save a file exactly as it was sent; others show an encoded copy, or only show it. */
  readonly keepsFiles?: true;
}

/**
 * The owner and job of a result that is shared with everybody. Where possible, a retry with the same job makes no second
 * message.
 */
export interface SharedResult {
  readonly caller: Caller;
  readonly job: string;
}

/** Thrown when a photo no longer exists on the platform, so that a retry cannot help. */
export class PhotoGone extends Error {
  override readonly name = 'PhotoGone';
}

/** Thrown when the platform refuses the bot's token; the message is shown to the owner. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/**
 * A chat platform. Outgoing calls need only the stored references, so they work from any process. All of them are idempotent
 * except `say`, which is idempotent only with `share` on platforms with `sharesOnce`.
 */
export interface Adapter {
  readonly platform: Platform;
  /** Connects and passes events to the desk from then on. */
  start(): Promise<void>;
  /** Accepts no more events, and resolves when the current ones are handled. */
  stop(): Promise<void>;
  /**
   * Makes the message show this view. A cosmetic edit may be skipped to save the edit budget; the result is then `later`. A
   * cosmetic edit never removes a picture or video from the message, because it may arrive after the final edit.
   */
  draw(card: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<DrawOutcome>;
  /** Deletes the message; succeeds if it does not exist any more. Throws where it may help to try again. */
  removeMessage(card: CardRef): Promise<DeletionOutcome>;
  /**
   * Finds the message with this job's card, on platforms that can; undefined if the card was never shown. Throws if the
   * platform cannot tell at the moment.
   */
  find?(answer: CardRef, job: string): Promise<CardRef | undefined>;
  /**
   * Sends a new message to a channel (the log channel, a result that is shared), or a direct message to a person. With
   * `share`, a message that certainly was not sent is reported as `later` instead of thrown.
   */
  say(
    to: { readonly place: Place } | { readonly caller: Caller },
    view: View,
    share?: SharedResult,
  ): Promise<DrawOutcome>;
  /** Set where `say` with the same `share` makes no second message. */
  readonly sharesOnce?: true;
  /** Set where the adapter itself stores the chat, so that `forget` deletes a person's messages and results, too. */
  readonly keepsChat?: boolean;
  /** Deletes everything that the adapter stores about a person. */
  forget(caller: Caller): Promise<void>;
  /**
   * Fetches the bytes of a photo from this platform; throws `PhotoGone` if the photo no longer exists, and a `UserError` if
   * it has more than `maxBytes`. Awaits `reserve` before more than the beginning of the photo is in memory.
   */
  photo(
    ref: SentPhoto,
    maxBytes: number,
    signal: AbortSignal,
    reserve?: (bytes: number) => Promise<void>,
  ): Promise<Uint8Array>;
  /** The limits of the message of this card; without a card, those of a new message. */
  limits(card?: CardRef): MediaLimits;
  /**
   * Whether the caller is in this place and not muted. Asks the platform, without a cache; needed where buttons can be
   * pressed from elsewhere.
   */
  isMember?(caller: Caller, place: Place): Promise<boolean>;
  /** Whether the caller may manage the community of this place. Asks the platform, without a cache. */
  isModerator(caller: Caller, place: Place): Promise<boolean>;
  communityInfo?(place: Place): Promise<CommunityInfo | undefined>;
  /** Lists every community that the bot is in, on platforms that can tell. */
  communities?(): Promise<readonly (CommunityInfo & { readonly community: string })[]>;
  /** Looks up a person's current name, on platforms whose clients do not show a name in place of an id. */
  personName?(id: string, place: Place): Promise<string | undefined>;
  /**
   * Whether both references mean the same message, even if its content differs; needed where a press names the pressed
   * message.
   */
  isSame?(a: CardRef, b: CardRef): boolean;
  /** A link that opens the message, on platforms that have such links. */
  link?(card: CardRef, place: Place): string | undefined;
  /**
   * Reads a link to a message of this platform that names its chat by a public name, and asks the platform which chat that is. Returns the
   * link as `link` has it, or, where the platform does not tell, one with the message's number alone; undefined for every other link.
   * Never throws, and takes some seconds at most.
   */
  readLink?(copied: string): Promise<string | undefined>;
  /** For /readyz: why this process rightly receives no events, e.g. because another process is connected. */
  standsBy?(): string | undefined;
  /** For /readyz: why the adapter does not work, if it does not. */
  trouble(): string | undefined;
}

/** The parts of the program from which a connection opens its adapter (`Connection.open`). */
export interface AdapterDependencies extends Omit<AdapterOptions, 'state'> {
  /**
   * Opens records of the adapter, which obey `rules`. With `part` they have a namespace of their own, so that all of them
   * can be listed.
   */
  state(rules: RecordRules, part?: string): Records;
  /** The processes that share the store. */
  readonly members: Members;
  readonly inbox: Inbox;
  /** Moves what is stored about a community whose id has changed. */
  migrated(from: string, to: string): Promise<void>;
  readonly memberships: Memberships;
  /** Notifies the owners of a problem that only they can fix, at most once an hour for each problem. */
  tellOwners(trouble: OwnerTrouble): void;
}

interface RecordRules {
  /** The person (`personKey`) with whose data the record is deleted. */
  ownerOf(key: string, value: unknown): string | undefined;
  /** Whether the record can be used; the store sets an invalid one aside. */
  isValid(key: string, value: unknown): boolean;
}

/** An adapter with its settings, and what the rest of the program needs to know of its connection. */
export interface Connected {
  readonly adapter: Adapter;
  /** Handles the POST requests that the platform sends to this path. */
  readonly webhook?: { readonly path: string; handle(request: Request): Promise<Response> };
  /** The link that invites the bot with exactly the permissions it needs. */
  readonly invite?: string;
}
