import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/store/tables/store.ts';
import { sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { community, type Driver, doneJob, insert, person } from './driver.ts';
import { placeForEach } from './set-up.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export function expiryTests(driver: Driver): void {
  const place = placeForEach(driver);
  let store: Store;
  let wall: number;
  let passed: number;
  beforeEach(async () => {
    wall = place.time.now;
    passed = 0;
    store = await place.open();
  });

  const restart = async (): Promise<void> => {
    passed = 0;
    store = await place.open([], { wall: () => wall, passed: () => passed });
  };
  const sweepFor = async (ms: number): Promise<void> => {
    for (let done = 0; done < ms; done += HOUR) {
      wall += HOUR;
      passed += HOUR;
      while (await store.sweep());
    }
  };
  /** Finished that many days ago, with counters of its time, and a draft that expires. */
  const finishedAgo = async (days: number): Promise<void> => {
    await restart();
    const at = wall - days * DAY;
    const job = doneJob({ finishedAt: at, createdAt: at, day: new Date(at).toISOString().slice(0, 10) });
    await insert(store, job);
    await store.keyv('drafts').set('d', 'kept', DAY);
  };
  const kept = async (): Promise<number> => (await store.jobs.ofPerson(person, 10)).length;

  describe('records whose time is over', () => {
    it('are removed within an hour', async () => {
      await finishedAgo(29);
      await sweepFor(23 * HOUR);
      expect(await kept()).toBe(1);
      await sweepFor(2 * HOUR);
      expect(await kept()).toBe(0);
    });

    it.each(['while it runs', 'at a start'])('stay when the clock is wrong for hours %s', async (when) => {
      await finishedAgo(1);
      await sweepFor(HOUR);
      wall += 40 * DAY;
      if (when === 'at a start') await restart();
      await sweepFor(5 * HOUR);
      expect(await kept()).toBe(1);
      wall -= 40 * DAY;
      await sweepFor(3 * DAY);
      expect(await kept()).toBe(1);
      expect((await store.usage.person('2026-01-04', community, person)).jobs).toBe(1);
    });

    it('stay for a day when the clock was set ahead, and for that day at every restart', async () => {
      await finishedAgo(1);
      await sweepFor(HOUR);
      wall += 40 * DAY;
      await sweepFor(10 * HOUR);
      await restart();
      await sweepFor(10 * HOUR);
      expect(await kept()).toBe(1);
      await sweepFor(5 * HOUR);
      expect(await kept()).toBe(0);
    });

    it('are removed in the end on a machine that runs one hour a week', async () => {
      await finishedAgo(1);
      for (let week = 0; week < 8; week += 1) {
        await sweepFor(HOUR);
        wall += 7 * DAY;
        await restart();
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

  describe('what expires', () => {
    it('is removed: finished jobs after 30 days, audit lines after 90, entries when they expire', async () => {
      // Keyv and the guard of the audit trail reckon with the machine's own time.
      place.time.now = Date.now() - 91 * DAY;
      store = await place.open();
      const finished = doneJob({ finishedAt: place.time.now });
      const unfinished = sampleJob();
      await insert(store, finished, unfinished);
      await store.audit.append({ at: place.time.now, community: 'c', actor: 'a', action: 'x', detail: {} });
      await store.keyv('cache').set('short', 1, 1);
      place.time.now += 29 * DAY;
      await store.sweep();
      expect(await store.jobs.get(finished.id)).toBeDefined();
      place.time.now += 2 * DAY;
      await store.sweep();
      expect(await store.jobs.get(finished.id)).toBeUndefined();
      expect(await store.jobs.get(unfinished.id)).toBeDefined();
      expect(await store.audit.recent('c', 9)).toHaveLength(1);
      place.time.now = Date.now() + 1_000;
      await store.sweep();
      expect(await store.audit.recent('c', 9)).toHaveLength(0);
      expect(await place.sql('SELECT key FROM entries')).toEqual([]);
    });

    it('goes in small batches, and it is told when more is left', async () => {
      for (let i = 0; i < 250; i += 1) await insert(store, doneJob({ finishedAt: 1 }));
      expect(await store.sweep()).toBe(true);
      expect(await place.sql("SELECT seq FROM jobs WHERE state = 'done'")).toHaveLength(50);
      while (await store.sweep());
      expect(await place.sql('SELECT seq FROM jobs')).toEqual([]);
    });
  });
}
