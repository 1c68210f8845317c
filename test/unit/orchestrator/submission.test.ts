/** Until a job is at the service: who may stop it, what that costs, and whose the id is that it gets there. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobState } from '../../../src/command/jobs-port.ts';
import { JobFailure } from '../../../src/orchestrator/job/failure.ts';
import {
  crowd,
  failing,
  MINUTE,
  never,
  nothing,
  openWorld,
  orderOf,
  serviceError,
  video,
  world,
} from '../../fakes/orchestrator-world.ts';

beforeEach(() => openWorld({ limits: { userConcurrentJobs: 1 } }));

const returned = { state: 'cancelled', charge: 'returned' };
const spent = { state: 'cancelled', charge: 'spent' };
const cancel = async ({ id }: { readonly id: string }) => (await world.orchestrator.cancel(id))?.job;
/** This part of a submission waits until it is let go. */
const hold = (part: 'photo' | 'turn' | 'pause' | 'onRun'): PromiseWithResolvers<void> => {
  const held = Promise.withResolvers<void>();
  world.script[part] = () => held.promise;
  return held;
};

describe('a photo that is blocked while its job waits for the turn of its call', () => {
  it.each(['turn', 'pause'] as const)(
    'a photo that is blocked while its job waits for the %s of its call is never sent, and costs nothing',
    async (part) => {
      const held = hold(part);
      const job = await world.submitAndPass(5_000);

      world.script.isPhotoBlocked = async () => true;
      held.resolve();
      await world.pass(MINUTE);

      expect(world.runs).toEqual([]);
      expect(await world.jobOf(job)).toMatchObject({ state: 'failed', failure: { code: 'photo-blocked' } });
      expect(await world.credits()).toEqual(nothing);
    },
  );
});

