import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type SqliteStore } from '../../../../../src/store/sqlite/store.ts';
import { createStoreFile, sampleJob } from '../open-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let file: ReturnType<typeof createStoreFile>;
let store: SqliteStore;
let wall: number;
let passed: number;
beforeEach(() => {
  file = createStoreFile();
  wall = Date.UTC(2026, 0, 5, 12);
  passed = 0;
  start();
});
afterEach(() => {
  store.close();
  file.remove();
});

const start = (): void => {
  store = openStore({
    path: file.path,
    keys: [],
    now: () => wall,
    machine: { wall: () => wall, passed: () => passed },
  });
};
const restart = (): void => {
  store.close();
  passed = 0;
  start();
};
const sweepFor = async (ms: number): Promise<void> => {
  for (let done = 0; done < ms; done += HOUR) {
    wall += HOUR;
    passed += HOUR;
    while (await store.sweep());
  }
};
/** Finished that many days ago, and an audit line, a draft that expires and counters of its time. */
const finishedAgo = async (days: number): Promise<void> => {
  const at = wall - days * DAY;
  const job = sampleJob({ state: 'done', charge: 'spent', settled: true, finishedAt: at, createdAt: at });
  store.jobs.insert({ ...job, day: new Date(at).toISOString().slice(0, 10) });
  await store.keyv('drafts').set('d', 'kept', DAY);
};
const kept = async (): Promise<number> => (await store.jobs.ofPerson('discord:424242424242', 10)).length;

describe('records whose time is over', () => {
  it('are removed within an hour', async () => {
    await finishedAgo(29);
    await sweepFor(23 * HOUR);
    expect(await kept()).toBe(1);
    await sweepFor(2 * HOUR);
    expect(await kept()).toBe(0);
  });

  it('stay when the clock is briefly wrong by forty days', async () => {
    await finishedAgo(1);
    wall += 40 * DAY;
    passed += 3_000;
    await store.sweep();
    expect(await kept()).toBe(1);
    wall -= 40 * DAY;
    passed += 3_000;
    await store.sweep();
    await sweepFor(2 * DAY);
    expect(await kept()).toBe(1);
    expect((await store.usage.person('2026-01-04', 'discord:777777777', 'discord:424242424242')).jobs).toBe(
      1,
    );
  });

  it('stay for a day when the clock was set ahead, and for that day at every restart', async () => {
    await finishedAgo(1);
    await sweepFor(HOUR);
    wall += 40 * DAY;
    await sweepFor(10 * HOUR);
    restart();
    await sweepFor(10 * HOUR);
    expect(await kept()).toBe(1);
    await sweepFor(5 * HOUR);
    expect(await kept()).toBe(0);
  });

  it('stay when it starts with a wrong clock that is then corrected', async () => {
    await finishedAgo(1);
    await sweepFor(HOUR);
    wall += 40 * DAY;
    restart();
    await sweepFor(5 * HOUR);
    wall -= 40 * DAY;
    await sweepFor(3 * DAY);
    expect(await kept()).toBe(1);
  });

  it('are removed in the end on a machine that runs one hour a week', async () => {
    await finishedAgo(1);
    for (let week = 0; week < 8; week += 1) {
      await sweepFor(HOUR);
      wall += 7 * DAY;
      restart();
      if (week < 4) expect(await kept()).toBe(1);
    }
    await sweepFor(HOUR);
    expect(await kept()).toBe(0);
  });

  it('are removed later when the clock is set back', async () => {
    await finishedAgo(29);
    wall -= 5 * DAY;
    await sweepFor(5 * DAY);
    expect(await kept()).toBe(1);
    await sweepFor(2 * DAY);
    expect(await kept()).toBe(0);
  });
});
