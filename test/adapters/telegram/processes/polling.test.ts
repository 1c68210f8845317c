import { afterEach, describe, expect, test } from 'vitest';
import { languages } from '../../../../src/words/words.ts';
import { eventually } from '../../../eventually.ts';
import { postgresUrl } from '../../../fakes/postgres.ts';
import { type Process, type Processes, startProcesses } from './processes.ts';

let processes: Processes;
afterEach(async () => {
  await processes[Symbol.asyncDispose]();
  expect(processes.fake.complaints).toEqual([]);
});

const calls = (method: string): number =>
  processes.fake.calls.filter((each) => each.method === method).length;
const lines = (): readonly (string | undefined)[] => processes.heard.map((each) => each.line);
const standsBy = ({ logged }: Process): boolean => logged.some((each) => each.includes('stands by'));
/** The one that polls, and those that stand by. */
const roles = async (): Promise<{ poller: Process; others: Process[] }> => {
  await eventually(() => processes.all.filter(standsBy).length === processes.all.length - 1, 'all but one');
  const poller = processes.all.find((each) => !standsBy(each));
  if (poller === undefined) throw new Error('nobody polls');
  return { poller, others: processes.all.filter((each) => each !== poller) };
};
/** People who write `/help 0`, `/help 1` and so on, each once, until they are told to stop. */
const keepWriting = () => {
  let count = 0;
  const timer = setInterval(() => {
    const person = processes.fake.person(`P${count}`);
    person.says(person.chat, `/help ${count}`);
    count += 1;
  }, 20);
  return {
    count: () => count,
    end(): string[] {
      clearInterval(timer);
      return Array.from({ length: count }, (_, index) => `/help ${index}`);
    },
  };
};

describe.skipIf(postgresUrl === undefined)('long polling by several processes', () => {
  test('is done by one of them, and all are ready', async () => {
    processes = await startProcesses({ count: 3 });
    await roles();
    const ann = processes.fake.person('Ann');
    for (let count = 0; count < 5; count += 1) ann.says(ann.chat, `/help ${count}`);
    await eventually(() => processes.fake.fromBot(ann.chat).length === 5, 'five answers');
    expect(lines()).toEqual(['/help 0', '/help 1', '/help 2', '/help 3', '/help 4']);
    await eventually(() => processes.fake.delivery.pending.length === 0, 'the confirmation');
    for (const { adapter, logged } of processes.all) {
      expect(adapter.trouble()).toBeUndefined();
      expect(logged.join()).not.toContain('(409)');
    }
  });

  test('goes on in another one when the poller stops; nothing is lost or handled twice', async () => {
    processes = await startProcesses({ count: 3 });
    const { poller } = await roles();
    const writing = keepWriting();
    await eventually(() => processes.heard.length > 10, 'some of them');
    await poller.stop();
    const before = writing.count();
    await eventually(() => processes.heard.length > before + 10, 'more of them');
    const all = writing.end();
    await eventually(() => processes.heard.length >= all.length, 'all of them');
    await eventually(() => processes.fake.delivery.pending.length === 0, 'the confirmation');
    expect(lines().toSorted()).toEqual(all.toSorted());
  });

  test('goes on in another one when the poller is cut off from the store', async () => {
    processes = await startProcesses({ count: 2 });
    const { poller, others } = await roles();
    const ann = processes.fake.person('Ann');
    ann.says(ann.chat, '/help before');
    await eventually(() => processes.fake.fromBot(ann.chat).length === 1, 'an answer');
    await eventually(async () => (await processes.open()) === 0, 'its record');
    await poller.die();
    ann.says(ann.chat, '/help after');
    await eventually(() => processes.fake.fromBot(ann.chat).length === 2, 'the answer');
    await eventually(() => processes.fake.delivery.pending.length === 0, 'the confirmation');
    expect(lines()).toEqual(['/help before', '/help after']);
    for (const { adapter } of others) await eventually(() => adapter.trouble() === undefined, 'no trouble');
  });

  test('registers the menus once, whoever starts when', async () => {
    processes = await startProcesses({ count: 0 });
    await Promise.all([processes.add(), processes.add(), processes.add()]);
    const all = 4 * Object.keys(languages).length;
    await eventually(() => calls('setMyCommands') >= all, 'the menus');
    const registered = (): boolean =>
      processes.all.some(({ logged }) => logged.join().includes('menus registered'));
    await eventually(registered, 'the log line');
    await processes.add();
    await roles();
    expect(calls('setMyCommands')).toBe(all);
  });
});

test.skipIf(postgresUrl === undefined)(
  'a group that becomes a supergroup is moved once, by one process',
  async () => {
    const moved: string[] = [];
    let moving = 0;
    processes = await startProcesses({
      count: 3,
      webhook: true,
      async migrated(from, to) {
        moving += 1;
        expect(moving).toBe(1);
        await new Promise((done) => setTimeout(done, 100));
        moved.push(`${from} ${to}`);
        moving -= 1;
      },
    });
    const { fake, open } = processes;
    const group = fake.group('Club', { basic: true });
    // Telegram tells it in both chats.
    const next = fake.migrate(group);
    await eventually(() => moved.length > 0 && fake.delivery.pending.length === 0, 'the move');
    await eventually(async () => (await open()) === 0, 'both updates');
    expect(moved).toEqual([`telegram:${group.id} telegram:${next.id}`]);
  },
);
