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

test('forged, late, malformed and huge requests are refused and do no work', async () => {
  const { discord, recorder } = setting;
  const ann = discord.newcomer('forged');
  await ann.slash('/help').answered();
  const { body, headers } = lastPosted();
  // Somebody else's order, as it would come from Discord.
  const order = body.replace('"name":"help"', '"name":"privacy"').replace(/"id":"\d+"/, '"id":"999"');
  const before = { runs: recorder.runs().length, received: discord.received.length };
  const flipped = `${headers['x-signature-ed25519']?.slice(0, -1)}${headers['x-signature-ed25519']?.endsWith('0') ? '1' : '0'}`;
  const seconds = Math.floor(Date.now() / 1_000);
  const refusals: readonly (readonly [string, Posted['headers'], number])[] = [
    [order, headers, 401],
    [body, { ...headers, 'x-signature-ed25519': flipped }, 401],
    [order, { 'content-type': 'application/json' }, 401],
    [order, { 'x-signature-ed25519': 'nonsense', 'x-signature-timestamp': 'now' }, 401],
    [order, discord.http.sign(order, seconds - 400), 401],
    [order, discord.http.sign(order, seconds + 400), 401],
    ['{"type":2}', discord.http.sign('{"type":2}'), 400],
    ['nonsense', discord.http.sign('nonsense'), 400],
    [`${order}${' '.repeat(600_000)}`, headers, 413],
  ];
  for (const [text, given, status] of refusals) expect((await post(text, given)).status).toBe(status);
  expect((await fetch(url())).status).toBe(404);
  // Its own requests, such as edits of cards, have come to an end before.
  expect(discord.received.slice(before.received).filter(({ path }) => path.includes('999'))).toEqual([]);
  expect(recorder.runs().length).toBe(before.runs);
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

test('slow bodies do not delay others, and are given up', async () => {
  const { discord } = setting;
  const { hostname, port } = new URL(url());
  const answers: string[] = [];
  const sockets = Array.from({ length: 50 }, (_, index) => {
    const socket = connect(Number(port), hostname);
    answers[index] = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      answers[index] += chunk.toString();
    });
    const head = Object.entries(discord.http.sign(ping)).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `POST /discord/interactions HTTP/1.1\r\nHost: x\r\n${head.join('')}Content-Length: 100000\r\n\r\n{`,
    );
    return socket;
  });
  const sent = discord.newcomer('patient').slash('/usage');
  expect((await sent.answered()).type).toBe(4);
  await holds(() => expect(answers.every((answer) => answer.startsWith('HTTP/1.1 408 '))).toBe(true));
  await holds(() => expect(sockets.every((socket) => socket.readableEnded || socket.destroyed)).toBe(true));
  for (const socket of sockets) socket.destroy();
});
