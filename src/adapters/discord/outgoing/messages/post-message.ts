import { createHash } from 'node:crypto';
import { Routes } from 'discord.js';
import type { Requests } from '../../api/requests.ts';
import type { Payload } from '../render/render.ts';
import { idOf } from './outcome.ts';

/** At most 25 characters (Discord's limit), always the same for one purpose. */
function nonceOf(purpose: string): string {
  return createHash('sha256').update(purpose).digest('base64url').slice(0, 25);
}

/** Of the one message that shows a job in a channel and answers no interaction. */
export function jobPurpose(job: string): string {
  return `share ${job}`;
}

/** Sends new messages as the bot. */
export function createPosting(requests: Requests) {
  /** Repeated within a few minutes with the same `purpose`, no second message is created (`enforce_nonce`). */
  const post = (channel: string, payload: Payload, purpose: string): Promise<unknown> =>
    requests.asBot({
      doing: 'post a message',
      method: 'POST',
      route: Routes.channelMessages(channel),
      body: { ...payload.body, nonce: nonceOf(purpose), enforce_nonce: true },
      files: payload.files,
      repeatable: true,
      timeoutMs: 60_000,
    });

  /** Discord returns the same channel each time. */
  const openDirect = async (user: string): Promise<string> => {
    const answer = await requests.asBot({
      doing: 'open direct messages',
      method: 'POST',
      route: Routes.userChannels(),
      body: { recipient_id: user },
      repeatable: true,
    });
    return idOf(answer);
  };

  return { post, openDirect };
}
