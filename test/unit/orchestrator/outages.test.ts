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

/** The same value for each of the jobs, to compare with what all of them say. */
const allAre = <T>(value: T, jobs: readonly Job[]): T[] => jobs.map(() => value);
const outageOf = async (job: Job) => (await world.statusOf(job)).outage;
const withFilter = (id: number) => ({
  request: { ...swap, filter: { by: 'number' as const, id, name: `filter ${id}` } },
});
/** The number of the filter that a run asks for. */
const filterIn = ({ input }: GenerationRequest): unknown => input.filter;

/** Numbers from 0 to 1 that are the same in every run, and unlike each other: pauses between attempts shall differ. */
const createRepeatableRandom = () => {
  let seed = 1;
  return (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
};

describe('while the service is down', () => {
  beforeEach(async () => {
    await openWorld({
      limits: { userConcurrentJobs: 10, userWaitingJobs: 200 },
      random: createRepeatableRandom(),
    });
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
    const waitingJob = jobs[states.indexOf('waiting')] ?? expect.fail('Somebody should be waiting.');

    expect(await outageOf(waitingJob)).toBe('unavailable');

    await world.pass(6 * MINUTE);
    expect(await world.statesOf(jobs)).toEqual(allAre('done', jobs));
    expect(world.runs).toHaveLength(40);
  });

  it.each([
    { what: 'it is back', runError: 'unavailable', probeError: 'unavailable' },
    { what: 'the page of a proxy has gone', runError: 'unknown-outcome', probeError: 'bad-response' },
  ] as const)(
    'while the service is down, no waiting job is a probe: a free call checks whether $what',
    async ({ runError, probeError }) => {
      const probe = down(10 * MINUTE, probeError, true);
      world.script.onRun = down(10 * MINUTE, runError, true);
      world.script.onProbe = probe;
      const first = await world.submitAll(crowd(5));
      await world.pass(1_000);
      const others = await world.submitAll(crowd(20));
      await world.pass(9 * MINUTE);

      // What became of the jobs that met the outage is unknown.
      expect(await world.statesOf(first)).toEqual(allAre('uncertain', first));
      expect(await world.statesOf(others)).toEqual(allAre('waiting', others));
      expect(probe.calls).toBeGreaterThan(50);
      expect(probe.calls).toBeLessThan(250);

      await world.pass(3 * MINUTE);
      expect(await world.statesOf(others)).toEqual(allAre('done', others));
      expect(world.runs).toHaveLength(others.length);
    },
  );

  it('while only submissions fail, run calls stay few although polls succeed', async () => {
    world.script.durationMs = () => 9 * MINUTE;
    const running = await world.submitAndPass(2_000, 'before');
    const run = down(10 * MINUTE, 'unavailable', true);
    world.script.onRun = run;
    for (const person of crowd(50)) await world.submitAndPass(6_000, person);

    expect(run.calls).toBeLessThan(30);
    expect(await world.statusOf(running)).not.toHaveProperty('outage');

    await world.pass(5 * MINUTE);
    expect(await world.stateOf(running)).toBe('done');
  });

  it('while the service is down, a waiting job can be cancelled during a probe', async () => {
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
    'polls that fail for %i ms lose nothing, and results are seen soon after, one after the other',
    async (ms) => {
      await openWorld({ limits: { serviceConcurrentJobs: 25 }, random: createRepeatableRandom() });
      const jobs = await world.submitAll(crowd(50));
      await world.pass(4_000);
      const end = world.clock.now() + ms;
      let pollsAtEnd = 0;
      world.script.onLook = () => {
        if (world.clock.now() < end) throw serviceError('unavailable', true);
        if (world.clock.now() < end + 200) pollsAtEnd += 1;
      };
      await world.pass(ms + 10_000);
      const jobsThatRan = jobs.slice(0, 25);

      expect(await world.statesOf(jobsThatRan)).toEqual(allAre('done', jobsThatRan));
      expect(pollsAtEnd).toBeLessThan(12);

      await world.pass(2 * MINUTE);
      expect(await world.statesOf(jobs)).toEqual(allAre('done', jobs));
    },
  );

  it('photos that hang do not delay results when the service is back', async () => {
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

// `/readyz` tells of outages that jobs meet, not of those that nobody has met since.
it.each([
  { error: 'unauthorized', outage: 'credentials' },
  { error: 'unavailable', outage: 'unavailable' },
] as const)(
  'an outage ($error) is met while jobs meet it, and for three minutes afterwards',
  async ({ error, outage }) => {
    await openWorld();
    world.script.onRun = failing(error, false);
    const expectOutage = (expected: { known: string | undefined; met: string | undefined }): void => {
      const known = world.orchestrator.outages().key;
      const met = world.orchestrator.outagesMet().key;
      expect({ known, met }).toEqual(expected);
    };
    const jobs: Job[] = [];
    for (const person of crowd(6)) jobs.push(await world.submitAndPass(1_000, person));
    for (let round = 0; round < 30; round += 1) {
      await world.pass(20_000);
      expectOutage({ known: outage, met: outage });
    }

    for (const { id } of jobs) await world.orchestrator.cancel(id);
    await world.pass(181_000);
    expectOutage({ known: outage, met: undefined });

    world.script.onRun = () => undefined;
    await world.submitAndPass(MINUTE, 'eve');
    expectOutage({ known: undefined, met: undefined });
  },
);

describe('what only the owner can fix', () => {
  let runCalls: number;
  /** What the service refuses all runs for, or only those with the filter of this number. */
  let refusing: { kind: 'credits' | 'unauthorized' | 'redirected'; filter?: number } | undefined;
  const openWorldThatRefuses = async (deadlines: WorldOptions['deadlines'] = {}): Promise<void> => {
    await openWorld({ limits: { userConcurrentJobs: 1 }, deadlines });
    runCalls = 0;
    refusing = { kind: 'credits' };
    world.script.onRun = (_, request) => {
      runCalls += 1;
      if (refusing === undefined) return;
      const isForAll = refusing.filter === undefined;
      if (isForAll || refusing.filter === filterIn(request)) throw serviceError(refusing.kind, false);
    };
  };
  beforeEach(() => openWorldThatRefuses());
  /** After two refusals it is certain that the service does not refuse single jobs. */
  const refuseTwo = async (): Promise<void> => {
    for (const person of ['dan', 'eve']) {
      const job = await world.submitAndPass(1_000, person);
      expect(await world.stateOf(job)).toBe('failed');
    }
  };

  describe.each([
    { kind: 'credits', code: 'service-credits', outage: 'credits' },
    { kind: 'unauthorized', code: 'service-credentials', outage: 'credentials' },
    { kind: 'redirected', code: 'service-address', outage: 'address' },
  ] as const)('($kind)', ({ kind, code, outage }) => {
    beforeEach(() => {
      refusing = { kind };
    });

    it(`what only the owner can fix (${kind}) fails the first jobs immediately without cost, and the owner is notified`, async () => {
      const job = await world.submitAndPass(1_000);
      expect(await world.jobOf(job)).toMatchObject(failedFor(code));
      expect(world.notices).toEqual([code]);

      // One refusal may concern that job alone, so nobody else is kept waiting.
      refusing = undefined;
      const next = await world.submitAndPass(MINUTE, 'ben');

      expect(await world.stateOf(next)).toBe('done');
    });

    it(`what only the owner can fix (${kind}) fails no other job while it lasts: all wait, their cards say why, and one at a time tries`, async () => {
      await refuseTwo();
      const jobs = await world.submitAll(['ann', 'ben', 'cid']);
      await world.pass(30 * MINUTE);

      expect(await world.statesOf(jobs)).toEqual(allAre('waiting', jobs));
      expect(await Promise.all(jobs.map(outageOf))).toEqual(allAre(outage, jobs));

      for (const { id } of jobs) {
        const last = world.drawings.filter((one) => one.id === id).at(-1);
        expect(last).toMatchObject({ state: 'waiting', jobStatus: { outage } });
      }
      expect(new Set(world.notices)).toEqual(new Set([code]));
      expect(runCalls).toBeLessThan(3 + 30 * 4);
      expect(await world.credits()).toEqual({ reserved: 2, spent: 0 });

      refusing = undefined;
      await world.pass(3 * MINUTE);

      expect(await world.statesOf(jobs)).toEqual(allAre('done', jobs));
      expect(world.runs).toHaveLength(3);
    });

    it(`what only the owner can fix (${kind}) fails a job at the waiting deadline with that reason, and the credits are returned`, async () => {
      await openWorldThatRefuses({ waitingMs: 30 * MINUTE });
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
      const filtersInOrder = world.runs.map(({ request }) => Number(filterIn(request)));
      // The first run is the job whose turn it was to try.
      const behindTheFirst = filtersInOrder.slice(1);

      expect(behindTheFirst).toHaveLength(4);
      expect(behindTheFirst).toEqual(behindTheFirst.toSorted((one, other) => one - other));
    });
  });

  it('a job that alone is refused while others are accepted fails, and does not block the others', async () => {
    await refuseTwo();
    refusing = { kind: 'unauthorized', filter: 66 };
    const bad = await world.submit('ann', withFilter(66));
    const others: Job[] = [];
    for (const person of crowd(12)) {
      others.push(await world.submit(person, withFilter(1)));
      await world.pass(MINUTE);
    }
    await world.pass(5 * MINUTE);

    expect(await world.statesOf(others)).toEqual(allAre('done', others));
    expect(await world.jobOf(bad)).toMatchObject(failedFor('service-credentials'));
  });

  it.each([
    { kind: 'unauthorized', told: 'service-credentials', outage: undefined, code: 'service-credentials' },
    { kind: 'redirected', told: 'service-address', outage: 'address', code: 'deadline' },
  ] as const)(
    'what only the owner can fix is told when polls fail ($kind); the job stays to its end',
    async ({ kind, told, outage, code }) => {
      refusing = undefined;
      const job = await world.submitAndPass(2_000);
      world.script.onLook = failing(kind, false);
      await world.pass(5 * MINUTE);

      expect(await world.stateOf(job)).toBe('running');
      expect(await outageOf(job)).toBe(outage);
      expect(new Set(world.notices)).toEqual(new Set([told]));

      await world.pass(6 * MINUTE);
      expect((await world.jobOf(job))?.failure).toEqual({ code });
    },
  );

  it.each([
    { kind: 'unauthorized', outage: 'credentials', notices: ['service-credentials'] },
    { kind: 'redirected', outage: 'address', notices: ['service-address'] },
    { kind: 'unavailable', outage: 'unavailable', notices: [] },
    { kind: 'bad-response', outage: 'unavailable', notices: [] },
  ] as const)(
    'a job whose alias or photo the service does not give ($kind) waits, and its card says why',
    async ({ kind, outage, notices }) => {
      refusing = undefined;
      world.script.photo = async () => failing(kind, false)();
      const job = await world.submitAndPass(30 * MINUTE);

      expect(await world.stateOf(job)).toBe('waiting');
      expect(await outageOf(job)).toBe(outage);
      expect([...new Set(world.notices)]).toEqual(notices);

      world.script.photo = async () => undefined;
      await world.pass(3 * MINUTE);

      expect(await world.stateOf(job)).toBe('done');
    },
  );

  it('the owner is told of a redirect after which the run may have been processed, and the run is not repeated', async () => {
    world.script.onRun = failing('redirected', true);
    const job = await world.submitAndPass(MINUTE);

    expect(await world.stateOf(job)).toBe('uncertain');
    expect(world.notices).toEqual(['service-address']);
  });

  it('the owner is told of a redirect also if the service was down before', async () => {
    world.script.onRun = failing('unreachable', false);
    world.script.onProbe = failing('redirected', false);
    const jobs = await world.submitAll(crowd(6));
    await world.pass(10 * MINUTE);

    expect(new Set(world.notices)).toEqual(new Set(['service-address']));
    expect(await Promise.all(jobs.map(outageOf))).toEqual(allAre('address', jobs));
  });
});

/** A busy service answers 429 to every run. Each attempt costs a photo that is fetched and read anew. */
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
    expect(await world.statesOf(jobs)).toEqual(allAre('waiting', jobs));

    isBusy = false;
    jobs.push(await world.submit('late'));
    await world.pass(20_000);
    const jobsThen = await Promise.all(jobs.map(world.jobOf));
    const runNumbers = jobsThen.map((job) =>
      Number(job?.serviceId?.split('-')[1] ?? expect.fail('not sent')),
    );
    // The first run is the job that tried meanwhile; all others are sent in the order of the line.
    const others = runNumbers.filter((run) => run !== Math.min(...runNumbers));

    expect(others).toEqual(others.toSorted((one, other) => one - other));

    await world.pass(MINUTE);
    expect(await world.statesOf(jobs)).toEqual(allAre('done', jobs));
  });

  it('refusals of a busy service do not count against a job whose photo fails later', async () => {
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

    it('a service that is busy for one job only does not delay other jobs; that job is retried as asked until accepted', async () => {
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

    it('a card says that the service is busy for its job only, and until when, also after a restart', async () => {
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

  it('a service that is busy for one poll delays only that job', async () => {
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
