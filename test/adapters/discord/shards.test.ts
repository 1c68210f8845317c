import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Records } from '../../../src/base/keyv/records.ts';
import { eventually } from '../../eventually.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';
import type { DiscordPerson, Sent } from '../../fakes/discord/people.ts';
import {
  openStage,
  passing,
  passingUntil,
  publicReply,
  type Stage,
  until,
} from '../../fakes/discord/stage.ts';
import { createFakeMembers, type FakeMember } from '../../fakes/members.ts';
import { createRecords } from '../../fakes/records.ts';

interface Process extends Stage {
  readonly member: FakeMember;
}

let clock: FakeClock;
let fake: FakeDiscord;
let state: Records;
let join: () => FakeMember;
let processes: Process[];

beforeEach(async () => {
  clock = createFakeClock();
  fake = await createFakeDiscord(clock);
  state = createRecords();
  ({ join } = createFakeMembers());
  processes = [];
});

afterEach(async () => {
  await Promise.all(processes.map(({ adapter }) => adapter.stop()));
  await fake.stop();
});

const stopProcess = async (process: Process): Promise<void> => {
  await process.adapter.stop();
  process.member.kill();
  processes = processes.filter((each) => each !== process);
};

/** Starts a process, and moves the clock until the start is over. */
const startProcess = async (): Promise<Process> => {
  const member = join();
  const opening = openStage({ fake, clock, state, members: member });
  const process = { ...(await passingUntil(clock, 100, opening)), member };
  process.desk.replies(...Array(50).fill(publicReply('Hello')));
  processes.push(process);
  return process;
};

const shardsOf = ({ member }: Process): readonly string[] =>
  member.held().filter((name) => /^discord-shard-\d+$/.test(name));

const lines = (): readonly number[] =>
  Array.from({ length: fake.world.shards }, (_, shard) => fake.gateway.lines(shard));

/** Waits until each process has as many shards as it should, and each shard one line. */
const shared = async (...expected: readonly number[]): Promise<void> => {
  await until(async () => {
    await clock.advance(1_000);
    expect(processes.map((each) => shardsOf(each).length).sort()).toEqual([...expected].sort());
    expect(lines()).toEqual(lines().map(() => 1));
    for (const { adapter } of processes) expect(adapter.trouble()).toBeUndefined();
  });
};

const annOn = (shard: number): DiscordPerson => fake.onShard(fake.user('ann'), shard);

/** Each interaction has one answer: at once, or after "thinking…" where Discord sent it again. */
const expectOneAnswer = async (...sent: readonly Sent[]): Promise<void> => {
  for (const each of sent) expect([4, 5]).toContain((await each.answered()).type);
  expect(fake.world.complaints).toEqual([]);
  for (const each of sent) expect(each.messages()).toHaveLength(1);
};

const events = (): readonly string[] => processes.flatMap(({ desk }) => desk.heard.map(({ event }) => event));

test('each shard is connected by one process, and moves to a process that joins without a new session', async () => {
  fake.world.shards = 4;
  await startProcess();
  await shared(4);
  await startProcess();
  await shared(2, 2);
  await startProcess();
  await shared(1, 1, 2);
  const identified = fake.gateway.identifies.map(({ shard, count }) => `${shard} of ${count}`);

  expect(identified).toEqual(['0 of 4', '1 of 4', '2 of 4', '3 of 4']);
  expect(fake.gateway.ended).toBe(0);
  expect(fake.gateway.refusedResumes).toBe(0);

  const sent = [0, 1, 2, 3].map((shard) => annOn(shard).types('/help'));
  await expectOneAnswer(...sent);
  expect([...events()].sort()).toEqual(sent.map(({ interaction }) => `discord:${interaction.id}`).sort());
});

test.each([1, 2])('all processes together identify in the pace of %i groups', async (groups) => {
  fake.world.shards = 6;
  fake.world.sessions.max_concurrency = groups;
  await Promise.all([startProcess(), startProcess(), startProcess()]);
  await shared(2, 2, 2);

  expect(fake.gateway.identifies).toHaveLength(6);

  for (let group = 0; group < groups; group += 1) {
    const times = fake.gateway.identifies.filter(({ shard }) => shard % groups === group).map(({ at }) => at);
    // The clock makes some steps while an identify is on its way, so that five seconds may seem like four.
    for (const [index, at] of times.slice(1).entries())
      expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(4_000);
  }
});

test('a process without a shard stands by, and takes over where the other one stopped', async () => {
  const first = await startProcess();
  const second = await startProcess();
  expect(second.adapter.trouble()).toBeUndefined();
  expect(second.adapter.standsBy?.()).toContain('standing by');
  expect(first.adapter.standsBy?.()).toBeUndefined();

  const ann = fake.user('ann');
  const sent = [ann.types('/help')];
  const stopped = stopProcess(first);
  sent.push(ann.types('/help'));
  await stopped;
  sent.push(ann.types('/help'));
  await shared(1);

  await expectOneAnswer(...sent);
  expect(second.adapter.standsBy?.()).toBeUndefined();
  expect(fake.gateway.identifies).toHaveLength(1);
  expect(fake.gateway.resumes).toBe(1);
  expect(fake.gateway.ended).toBe(0);
});

