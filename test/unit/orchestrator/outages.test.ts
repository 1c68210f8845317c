/** A service that is down, refuses the account, or is busy: who waits, who tries, and what cards and the owner are told. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { GenerationRequest } from '../../../src/generation-client/endpoint.ts';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import {
  crowd,
  failedFor,
  failing,
  MINUTE,
  never,
  openWorld,
  serviceError,
  swap,
  type WorldOptions,
  world,
} from '../../fakes/orchestrator-world.ts';

const each = <T>(jobs: readonly unknown[], value: T): T[] => jobs.map(() => value);
const outageOf = async (job: Job) => (await world.statusOf(job)).outage;
const withFilter = (id: number) => ({
  request: { ...swap, filter: { by: 'number' as const, id, name: `filter ${id}` } },
});
/** The number of the filter that is asked for. */
const filterIn = ({ input }: GenerationRequest): unknown => input.filter;

describe('while the service is down', () => {
  beforeEach(async () => {
    let seed = 1;
    const random = (): number => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    await openWorld({ limits: { userConcurrentJobs: 10, userWaitingJobs: 200 }, random });
  });
  /** A script that fails for so long from now on, and counts its calls. */
  const down = (ms: number, ...error: Parameters<typeof serviceError>) => {
    const end = world.clock.now() + ms;
    const script = (): void => {
      script.calls += 1;
      if (world.clock.now() < end) throw serviceError(...error);
    };
    script.calls = 0;
    return script;
  };

  it('while the service is down, calls stop, waiting cards say why, and all continues by itself', async () => {
    const run = down(10 * MINUTE, 'unreachable', false);
    world.script.onRun = run;
    const jobs = await world.submitAll(crowd(40));
    await world.pass(9 * MINUTE);

    // Without a breaker, forty jobs that come back every minute or sooner would have called some 400 times.
    expect(run.calls).toBeLessThan(180);
    expect((await world.orchestrator.stats()).outages).toEqual({ key: 'unavailable', token: undefined });

    const states = await world.statesOf(jobs);
    const waiting = jobs[states.indexOf('waiting')] ?? expect.fail('Somebody should be waiting.');

    expect(await outageOf(waiting)).toBe('unavailable');

    await world.pass(6 * MINUTE);
    expect(await world.statesOf(jobs)).toEqual(each(jobs, 'done'));
    expect(world.runs).toHaveLength(40);
  });

  it.each([
    ['it is back', 'unavailable', 'unavailable'],
    ['the page of a proxy has gone', 'unknown-outcome', 'bad-response'],
  ] as const)(
    'while the service is down, no waiting job is a probe: a free call checks whether %s',
    async (_, onRun, onProbe) => {
      const probe = down(10 * MINUTE, onProbe, true);
      world.script.onRun = down(10 * MINUTE, onRun, true);
      world.script.onProbe = probe;
      const first = await world.submitAll(crowd(5));
      await world.pass(1_000);
      const others = await world.submitAll(crowd(20));
      await world.pass(9 * MINUTE);

      // Nobody can know what became of those that found it out.
      expect(await world.statesOf(first)).toEqual(each(first, 'uncertain'));
      expect(await world.statesOf(others)).toEqual(each(others, 'waiting'));
      expect(probe.calls).toBeGreaterThan(50);
      expect(probe.calls).toBeLessThan(250);

      await world.pass(3 * MINUTE);
      expect(await world.statesOf(others)).toEqual(each(others, 'done'));
      expect(world.runs).toHaveLength(others.length);
    },
  );

  it('while the service is down, for submissions only, run calls stay few although polls succeed', async () => {
    world.script.durationMs = () => 9 * MINUTE;
    const running = await world.submitAndPass(2_000, 'before');
    const run = down(10 * MINUTE, 'unavailable', true);
    world.script.onRun = run;
    for (const person of crowd(100)) await world.submitAndPass(3_000, person);

    expect(run.calls).toBeLessThan(30);
    expect(await world.statusOf(running)).not.toHaveProperty('outage');

    await world.pass(5 * MINUTE);
    expect(await world.stateOf(running)).toBe('done');
  });

  it('while the service is down, a job can be cancelled during a probe', async () => {
    world.script.onRun = failing('unavailable', true);
    await world.submitAll(crowd(5));
    await world.pass(100);
    const probed = Promise.withResolvers<void>();
    world.script.onProbe = () => probed.promise;
    const job = await world.submitAndPass(10_000);

    expect((await world.orchestrator.cancel(job.id))?.job.state).toBe('cancelled');

    probed.reject(serviceError('unavailable', true));
    await world.pass(10_000);

    expect(await world.jobOf(job)).toMatchObject({ state: 'cancelled', charge: 'returned' });
  });

  it.each([5_000, 45_000])(
    'while the service is down, nothing is lost in %i ms without polls; results are seen soon',
    async (ms) => {
      const jobs = await world.submitAll(Array.from({ length: 100 }, (_, i) => `person ${i % 10}`));
      await world.pass(4_000);
      const end = world.clock.now() + ms;
      let looksAtEnd = 0;
      world.script.onLook = () => {
        if (world.clock.now() < end) throw serviceError('unavailable', true);
        if (world.clock.now() < end + 200) looksAtEnd += 1;
      };
      await world.pass(ms + 10_000);
      const first = jobs.slice(0, 50);

      expect(await world.statesOf(first)).toEqual(each(first, 'done'));
      // Fifty are waiting to be seen; they come one after the other, not as one crowd.
      expect(looksAtEnd).toBeLessThan(25);

      await world.pass(2 * MINUTE);
      expect(await world.statesOf(jobs)).toEqual(each(jobs, 'done'));
    },
  );

  it('while the service is down, a photo that hangs does not delay results when it is back', async () => {
    const running = await world.submitAndPass(500);
    world.script.onLook = failing('unavailable', true);
    await world.pass(MINUTE);

    expect((await world.orchestrator.stats()).outages.key).toBe('unavailable');

    world.script.photo = never;
    await world.submitAll(crowd(6));
    await world.pass(10_000);
    world.script.onLook = () => undefined;
    await world.pass(20_000);

    expect(await world.stateOf(running)).toBe('done');
  });
});

