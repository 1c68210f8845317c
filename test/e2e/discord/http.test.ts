import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { en } from '../../../src/words/en/words.ts';
import { holds } from '../../eventually.ts';
import type { Posted } from '../../fakes/discord/http-delivery.ts';
import { flat, found, hasFile, openSetting, photo, type Setting, says } from './setting.ts';

let setting: Setting;
beforeAll(async () => {
  const result = await flat('#2060a0');
  setting = await openSetting({ queuedMs: 0, runningMs: 100, result }, 'HTTP');
});
afterAll(async () => {
  await setting.close();
  expect(setting.discord.world.complaints).toEqual([]);
});

const url = (): string => setting.discord.http.url ?? '';
const post = async (body: string, headers?: Posted['headers']): Promise<Response> =>
  fetch(url(), { method: 'POST', headers: headers ?? setting.discord.http.sign(body), body });
const ping = JSON.stringify({ type: 1, id: '1', application_id: '2', token: 't', version: 1 });
const lastPosted = (): Posted => {
  const last = setting.discord.http.posted.at(-1);
  if (last === undefined) throw new Error('nothing was posted');
  return last;
};
const callbacks = () => setting.discord.received.filter(({ path }) => path.endsWith('/callback'));

test('a ping is answered, the program is ready, and there is no gateway connection', async () => {
  expect(await (await post(ping)).json()).toEqual({ type: 1 });
  const ready = await fetch(`${setting.program().url}/readyz`);
  expect(await ready.json()).toMatchObject({ checks: { discord: { ok: true } } });
  expect(setting.discord.gateway.identifies).toEqual([]);
  await holds(() => expect(setting.discord.world.registrations).toBe(1));
});

test('a proxy’s host name is accepted', async () => {
  const { hostname, port } = new URL(url());
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const headers = Object.entries(setting.discord.http.sign(ping));
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(
    `POST /discord/interactions HTTP/1.1\r\nHost: bot.example\r\n${head}Content-Length: ${ping.length}\r\n\r\n${ping}`,
  );
  await holds(() => expect(answer).toContain('{"type":1}'));
  socket.destroy();
});

test('deferral, form, suggestions and message are responses; what follows comes by the webhook', async () => {
  const { discord } = setting;
  const ann = discord.newcomer('ann');
  const sent = ann.slash('/faceswap', { photo: await photo(), filter: '3', gender: 'female' });
  expect((await sent.answered()).type).toBe(5);
  const made = await found(sent.message, hasFile);
  const edits = discord.received.filter(
    ({ method, path }) => method === 'PATCH' && path.includes(`/${sent.interaction.token}/`),
  );
  expect(edits.length).toBeGreaterThan(0);

  const animate = ann.press(made, en.buttons.animate);
  expect((await animate.answered()).type).toBe(9);
  const form = ann.submit(animate, { prompt: 'a slow zoom' });
  expect([4, 6]).toContain((await form.answered()).type);
  const again = ann.press(made, en.buttons.again);
  expect([4, 6]).toContain((await again.answered()).type);
  await found(() => again.messages().find(({ id }) => id !== made.id), hasFile);
  const typed = await ann.complete('/faceswap', 'filter', 'pop').answered();
  expect(typed.type).toBe(8);
  const usage = ann.slash('/usage');
  expect((await usage.answered()).type).toBe(4);
  await found(usage.message, says('Credits today'));
  expect(callbacks()).toEqual([]);
});

test('a request that is sent again is refused, also by the next process', async () => {
  const { discord, recorder } = setting;
  const ann = discord.newcomer('replayed');
  const sent = ann.slash('/faceswap', { photo: await photo(), filter: '3', gender: 'female' });
  await sent.answered();
  const { body, headers } = lastPosted();
  await found(sent.message, hasFile);
  const runs = recorder.runs().length;
  expect((await post(body, headers)).status).toBe(409);
  await setting.crash();
  expect((await post(body, headers)).status).toBe(409);
  expect(recorder.runs().length).toBe(runs);
  const messages = discord
    .messages(discord.channel, ann)
    .filter(({ author }) => author === discord.world.bot.id);
  expect(messages.filter(({ id }) => id === sent.message()?.id)).toHaveLength(1);
});
