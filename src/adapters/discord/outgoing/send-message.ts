import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import type { Caller, Place } from '../../../command/place.ts';
import type { View } from '../../../command/view.ts';
import type { Drawn } from '../../adapter.ts';
import type { Requests } from '../api/requests.ts';
import { STANDARD_BYTES } from '../api/size-limits.ts';
import { drawn, idOf, toOutcome } from './outcome.ts';
import { createPosting } from './post-message.ts';
import { renderView } from './render.ts';

/** New messages that answer no interaction: to the log channel, or to one person. */
export function createSay(requests: Requests, clock: Clock) {
  const { post, openDirect } = createPosting(requests);
  return (to: { readonly place: Place } | { readonly caller: Caller }, view: View): Promise<Drawn> =>
    toOutcome(async () => {
      const payload = renderView(view);
      const caller = 'caller' in to ? to.caller : undefined;
      const channel = 'caller' in to ? await openDirect(to.caller.id) : to.place.channel;
      // Two equal log lines are both sent; a person gets the same message once.
      const purpose = caller === undefined ? randomUUID() : `${caller.id} ${JSON.stringify(payload.body)}`;
      const answer = await post(channel, payload, purpose);
      return drawn(answer, view, {
        app: '',
        channel,
        message: idOf(answer),
        user: caller?.id ?? '',
        locale: caller?.locale ?? '',
        at: clock.now(),
        ephemeral: false,
        member: true,
        limit: STANDARD_BYTES,
        spoiler: false,
      });
    });
}
