/** A store that fails for a while, answers late or in another order, or has written what it does not say. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelled, uncertain } from '../../../src/orchestrator/job/final-states.ts';
import type { Job, SubmittingJob } from '../../../src/orchestrator/job/job.ts';
import {
  failing,
  MINUTE,
  nothing,
  openWorld,
  orderOf,
  type StoreCall,
  serviceError,
  world,
} from '../../fakes/orchestrator-world.ts';

beforeEach(() => openWorld({ sweep: async () => false }));
afterEach(() => {
  Object.assign(world.script, { onStore: undefined, onAnswer: undefined, lag: undefined });
});

const shown = { state: 'done', settled: true, charge: 'spent' };
const returned = { state: 'cancelled', charge: 'returned' };
const stored = (id: string) => world.store.jobs.get(id);
/** Lets these calls to the records fail from now on, for so long. */
const failFor = (ms: number, ...calls: readonly StoreCall[]): void => {
  const end = world.clock.now() + ms;
  world.script.onStore = (call) => {
    if (calls.includes(call) && world.clock.now() < end) throw new Error('disk I/O error');
  };
};

it('any single call to the store that fails leaves no job in hand, and every job is run once and shown', async () => {
  // More than one job needs from its card to its end.
  for (let failing = 1; failing <= 40; failing += 1) {
    let calls = 0;
    let failed = 'nothing';
    world.script.onStore = (call) => {
      calls += 1;
      if (calls !== failing) return;
      failed = call;
      throw new Error('disk I/O error');
    };
    const job = await world.submitAndPass(400_000, `person-${failing}`);
    world.script.onStore = undefined;
    const which = `call ${failing} failed: ${failed}`;
    expect(await world.jobOf(job), which).toMatchObject(shown);
    const { outages: _, ...stats } = await world.orchestrator.stats();
    expect(stats, which).toEqual({ waiting: 0, running: 0, steps: 0, submissions: 0 });
    expect(world.runs, which).toHaveLength(failing);
  }
});

