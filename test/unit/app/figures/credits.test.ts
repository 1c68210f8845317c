import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFigures, type Figures } from '../../../../src/app/figures/figures.ts';
import type { FinalJob } from '../../../../src/orchestrator/job/job.ts';
import { openStore, type SqliteStore } from '../../../../src/store/sqlite/store.ts';
import { orderOf } from '../../../contract/store/suite/driver.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { jobWith } from '../../../fakes/job.ts';
import { soleMember } from '../../../fakes/sole-member.ts';
import { sampleJob } from '../../store/sqlite/open-store.ts';

const DAY = 86_400_000;

let clock: FakeClock;
let store: SqliteStore;
let figures: Figures;
beforeEach(async () => {
  clock = createFakeClock(Date.UTC(2026, 0, 5, 12));
  store = await openStore({ path: ':memory:', keys: [], now: clock.now });
  const log = { warn: () => undefined };
  figures = createFigures({
    ...{ records: store.figures, usage: store.usage, clock, log, writer: 'one', failing: () => [] },
    members: soleMember,
  });
  figures.start();
});
afterEach(async () => {
  await figures.stop();
  store.close();
});

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const accept = async (community: string, credits: number, day = dayOf(clock.now())) => {
  const place = { ...sampleJob().place, community };
  const { job } = await store.jobs.accept(
    orderOf(sampleJob({ state: 'opening', createdAt: clock.now(), day, credits, place })),
  );
  return job;
};
const end = async (community: string, credits: number, day?: string): Promise<void> => {
  const job = await accept(community, credits, day);
  figures.finished(jobWith({ ...job, state: 'done', charge: 'spent', finishedAt: clock.now() }) as FinalJob);
};
const communities = async (range: 'hour' | 'year') =>
  (await figures.read(range)).credits.communities.map(({ community, credits }) => [community, credits]);

it('are exact by the day: what is reserved counts, whatever was written', async () => {
  await end('discord:1', 5);
  await accept('discord:1', 7);
  await end('discord:2', 3, dayOf(clock.now() - DAY));
  await end('discord:dm:9', 11);
  await clock.advance(10_000);
  const { credits } = await figures.read('hour');
  expect(credits.days).toEqual([{ day: '2026-01-05', credits: 23 }]);
  // Of an hour: of jobs that ended in it.
  expect([credits.total, credits.others]).toEqual([19, 11]);
  expect(credits.communities).toEqual([
    { community: 'discord:1', credits: 5, byDay: [12] },
    { community: 'discord:2', credits: 3, byDay: [0] },
  ]);
  const year = (await figures.read('year')).credits;
  expect(year.days.slice(-3)).toEqual([
    { day: '2026-01-03', credits: 0 },
    { day: '2026-01-04', credits: 3 },
    { day: '2026-01-05', credits: 23 },
  ]);
  expect([year.days.length, year.total, year.others]).toEqual([365, 26, 11]);
  expect(await communities('year')).toEqual([
    ['discord:1', 12],
    ['discord:2', 3],
  ]);
});

it('never name a direct chat', async () => {
  for (const platform of ['discord', 'telegram', 'web']) await end(`${platform}:dm:50001`, 2);
  await clock.advance(10_000);
  for (const scale of ['minute', 'hour', 'day'] as const)
    expect(JSON.stringify(await store.figures.read(scale, 0, clock.now() + DAY))).not.toContain('dm');
  expect((await figures.read('day')).credits).toMatchObject({ total: 6, communities: [], others: 6 });
});

it('stay exact when the ledger is gone after thirty days', async () => {
  await end('discord:1', 5);
  await accept('discord:1', 7);
  await accept('discord:3', 1);
  await clock.advance(10_000);
  for (let day = 0; day < 60; day += 1) {
    clock.leap(DAY - 10_000);
    await clock.advance(10_000);
    while (await store.sweep());
  }
  expect((await store.usage.totalsOn(['2026-01-05'])).map(({ credits }) => credits)).toEqual([0]);
  const { days, others } = (await figures.read('year')).credits;
  expect(days.find(({ day }) => day === '2026-01-05')).toEqual({ day: '2026-01-05', credits: 13 });
  expect(await communities('year')).toEqual([['discord:1', 12]]);
  expect(others).toBe(1);
});
