/** The store has written something down, and the answer that says so is lost. */
import { beforeEach, describe, expect, it } from 'vitest';
import { cancelled, uncertain } from '../../../src/orchestrator/job/final-states.ts';
import type { Job, SubmittingJob } from '../../../src/orchestrator/job/job.ts';
import { openWorld, serviceError, world } from './world.ts';

beforeEach(() => openWorld());

const ann = 'web:ann';
const usage = () => world.orchestrator.usage('web:room', ann);

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
/** As another process finds it. */
const submitting = async (): Promise<SubmittingJob> => {
  const [job] = await world.store.jobs.unfinishedOf(ann);
  if (job === undefined || !isSubmitting(job)) throw new Error(`It is ${job?.state}.`);
  return job;
};

describe('a job of which it is known that nothing was sent', () => {
  it.each([0, 60_000])('is submitted once, after %d ms without a store', async (awayMs) => {
    loseAnswer(isSubmitting, awayMs);
    const job = await world.submit('ann');
    await world.clock.advance(180_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true });
    expect(world.runs).toHaveLength(1);
    expect(await usage()).toMatchObject({ reserved: 0, spent: 2 });
    expect(await world.orchestrator.stats()).toMatchObject({ running: 0, waiting: 0 });
  });

  it('is submitted once when it is the pause after a refused attempt that was not answered', async () => {
    world.script.pause = async () => undefined;
    loseAnswer((job) => job.unsent === true);
    const job = await world.submit('ann');
    await world.clock.advance(180_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true });
    expect(world.runs).toHaveLength(1);
    expect(await usage()).toMatchObject({ reserved: 0, spent: 2 });
  });

  it('is not paid for when it was cancelled meanwhile', async () => {
    loseAnswer(isSubmitting, 10_000);
    const job = await world.submit('ann');
    await world.clock.advance(5_000);
    const marked = await submitting();
    await world.store.jobs.save(marked, cancelled(marked, world.clock.now()));
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', charge: 'returned' });
    expect(world.runs).toHaveLength(0);
    expect(await usage()).toMatchObject({ reserved: 0, spent: 0 });
  });

  it('is not paid for when another process took it for interrupted', async () => {
    loseAnswer(isSubmitting, 10_000);
    const job = await world.submit('ann');
    await world.clock.advance(5_000);
    const marked = await submitting();
    await world.store.jobs.save(marked, uncertain(marked, world.clock.now()));
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ charge: 'returned', settled: true });
    expect(world.finalDrawings(job.id).at(-1)?.job.charge).toBe('returned');
    expect(world.runs).toHaveLength(0);
    expect(await usage()).toMatchObject({ reserved: 0, spent: 0 });
  });

  it('is left alone when another process is submitting it', async () => {
    loseAnswer(isSubmitting, 10_000);
    await world.submit('ann');
    await world.clock.advance(5_000);
    const marked = await submitting();
    await world.store.jobs.save(marked, { ...marked, submittedAt: world.clock.now() });
    await world.clock.advance(60_000);
    expect(await submitting()).toMatchObject({ version: marked.version + 1 });
  });
});

describe('a run that the service has taken', () => {
  it('keeps its id from other jobs when it was cancelled while it could not be stored', async () => {
    world.script.serviceId = () => 'the same';
    world.script.onRun = () => {
      world.script.onRun = () => undefined;
      const end = world.clock.now() + 10_000;
      world.script.onStore = (call) => {
        if (call === 'save' && world.clock.now() < end) throw new Error('disk I/O error');
      };
    };
    await world.submit('ann');
    await world.clock.advance(5_000);
    const marked = await submitting();
    await world.store.jobs.save(marked, cancelled(marked, world.clock.now()));
    await world.clock.advance(20_000);
    const other = await world.submit('ben');
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(other.id)).toMatchObject({ state: 'uncertain' });
  });
});

describe('a second card', () => {
  it('is kept, and shows the result, when it is not answered that it was stored', async () => {
    world.script.draw = ({ moved }) => ({ state: moved ? 'drawn' : 'gone' });
    loseAnswer((job) => job.moved === true);
    const job = await world.submit('ann');
    await world.clock.advance(180_000);
    expect(world.discarded).toEqual([]);
    expect(world.newCards).toEqual([job.id]);
    expect(await world.orchestrator.get(job.id)).toMatchObject({
      state: 'done',
      card: { ref: `elsewhere-${job.id}` },
    });
    expect(world.finalDrawings(job.id).map(({ withResult }) => withResult)).toEqual([true]);
  });
});

describe('Share of a result', () => {
  const begin = async (): Promise<string> => {
    const { id } = await world.submit('ann');
    await world.clock.advance(60_000);
    expect((await world.orchestrator.get(id))?.state).toBe('done');
    return id;
  };

  it.each([0, 10_000])(
    'can begin when it was not answered that it had, %d ms without a store later',
    async (awayMs) => {
      const id = await begin();
      loseAnswer((job) => job.shared !== undefined, awayMs);
      await expect(world.orchestrator.beginSharing(id)).rejects.toThrow('Connection terminated');
      await world.clock.advance(20_000);
      expect(await world.orchestrator.beginSharing(id)).toBe(true);
    },
  );

  it('that another process has begun meanwhile is left to it', async () => {
    const id = await begin();
    world.script.onStore = (call) => {
      if (call === 'save') throw new Error('Connection terminated');
    };
    await expect(world.orchestrator.beginSharing(id)).rejects.toThrow('Connection terminated');
    const job = await world.store.jobs.get(id);
    if (job?.state !== 'done') throw new Error(`It is ${job?.state}.`);
    await world.store.jobs.save(job, { ...job, shared: { at: world.clock.now() + 1 } });
    world.script.onStore = undefined;
    await world.clock.advance(20_000);
    expect(await world.orchestrator.beginSharing(id)).toBe(false);
  });
});

describe('a refusal of the service', () => {
  it('returns the credits of a job that was cancelled, also when the store was away then', async () => {
    world.script.onRun = async () => {
      const marked = await submitting();
      await world.store.jobs.save(marked, cancelled(marked, world.clock.now()));
      const end = world.clock.now() + 10_000;
      world.script.onStore = () => {
        if (world.clock.now() < end) throw new Error('Connection terminated');
      };
      throw serviceError('refused', false);
    };
    const job = await world.submit('ann');
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', charge: 'returned' });
    expect(await usage()).toMatchObject({ reserved: 0, spent: 0 });
  });
});
