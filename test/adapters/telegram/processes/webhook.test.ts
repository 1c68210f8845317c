import type { Update } from 'grammy/types';
import { afterEach, describe, expect, test } from 'vitest';
import type { Reply } from '../../../../src/command/reply.ts';
import { languages } from '../../../../src/words/words.ts';
import { eventually } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { postgresUrl } from '../../../fakes/postgres.ts';
import { line, passUntil } from '../stage.ts';
import { type Processes, startProcesses } from './processes.ts';

let processes: Processes;
afterEach(async () => {
  await processes[Symbol.asyncDispose]();
  expect(processes.fake.complaints).toEqual([]);
});

let nextUpdate = 1;
/** An update as Telegram would post it. */
const says = (person: number, chat: number, text: string, more: object = {}): Update => {
  const id = nextUpdate;
  nextUpdate += 1;
  const from = { id: person, is_bot: false, first_name: `P${person}` };
  const where =
    chat > 0
      ? { id: chat, type: 'private', first_name: from.first_name }
      : { id: chat, type: 'supergroup', title: 'Club' };
  return {
    update_id: id,
    message: { message_id: id, date: 1, chat: where, from, text, ...more },
  } as unknown as Update;
};
const part = (person: number, album: string, caption?: string): Update =>
  says(person, person, '', {
    text: undefined,
    caption,
    media_group_id: album,
    photo: [
      {
        file_id: `${album}-${nextUpdate}`,
        file_unique_id: `${nextUpdate}`,
        width: 90,
        height: 90,
        file_size: 100,
      },
    ],
  });
const handled = (): Promise<unknown> =>
  eventually(async () => (await processes.open()) === 0, 'all to be handled');
const lines = (): readonly (string | undefined)[] => processes.heard.map((each) => each.line);

