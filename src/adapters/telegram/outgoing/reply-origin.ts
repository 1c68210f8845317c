import type { Caller, Place } from '../../../command/place.ts';
import type { Card } from '../api/refs.ts';
import type { Waiting } from './chat-queue.ts';
import type { SendOptions } from './sending.ts';

/** What a reply answers, and so where it is sent. */
export interface Origin {
  readonly caller: Caller;
  readonly place: Place;
  /** The message to reply to, in a group. */
  readonly replyTo?: number | undefined;
  /** The message whose button was pressed. */
  readonly pressed?: Card;
  /** Too rare to count against the person's share of the group. */
  readonly rare?: true;
}

/** Whose share of the group an answer counts against. */
export function sharing({ caller, rare }: Origin): Pick<Waiting, 'person'> {
  return rare ? {} : { person: caller.id };
}

/** In a group the answer is shown as a reply. */
export function replying(origin: Origin): SendOptions {
  return origin.place.direct || origin.replyTo === undefined ? {} : { replyTo: origin.replyTo };
}