describe('when the disk fails for a while', () => {
  it.each([
    { what: 'an accepted', answer: () => undefined, end: shown },
    {
      what: 'a refused',
      answer: failing('refused', false),
      end: { state: 'failed', settled: true, charge: 'returned' },
    },
  ])(
    'when the disk fails for a while, $what run is kept in memory until it can be stored',
    async ({ answer, end }) => {
      world.script.onRun = () => {
        failFor(5 * MINUTE, 'save');
        answer();
      };
      const job = await world.submitAndPass(290_000);

      expect(await world.stateOf(job)).toBe('submitting');

      await world.pass(MINUTE);
      expect(await world.jobOf(job)).toMatchObject(end);
      expect(world.endsShown(job)).toHaveLength(1);
      expect(world.runs).toHaveLength(end === shown ? 1 : 0);
      expect(await world.orchestrator.stats()).toMatchObject({ running: 0, waiting: 0 });
    },
  );

  it('when the disk fails for a while, nothing is called or drawn that would be repeated', async () => {
    const job = await world.submitAndPass(1_000);
    failFor(60 * MINUTE, 'save');
    await world.pass(MINUTE);
    const done = () => [world.looks.length, world.endsShown(job).length];
    const before = done();
    await world.pass(50 * MINUTE);

    expect(done()).toEqual(before);

    world.script.onStore = undefined;
    await world.pass(MINUTE);

    expect(await world.jobOf(job)).toMatchObject(shown);
  });

  it('when the disk fails for a while, a card that appeared meanwhile is stored later, and its job continues', async () => {
    const { job } = await world.orchestrator.accept(orderOf('ann'));
    failFor(2 * MINUTE, 'save');
    const card = { platform: 'web', ref: 'card' } as const;

    await expect(world.orchestrator.cardShown(job.id, card)).rejects.toThrow('disk I/O error');

    await world.pass(3 * MINUTE);
    expect(await world.jobOf(job)).toMatchObject({ state: 'done', card });
  });

  it('when the disk fails for a while, a card that has to be stored does not replace an outcome that has to be', async () => {
    const job = await world.submit('ann');
    let isBroken = false;

    world.script.onRun = () => {
      isBroken = true;
    };
    world.script.onStore = (call) => {
      if (isBroken && call !== 'take') throw new Error('disk I/O error');
    };
    await world.pass(1_000);
    const copy = world.orchestrator.cardShown(job.id, { platform: 'web', ref: 'a copy' });

    await expect(copy).rejects.toThrow('disk');

    isBroken = false;
    await world.pass(MINUTE);

    expect(await world.stateOf(job)).toBe('done');
  });

  it('when the disk fails for a while, a result whose card was deleted does not create several new cards', async () => {
    world.script.draw = (job) => {
      if (job.state !== 'done' || job.moved) return { state: 'drawn' };
      failFor(2 * MINUTE, 'save');
      return { state: 'gone' };
    };
    const job = await world.submitAndPass(100_000);

    expect(world.newCards).toEqual([]);

    world.script.draw = ({ moved }) => ({ state: moved ? 'drawn' : 'gone' });
    await world.pass(400_000);

    expect(world.newCards).toEqual([job.id]);
    expect(await world.jobOf(job)).toMatchObject({ state: 'done', moved: true });
  });

  it('when the disk fails for a while, a new card that could not be stored is removed', async () => {
    world.script.draw = ({ moved }) => ({ state: moved ? 'drawn' : 'gone' });
    world.script.newCard = () => {
      failFor(20_000, 'save');
      world.script.newCard = () => ({ platform: 'web', ref: 'second' });
      return { platform: 'web', ref: 'first' };
    };
    const job = await world.submitAndPass(400_000);

    expect(world.discarded).toEqual(['first']);
    expect(await world.jobOf(job)).toMatchObject({ state: 'done', card: { ref: 'second' } });
  });

  it('when the disk fails for a while, that is logged and told once, however many jobs are in hand', async () => {
    await world.submitAll(['ann', 'ben', 'cid', 'dan']);
    await world.pass(1_000);
    failFor(600_000, 'save', 'claim', 'release');
    await world.pass(590_000);

    expect(world.errors).toEqual(['the store is not writable: work is suspended until it is']);
    expect(world.notices).toEqual(['store']);

    await world.pass(2 * MINUTE);
    expect(await world.orchestrator.stats()).toMatchObject({ running: 0, waiting: 0, steps: 0 });
  });

  it('when the disk fails for a while, a job that cannot be read when it is to probe the service does not block others', async () => {
    world.script.onRun = failing('credits', false);
    await world.submitAll(['ann', 'cid', 'dan']);
    await world.pass(1_000);

    expect((await world.orchestrator.stats()).outages.key).toBe('credits');

    const next = await world.submit('ben');
    world.script.onRun = () => undefined;
    failFor(90_000, 'get');
    await world.pass(80_000);
    world.script.onStore = undefined;
    await world.pass(3 * MINUTE);

    expect(await world.stateOf(next)).toBe('done');
  });

  it('when the disk fails for a while, jobs are taken again later, and that is not tried all the time', async () => {
    let tries = 0;
    world.script.onStore = (call) => {
      if (call !== 'take') return;
      tries += 1;
      throw new Error('no answer');
    };
    const job = await world.submitAndPass(MINUTE);

    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(15);

    world.script.onStore = undefined;
    await world.pass(MINUTE);

    expect(await world.stateOf(job)).toBe('done');
  });

  it('when the disk fails for a while, a stop does not fail, nor wait for the disk', async () => {
    world.script.photo = async () => failFor(MINUTE, 'save');
    await world.submitAndPass(1_000);
    await world.orchestrator.stop();
    await world.pass(2 * MINUTE);

    expect(world.runs).toHaveLength(0);
  });
});