describe('Cancel', () => {
  /** How a job comes to be in a state. */
  const PREPARATIONS: Readonly<Partial<Record<JobState, () => void>>> = {
    waiting: () => {
      world.script.photo = never;
    },
    submitting: () => {
      world.script.onRun = never;
    },
    running: () => {
      world.script.durationMs = () => Number.POSITIVE_INFINITY;
    },
    delivering: () => world.onFinalEdit(never),
    failed: () => {
      world.script.outcome = () => ({ state: 'failed', reason: undefined });
    },
    uncertain: () => {
      world.script.onRun = failing('unknown-outcome', true);
    },
  };

  it.each<{ readonly state: JobState; readonly end: object | undefined }>([
    { state: 'opening', end: returned },
    { state: 'waiting', end: returned },
    { state: 'submitting', end: spent },
    { state: 'running', end: spent },
    { state: 'delivering', end: undefined },
    { state: 'done', end: undefined },
    { state: 'failed', end: undefined },
    { state: 'uncertain', end: undefined },
  ])(
    'Cancel at $state acts once, and has the same result when repeated or after a restart',
    async ({ state, end }) => {
      PREPARATIONS[state]?.();
      const isOpening = state === 'opening';
      const job = isOpening
        ? (await world.orchestrator.accept(orderOf('ann'))).job
        : await world.submit('ann');
      await world.pass(isOpening ? 100 : 30_000);

      expect(await world.stateOf(job)).toBe(state);

      const before = await world.jobOf(job);
      const first = await cancel(job);

      if (end === undefined) expect(first).toEqual(before);
      else expect(first).toMatchObject(end);

      expect(await cancel(job)).toEqual(first);

      await world.pass(1_000);
      await world.restart();

      expect(await cancel(job)).toMatchObject({ state: first?.state, charge: first?.charge });
      expect(await world.credits()).toEqual({ reserved: 0, spent: first?.charge === 'spent' ? 2 : 0 });
    },
  );

  it('Cancel of a job in line: it is never sent, and its card says so', async () => {
    await world.submit('ann');
    const second = await world.submit('ann');
    await world.pass(1_000);

    expect(await cancel(second)).toMatchObject(returned);

    await world.pass(2 * MINUTE);

    expect(world.runs).toHaveLength(1);
    expect(world.endsShown(second)).toEqual(['cancelled']);
    expect(await world.credits()).toEqual({ reserved: 0, spent: 2 });
    expect(await cancel({ id: 'no such job' })).toBeUndefined();
  });

  it.each(['photo', 'turn', 'pause'] as const)(
    'a job that is cancelled while it waits for its %s, before its run, is never sent',
    async (part) => {
      const held = hold(part);
      const job = await world.submitAndPass(5_000);

      expect(await cancel(job)).toMatchObject(returned);

      held.resolve();
      await world.pass(MINUTE);

      expect(world.runs).toEqual([]);
      expect(world.finalDrawings(job.id)).toMatchObject([{ job: returned }]);
      expect(await world.credits()).toEqual(nothing);
    },
  );

  it('Cancel while its submission is written to disk: it is never sent, and costs nothing', async () => {
    const job = await world.submit('ann');
    const { promise: written, resolve: endWrite } = Promise.withResolvers<void>();
    world.script.disk = () => written;
    await world.pass(5_000);

    expect(await world.stateOf(job)).toBe('submitting');

    await cancel(job);
    endWrite();
    await world.pass(MINUTE);

    expect(world.runs).toEqual([]);
    expect(await world.jobOf(job)).toMatchObject(returned);
    expect(await world.credits()).toEqual(nothing);
  });

  it('Cancel while it is being sent: spent, unless the service did not accept it', async () => {
    const sent = hold('onRun');
    const taken = await world.submitAndPass(1_000);

    expect(await cancel(taken)).toMatchObject(spent);

    sent.resolve();
    await world.pass(MINUTE);

    expect(await world.jobOf(taken)).toMatchObject(spent);

    const refused = hold('onRun');
    const notTaken = await world.submitAndPass(1_000);
    await cancel(notTaken);
    refused.reject(serviceError('refused', false));
    await world.pass(MINUTE);

    expect(await world.jobOf(notTaken)).toMatchObject(returned);
    expect(world.finalDrawings(notTaken.id).at(-1)?.job.charge).toBe('returned');
    expect(await world.credits()).toEqual({ reserved: 0, spent: 2 });
  });

  it('Cancel while it is being sent: the credits are returned although somebody else writes at that moment', async () => {
    const refusing = hold('onRun');
    const job = await world.submitAndPass(1_000);

    await cancel(job);
    await world.pass(10_000);
    const told = (await world.jobOf(job)) ?? expect.fail('it is gone');
    let saves = 0;
    world.script.onStore = (call) => {
      if (call === 'save') saves += 1;
      // The first is that of the refused run; before the second, somebody else has written.
      if (call === 'save' && saves === 2) void world.store.jobs.save(told, { ...told, attempts: 1 });
    };
    refusing.reject(serviceError('refused', false));
    await world.pass(1_000);

    expect(saves).toBeGreaterThan(1);
    expect(await world.jobOf(job)).toMatchObject(returned);
    expect(await world.credits()).toEqual(nothing);
  });

  it('Cancel while it runs: the slot is free immediately, the credits stay spent, polling stops', async () => {
    const first = await world.submit('ann');
    const second = await world.submit('ann');
    await world.pass(2_000);

    expect(await cancel(first)).toMatchObject(spent);

    await world.pass(500);

    expect(await world.stateOf(second)).toBe('running');

    const looks = () => world.looks.filter(({ id }) => id === 'service-1').length;
    const before = looks();
    await world.pass(MINUTE);

    expect(looks()).toEqual(before);
    expect(world.endsShown(first)).toEqual(['cancelled']);
  });

  it('Cancel while its poll is queued: it is not polled, and the card shows the end once', async () => {
    const jobs = await world.submitAll(crowd(20));
    await world.pass(500);
    const looked: string[] = [];
    const others = async (serviceId: string) =>
      (await Promise.all(jobs.map(world.jobOf))).flatMap((job) =>
        job?.serviceId === serviceId ? [] : (job ?? []),
      );
    world.script.onLook = async (id) => {
      // The first look of many that fell due in the same moment.
      if (looked.push(id) === 1) for (const other of await others(id)) await cancel(other);
    };
    await world.pass(MINUTE);
    const [first = ''] = looked;

    expect(looked.filter((id) => id !== first)).toHaveLength(new Set(looked).size - 1);

    for (const job of await others(first)) expect(world.endsShown(job)).toEqual(['cancelled']);
  });
});

