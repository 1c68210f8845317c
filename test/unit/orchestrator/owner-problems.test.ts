import { beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import { openWorld, serviceError, swap, world } from './world.ts';

let calls: number;
/** Filter numbers for which the service says no; 0: for all. */
let refusing:
  | { readonly kind: 'credits' | 'unauthorized' | 'redirected'; readonly filters: readonly number[] }
  | undefined;
beforeEach(async () => {
  await openWorld({ limits: { userConcurrentJobs: 1 } });
  calls = 0;
  refusing = { kind: 'credits', filters: [0] };
  world.script.onRun = (_, { input }) => {
    calls += 1;
    const filter = 'filter' in input && typeof input.filter === 'number' ? input.filter : 0;
    if (refusing?.filters.some((one) => one === 0 || one === filter)) {
      throw serviceError(refusing.kind, false);
    }
  };
});

const MINUTE = 60_000;
const withFilter = (id: number) => ({
  request: { ...swap, filter: { by: 'number' as const, id, name: `filter ${id}` } },
});
/** Until it is certain that it is not a matter of single jobs. */
const refuseTwo = async (): Promise<void> => {
  for (const person of ['dan', 'eve']) {
    const { id } = await world.submit(person);
    await world.clock.advance(1_000);
    expect((await world.orchestrator.get(id))?.state).toBe('failed');
  }
};
const stateOf = async ({ id }: Pick<Job, 'id'>) => (await world.orchestrator.get(id))?.state;
const outageOf = async ({ id }: Pick<Job, 'id'>) => {
  const job = await world.orchestrator.get(id);
  return job === undefined ? undefined : (await world.orchestrator.jobStatus(job)).outage;
};

describe.each([
  ['credits', 'service-credits', 'credits'],
  ['unauthorized', 'service-credentials', 'credentials'],
  ['redirected', 'service-address', 'address'],
] as const)('when only the owner can fix the problem (%s)', (kind, code, outage) => {
  beforeEach(() => {
    refusing = { kind, filters: [0] };
  });

  it('the first jobs fail immediately without cost, and the owner is notified', async () => {
    const job = await world.submit('ann');
    await world.clock.advance(1_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({
      state: 'failed',
      failure: { code },
      charge: 'returned',
    });
    expect(world.notices).toEqual([code]);
    // It may have been a matter of that job alone: nobody else is kept waiting.
    refusing = undefined;
    const next = await world.submit('ben');
    await world.clock.advance(MINUTE);
    expect(await stateOf(next)).toBe('done');
  });

  it('while it lasts no other job fails: all wait, their cards say why, and one at a time tries', async () => {
    await refuseTwo();
    const jobs = await Promise.all(['ann', 'ben', 'cid'].map((person) => world.submit(person)));
    await world.clock.advance(30 * MINUTE);
    expect(await Promise.all(jobs.map(stateOf))).toEqual(['waiting', 'waiting', 'waiting']);
    expect(await Promise.all(jobs.map(outageOf))).toEqual([outage, outage, outage]);
    for (const { id } of jobs) {
      const cards = world.drawings.filter((one) => one.id === id);
      expect(cards.at(-1)).toMatchObject({ state: 'waiting', jobStatus: { outage } });
    }
    expect(new Set(world.notices)).toEqual(new Set([code]));
    expect(calls).toBeLessThan(3 + 30 * 4);
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ reserved: 2, spent: 0 });

    refusing = undefined;
    await world.clock.advance(3 * MINUTE);
    expect(await Promise.all(jobs.map(stateOf))).toEqual(['done', 'done', 'done']);
    expect(world.runs).toHaveLength(3);
  });

  it('fails at the waiting deadline with that reason, and the credits are returned', async () => {
    await refuseTwo();
    const job = await world.submit('ann');
    await world.clock.advance(6 * 60 * MINUTE - 1_000);
    expect(await stateOf(job)).toBe('waiting');
    await world.clock.advance(5_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({
      state: 'failed',
      failure: { code },
      charge: 'returned',
    });
    expect(world.finalDrawings(job.id)).toHaveLength(1);
  });

  it('keeps the order of the queue: a job that tried goes first afterwards', async () => {
    await refuseTwo();
    await world.submit('ann', withFilter(1));
    for (let i = 2; i <= 4; i += 1) await world.submit(`person ${i}`, withFilter(i));
    await world.submit('person 5', withFilter(5));
    await world.clock.advance(20 * MINUTE);
    refusing = undefined;
    await world.clock.advance(3 * MINUTE);
    const order = world.runs.slice(1).map(({ request }) => 'filter' in request.input && request.input.filter);
    // The first one through is whoever's turn it was to try; behind it everybody has their place.
    expect(order).toEqual([...order].sort());
  });

  it('can be cancelled without cost, also during a try', async () => {
    const trying = Promise.withResolvers<void>();
    world.script.onRun = async () => {
      await trying.promise;
      throw serviceError(kind, false);
    };
    const tried = await world.submit('ann');
    const waiting = await world.submit('ann');
    await world.clock.advance(1_000);
    for (const { id } of [tried, waiting]) await world.orchestrator.cancel(id);
    trying.resolve();
    await world.clock.advance(MINUTE);
    expect(await Promise.all([tried, waiting].map(({ id }) => world.orchestrator.get(id)))).toMatchObject([
      { state: 'cancelled', charge: 'returned' },
      { state: 'cancelled', charge: 'returned' },
    ]);
    expect(await world.orchestrator.stats()).toMatchObject({ waiting: 0, running: 0 });
  });
});

describe('a job that is refused because of the account while others are accepted', () => {
  it('does not block the others, and fails alone', async () => {
    await refuseTwo();
    refusing = { kind: 'unauthorized', filters: [66] };
    const bad = await world.submit('ann', withFilter(66));
    const others: Job[] = [];
    for (let i = 0; i < 12; i += 1) {
      others.push(await world.submit(`person ${i}`, withFilter(i + 1)));
      await world.clock.advance(MINUTE);
    }
    await world.clock.advance(5 * MINUTE);
    expect(await Promise.all(others.map(stateOf))).toEqual(others.map(() => 'done'));
    expect(await world.orchestrator.get(bad.id)).toMatchObject({
      state: 'failed',
      failure: { code: 'service-credentials' },
      charge: 'returned',
    });
  });
});

it.each([
  ['unauthorized', 'service-credentials', undefined, 'service-credentials'],
  ['redirected', 'service-address', 'address', 'deadline'],
] as const)(
  'notifies the owner when polls fail (%s); the job is kept until its deadline',
  async (kind, notice, outage, code) => {
    refusing = undefined;
    const job = await world.submit('ann');
    await world.clock.advance(2_000);
    world.script.onLook = () => {
      throw serviceError(kind, false);
    };
    await world.clock.advance(5 * MINUTE);
    expect(await Promise.all([stateOf(job), outageOf(job)])).toEqual(['running', outage]);
    expect(new Set(world.notices)).toEqual(new Set([notice]));
    await world.clock.advance(6 * MINUTE);
    expect((await world.orchestrator.get(job.id))?.failure).toEqual({ code });
  },
);

it.each([
  ['unauthorized', 'credentials', ['service-credentials']],
  ['redirected', 'address', ['service-address']],
  ['unavailable', 'unavailable', []],
  ['bad-response', 'unavailable', []],
] as const)('waits, and says why, when an alias cannot be resolved: %s', async (kind, outage, notices) => {
  refusing = undefined;
  let denied = true;
  world.script.photo = async () => {
    if (denied) throw serviceError(kind, false);
  };
  const job = await world.submit('ann');
  await world.clock.advance(30 * MINUTE);
  expect(await Promise.all([stateOf(job), outageOf(job)])).toEqual(['waiting', outage]);
  expect([...new Set(world.notices)]).toEqual(notices);
  denied = false;
  await world.clock.advance(3 * MINUTE);
  expect(await stateOf(job)).toBe('done');
});

it('a redirect after which the request may have been processed is not repeated, and the owner is notified', async () => {
  world.script.onRun = () => {
    throw serviceError('redirected', true);
  };
  const job = await world.submit('ann');
  await world.clock.advance(MINUTE);
  expect(await stateOf(job)).toBe('uncertain');
  expect(world.notices).toEqual(['service-address']);
});

it('a redirect is reported also if the service was down before', async () => {
  world.script.onRun = () => {
    throw serviceError('unreachable', false);
  };
  world.script.onProbe = () => {
    throw serviceError('redirected', false);
  };
  const jobs = await Promise.all(
    ['ann', 'ben', 'cid', 'dan', 'eve', 'fay'].map((person) => world.submit(person)),
  );
  await world.clock.advance(10 * MINUTE);
  expect(new Set(world.notices)).toEqual(new Set(['service-address']));
  expect(new Set(await Promise.all(jobs.map(outageOf)))).toEqual(new Set(['address']));
});