describe('an answer of the store that comes late', () => {
  /** The next answer of this kind waits until it is let go. */
  const holdNext = (which: StoreCall): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.script.onAnswer = (call) => {
      if (call !== which) return undefined;
      world.script.onAnswer = undefined;
      return promise;
    };
    return resolve;
  };
  /** Something fails once, and not for want of a store. */
  const failOnce = (which: StoreCall): void => {
    let isOver = false;
    world.script.onStore = (call) => {
      if (call !== which || isOver) return;
      isOver = true;
      throw new Error('fails once');
    };
  };
  /** The timers that are left by a job that was cancelled while it ran. */
  const timersAtRest = async (): Promise<number> => {
    const { id } = await world.submitAndPass(1_000, 'somebody');
    expect((await world.orchestrator.cancel(id))?.isChanged).toBe(true);
    await world.pass(10_000);
    return world.clock.pending;
  };

  it('an answer of the store that comes late does not bring a job back that has ended meanwhile', async () => {
    const atRest = await timersAtRest();
    let arrives: () => void = () => undefined;

    world.script.onRun = () => {
      arrives = holdNext('save');
    };
    const { id } = await world.submitAndPass(1_000);

    expect((await stored(id))?.state).toBe('running');

    await world.orchestrator.cancel(id);
    await world.pass(10_000);

    expect(await stored(id)).toMatchObject({ state: 'cancelled', settled: true });

    arrives();
    await world.pass(10_000);

    expect(world.clock.pending, 'its card is followed no more').toBe(atRest);
  });

  it('an answer of the store that comes late does not bring a job back that was being taken up', async () => {
    const atRest = await timersAtRest();
    const runs = world.runs.length;
    const { id } = await world.submit('ann');

    failOnce('save');
    await world.pass(1_000);

    expect((await stored(id))?.state).toBe('waiting');

    const arrives = holdNext('get');
    await world.pass(5_000);
    await world.orchestrator.cancel(id);
    await world.pass(10_000);

    expect((await stored(id))?.settled).toBe(true);

    arrives();
    await world.pass(10_000);

    expect(world.clock.pending).toEqual(atRest);
    expect(world.runs.length).toEqual(runs);
  });

  it('an answer of the store that comes late does not begin what was taken when the gate has closed meanwhile: it stands where it stood', async () => {
    const answered = Promise.withResolvers<void>();
    world.script.onRun = () => answered.promise;
    await world.submitAll(['ann', 'ben', 'cid', 'dan', 'eve']);
    await world.pass(100);
    const arrives = holdNext('take');
    const late = await world.submitAndPass(100, 'fay');

    expect(await world.store.jobs.standing(late.id)).toBeUndefined();

    answered.reject(serviceError('unreachable', false));
    await world.pass(100);

    expect((await world.orchestrator.stats()).outages.key).toBe('unavailable');

    arrives();
    await world.pass(0);

    expect(await world.store.jobs.standing(late.id)).toBeDefined();

    world.script.onRun = () => undefined;
    await world.pass(2 * MINUTE);

    expect(await world.stateOf(late)).toBe('done');
  });

  it('an answer of the store that comes late while the store is checked does not make an outcome unknown that could not be stored', async () => {
    let isBroken = false;
    world.script.onRun = () => {
      isBroken = true;
    };
    world.script.onStore = (call) => {
      if (call !== 'save' || !isBroken) return;
      isBroken = false;
      // The next save is the check whether the store can be written to.
      world.script.onAnswer = (answered) =>
        answered === 'save' ? new Promise((resolve) => world.clock.after(20_000, resolve)) : undefined;
      throw new Error('no answer');
    };
    const job = await world.submitAndPass(15_000);

    expect((await stored(job.id))?.state).toBe('submitting');

    await world.pass(10_000);
    world.script.onAnswer = undefined;
    await world.pass(MINUTE);

    expect(await world.jobOf(job)).toMatchObject(shown);
    expect(world.runs).toHaveLength(1);
  });

  it('an answer of the store that comes late is waited for by a stop, which gives back a job that was being taken', async () => {
    const { promise, resolve: arrives } = Promise.withResolvers<void>();
    // The answer about an empty line is not held back.
    world.script.onAnswer = async (call) => {
      if (call === 'take' && (await world.store.jobs.counts()).running === 1) await promise;
    };
    const { id } = await world.submitAndPass(0);

    expect(await world.store.jobs.counts()).toEqual({ waiting: 0, running: 1 });

    const stopped = world.orchestrator.stop();
    arrives();
    await world.pass(0);
    await stopped;

    expect(await world.store.jobs.standing(id)).toEqual({ position: 1, own: 0 });
    expect(await world.store.jobs.counts()).toEqual({ waiting: 1, running: 0 });

    await world.restart();
    await world.pass(MINUTE);

    expect(world.runs).toHaveLength(1);
  });

  it('an answer of the store that comes late or a pause after a failure does not keep a stop from giving a job back', async () => {
    const { id } = await world.submit('ann');
    failOnce('save');
    await world.pass(100);

    expect(await world.store.jobs.counts()).toEqual({ waiting: 0, running: 1 });

    await world.orchestrator.stop();
    expect(await world.store.jobs.standing(id)).toEqual({ position: 1, own: 0 });

    await world.pass(MINUTE);
    expect(world.clock.pending).toBe(0);
  });

  it.each(['jobs', 'pending'])(
    'an answer of the store that comes late to a start under way begins nothing after a stop: %s',
    async (asked) => {
      world.script.admit = () => {
        throw new Error('later');
      };
      await world.submitAll(['ann', 'ben']);
      await world.pass(100);
      const { promise, resolve } = Promise.withResolvers<void>();
      world.script.lag = asked === 'jobs' ? () => promise : undefined;
      world.script.onAnswer = async (call) => (call === asked ? promise : undefined);
      const restarted = world.restart();
      await world.pass(0);
      const stopped = world.orchestrator.stop();
      world.script.lag = undefined;
      resolve();
      await Promise.all([restarted, stopped]);
      await world.pass(2 * MINUTE);

      expect(world.runs).toEqual([]);
      expect(world.clock.pending).toBe(0);
    },
  );
});

