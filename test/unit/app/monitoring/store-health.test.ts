import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFigures } from '../../../../src/app/figures/figures.ts';
import { createStoreHealth } from '../../../../src/app/monitoring/readiness.ts';
import { createLog } from '../../../../src/log/log.ts';
import { fileTrouble } from '../../../../src/store/sqlite/file/sqlite-error.ts';
import { openStore, type SqliteStore } from '../../../../src/store/sqlite/store.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { soleMember } from '../../../fakes/sole-member.ts';

const away = new Error('the store is away');

let clock: FakeClock;
let store: SqliteStore;
let state: 'well' | 'away' | 'full';
let isMember: boolean;
let writes: number;
let lines: string[];
beforeEach(async () => {
  clock = createFakeClock(Date.UTC(2026, 0, 5, 12));
  store = await openStore({ path: ':memory:', keys: [], now: clock.now });
  [state, isMember, writes, lines] = ['well', true, 0, []];
});
afterEach(() => store.close());

/** An idle program: nothing else asks the store. */
function idle(members?: { isAlive(): boolean }) {
  const log = createLog({ level: 'warn', secrets: [], stream: { write: (line) => lines.push(line) } });
  const health = createStoreHealth({
    store: {
      async tryToReach() {
        if (state === 'away') throw away;
      },
      async tryToWrite() {
        writes += 1;
        if (state !== 'well') throw away;
      },
      trouble: fileTrouble,
      jobs: { onDisk: async () => undefined },
    },
    members,
    clock,
    log,
  });
  const figures = createFigures({
    records: {
      ...store.figures,
      add: async (batch) => (state === 'well' ? store.figures.add(batch) : Promise.reject(away)),
    },
    usage: store.usage,
    clock,
    log: { warn: () => undefined },
    writer: 'one',
    failing: () => (health.trouble() === undefined ? [] : [{ what: 'store' }]),
    members: soleMember,
  });
  health.start();
  figures.start();
  return {
    health,
    outages: async () => (await figures.read('hour')).outages,
    async stop() {
      health.stop();
      await figures.stop();
    },
  };
}

it.each(['away', 'full'] as const)(
  'an outage of an idle store (%s) is in the timeline, from its begin to its end, when it is back',
  async (how) => {
    const { health, outages, stop } = idle();
    await clock.advance(60_000);
    const begin = clock.now();
    state = how;
    await clock.advance(45_000);
    expect(health.trouble()).toBe('its file is not writable: is the disk full?');
    expect(lines).toEqual([expect.stringContaining('the store cannot be used')]);
    const end = clock.now();
    state = 'well';
    await clock.advance(10_000);
    expect(health.trouble()).toBeUndefined();
    const [outage, ...more] = await store.figures
      .read('day', 0, clock.now())
      .then((rows) => rows.flatMap((row) => row.outages));
    expect(more).toEqual([]);
    expect(outage).toMatchObject({ what: 'store' });
    // Whether it can be written to is tried less often than whether it is there.
    expect((outage?.from ?? 0) - begin).toBeLessThanOrEqual(how === 'away' ? 2_000 : 61_000);
    expect(Math.abs((outage?.until ?? 0) - end)).toBeLessThanOrEqual(2_000);
    expect(await outages()).toMatchObject([{ what: 'store', isOver: true }]);
    await stop();
  },
);

it('is told at once to those who ask, and of a session that was lost too', async () => {
  const { health, stop } = idle({ isAlive: () => isMember });
  expect(await health.ask()).toBeUndefined();
  isMember = false;
  await clock.advance(1_000);
  expect(await health.ask()).toMatch(/^the session with the database was lost/);
  state = 'full';
  await clock.advance(1_000);
  expect(await health.ask()).toBe('its file is not writable: is the disk full?');
  await stop();
});

it('writes once a minute at most while all is well, and nothing when it was stopped', async () => {
  const { stop } = idle();
  await clock.advance(600_000);
  expect(writes).toBeGreaterThan(8);
  expect(writes).toBeLessThanOrEqual(10);
  await stop();
  await clock.advance(60_000);
  expect(writes).toBeLessThanOrEqual(10);
});