describe.skipIf(postgresUrl === undefined)('updates by webhook at any of several processes', () => {
  test('are handled once each, those of a chat in order', async () => {
    processes = await startProcesses({ count: 3, webhook: true });
    const { all, fake, post } = processes;
    const people = Array.from({ length: 12 }, (_, index) => fake.person(`P${index}`));
    fake.openPrivate(...people);
    let turn = 0;
    const sent = people.map(async ({ user }, person) => {
      for (let count = 0; count < 8; count += 1) {
        turn += 1 + (person % 3);
        const to = all[turn % all.length];
        if (to) expect(await post(says(user.id, user.id, `/help ${count}`), to)).toBe(200);
      }
    });
    await Promise.all(sent);
    await handled();
    for (const { user } of people) {
      const own = processes.heard.filter(({ caller }) => caller.id === String(user.id));
      expect(own.map((each) => each.line)).toEqual(Array.from({ length: 8 }, (_, count) => `/help ${count}`));
    }
    expect(processes.heard).toHaveLength(96);
  });

  test('that come several times, anywhere, are handled once', async () => {
    processes = await startProcesses({ count: 3, webhook: true });
    const { all, fake, post } = processes;
    const ann = fake.person('Ann');
    fake.openPrivate(ann);
    const update = says(ann.user.id, ann.user.id, '/help');
    const everywhere = async (): Promise<void> => {
      const statuses = await Promise.all([...all, ...all].map((each) => post(update, each)));
      expect(new Set(statuses)).toEqual(new Set([200]));
    };
    await everywhere();
    await handled();
    await everywhere();
    for (const each of all) expect(await post(says(ann.user.id, ann.user.id, '/help more'), each)).toBe(200);
    await handled();
    expect(lines()).toEqual(['/help', '/help more', '/help more', '/help more']);
    expect(fake.fromBot(ann.chat)).toHaveLength(4);
  });

  test('wait for the process that has their chat, which then goes on with them', async () => {
    const slow = Promise.withResolvers<Reply>();
    processes = await startProcesses({
      count: 2,
      webhook: true,
      reply: ({ line: text }) =>
        text === '/help first' ? slow.promise : { kind: 'message', view: line(`to ${text?.slice(1)}`) },
    });
    const { all, fake, post } = processes;
    const [one, two] = all;
    if (one === undefined || two === undefined) throw new Error('no processes');
    const [ann, bob] = [fake.person('Ann'), fake.person('Bob')];
    fake.openPrivate(ann, bob);
    await post(says(ann.user.id, ann.user.id, '/help first'), one);
    await eventually(() => processes.heard.length === 1, 'the first');
    await post(says(ann.user.id, ann.user.id, '/help second'), two);
    await post(says(bob.user.id, bob.user.id, '/help other'), two);
    await eventually(() => fake.fromBot(bob.chat).length === 1, 'the answer in another chat');
    expect(fake.fromBot(ann.chat)).toEqual([]);
    slow.resolve({ kind: 'message', view: line('at last') });
    await eventually(() => fake.fromBot(ann.chat).length === 2, 'both answers');
    expect(fake.fromBot(ann.chat).map(({ text }) => text)).toEqual(['at last', 'to help second']);
  });

  test('of an album that is spread over them become one command', async () => {
    const clock = createFakeClock();
    processes = await startProcesses({ count: 3, webhook: true, clock });
    const { all, fake, post } = processes;
    const ann = fake.person('Ann');
    fake.openPrivate(ann);
    const parts = ['two of us', undefined, undefined, undefined].map((caption) =>
      part(ann.user.id, 'album', caption),
    );
    for (const [index, update] of parts.slice(0, 2).entries()) {
      const to = all[index];
      if (to) expect(await post(update, to)).toBe(200);
    }
    await clock.advance(300);
    // Nobody looks while time stands still: these are in the inbox only.
    for (const [index, update] of parts.slice(2).entries()) {
      const to = all[index + 1];
      if (to) expect(await post(update, to)).toBe(200);
    }
    await passUntil(clock, 2_600, () => processes.heard.length > 0, 20_000);
    expect(processes.heard.map((each) => [each.line, each.photos.length])).toEqual([['two of us', 4]]);
    await handled();
    expect(processes.heard).toHaveLength(1);
  });

  test('are handled by another process when the one that answered 200 is no more', async () => {
    const never = Promise.withResolvers<Reply>();
    processes = await startProcesses({
      count: 1,
      webhook: true,
      reply: (_, by) => (by === 0 ? never.promise : { kind: 'message', view: line(`by ${by}`) }),
    });
    const { all, fake, post } = processes;
    const [first] = all;
    if (first === undefined) throw new Error('no process');
    const ann = fake.person('Ann');
    fake.openPrivate(ann);
    for (const text of ['/help 1', '/help 2'])
      expect(await post(says(ann.user.id, ann.user.id, text), first)).toBe(200);
    await eventually(() => processes.heard.length === 1, 'the first process');
    await Promise.all([processes.add(), processes.add()]);
    await first.die();
    await eventually(() => fake.fromBot(ann.chat).length === 2, 'both answers');
    await handled();
    expect(lines()).toEqual(['/help 1', '/help 1', '/help 2']);
    never.resolve({ kind: 'message', view: line('too late') });
    await first.stop();
    expect(fake.fromBot(ann.chat).map(({ text }) => text)).not.toContain('too late');
  });

  test('are answered once when a process has lost its session meanwhile', async () => {
    const late = Promise.withResolvers<Reply>();
    processes = await startProcesses({
      count: 1,
      webhook: true,
      reply: () => (processes.heard.length === 1 ? late.promise : { kind: 'message', view: line('again') }),
    });
    const { all, database, fake, post } = processes;
    const [only] = all;
    if (only === undefined) throw new Error('no process');
    const ann = fake.person('Ann');
    fake.openPrivate(ann);
    expect(await post(says(ann.user.id, ann.user.id, '/help'), only)).toBe(200);
    await eventually(() => processes.heard.length === 1, 'the update');
    await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'darkroom session' AND datname = current_database()`);
    await eventually(() => only.rejoined(), 'another session');
    late.resolve({ kind: 'message', view: line('an apology') });
    await handled();
    expect(fake.fromBot(ann.chat).map(({ text }) => text)).toEqual(['again']);
  });

  test('name people who wrote to another process, until their data is deleted', async () => {
    processes = await startProcesses({ count: 2, webhook: true });
    const { all, fake, post } = processes;
    const [one, two] = all;
    if (one === undefined || two === undefined) throw new Error('no processes');
    const [bob, mod] = [fake.person('Bob'), fake.person('Mod')];
    fake.openPrivate(bob, mod);
    const block = (): Update => says(mod.user.id, mod.user.id, '/settings block @bobby spam');
    const written = says(bob.user.id, bob.user.id, '/help');
    Object.assign(written.message?.from ?? {}, { username: 'Bobby' });
    await post(written, one);
    await handled();
    await eventually(() => two.state.get('telegram:name:bobby'), 'the name');
    await post(block(), two);
    await handled();
    await processes.erase(`telegram:${bob.user.id}`);
    await post(block(), two);
    await handled();
    expect(lines()).toEqual(['/help', `/settings block ${bob.user.id} spam`, '/settings block @bobby spam']);
  });

  test('that make no sense are ignored, and spoil nothing for those beside them', async () => {
    processes = await startProcesses({ count: 1, webhook: true });
    const { all, fake, post } = processes;
    const [only] = all;
    if (only === undefined) throw new Error('no process');
    const ann = fake.person('Ann');
    fake.openPrivate(ann);
    const odd = [{ text: '/help' }, { media_group_id: 'x' }, 'x', null].map(
      (message) => ({ ...says(1, 1, ''), message }) as unknown as Update,
    );
    const statuses = [...odd, says(ann.user.id, ann.user.id, '/help')].map((update) => post(update, only));
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 200]);
    await eventually(() => fake.fromBot(ann.chat).length === 1, 'the answer');
    await handled();
    expect(lines()).toEqual(['/help']);
  });

  test('of a chat that floods do not hold up others', async () => {
    const clock = createFakeClock();
    processes = await startProcesses({ count: 2, webhook: true, clock });
    const { all, fake, post } = processes;
    const group = fake.group('Club');
    const bob = fake.person('Bob');
    fake.openPrivate(bob);
    const crowd = Array.from({ length: 10 }, (_, index) => fake.person(`P${index}`));
    const statuses: Promise<number>[] = [];
    for (let count = 0; count < 150; count += 1)
      for (const [index, { user }] of crowd.entries()) {
        const to = all[(count + index) % 2];
        if (to) statuses.push(post(says(user.id, group.id, '/help'), to));
      }
    const [, second] = all;
    if (second) expect(await post(says(bob.user.id, bob.user.id, '/help'), second)).toBe(200);
    await eventually(() => fake.fromBot(bob.chat).length === 1, 'the answer to Bob');
    const told = await Promise.all(statuses);
    expect(told.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    let open = 1;
    await passUntil(clock, 1_000, () => {
      void processes.open().then((count) => (open = count));
      return open === 0;
    });
    // As many as are answered in a group at once, twice if its chat went to the other process.
    expect(processes.heard.length).toBeLessThan(200);
    for (const { adapter } of all) expect(adapter.trouble()).toBeUndefined();
  });

  test('that cannot be handled are given up with a log line, and the chat goes on', async () => {
    const clock = createFakeClock();
    processes = await startProcesses({ count: 2, webhook: true, clock });
    const { all, fake, post, database } = processes;
    const [one, two] = all;
    if (one === undefined || two === undefined) throw new Error('no processes');
    const ann = fake.person('Ann');
    fake.openPrivate(ann);
    fake.fault({ method: 'sendMessage', kind: 400, times: 5 });
    await post(says(ann.user.id, ann.user.id, '/help never'), one);
    await post(says(ann.user.id, ann.user.id, '/help next'), two);
    await passUntil(clock, 5_000, () => fake.fromBot(ann.chat).length === 1);
    const logged = (): string => all.flatMap((each) => each.logged).join();
    expect(logged()).toContain('giving up');
    await passUntil(clock, 500, () => processes.heard.length === 2);
    // One that five processes did not survive.
    const bob = fake.person('Bob');
    fake.openPrivate(bob);
    const [held, poison, sane] = ['held', 'poison', 'sane'].map((text) =>
      says(bob.user.id, bob.user.id, `/help ${text}`),
    );
    if (held === undefined || poison === undefined || sane === undefined) throw new Error('no updates');
    // Its next try waits for time to pass, and the others for it.
    fake.fault({ method: 'sendMessage', kind: 500 });
    await post(held, one);
    // Marked as it is stored: a process may claim it right after that.
    await database.query(
      `CREATE FUNCTION mark() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.tries = 12; RETURN NEW; END';
       CREATE TRIGGER poison BEFORE INSERT ON inbox FOR EACH ROW WHEN (NEW.id = ${poison.update_id}) EXECUTE FUNCTION mark()`,
    );
    await post(poison, two);
    await post(sane, two);
    await passUntil(clock, 500, () => fake.fromBot(bob.chat).length === 2);
    expect(logged()).toContain('set aside');
    expect(lines()).not.toContain('/help poison');
  });
});

test.skipIf(postgresUrl === undefined)(
  'ephemeral commands are handled once, and what one process learns of a person’s app all know',
  async () => {
    processes = await startProcesses({
      count: 3,
      webhook: true,
      reply: ({ what, line: said }) => ({
        kind: 'message',
        private: 'in-place',
        view: { tone: what === 'faceswap' ? 'failed' : 'info', lines: [said ?? ''] },
      }),
    });
    const { fake } = processes;
    await eventually(() => fake.menus.size === 4 * Object.keys(languages).length, 'the menus');
    const ann = fake.person('Ann', { client: 'new' });
    const group = fake.group('Club', { botIsAdministrator: true });
    const texts = (): (string | undefined)[] =>
      fake.alone(group, ann).map(({ text }) => text?.replaceAll('\u2060', ''));
    const commands = Array.from({ length: 6 }, (_, index) => `/help ${index}`);
    for (const command of commands) ann.says(group, command);
    await eventually(() => texts().length === commands.length, 'the answers');
    // All of them have the same number; each comes once more, to another process.
    for (let index = 0; index < commands.length; index += 1) fake.delivery.again(100_001 + index);
    const refused = ['/faceswap 1', '/faceswap 2', '/faceswap 3'];
    for (const command of refused) ann.says(group, command);
    await eventually(() => texts().length >= commands.length + refused.length, 'the refusals');
    await eventually(async () => (await processes.open()) === 0, 'all updates');
    // Webhooks come at once, in any order.
    expect(texts().toSorted()).toEqual([...commands, ...refused].toSorted());
    expect(fake.fromBot(group)).toEqual([]);
  },
);