test('a frozen process is replaced, and gives up its place in line when it wakes up', async () => {
  const frozen = await startProcess();
  await startProcess();

  await clock.advance(5_000);
  const before = fake.user('ann').types('/help');
  await before.answered();
  frozen.member.freeze();
  // Both processes have a line now, and the events that the first has answered are replayed to the second, which does not answer them again.
  await until(() => expect(fake.gateway.lines(0)).toBe(2));
  const after = fake.user('ann').types('/help');
  await until(() => expect(events()).toHaveLength(2));
  frozen.member.thaw();
  await shared(0, 1);

  await expectOneAnswer(before, after);
  expect(new Set(events()).size).toBe(2);
  expect(fake.gateway.identifies).toHaveLength(1);
  expect(frozen.adapter.standsBy?.()).toContain('standing by');
});

/** Sends to a process that has lost its session, which waits a moment, in case another one has the shard. */
const sendToCutOff = async (send: () => Sent[]): Promise<Sent[]> => {
  const before = clock.pending;
  const sent = send();
  await until(() => expect(clock.pending).toBeGreaterThanOrEqual(before + sent.length));
  await clock.advance(500);
  return sent;
};

test.each(['those who are connected', 'one that stands by'])(
  'while the database is away people get a first answer, whether %s come back first',
  async (first) => {
    fake.world.shards = 2;
    await startProcess();
    await startProcess();
    await shared(1, 1);
    const idle = await startProcess();
    await shared(0, 1, 1);
    const others = processes.filter((each) => each !== idle);
    for (const { member } of [idle, ...others]) member.cutOff();

    expect(idle.adapter.standsBy?.()).toBeUndefined();
    expect(idle.adapter.trouble()).toContain('the database is away');

    const sent = await sendToCutOff(() => [0, 1].map((shard) => annOn(shard).types('/help')));
    for (const each of sent) expect((await each.answered()).at - each.interaction.at).toBeLessThan(3_000);
    expect(lines()).toEqual([1, 1]);

    for (const { member } of first === 'one that stands by' ? [idle, ...others] : [...others, idle])
      member.rejoin();
    await shared(0, 1, 1);
    sent.push(...[0, 1].map((shard) => annOn(shard).types('/help')));
    await expectOneAnswer(...sent);
    expect(events()).toHaveLength(sent.length);
    expect(fake.gateway.identifies).toHaveLength(2);
  },
);

test('a process that was cut off takes neither answers nor the session from the process that has its shard', async () => {
  const cutOff = await startProcess();
  await startProcess();

  await state.delete('session:0');
  cutOff.member.cutOff();
  await passing(clock, 1_000, () => expect(fake.gateway.lines(0)).toBe(2));
  const sent = await sendToCutOff(() => [fake.user('ann').types('/help')]);

  await expectOneAnswer(...sent);
  expect(cutOff.desk.heard).toEqual([]);

  fake.gateway.cut();
  await passing(clock, 1_000, () => expect(fake.gateway.lines(0)).toBe(1));
  await clock.advance(10_000);
  expect(fake.gateway.lines(0)).toBe(1);

  cutOff.member.rejoin();
  await shared(0, 1);
  await expectOneAnswer(fake.user('ann').types('/help'));
});

test('a session that Discord has forgotten is replaced by a new one', async () => {
  const first = await startProcess();

  await stopProcess(first);
  await state.set('session:0', { ...(await state.get<object>('session:0')), sessionId: 'forgotten' });
  await startProcess();
  await shared(1);

  expect(fake.gateway.refusedResumes).toBe(1);
  expect(fake.gateway.identifies).toHaveLength(2);
  await expectOneAnswer(fake.user('ann').types('/help'));
});

test('the place that a session has reached is not written for each event', async () => {
  const writes = vi.spyOn(state, 'set');
  await startProcess();

  await clock.advance(5_000);
  writes.mockClear();
  const sent = Array.from({ length: 9 }, () => fake.user('ann').types('/help'));

  await expectOneAnswer(...sent);
  expect(writes).not.toHaveBeenCalled();

  await clock.advance(60_000);
  expect(writes.mock.calls.map(([key]) => key)).toEqual(['session:0']);
});

test('an event that happened long ago is not handled when it is replayed', async () => {
  const process = await startProcess();
  await fake.offline();
  fake.user('ann').types('/help');

  await clock.advance(60_000);
  const recent = fake.user('ann').types('/help');
  await fake.online();

  expect((await recent.answered()).type).toBe(5);

  await eventually(() => process.desk.heard.length > 0, 'the recent one');
  expect(process.desk.heard).toHaveLength(1);
});

test('an event that a killed process has answered is not new to the next one, although that one had resumed, too', async () => {
  await stopProcess(await startProcess());
  const written = await state.get('session:0');
  const killed = await startProcess();
  const sent = fake.user('ann').types('/help');

  await expectOneAnswer(sent);

  await stopProcess(killed);
  // A kill leaves what was written last.
  await state.set('session:0', written);
  const next = await startProcess();
  await shared(1);

  await expectOneAnswer(sent, fake.user('ann').types('/help'));
  expect(next.desk.heard).toHaveLength(1);
});

test('every process uses the same number of shards, whatever Discord recommends later', async () => {
  fake.world.shards = 2;
  await startProcess();
  await shared(2);
  fake.world.shards = 3;
  await startProcess();
  fake.world.shards = 2;
  await shared(1, 1);

  expect(fake.gateway.identifies.map(({ count }) => count)).toEqual([2, 2]);
});

test('when Discord demands more shards, all processes change their number', async () => {
  await startProcess();
  await startProcess();

  fake.world.shards = 2;
  fake.gateway.close(4011);
  await until(async () => {
    await clock.advance(1_000);
    const made = fake.gateway.identifies.filter(({ count }) => count === 2).map(({ shard }) => shard);
    expect(made.sort()).toEqual([0, 1]);
  });
  await shared(1, 1);
});
