import type { Caller, Place } from '../../../command/place.ts';
import type { Card } from '../api/refs.ts';
import type { Waiting } from './chat-queue.ts';
import type { SendOptions } from './sending.ts';

/** Where a reply comes from, and so where it goes. */
export interface Origin {
  readonly caller: Caller;
  readonly place: Place;
  /** The message that is answered to, in a group. */
  readonly replyTo?: number | undefined;
  /** The message whose button was pressed. */
  readonly pressed?: Card;
  /** Said so rarely that it does not count to the person's share of the group. */
  readonly rare?: true;
}

/** Whose share of the group an answer counts to. */
export const sharing = ({ caller, rare }: Origin): Pick<Waiting, 'person'> =>
  rare ? {} : { person: caller.id };

/** In a group it is seen what is answered to. */
export const replying = (origin: Origin): SendOptions =>
  origin.place.direct || origin.replyTo === undefined ? {} : { replyTo: origin.replyTo };
