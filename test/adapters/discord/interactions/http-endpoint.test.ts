// @module-tag slow
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import { en } from '../../../../src/words/en/words.ts';
import { holds as until } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createFakeDiscord } from '../../../fakes/discord/discord.ts';
import { openEndpoint } from '../../../fakes/discord/endpoint.ts';
import {
  card,
  createStaged,
  faceswap,
  passing,
  picture,
  publicReply,
  type StageOptions,
  texts,
  view,
} from '../../../fakes/discord/stage.ts';
import { createFakeMembers } from '../../../fakes/members.ts';
import { createRecords, recordsWith } from '../../../fakes/records.ts';

const MINUTE = 60_000;

/** Starts a fake of Discord that runs until the test ends. */
const startFake = async (clock: Clock = systemClock) => {
  const fake = await createFakeDiscord(clock);
  onTestFinished(() => fake.stop());
  return fake;
};

interface Opening extends Pick<StageOptions, 'state' | 'members' | 'publicKey' | 'fake'> {
  readonly clock?: Clock;
  readonly awaited?: boolean;
}

const open = async ({ clock = systemClock, fake: known, awaited = true, ...options }: Opening = {}) => {
  const fake = known ?? (await startFake(clock));
  fake.http.now = clock.now;
  const { publicKey } = fake.http;
  const staged = createStaged(fake, clock, { publicKey, commands: [faceswap], ...options });
  const { adapter, webhook } = staged;
  const endpoint = await openEndpoint(fake, webhook?.handle ?? expect.fail('no public key'));
  const url = fake.http.url ?? '';
  const starting = adapter.start();
  if (awaited) await starting;
  onTestFinished(async () => {
    await adapter.stop();
    await endpoint.close();
  });
  const post = (body: string, headers: Readonly<Record<string, string>> = fake.http.sign(body)) =>
    fetch(url, { method: 'POST', headers, body });
  return { ...staged, fake, post };
};

const ping = JSON.stringify({ type: 1, id: '1', application_id: '2', token: 't', version: 1 });

const command = (id = '77') =>
  JSON.stringify({
    type: 2,
    id,
    application_id: '2',
    token: `token-${id}`,
    channel_id: '3',
    user: { id: '4', username: 'ann' },
    data: { id: '5', name: 'help', type: 1 },
  });

test('the endpoint for interactions answers a ping, also with a key in capitals', async () => {
  const fake = await startFake();
  const { post } = await open({ fake, publicKey: fake.http.publicKey.toUpperCase() });

  const answer = await post(ping);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ type: 1 });
});

test('a generating command is deferred in the HTTP response, although Discord is slow to act on it', async () => {
  const { fake, desk } = await open();

  fake.http.readsAfterMs = 120;
  desk.replies(card('Place in line: 1'));
  const sent = fake.user('ann').types('/faceswap', { filter: '12' });

  expect((await sent.answered()).type).toBe(5);

  await until(() => expect(desk.cards).toHaveLength(1));
  expect(texts(sent.messages())).toEqual(['Place in line: 1']);
  expect(JSON.parse(desk.cards[0]?.card.ref ?? '')).toMatchObject({ message: sent.message()?.id });
  expect(fake.received.filter(({ path }) => path.endsWith('/callback'))).toEqual([]);
  expect(fake.world.complaints).toEqual([]);
});

test('a card that is the HTTP response itself has its message’s id', async () => {
  const { fake, desk } = await open();
  const again = [[{ action: 'again:1', label: 'Again' }]];

  desk.replies(
    { kind: 'message', audience: 'everyone', view: view('Result', { buttons: again }) },
    card('Accepted'),
  );
  const ann = fake.user('ann');
  const sent = ann.types('/help');
  await sent.answered();
  const message = sent.message();
  if (message === undefined) throw new Error('no message');
  const press = ann.presses(message, 'Again');

  expect((await press.answered()).type).toBe(4);

  await until(() => expect(desk.cards).toHaveLength(1));
  expect(JSON.parse(desk.cards[0]?.card.ref ?? '')).toMatchObject({ message: press.message()?.id });
});

test('a small file is sent as a request, because the HTTP response cannot carry it', async () => {
  const { fake, desk } = await open();

  desk.replies({ kind: 'message', view: picture(new Uint8Array(10)), audience: 'caller' });
  const sent = fake.user('ann').types('/jobs');

  expect((await sent.answered()).type).toBe(4);
  expect(sent.message()?.attachments).toHaveLength(1);

  await until(() => expect(fake.http.statuses).toEqual([202]));
  expect(fake.received.filter(({ path }) => path.endsWith('/callback'))).toHaveLength(1);
});