describe('when the answer is lost that something was written', () => {
  const ann = 'web:ann';
  /** The answer to the first write that leaves ann's job like this is lost; after that nothing is answered for so long. */
  const loseAnswer = (isIt: (job: Job) => boolean, awayMs = 0): void => {
    let lostAt = Number.POSITIVE_INFINITY;
    const isAway = (): boolean => world.clock.now() < lostAt + awayMs && world.clock.now() >= lostAt;
    world.script.onStore = () => {
      if (isAway()) throw new Error('Connection terminated');
    };
    world.script.onAnswer = async (call) => {
      if (call !== 'save' || lostAt !== Number.POSITIVE_INFINITY) return;
      const [job] = await world.store.jobs.ofPerson(ann, 1);
      if (job === undefined || !isIt(job)) return;
      lostAt = world.clock.now();
      throw new Error('Connection terminated');
    };
  };
  const isSubmitting = (job: Job): job is SubmittingJob => job.state === 'submitting';
  /** The job as another process finds it in the store. */
  const submitting = async (): Promise<SubmittingJob> => {
    const [job] = await world.store.jobs.unfinishedOf(ann);
    if (job === undefined || !isSubmitting(job)) throw new Error(`It is ${job?.state}.`);
    return job;
  };
  const change = async (to: (job: SubmittingJob) => Job): Promise<void> => {
    const marked = await submitting();
    await world.store.jobs.save(marked, to(marked));
  };

  it.each([
    { what: 'that it is being sent', isIt: isSubmitting, awayMs: 0 },
    { what: 'that it is being sent, a minute long', isIt: isSubmitting, awayMs: MINUTE },
    { what: 'that a refused attempt is over', isIt: (job: Job) => job.unsent === true, awayMs: 0 },
  ])(
    'when the answer is lost $what, a job of which it is known that nothing was sent is submitted once',
    async ({ isIt, awayMs }) => {
      if (isIt !== isSubmitting) world.script.pause = async () => undefined;
      loseAnswer(isIt, awayMs);
      const job = await world.submitAndPass(3 * MINUTE);

      expect(await world.jobOf(job)).toMatchObject(shown);
      expect(world.runs).toHaveLength(1);
      expect(await world.credits()).toEqual({ reserved: 0, spent: 2 });
      expect(await world.orchestrator.stats()).toMatchObject({ running: 0, waiting: 0 });
    },
  );

  it.each([
    { what: 'cancelled', end: cancelled },
    { what: 'taken for interrupted by another process', end: uncertain },
  ])(
    'when the answer is lost that something was written, a job that was $what meanwhile is not paid for',
    async ({ end }) => {
      loseAnswer(isSubmitting, 10_000);
      const job = await world.submitAndPass(5_000);
      await change((marked) => end(marked, world.clock.now()));
      await world.pass(MINUTE);

      expect(await world.jobOf(job)).toMatchObject({ charge: 'returned', settled: true });
      expect(world.finalDrawings(job.id).at(-1)?.job.charge).toBe('returned');
      expect(world.runs).toEqual([]);
      expect(await world.credits()).toEqual(nothing);
    },
  );

  it('when the answer is lost that something was written, a job that another process is submitting is left alone', async () => {
    loseAnswer(isSubmitting, 10_000);
    await world.submitAndPass(5_000);
    const { version } = await submitting();
    await change((marked) => ({ ...marked, submittedAt: world.clock.now() }));
    await world.pass(MINUTE);

    expect(await submitting()).toMatchObject({ version: version + 1 });
  });

  it('when the answer is lost that something was written, a run that the service has taken keeps its id from other jobs, though it was cancelled meanwhile', async () => {
    world.script.serviceId = () => 'the same';
    world.script.onRun = () => {
      world.script.onRun = () => undefined;
      failFor(10_000, 'save');
    };
    await world.submitAndPass(5_000);
    await change((marked) => cancelled(marked, world.clock.now()));
    await world.pass(20_000);
    const other = await world.submitAndPass(MINUTE, 'ben');

    expect(await world.statesOf([other])).toEqual(['uncertain']);
  });

  it('when the answer is lost that something was written, a second card is kept, and shows the result', async () => {
    world.script.draw = ({ moved }) => ({ state: moved ? 'drawn' : 'gone' });
    loseAnswer((job) => job.moved === true);
    const job = await world.submitAndPass(3 * MINUTE);

    expect(world.discarded).toEqual([]);
    expect(world.newCards).toEqual([job.id]);
    expect(await world.jobOf(job)).toMatchObject({ state: 'done', card: { ref: `elsewhere-${job.id}` } });
    expect(world.finalDrawings(job.id).map(({ withResult }) => withResult)).toEqual([true]);
  });

  it.each([0, 10_000])(
    'when the answer is lost that something was written, Share of a result can begin again, %d ms without a store later',
    async (awayMs) => {
      const { id } = await world.submitAndPass(MINUTE);
      loseAnswer((job) => job.shared !== undefined, awayMs);

      await expect(world.orchestrator.beginSharing(id)).rejects.toThrow('Connection terminated');

      await world.pass(20_000);
      expect(await world.orchestrator.beginSharing(id)).toBe(true);
    },
  );

  it('when the answer is lost that something was written, Share that another process has begun meanwhile is left to it', async () => {
    const { id } = await world.submitAndPass(MINUTE);
    failFor(1_000, 'save');

    await expect(world.orchestrator.beginSharing(id)).rejects.toThrow('disk');

    const job = await stored(id);
    if (job?.state !== 'done') throw new Error(`It is ${job?.state}.`);
    await world.store.jobs.save(job, { ...job, shared: { at: world.clock.now() + 1 } });
    await world.pass(20_000);

    expect(await world.orchestrator.beginSharing(id)).toBe(false);
  });

  it('when the answer is lost that something was written, a refusal returns the credits of a job that was cancelled, also when the store was away then', async () => {
    world.script.onRun = async () => {
      await change((marked) => cancelled(marked, world.clock.now()));
      failFor(10_000, 'get', 'save', 'claim', 'release', 'take');
      throw serviceError('refused', false);
    };
    const job = await world.submitAndPass(MINUTE);

    expect(await world.jobOf(job)).toMatchObject(returned);
    expect(await world.credits()).toEqual(nothing);
  });
});
