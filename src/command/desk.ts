import { defined } from '../base/defined.ts';
import type { Given } from './option.ts';
import type { PhotoRef } from './photo.ts';
import type { Caller, CardRef, Place } from './place.ts';
import type { Reply } from './reply.ts';

/** The one counter at which every adapter hands in what happened and gets what to show. */

export interface Incoming {
  readonly event: string;
  readonly caller: Caller;
  readonly place: Place;
  /** Where the answer to this event will stand, on a platform where that can be looked up afterwards. */
  readonly answer?: CardRef;
  /** The message whose button it was, where the platform vouches for that. */
  readonly pressed?: CardRef;
  /** The event itself, where `event` is only what it counts as. */
  readonly press?: string;
  /** The job whose button Again it is: one at a time is made of it. */
  readonly againOf?: string;
}

/** Nothing but that: what else came with an event is not passed on. */
export const incomingOf = ({
  event,
  caller,
  place,
  answer,
  pressed,
  press,
  againOf,
}: Incoming): Incoming => ({
  event,
  caller,
  place,
  ...defined({ answer, pressed, press, againOf }),
});

export interface Suggestion {
  readonly value: string;
  readonly label: string;
}

export interface Desk {
  /** A typed command. Never throws for what a person did: the reply says it in words. */
  command(
    incoming: Incoming & { readonly command: string; readonly subcommand?: string; readonly given: Given },
  ): Promise<Reply>;
  /** A line of text in our own grammar, with the photos that came with it. `undefined`: not for us. */
  text(
    incoming: Incoming & { readonly text: string; readonly photos: readonly PhotoRef[] },
  ): Promise<Reply | undefined>;
  /** A button. */
  press(incoming: Incoming & { readonly action: string }): Promise<Reply>;
  /** Answers to an `ask` reply. */
  answer(incoming: Incoming & { readonly draft: string; readonly answers: Given }): Promise<Reply>;
  /** From memory, at once: what could complete the option that is being typed. */
  complete(
    incoming: Omit<Incoming, 'event'> & {
      readonly command: string;
      readonly subcommand?: string;
      readonly option: string;
      readonly typed: string;
      readonly given?: Given;
    },
    limit: number,
  ): readonly Suggestion[];
  /** For answers that an adapter gives by itself: what somebody who is blocked gets in place of them. */
  turnAway(incoming: Pick<Incoming, 'caller' | 'place'>): Promise<Reply | undefined>;
  /** The card of a job is visible there: from now on the job may proceed. `undefined`: it cannot be shown to anybody. */
  shown(job: string, card: CardRef | undefined): Promise<void>;
}