test('a command whose HTTP response Discord does not act on spends nothing, because the desk is not called', async () => {
  const clock = createFakeClock();
  const { fake, desk, post, logged } = await open({ clock });
  const body = command().replace('"help"', '"faceswap"');

  const answered = await post(body);
  expect(await answered.json()).toMatchObject({ type: 5 });

  const looks = () => fake.received.filter(({ path }) => path.endsWith('/messages/@original')).length;
  // Eight times in thirteen seconds.
  await passing(clock, 1_000, () => expect(logged.join()).toContain('could not be answered'));
  expect(looks()).toBe(8);
  expect(desk.heard).toEqual([]);
});

const signature = { 'x-signature-ed25519': 'ab'.repeat(64) };
const timestamp = { 'x-signature-timestamp': '1' };

test.each<{ what: string; headers: Record<string, string> }>([
  { what: 'without a timestamp', headers: signature },
  { what: 'without a signature', headers: timestamp },
  { what: 'with a malformed signature', headers: { ...timestamp, 'x-signature-ed25519': 'zz' } },
  { what: 'with a malformed timestamp', headers: { ...signature, 'x-signature-timestamp': '1e9' } },
])('an interaction $what is refused', async ({ headers }) => {
  const { post, desk } = await open();

  const answerToCommand = await post(command(), headers);
  const answerToPing = await post(ping, headers);

  expect(answerToCommand.status).toBe(401);
  expect(answerToPing.status).toBe(401);
  expect(desk.heard).toEqual([]);
});

test('an interaction with a forged body, time or signature is refused', async () => {
  const { fake, post, desk } = await open();
  const headers = fake.http.sign(command());
  expect((await post(command('78'), headers)).status).toBe(401);

  const later = String(Number(headers['x-signature-timestamp']) + 1);
  expect((await post(command(), { ...headers, 'x-signature-timestamp': later })).status).toBe(401);

  const other = await startFake();
  expect((await post(command(), other.http.sign(command()))).status).toBe(401);
  expect((await post(ping, other.http.sign(ping))).status).toBe(401);
  expect(desk.heard).toEqual([]);
  expect(fake.received.filter(({ path }) => path.startsWith('/webhooks'))).toEqual([]);
});

test('an interaction signed more than five minutes ago or ahead is refused, and the log says to check the clock', async () => {
  const { post, fake, desk, logged } = await open();
  const now = Math.floor(Date.now() / 1_000);
  const statusAt = async (seconds: number): Promise<number> =>
    (await post(command(), fake.http.sign(command(), seconds))).status;

  expect(await statusAt(now - 303)).toBe(401);
  expect(await statusAt(now + 303)).toBe(401);
  expect(await statusAt(0)).toBe(401);
  expect(desk.heard).toEqual([]);
  expect(logged.filter((line) => line.includes('is the clock of this machine right'))).toHaveLength(1);
  expect((await post(ping, fake.http.sign(ping, now - 290))).status).toBe(200);
});

test('interactions are accepted after the machine’s clock was set back by an hour', async () => {
  const { fake, post } = await open({ clock: createFakeClock(Date.now() + 60 * MINUTE) });
  fake.http.now = Date.now;
  expect((await post(ping)).status).toBe(200);
});

test('of copies of an interaction that arrive together one is handled, also where nothing is stored', async () => {
  const { fake, desk, post } = await open();
  const body = command().replace('"type":2', '"type":4');
  const headers = fake.http.sign(body);

  const statuses = await Promise.all([1, 2, 3].map(async () => (await post(body, headers)).status));
  expect(statuses.sort()).toEqual([200, 409, 409]);
  expect(desk.heard).toEqual([]);
});

test('of copies of an interaction that arrive at two processes one is handled and answered', async () => {
  const { join } = createFakeMembers();
  const records = createRecords();

  const state = recordsWith(records, {
    // The pause lets both processes look before either has written.
    async update(key, change, ttlMs) {
      await new Promise((done) => setTimeout(done, 50));
      return records.update(key, change, ttlMs);
    },
  });
  const members = [join(), join()] as const;
  const first = await open({ members: members[0], state });
  const second = await open({ fake: first.fake, state, members: members[1] });
  first.desk.replies(publicReply('Hello'));
  second.desk.replies(publicReply('Hello'));
  const body = command();
  const headers = first.fake.http.sign(body);
  const statuses = await Promise.all(
    [first, second, first, second].map(async ({ post }) => (await post(body, headers)).status),
  );

  expect(statuses.sort()).toEqual([200, 409, 409, 409]);
  expect([...first.desk.heard, ...second.desk.heard]).toHaveLength(1);

  // The second one to start found the commands registered.
  await until(() => expect(members.flatMap((member) => member.held())).toEqual(['discord-owed']));
  expect(first.fake.world.registrations).toBe(1);
});

test('an interaction that an earlier process has handled is refused', async () => {
  const state = createRecords();

  await state.set('interaction:77', 'handled');
  const { post, desk } = await open({ state });

  expect((await post(command('77'))).status).toBe(409);
  expect(desk.heard).toEqual([]);
});