/** What /readyz tells of the service: outages that jobs meet, not those that nobody has tried since. */
it.each([
  ['unauthorized', 'credentials'],
  ['unavailable', 'unavailable'],
] as const)('an outage (%s) is met while a job tries it, and three minutes longer', async (kind, outage) => {
  await openWorld();
  world.script.onRun = failing(kind, false);
  const both = () => [world.orchestrator.outages().key, world.orchestrator.outagesMet().key];
  const jobs: Job[] = [];
  for (const person of crowd(6)) {
    jobs.push(await world.submit(person));
    await world.pass(1_000);
  }
  for (let round = 0; round < 30; round += 1) {
    await world.pass(20_000);
    expect(both()).toEqual([outage, outage]);
  }
  for (const { id } of jobs) await world.orchestrator.cancel(id);
  await world.pass(181_000);

  expect(both()).toEqual([outage, undefined]);

  world.script.onRun = () => undefined;
  await world.submitAndPass(MINUTE, 'eve');

  expect(both()).toEqual([undefined, undefined]);
});

describe('what only the owner can fix', () => {
  let calls: number;
  /** `filter`: the one number for which the service says no; without it, for all. */
  let refusing: { kind: 'credits' | 'unauthorized' | 'redirected'; filter?: number } | undefined;
  const open = async (deadlines: WorldOptions['deadlines'] = {}): Promise<void> => {
    await openWorld({ limits: { userConcurrentJobs: 1 }, deadlines });
    calls = 0;
    refusing = { kind: 'credits' };
    world.script.onRun = (_, request) => {
      calls += 1;
      if (refusing && (refusing.filter ?? filterIn(request)) === filterIn(request))
        throw serviceError(refusing.kind, false);
    };
  };
  beforeEach(() => open());
  /** Until it is certain that it is not a matter of single jobs. */
  const refuseTwo = async (): Promise<void> => {
    for (const person of ['dan', 'eve']) {
      const job = await world.submitAndPass(1_000, person);
      expect(await world.stateOf(job)).toBe('failed');
    }
  };

  describe.each([
    ['credits', 'service-credits', 'credits'],
    ['unauthorized', 'service-credentials', 'credentials'],
    ['redirected', 'service-address', 'address'],
  ] as const)('(%s)', (kind, code, outage) => {
    beforeEach(() => {
      refusing = { kind };
    });

    it(`what only the owner can fix (${kind}) fails the first jobs immediately without cost, and the owner is notified`, async () => {
      const job = await world.submitAndPass(1_000);
      expect(await world.jobOf(job)).toMatchObject(failedFor(code));
      expect(world.notices).toEqual([code]);

      // It may have been a matter of that job alone: nobody else is kept waiting.
      refusing = undefined;
      const next = await world.submitAndPass(MINUTE, 'ben');

      expect(await world.stateOf(next)).toBe('done');
    });

    it(`what only the owner can fix (${kind}) fails no other job while it lasts: all wait, their cards say why, and one at a time tries`, async () => {
      await refuseTwo();
      const jobs = await world.submitAll(['ann', 'ben', 'cid']);
      await world.pass(30 * MINUTE);

      expect(await world.statesOf(jobs)).toEqual(each(jobs, 'waiting'));
      expect(await Promise.all(jobs.map(outageOf))).toEqual(each(jobs, outage));

      for (const { id } of jobs) {
        const last = world.drawings.filter((one) => one.id === id).at(-1);
        expect(last).toMatchObject({ state: 'waiting', jobStatus: { outage } });
      }
      expect(new Set(world.notices)).toEqual(new Set([code]));
      expect(calls).toBeLessThan(3 + 30 * 4);
      expect(await world.credits()).toEqual({ reserved: 2, spent: 0 });

      refusing = undefined;
      await world.pass(3 * MINUTE);

      expect(await world.statesOf(jobs)).toEqual(each(jobs, 'done'));
      expect(world.runs).toHaveLength(3);
    });

    it(`what only the owner can fix (${kind}) fails a job at the waiting deadline with that reason, and the credits are returned`, async () => {
      await open({ waitingMs: 30 * MINUTE });
      refusing = { kind };
      await refuseTwo();
      const job = await world.submitAndPass(30 * MINUTE - 1_000);

      expect(await world.stateOf(job)).toBe('waiting');

      await world.pass(5_000);
      expect(await world.jobOf(job)).toMatchObject(failedFor(code));
      expect(world.endsShown(job)).toHaveLength(1);
    });

    it(`what only the owner can fix (${kind}) keeps the order of the queue: a job that tried goes first afterwards`, async () => {
      await refuseTwo();
      for (let i = 1; i <= 5; i += 1) await world.submit(`person ${i}`, withFilter(i));
      await world.pass(20 * MINUTE);
      refusing = undefined;
      await world.pass(3 * MINUTE);
      const order = world.runs.slice(1).map(({ request }) => filterIn(request));

      // The first one through is whoever's turn it was to try; behind it everybody has their place.
      expect(order).toEqual([...order].sort());
    });
  });

  it('what only the owner can fix for one job while others are accepted fails that one, and does not block the others', async () => {
    await refuseTwo();
    refusing = { kind: 'unauthorized', filter: 66 };
    const bad = await world.submit('ann', withFilter(66));
    const others: Job[] = [];
    for (const person of crowd(12)) {
      others.push(await world.submit(person, withFilter(1)));
      await world.pass(MINUTE);
    }
    await world.pass(5 * MINUTE);

    expect(await world.statesOf(others)).toEqual(each(others, 'done'));
    expect(await world.jobOf(bad)).toMatchObject(failedFor('service-credentials'));
  });

  it.each([
    ['unauthorized', 'service-credentials', undefined, 'service-credentials'],
    ['redirected', 'service-address', 'address', 'deadline'],
  ] as const)(
    'what only the owner can fix is told when polls fail (%s); the job stays to its end',
    async (kind, told, outage, code) => {
      refusing = undefined;
      const job = await world.submitAndPass(2_000);
      world.script.onLook = failing(kind, false);
      await world.pass(5 * MINUTE);

      expect([await world.stateOf(job), await outageOf(job)]).toEqual(['running', outage]);
      expect(new Set(world.notices)).toEqual(new Set([told]));

      await world.pass(6 * MINUTE);
      expect((await world.jobOf(job))?.failure).toEqual({ code });
    },
  );

  it.each([
    ['unauthorized', 'credentials', ['service-credentials']],
    ['redirected', 'address', ['service-address']],
    ['unavailable', 'unavailable', []],
    ['bad-response', 'unavailable', []],
  ] as const)(
    'what only the owner can fix lets a job wait, and say why, for its alias (%s)',
    async (kind, outage, notices) => {
      refusing = undefined;
      world.script.photo = async () => failing(kind, false)();
      const job = await world.submitAndPass(30 * MINUTE);

      expect([await world.stateOf(job), await outageOf(job)]).toEqual(['waiting', outage]);
      expect([...new Set(world.notices)]).toEqual(notices);

      world.script.photo = async () => undefined;
      await world.pass(3 * MINUTE);

      expect(await world.stateOf(job)).toBe('done');
    },
  );

  it('what only the owner can fix is told of a redirect after which the request may have been processed, and that is not repeated', async () => {
    world.script.onRun = failing('redirected', true);
    const job = await world.submitAndPass(MINUTE);

    expect(await world.stateOf(job)).toBe('uncertain');
    expect(world.notices).toEqual(['service-address']);
  });

  it('what only the owner can fix is told of a redirect also if the service was down before', async () => {
    world.script.onRun = failing('unreachable', false);
    world.script.onProbe = failing('redirected', false);
    const jobs = await world.submitAll(crowd(6));
    await world.pass(10 * MINUTE);

    expect(new Set(world.notices)).toEqual(new Set(['service-address']));
    expect(await Promise.all(jobs.map(outageOf))).toEqual(each(jobs, 'address'));
  });
});

