import type { RequestListener, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createFetchPhoto as createDiscordFetch } from '../../src/adapters/discord/attachments.ts';
import { attachmentRef } from '../../src/adapters/discord/payloads/photo-ref.ts';
import { createApi } from '../../src/adapters/discord/rest/api.ts';
import { createBot } from '../../src/adapters/telegram/api/create-bot.ts';
import { createFetchPhoto as createTelegramFetch } from '../../src/adapters/telegram/api/photos.ts';
import { holds } from '../eventually.ts';
import { createFakeClock, type FakeClock } from '../fakes/clock.ts';
import { serving } from '../fakes/serving.ts';

/** A platform's file server that sends the beginning of every photo and no more, on real connections. */

const MB = 1024 * 1024;
const never = new AbortController().signal;

/** Collects the answers that wait. */
const sendBeginning =
  (waiting: ServerResponse[]): RequestListener =>
  (request, response) => {
    if (request.url?.includes('getFile')) {
      const file = { file_id: 'id', file_unique_id: 'unique', file_size: 10 * MB, file_path: 'photos/1.jpg' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: true, result: file }));
      return;
    }
    response.writeHead(200, { 'content-length': 10 * MB });
    response.write(Buffer.alloc(1024));
    waiting.push(response);
  };

type Reserve = (bytes: number) => Promise<void>;

const fetchFromDiscord = (url: string, clock: FakeClock, reserve: Reserve) => {
  const { api } = createApi({ token: 'a-token', apiUrl: url }, clock);
  const fetchPhoto = createDiscordFetch(api, clock, () => true);
  const ref = { from: 'discord', ref: attachmentRef({ url: `${url}/me.png` }) } as const;
  return fetchPhoto(ref, 20 * MB, never, reserve);
};

const fetchFromTelegram = (url: string, clock: FakeClock, reserve: Reserve) => {
  const token = '123456789:AAfake-token-of-nobody-0123456789abcd';
  const { api } = createBot({ token, apiUrl: url, clock });
  const fetchPhoto = createTelegramFetch({ token, apiUrl: url, api, clock });
  const ref = { from: 'telegram', ref: JSON.stringify({ file_id: 'id' }) } as const;
  return fetchPhoto(ref, 20 * MB, never, reserve);
};

it.each([
  { platform: 'Discord', fetchPhoto: fetchFromDiscord },
  { platform: 'Telegram', fetchPhoto: fetchFromTelegram },
])('a slow photo of $platform reserves no memory and is aborted soon', async ({ fetchPhoto }) => {
  const clock = createFakeClock();
  const waiting: ServerResponse[] = [];
  const url = await serving(sendBeginning(waiting));
  let reserved = 0;
  let isOver = false;

  const fetching = fetchPhoto(url, clock, async (bytes) => {
    reserved += bytes;
  })
    .catch((error: unknown) => error)
    .finally(() => {
      isOver = true;
    });
  await holds(() => expect(waiting.length).toBe(1));
  while (!isOver) await clock.advance(1_000);

  expect(await fetching).toBeInstanceOf(Error);
  expect(waiting.length).toBeLessThanOrEqual(3);
  expect(reserved).toBe(0);
});
