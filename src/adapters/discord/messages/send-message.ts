import { createHash, randomUUID } from 'node:crypto';
import type { CreateMessageOptions } from '@discordjs/core/http-only';
import type { APIMessage } from 'discord.js';
import type { Clock } from '../../../base/clock.ts';
import type { Caller, Place } from '../../../command/place.ts';
import type { DrawOutcome } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import type { SharedResult } from '../../adapter.ts';
import { newMessage, renderView } from '../components/message.ts';
import { DOCUMENTED_BYTES } from '../payloads/card-ref.ts';
import type { DiscordApi } from '../rest/api.ts';
import { DiscordFault, isRefusedWith } from '../rest/fault.ts';
import { drawOutcomeOf, GONE, idOf, isTooLarge, mediaBytes, toOutcome } from './outcome.ts';
import type { UploadLimits } from './upload-limits.ts';

/** Derives the nonce of a message from its purpose; Discord allows 25 characters. */
const nonceOf = (purpose: string): string =>
  createHash('sha256').update(purpose).digest('base64url').slice(0, 25);

/** The purpose of the one message that shows a job in a channel without answering an interaction. */
export const jobPurpose = (job: string): string => `share ${job}`;

/**
 * Sends a message as the bot. A retry within a few minutes with the same `purpose` makes no second message
 * (`enforce_nonce`).
 */
export function postMessage(
  api: DiscordApi,
  channel: string,
  message: CreateMessageOptions,
  purpose: string,
): Promise<APIMessage> {
  const inTime = api.within({ repeatable: true, timeoutMs: 60_000 });
  return inTime.channels.createMessage(channel, {
    ...message,
    nonce: nonceOf(purpose),
    enforce_nonce: true,
  });
}

/** Opens the channel of direct messages to a person; idempotent, because Discord returns the same channel each time. */
export const openDirect = async (api: DiscordApi, user: string): Promise<string> =>
  idOf(await api.within({ repeatable: true }).users.createDM(user));

/** The outcome of a failure after which certainly nothing was sent; throws any other error. */
function unsent(error: unknown): DrawOutcome {
  const isKnown = error instanceof DiscordFault && error.kind !== 'unknown' && !isRefusedWith(error, ...GONE);
  if (!isKnown) throw error;
  return { state: 'later', afterMs: error.retryAfterMs, unsent: true };
}

/** Makes `say` of the adapter: new messages that answer no interaction, to a channel or to one person. */
export function createSay(api: DiscordApi, clock: Clock, uploads: UploadLimits) {
  type To = { readonly place: Place } | { readonly caller: Caller };
  const send = async (to: To, view: View, share: SharedResult | undefined): Promise<DrawOutcome> => {
    const payload = renderView(view);
    const caller = 'caller' in to ? to.caller : share?.caller;
    const channel = 'caller' in to ? await openDirect(api, to.caller.id) : to.place.channel;
    // A random purpose lets two equal lines of the log channel both be sent, while a person gets the same message once.
    const own = 'caller' in to ? `${to.caller.id} ${JSON.stringify(payload.body)}` : randomUUID();
    const purpose = share === undefined ? own : jobPurpose(share.job);
    const answer = await postMessage(api, channel, newMessage(payload, false), purpose).catch(
      (error: unknown) => {
        if (isTooLarge(error)) uploads.lower(undefined, mediaBytes(view));
        throw error;
      },
    );
    return drawOutcomeOf(answer, view, {
      app: '',
      channel,
      message: idOf(answer),
      user: caller?.id ?? '',
      locale: caller?.locale ?? '',
      at: clock.now(),
      ephemeral: false,
      member: true,
      limit: DOCUMENTED_BYTES,
      spoiler: false,
    });
  };
  return (to: To, view: View, share?: SharedResult): Promise<DrawOutcome> =>
    toOutcome(() => {
      const sent = send(to, view, share);
      return share === undefined ? sent : sent.catch(unsent);
    });
}
