import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../base/clock.ts';
import type { Caller, Place } from '../../../../command/place.ts';
import type { View } from '../../../../command/view.ts';
import type { Drawn, ShareOf } from '../../../adapter.ts';
import { DiscordFault, isRefusal } from '../../api/fault.ts';
import type { Requests } from '../../api/requests.ts';
import { STANDARD_BYTES } from '../../api/size-limits.ts';
import { renderView } from '../render/render.ts';
import { drawn, GONE, idOf, toOutcome } from './outcome.ts';
import { createPosting, jobPurpose } from './post-message.ts';

/** Nothing is shown, so it can be tried again. */
function unsent(error: unknown): Drawn {
  const isKnown = error instanceof DiscordFault && error.kind !== 'unknown' && !isRefusal(error, ...GONE);
  if (!isKnown) throw error;
  return { state: 'later', afterMs: error.retryAfterMs, unsent: true };
}

/** New messages that answer no interaction: to a channel, or to one person. */
export function createSay(requests: Requests, clock: Clock) {
  const { post, openDirect } = createPosting(requests);
  type To = { readonly place: Place } | { readonly caller: Caller };
  const send = async (to: To, view: View, share: ShareOf | undefined): Promise<Drawn> => {
    const payload = renderView(view);
    const caller = 'caller' in to ? to.caller : share?.caller;
    const channel = 'caller' in to ? await openDirect(to.caller.id) : to.place.channel;
    // Two equal log lines are both sent; a person gets the same message once.
    const own = 'caller' in to ? `${to.caller.id} ${JSON.stringify(payload.body)}` : randomUUID();
    const answer = await post(channel, payload, share === undefined ? own : jobPurpose(share.job));
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
  };
  return (to: To, view: View, share?: ShareOf): Promise<Drawn> =>
    toOutcome(() => {
      const sent = send(to, view, share);
      return share === undefined ? sent : sent.catch(unsent);
    });
}