describe('a photo whose content is checked', () => {
  it('a photo whose content is checked is not sent when it is refused: the job fails and costs nothing', async () => {
    world.script.checkPhoto = async () => {
      throw new JobFailure({ code: 'photo-content' });
    };
    const job = await world.submit('ann');

    await world.pass(30_000);

    expect(await world.jobOf(job)).toMatchObject({ state: 'failed', failure: { code: 'photo-content' } });
    expect(world.runs).toEqual([]);
    expect(await world.credits()).toEqual({ reserved: 0, spent: 0 });
  });

  it('a photo whose content is checked is waited for however long that takes, and the card says so', async () => {
    const checked = Promise.withResolvers<void>();
    world.script.checkPhoto = () => checked.promise;
    const job = await world.submit('ann');

    await world.pass(60 * MINUTE);

    expect(world.runs).toEqual([]);
    expect(world.drawings.at(-1)).toMatchObject({ id: job.id, jobStatus: { checking: true } });

    checked.resolve();
    await world.pass(30_000);

    expect(await world.stateOf(job)).toBe('done');
  });

  it('a photo whose content is checked is never sent while it cannot be checked, nor after a restart; the job waits until it can be', async () => {
    world.script.checkPhoto = failing('unavailable', false);
    const job = await world.submit('ann');

    await world.pass(10 * MINUTE);
    await world.restart();
    await world.pass(10 * MINUTE);

    expect(world.runs).toEqual([]);
    expect(await world.jobOf(job)).toMatchObject({
      state: 'waiting',
      resting: 'unchecked',
      charge: 'reserved',
    });
    expect(world.drawings.at(-1)).toMatchObject({ jobStatus: { resting: 'unchecked' } });

    world.script.checkPhoto = async () => undefined;
    await world.pass(3 * MINUTE);

    expect(await world.stateOf(job)).toBe('done');
  });

  it('a photo whose content is checked is given up at the deadline of waiting jobs, for nothing', async () => {
    await openWorld({ deadlines: { waitingMs: 5 * MINUTE } });
    world.script.checkPhoto = failing('unavailable', false);
    const job = await world.submit('ann');

    await world.pass(7 * MINUTE);

    expect(await world.jobOf(job)).toMatchObject({ state: 'failed', failure: { code: 'content-unchecked' } });
    expect(await world.credits()).toEqual({ reserved: 0, spent: 0 });
  });
});

describe('a person who is blocked', () => {
  /** From now on the community does not let this person's jobs pass. */
  const block = (person: string): void => {
    world.script.admit = ({ caller }) => {
      if (caller.id === person) throw new JobFailure({ code: 'blocked' });
    };
  };
  const refused = { state: 'failed', failure: { code: 'blocked' }, charge: 'returned', settled: true };

  it('a person who is blocked has waiting jobs that are not submitted, and no photo of theirs is fetched; running jobs continue', async () => {
    const jobs = await world.submitAll(['ann', 'ann', 'ann', 'ben']);
    await world.pass(100);

    expect(world.runs).toHaveLength(2);

    block('ann');
    world.script.photo = () => expect.fail('a photo is fetched');
    await world.pass(MINUTE);

    expect(world.runs).toHaveLength(2);
    expect(await world.statesOf(jobs)).toEqual(['done', 'failed', 'failed', 'done']);

    for (const job of jobs.slice(1, 3)) {
      expect(await world.jobOf(job)).toMatchObject(refused);
      expect(world.endsShown(job)).toHaveLength(1);
    }
    expect(await world.credits()).toEqual({ reserved: 0, spent: 2 });
  });

  it.each(['turn', 'pause'] as const)(
    'a person who is blocked is checked again before the call (%s)',
    async (part) => {
      const held = hold(part);
      const job = await world.submitAndPass(1_000);

      expect(await world.stateOf(job)).toBe(part === 'turn' ? 'waiting' : 'submitting');

      block('ann');
      held.resolve();
      await world.pass(1_000);

      expect(world.runs).toEqual([]);
      expect(await world.jobOf(job)).toMatchObject(refused);
      expect(await world.orchestrator.stats()).toMatchObject({ running: 0, waiting: 0 });
      expect(await world.credits()).toEqual(nothing);
    },
  );
});

describe('between two attempts to submit a job, the first not having arrived', () => {
  it('between two attempts to submit a job, the first not having arrived, a kill loses nothing: the job is queued again and submitted once', async () => {
    hold('pause');
    const jobs = [await world.submit('ann'), await world.submit('ann')];
    await world.pass(5_000);
    world.script.pause = undefined;
    await world.restart();
    await world.pass(MINUTE);

    expect(await world.statesOf(jobs)).toEqual(['done', 'done']);
    expect(world.runs).toHaveLength(2);
    expect(await world.credits()).toEqual({ reserved: 0, spent: 4 });
  });

  it('between two attempts to submit a job, the first not having arrived, a kill during the second attempt makes it uncertain', async () => {
    const held = hold('pause');
    const job = await world.submitAndPass(5_000);

    world.script.onRun = never;
    held.resolve();
    await world.pass(5_000);
    await world.restart();
    await world.pass(MINUTE);

    expect(await world.stateOf(job)).toBe('uncertain');
    expect(world.runs).toHaveLength(0);
    expect(await world.credits()).toEqual({ reserved: 0, spent: 2 });
  });

  it('between two attempts to submit a job, the first not having arrived, a disk error before the second attempt only delays it', async () => {
    const held = hold('pause');
    const job = await world.submitAndPass(5_000);

    world.script.onStore = (call) => {
      if (call === 'save') throw new Error('disk I/O error');
    };
    held.resolve();
    await world.pass(30_000);

    expect(world.runs).toHaveLength(0);

    world.script.pause = undefined;
    world.script.onStore = () => undefined;
    await world.pass(2 * MINUTE);

    expect(await world.stateOf(job)).toBe('done');
    expect(world.runs).toHaveLength(1);
    expect(await world.jobOf(job)).not.toHaveProperty('unsent');
  });
});

