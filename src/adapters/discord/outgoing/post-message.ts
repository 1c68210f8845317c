import { createHash } from 'node:crypto';
import { Routes } from 'discord.js';
import { z } from 'zod';
import type { Requests } from '../api/requests.ts';
import type { Payload } from './render.ts';

const made = z.object({ id: z.string() });

/** Discord takes at most 25 characters; the same purpose always gives the same ones. */
const nonceOf = (purpose: string): string =>
  createHash('sha256').update(purpose).digest('base64url').slice(0, 25);

/** New messages as the bot. */
export const createPosting = (requests: Requests) => {
  /** The answer of Discord. With the same `purpose` within a few minutes no second message is made. */
  const post = (channel: string, payload: Payload, purpose: string): Promise<unknown> =>
    requests.asBot({
      doing: 'post a message',
      method: 'POST',
      route: Routes.channelMessages(channel),
      body: { ...payload.body, nonce: nonceOf(purpose), enforce_nonce: true },
      files: payload.files,
      repeatable: true,
      withinMs: 60_000,
    });

  /** The channel of direct messages with a person; asking again gives the same one. */
  const openDirect = async (user: string): Promise<string> => {
    const answer = await requests.asBot({
      doing: 'open direct messages',
      method: 'POST',
      route: Routes.userChannels(),
      body: { recipient_id: user },
      repeatable: true,
    });
    return made.parse(answer).id;
  };

  return { post, openDirect };
};
