import type { Drawn } from '../command/edit-outcome.ts';
import type { PhotoRef } from '../command/photo.ts';
import type { Caller, CardRef, Place, Platform } from '../command/place.ts';
import type { View } from '../command/view.ts';

export type { Drawn } from '../command/edit-outcome.ts';

/** What a platform can carry in one message. */
export interface MediaLimits {
  readonly imageBytes: number;
  /** Longest side sum and such rules are the adapter's; this is the bound on bytes sent as a file. */
  readonly fileBytes: number;
  readonly videoBytes: number;
  /** How often its library copies what is uploaded. */
  readonly uploadCopies?: number;
}

/** The platform says that a photo no longer exists: asking again cannot help. */
export class PhotoGone extends Error {
  override readonly name = 'PhotoGone';
}

/** The platform does not know the token: nothing but another one can help. The message says so to the owner. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/**
 * A chat platform. Outgoing calls (`draw`, `photo`, `say`, `isModerator`) need only the stored references, so they work
 * from any process, and all are safe to repeat.
 */
export interface Adapter {
  readonly platform: Platform;
  /** Connects, and hands events to the desk from then on. */
  start(): Promise<void>;
  /** Takes no more events and finishes those in hand. */
  stop(): Promise<void>;
  /** Makes the message show this view. A cosmetic edit may be skipped when the budget is short: it then says `later`. */
  draw(card: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<Drawn>;
  /** Removes the message; one that has gone already is fine. */
  removeMessage(card: CardRef): Promise<void>;
  /**
   * The message in which this job's card stands, where the answer to an event can be looked up; undefined: it was
   * never shown. Throws when that cannot be told now.
   */
  find?(answer: CardRef, job: string): Promise<CardRef | undefined>;
  /** A new message: the log channel, or a direct message to a person. */
  say(to: { readonly place: Place } | { readonly caller: Caller }, view: View): Promise<Drawn>;
  /** The chat itself is kept here: `forget` takes a person's messages and results along. */
  readonly keepsChat?: boolean;
  /** Removes whatever is kept here of a person, at their wish. */
  forget(caller: Caller): Promise<void>;
  /**
   * The bytes of a photo that came through this platform, at most `maxBytes`; `PhotoGone` when there are none any more.
   * `reserve` is waited for before more than its beginning is kept in memory.
   */
  photo(
    ref: Extract<PhotoRef, { from: Platform }>,
    maxBytes: number,
    signal: AbortSignal,
    reserve?: (bytes: number) => Promise<void>,
  ): Promise<Uint8Array>;
  limits(card: CardRef): MediaLimits;
  /** Asked of the platform now. */
  isModerator(caller: Caller, place: Place): Promise<boolean>;
  /** What somebody is called there now, where the platform does not put names in the place of ids by itself. */
  personName?(id: string, place: Place): Promise<string | undefined>;
  /** Whether both are one message, whatever it has come to show since; asked where `pressed` is told of presses. */
  isSame?(a: CardRef, b: CardRef): boolean;
  /** An address at which people who may see the message find it, where the platform has such. */
  link?(card: CardRef, place: Place): string | undefined;
  /** For /readyz: undefined when all is well, else the reason. */
  trouble(): string | undefined;
}

/** One line of the doctor's: what was looked at, whether it is well, and what to do if it is not. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly cure?: string;
}