test('a signed body that is no interaction is refused, and one of an unknown kind is not answered', async () => {
  const { post, desk } = await open();
  const traversal = '{"type":2,"id":"../x","token":"t","application_id":"1"}';
  for (const body of ['not json', '[]', '{}', '{"type":1}', traversal])
    expect((await post(body)).status, body).toBe(400);
  expect((await post(command().replace('"type":2', '"type":99'))).status).toBe(503);
  expect(desk.heard).toEqual([]);
});

test('an interaction with a body over 512 KB is refused, announced or not', async () => {
  const { fake, post, desk } = await open();
  const large = JSON.stringify({ filler: 'x'.repeat(520 * 1024) });
  expect((await post(large)).status).toBe(413);

  const pieces = ReadableStream.from(Array.from({ length: 9 }, () => new Uint8Array(64 * 1024)));
  const init = { method: 'POST', headers: fake.http.sign(''), body: pieces, duplex: 'half' } as const;
  // The connection may be closed before everything is sent.
  const status = await fetch(fake.http.url ?? '', init).then(
    (answer) => answer.status,
    () => 413,
  );
  expect(status).toBe(413);
  expect((await post(JSON.stringify({ ...JSON.parse(ping), filler: 'x'.repeat(200_000) }))).status).toBe(200);
  expect(desk.heard).toEqual([]);
});

test('an interaction whose body takes longer than three seconds is given up', async () => {
  const clock = createFakeClock();
  const { fake, desk } = await open({ clock });
  const { hostname, port } = new URL(fake.http.url ?? '');
  const socket = connect(Number(port), hostname);
  let answer = '';

  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const headers = Object.entries(fake.http.sign(command()));
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${head}Content-Length: ${command().length}\r\n\r\n{`);
  await passing(clock, 1_000, () => expect(answer).toMatch(/^HTTP\/1\.1 408 /));
  socket.destroy();

  expect(desk.heard).toEqual([]);
});

test('a store that hangs delays the answer to an interaction by half a second at most', async () => {
  const clock = createFakeClock();
  const { desk, fake, state } = await open({ clock });

  state.get = () => new Promise(() => {});
  state.set = () => new Promise(() => {});
  desk.replies(publicReply('Hello'));
  const sent = fake.user('ann').types('/help');
  await until(async () => {
    if (clock.now() - sent.interaction.at < 500) await clock.advance(50);
    expect(sent.interaction.ack).toMatchObject({ type: 4 });
  });
  await clock.advance(1_000);
});

test('a store that fails does not keep an interaction from being answered', async () => {
  const { desk, fake, state } = await open();

  state.get = () => Promise.reject(new Error('the disk is full'));
  desk.replies(publicReply('Hello'));

  expect((await fake.user('ann').types('/help').answered()).type).toBe(4);
});

test('the endpoint for interactions is not ready with the key of another application', async () => {
  const { adapter } = await open({ publicKey: 'ab'.repeat(32) });
  expect(adapter.trouble()).toContain('DISCORD_PUBLIC_KEY is not the key');
});

test('the endpoint for interactions is not ready while Discord refuses the token or is away, and recovers', async () => {
  const clock = createFakeClock();
  const fake = await startFake(clock);

  fake.world.tokenAccepted = false;
  const { adapter } = await open({ clock, fake });

  expect(adapter.trouble()).toContain('DISCORD_TOKEN');

  fake.world.tokenAccepted = true;
  await passing(clock, MINUTE, () => expect(adapter.trouble()).toBeUndefined());

  fake.fault({ path: /@me$/, kind: 'status', status: 502 });
  const { adapter: other } = await open({ clock, fake, awaited: false });
  await passing(clock, 1_000, () => expect(other.trouble()).toContain('could not be reached'));
  fake.clearFaults();
  await passing(clock, MINUTE, () => expect(other.trouble()).toBeUndefined());
});

test('the endpoint for interactions is not ready when Discord cannot be reached any more after the start', async () => {
  const clock = createFakeClock();
  const { fake, adapter, logged } = await open({ clock });
  expect(adapter.trouble()).toBeUndefined();

  await fake.offline();
  await passing(clock, 10_000, () => expect(adapter.trouble()).toContain('could not be reached'));
  await fake.online();
  await passing(clock, 10_000, () => expect(adapter.trouble()).toBeUndefined());

  expect(logged.filter((line) => line.includes('interactions come by HTTP'))).toHaveLength(1);
});

test('more interactions than a person may send at once are refused in the response', async () => {
  const { fake, desk } = await open();
  const { promise, resolve } = Promise.withResolvers<Reply>();

  desk.replies(...Array.from({ length: 10 }, () => promise));
  const ann = fake.user('ann');
  const busy = Array.from({ length: 10 }, () => ann.types('/help'));
  await Promise.all(busy.map((each) => each.answered()));
  const told = ann.types('/help');
  await told.answered();

  expect(texts(told.messages())).toEqual([en.busy.perPerson]);

  ann.types('/help');
  await until(() => expect(fake.http.statuses).toContain(503));
  resolve({ kind: 'note', text: 'done' });
});