describe('a run that is answered with an id that is taken', () => {
  beforeEach(() => {
    world.script.serviceId = () => 'service-1';
  });
  /** Another person's job that is answered with it. */
  const second = async () => {
    const job = await world.submitAndPass(MINUTE, 'ben');

    expect(world.finalDrawings(job.id).map(({ withResult }) => withResult)).toEqual([false]);
    expect(await world.jobOf(job)).not.toHaveProperty('serviceId');

    return world.jobOf(job);
  };
  const lost = { state: 'uncertain', charge: 'spent', settled: true };

  it('a run that is answered with an id that is taken by another active job is uncertain and shows no picture', async () => {
    const job = await world.submit('ann');
    const other = await second();

    expect(other).toMatchObject(lost);
    expect(await world.jobOf(job)).toMatchObject({ state: 'done', charge: 'spent' });
    expect(world.warnings).toHaveLength(1);
    expect(world.finished.map(({ id }) => id).toSorted()).toEqual([job.id, other?.id].toSorted());
  });

  it('a run that is answered with an id that is taken by a job of the other status path is done: pictures and videos may have the same id', async () => {
    const jobs = [await world.submit('ann'), await world.submit('ben', { request: video })];
    await world.pass(MINUTE);

    expect(await world.statesOf(jobs)).toEqual(['done', 'done']);
  });

  it('a run that is answered with an id that is taken is uncertain also after a disk error at the moment of the response', async () => {
    await world.submitAndPass(MINUTE);
    const job = await world.submit('ben');
    world.script.onRun = () => {
      world.script.onStore = () => {
        throw new Error('the disk is full');
      };
    };
    await world.pass(1_000);
    world.script.onStore = undefined;
    await world.pass(MINUTE);

    expect(await world.stateOf(job)).toBe('uncertain');
    expect(await world.orchestrator.stats()).toMatchObject({ running: 0, waiting: 0 });
  });

  const remove = (id: string) => world.orchestrator.remove(id);
  const erase = () => world.orchestrator.erase('web:ann');
  it.each([
    { what: 'a finished job', ms: MINUTE, act: async () => undefined },
    { what: 'a job that was deleted while it ran', ms: 1_000, act: remove },
    { what: 'a job that was deleted when it was done', ms: MINUTE, act: remove },
    { what: 'a job of a person who was erased', ms: MINUTE, act: erase },
  ])(
    'a run that is answered with an id that is taken by $what is uncertain, also after a restart',
    async ({ ms, act }) => {
      const { id } = await world.submitAndPass(ms);

      expect(await world.stateOf({ id })).toBe(ms === MINUTE ? 'done' : 'running');

      await act(id);
      await world.pass(5_000);
      await world.restart();

      expect(await second()).toMatchObject(lost);
    },
  );

  it.each([
    { what: 'cancelled', act: cancel },
    { what: 'removed', act: ({ id }: { readonly id: string }) => remove(id) },
  ])(
    'a run that is answered with an id that is taken by a job that was $what while its call was in progress is uncertain',
    async ({ act }) => {
      const answered = Promise.withResolvers<void>();
      world.script.onRun = (run) => (run === 1 ? answered.promise : undefined);
      const job = await world.submitAndPass(1_000);
      await act(job);
      await world.pass(5_000);
      answered.resolve();
      await world.pass(5_000);

      expect(await second()).toMatchObject(lost);
    },
  );
});

it('erasing a person removes everything immediately except unfinished cards and today’s counter', async () => {
  const done = await world.submitAndPass(MINUTE);
  const [running, waiting, other] = await world.submitAll(['ann', 'ann', 'ben']);

  if (running === undefined || waiting === undefined || other === undefined) throw new Error();
  await world.pass(2_000);
  const { finished: erased } = await world.orchestrator.erase('web:ann');

  expect(await world.jobOf(done)).toBeUndefined();

  await world.pass(MINUTE);

  expect(await erased).toBe(3);
  expect(await world.orchestrator.mine('web:ann', 10)).toEqual([]);

  for (const job of [running, waiting]) expect(world.endsShown(job)).toEqual(['cancelled']);

  expect(await world.stateOf(other)).toBe('done');
  expect(await world.credits()).toEqual({ reserved: 0, spent: 4 });
});
