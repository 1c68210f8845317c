// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Records } from '../../../../src/base/keyv/records.ts';
import type { GenerationClient } from '../../../../src/generation-client/client.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { eventually } from '../../../eventually.ts';
import { openProcess, openService } from '../../../fakes/campaigns.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { recordsWith } from '../../../fakes/records.ts';

/** A process dies around each of its writes and calls, one after another; the next one finishes what it left. */

const DAY = 24 * 60 * 60_000;
let service: Awaited<ReturnType<typeof openService>>;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.close());

/** The death of a process: its `at`-th effect is the last that takes place (`after`) or the first that does not (`before`). */
const createDeath = (at: number, when: 'before' | 'after') => {
  let count = 0;
  let isDead = false;
  const never = new Promise<never>(() => undefined);
  const around = async <T>(effect: () => Promise<T>): Promise<T> => {
    if (isDead) return never;
    count += 1;
    isDead = count === at;
    if (isDead && when === 'before') return never;
    const result = await effect();
    return isDead ? never : result;
  };
  const mortal = (records: Records): Records =>
    recordsWith(records, {
      set: (key, value, ttlMs) => around(() => records.set(key, value, ttlMs)),
      delete: (key) => around(() => records.delete(key)),
      update: (key, change, ttlMs) => around(() => records.update(key, change, ttlMs)),
    });
  return {
    isDead: () => isDead,
    store: (store: Store): Store => ({
      ...store,
      keyv: (...args) => mortal(store.keyv(...args)),
      audit: { ...store.audit, append: (line) => around(() => store.audit.append(line)) },
    }),
    client: (client: GenerationClient): GenerationClient => ({
      ...client,
      aliases: { ...client.aliases, update: (...args) => around(() => client.aliases.update(...args)) },
    }),
  };
};

/** A step of campaigns; at a `takeover` one ends when another starts. */
type Step = 'start' | 'end' | 'takeover';

const LINES = {
  start: ['campaign.start'],
  end: ['campaign.start', 'campaign.end'],
  takeover: ['campaign.start', 'campaign.end', 'campaign.start'],
};

let runs = 0;

/** Lets a process die at its `at`-th effect around a step, and the next one finish it; whether it has died, or was done before. */
const diesAround = async (at: number, when: 'before' | 'after', step: Step) => {
  const community = `discord:crash-${++runs}`;
  const [usual, pumpkin, winter] = service.filters;
  if (!usual || !pumpkin || !winter) throw new Error('the service has too few custom filters');
  const clock: FakeClock = createFakeClock();
  const store = await openSqliteStore({ path: ':memory:', keys: [], now: clock.now });
  const whole = { store, client: service.client, clock };
  const pass = async (ms: number): Promise<void> => {
    clock.leap(ms - 10_000);
    await clock.advance(10_000);
  };
  const expected = LINES[step];
  const isDone = async (process: ReturnType<typeof openProcess>, lines: readonly string[]) => {
    await clock.advance(1000);
    const states = [...(await process.campaigns.of(community)).values()].flat().map(({ state }) => state);
    const isSettled = lines.at(-1) === 'campaign.start' ? states[0] === 'running' : states.length === 0;
    return (await process.trail(community)).join() === lines.join() && isSettled;
  };

  const first = openProcess(whole);
  await first.aliases.create(community, 'halloween', usual);
  await first.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
  if (step === 'takeover') await first.schedule(community, 'halloween', winter, '2026-01-08', '2026-01-10');
  if (step !== 'start') {
    const stop = first.start();
    await pass(DAY);
    await eventually(() => isDone(first, ['campaign.start']), 'the start');
    await stop();
  }
  const death = createDeath(at, when);
  const dying = openProcess({ ...whole, store: death.store(store), client: death.client(service.client) });
  dying.start();
  await pass(step === 'start' ? DAY : 2 * DAY);
  await eventually(async () => death.isDead() || (await isDone(first, expected)), 'its death');

  const next = openProcess(whole);
  const stop = next.start();
  await eventually(() => isDone(next, expected), 'the step');
  const shown = { start: pumpkin, end: usual, takeover: winter };
  expect(await next.pointsTo(community, 'halloween')).toBe(shown[step]);
  // The campaign leaves nothing more in the trail.
  await clock.advance(60_000);
  expect(await next.trail(community)).toEqual(expected);
  const { history } = await next.aliases.show(community, 'halloween');
  expect(history).toHaveLength(step === 'start' ? 1 : 2);
  if (step === 'takeover') {
    await pass(2 * DAY);
    await eventually(() => isDone(next, [...expected, 'campaign.end']), 'the end');
    expect(await next.pointsTo(community, 'halloween')).toBe(usual);
  }
  await stop();
  store.close();
  return death.isDead();
};

describe.each(['start', 'end', 'takeover'] as const)('a process that dies around the %s', (step) => {
  it.each(['before', 'after'] as const)(
    `a process that dies %s any effect of the ${step} of a campaign leaves the rest to the next process`,
    async (when) => {
      let at = 1;
      while (await diesAround(at, when, step)) at += 1;
      // A campaign writes or calls at least for its step, the call, what follows it, the outcome, the line and the index.
      expect(at).toBeGreaterThan(6);
    },
  );
});