/** A service that answers 429 to every run: each try costs a photo that is fetched and read anew. */
describe('a busy service', () => {
  let photos: number;
  let isBusy: boolean;
  beforeEach(async () => {
    await openWorld();
    photos = 0;
    isBusy = true;
    world.script.photo = async () => {
      photos += 1;
    };
    world.script.onRun = () => {
      if (isBusy) throw serviceError('rate-limited', false);
    };
  });

  it('a busy service is tried by one job at a time, and all continue in order once it accepts one', async () => {
    const jobs = await world.submitAll(crowd(20));
    await world.pass(MINUTE);
    photos = 0;
    await world.pass(5 * MINUTE);

    expect(photos).toBeGreaterThan(20);
    expect(photos).toBeLessThan(120);
    expect(await world.statesOf(jobs)).toEqual(each(jobs, 'waiting'));

    isBusy = false;
    jobs.push(await world.submit('late'));
    await world.pass(20_000);
    const all = await Promise.all(jobs.map(world.jobOf));
    // All but the one that tried are sent in the order of the line.
    const order = all.map((job) => Number(job?.serviceId?.split('-')[1] ?? expect.fail('not sent')));
    const others = order.filter((run) => run !== Math.min(...order));

    expect(others).toEqual(others.toSorted((one, other) => one - other));

    await world.pass(MINUTE);
    expect(await world.statesOf(jobs)).toEqual(each(jobs, 'done'));
  });

  it('a busy service is not counted with later photo errors', async () => {
    const job = await world.submitAndPass(10 * MINUTE);
    isBusy = false;
    world.script.photo = async () => {
      world.script.photo = async () => undefined;
      throw new Error('the platform is slow');
    };
    await world.pass(2 * MINUTE);

    expect(await world.stateOf(job)).toBe('done');
  });

  describe('a service that is busy for one job only', () => {
    let tries: number[];
    beforeEach(() => {
      tries = [];
      world.script.onRun = (_, request) => {
        if (filterIn(request) !== 13) return;
        tries.push(world.clock.now());
        if (isBusy) throw serviceError('rate-limited', false, { retryAfterMs: 30_000 });
      };
    });

    it('a busy service for one job only does not delay other jobs; that job is retried as asked until accepted', async () => {
      const odd = await world.submitAndPass(1_000, 'odd', withFilter(13));
      for (const person of crowd(20)) {
        const other = await world.submitAndPass(500, person);
        expect(await world.stateOf(other)).toBe('running');
      }
      await world.pass(10 * MINUTE);
      const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? at));

      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(30_000);
      expect(Math.max(...pauses)).toBeLessThan(35_000);
      expect(await world.stateOf(odd)).toBe('waiting');

      isBusy = false;
      await world.pass(MINUTE);

      expect(await world.jobOf(odd)).toMatchObject({ state: 'done', charge: 'spent' });
    });

    it('a busy service for one job only says so on its card, and until when, also after a restart', async () => {
      const odd = await world.submitAndPass(2_000, 'odd', withFilter(13));
      expect(await world.statusOf(odd)).toEqual({ resting: 'service-busy', waitMs: 30_000 });

      await world.pass(5_000);
      expect(world.drawings.at(-1)).toMatchObject({ id: odd.id, jobStatus: { resting: 'service-busy' } });

      await world.restart();
      expect(await world.statusOf(odd)).toEqual({ resting: 'service-busy', waitMs: 25_000 });

      isBusy = false;
      await world.pass(30_000);

      expect(await world.stateOf(odd)).toBe('running');
      expect(await world.statusOf(odd)).not.toHaveProperty('resting');
    });
  });

  it('a busy service for one poll delays only that job', async () => {
    isBusy = false;
    const ann = await world.submitAndPass(500);
    const serviceId = (await world.jobOf(ann))?.serviceId;
    world.script.onLook = (id) => {
      if (id === serviceId) throw serviceError('rate-limited', false, { retryAfterMs: MINUTE });
    };
    await world.pass(10_000);
    const ben = await world.submitAndPass(30_000, 'ben');

    expect(await world.statesOf([ann, ben])).toEqual(['running', 'done']);
  });
});
