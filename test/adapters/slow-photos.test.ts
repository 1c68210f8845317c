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
let clock: FakeClock;
let url = '';
let hanging: ServerResponse[];

const sendBeginning: RequestListener = (request, response) => {
  if (request.url?.includes('getFile')) {
    const result = { file_id: 'id', file_unique_id: 'unique', file_size: 10 * MB, file_path: 'photos/1.jpg' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }));
    return;
  }
  response.writeHead(200, { 'content-length': 10 * MB });
  response.write(Buffer.alloc(1024));
  hanging.push(response);
};

const discord = () => {
  const { api } = createApi({ token: 'a-token', apiUrl: url }, clock);
  const fetchPhoto = createDiscordFetch(api, clock, () => true);
  const ref = { from: 'discord', ref: attachmentRef({ url: `${url}/me.png` }) } as const;
  return (reserve: (bytes: number) => Promise<void>) => fetchPhoto(ref, 20 * MB, never, reserve);
};

const telegram = () => {
  const token = '123456789:AAfake-token-of-nobody-0123456789abcd';
  const { api } = createBot({ token, apiUrl: url, clock });
  const photo = createTelegramFetch({ token, apiUrl: url, api, clock });
  const ref = { from: 'telegram', ref: JSON.stringify({ file_id: 'id' }) } as const;
  return (reserve: (bytes: number) => Promise<void>) => photo(ref, 20 * MB, never, reserve);
};

it.each([
  ['Discord', discord],
  ['Telegram', telegram],
])('a slow photo of %s reserves no memory and is aborted soon', async (_, open) => {
  clock = createFakeClock();
  hanging = [];
  url = await serving(sendBeginning);
  let reserved = 0;
  const fetching = open()(async (bytes) => {
    reserved += bytes;
  }).catch((error: unknown) => error);
  let isOver = false;
  void fetching.then(() => {
    isOver = true;
  });

  await holds(() => expect(hanging.length).toBe(1));

  while (!isOver) await clock.advance(1_000);
  expect(await fetching).toBeInstanceOf(Error);
  expect(hanging.length).toBeLessThanOrEqual(3);
  expect(reserved).toBe(0);
});
