import { expect, it } from 'vitest';
import { createCommunityStats } from '../../../../src/community/stats/community-stats.ts';
import { hourOf, type Tallied, type TallyCount } from '../../../../src/store/tables/tallies.ts';

type Row = TallyCount & { readonly community: string; readonly what: Tallied };

const row = (what: Tallied, at: string, name: string, count: number, credits = 0): Row => ({
  community: 'telegram:1',
  what,
  hour: hourOf(Date.parse(at)),
  name,
  count,
  credits,
});

const statsOf = (rows: readonly Row[], timeZone = 'UTC') => {
  const asked: unknown[] = [];
  const read = createCommunityStats({
    tallies: {
      since: async (community, what, hour) =>
        rows.filter((each) => each.community === community && each.what === what && each.hour >= hour),
    },
    peopleOn: async (days, communities) => {
      asked.push({ first: days[0], last: days.at(-1), days: days.length, communities });
      return 4;
    },
    idsOf: async (community) => [community, 'telegram:former'],
    timeZoneOf: async () => timeZone,
    aliasesOf: async () => [{ name: 'party', id: 'A-1' }],
    catalogs: {
      peek: (list) => (list === 'face' ? [{ reference: '12', name: 'Pop Art', model: 'face' }] : []),
    },
    clock: { now: () => Date.parse('2026-11-16T23:30:00Z') },
  });
  return { asked, read: () => read('telegram:1') };
};

it('the figures count jobs and the credits that were not returned, by day and command, former ids included', async () => {
  const { asked, read } = statsOf([
    row('job', '2026-11-16T10:00:00Z', 'face-swap-v6', 3, 6),
    row('job', '2026-11-16T11:00:00Z', 'self-prompt', 1, 4),
    { ...row('job', '2026-11-15T11:00:00Z', 'single-frame-video', 2, 20), community: 'telegram:former' },
    row('end', '2026-11-16T10:00:00Z', 'generation-failed', 1, 2),
    row('end', '2026-11-16T10:00:00Z', 'cancelled', 1, 2),
    row('job', '2026-10-17T23:00:00Z', 'face-swap-v6', 100, 200),
  ]);

  const stats = await read();

  expect(stats.days).toHaveLength(30);
  expect(stats.days[0]).toEqual({ date: '2026-10-18', jobs: 0, credits: 0 });
  expect(stats.days.slice(-2)).toEqual([
    { date: '2026-11-15', jobs: 2, credits: 20 },
    { date: '2026-11-16', jobs: 4, credits: 6 },
  ]);
  expect(stats.commands).toEqual([
    { name: 'faceswap', jobs: 4, credits: 10 },
    { name: 'animate', jobs: 2, credits: 20 },
  ]);
  expect(stats).toMatchObject({ people: 4, failed: 1, timeZone: 'UTC' });
  expect(asked).toEqual([
    { first: '2026-10-18', last: '2026-11-16', days: 30, communities: ['telegram:1', 'telegram:former'] },
  ]);
});

it('the days of the figures are those of the community’s time zone, also where clocks were changed', async () => {
  const { read } = statsOf(
    [
      row('job', '2026-11-16T23:00:00Z', 'face-swap-v6', 1),
      row('job', '2026-11-16T22:00:00Z', 'face-swap-v6', 2),
      // Summer time ended on 25 October at 01:00 UTC.
      row('job', '2026-10-24T22:00:00Z', 'face-swap-v6', 4),
      row('job', '2026-10-25T22:00:00Z', 'face-swap-v6', 8),
      row('job', '2026-10-25T23:00:00Z', 'face-swap-v6', 16),
      // The first of 30 days.
      row('job', '2026-10-18T22:00:00Z', 'face-swap-v6', 32),
      row('job', '2026-10-18T21:00:00Z', 'face-swap-v6', 64),
    ],
    'Europe/Berlin',
  );

  const { days, commands } = await read();

  expect(days.filter(({ jobs }) => jobs > 0)).toMatchObject([
    { date: '2026-10-19', jobs: 32 },
    { date: '2026-10-25', jobs: 12 },
    { date: '2026-10-26', jobs: 16 },
    { date: '2026-11-16', jobs: 2 },
    { date: '2026-11-17', jobs: 1 },
  ]);
  expect(commands[0]?.jobs).toBe(63);
});

it('the figures name the filters that are used most', async () => {
  const used = (name: string, count: number) => row('filter', '2026-11-16T00:00:00Z', name, count);
  const { read } = statsOf([
    used('face:12', 10),
    used('alias:A-1', 9),
    used('alias:gone', 8),
    used('mine:3f2b8c1e-9d4a', 7),
    used('face:99', 6),
    used('face:1', 5),
  ]);

  const { filters } = await read();

  expect(filters).toMatchObject([
    { name: 'Pop Art', jobs: 10 },
    { name: 'party', jobs: 9 },
    { name: 'gone', jobs: 8 },
    { name: '3f2b8c1e', jobs: 7 },
    { name: '99', jobs: 6 },
  ]);
});
