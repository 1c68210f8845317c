import { beforeEach, describe, expect, it } from 'vitest';
import { sleep } from '../../../src/base/clock.ts';
import {
  crowd,
  failedFor,
  MINUTE,
  never,
  nothing,
  openWorld,
  orderOf,
  serviceError,
  world,
} from '../../fakes/orchestrator-world.ts';
import { requestOf } from '../../fakes/requests.ts';

beforeEach(() => openWorld());

describe('a job from acceptance to its result', () => {
  it('a job is submitted once and polled, and its card becomes the result', async () => {
    const job = await world.submitAndPass(MINUTE);
    expect(await world.stateOf(job)).toBe('done');

    const photo = { bytes: new Uint8Array(Buffer.from('jpeg')), type: 'image/jpeg' };
    const input = { photo, gender: 'female', filter: 12 };

    expect(world.runs.map(({ request }) => request)).toEqual([{ endpoint: 'face-swap-v6', input }]);
    expect(world.finalDrawings(job.id)).toMatchObject([{ state: 'done', withResult: true }]);
    expect(world.looks.filter(({ answered }) => answered === 'completed')).toHaveLength(1);

    const used = await world.orchestrator.usage('web:room', 'web:ann');
    expect(used).toMatchObject({ reserved: 0, spent: 2, jobs: 1 });
  });

  it('a job calls the service only when `submitting` is on disk, and shows the end only when the end is', async () => {
    const disk = Promise.withResolvers<void>();
    world.script.disk = () => disk.promise;
    const job = await world.submit('ann');
    await world.submit('ben');
    await world.pass(5_000);

    expect(await world.stateOf(job)).toBe('submitting');
    expect(world.runs).toEqual([]);

    await world.orchestrator.cancel(job.id);
    await world.pass(5_000);

    expect(await world.stateOf(job)).toBe('cancelled');
    expect(world.endsShown(job)).toEqual([]);

    disk.resolve();
    await world.pass(5_000);

    // Only ben's job is sent: ann's was cancelled before anything of it left.
    expect(world.runs).toHaveLength(1);
    expect(world.finalDrawings(job.id).at(-1)?.job).toMatchObject({ state: 'cancelled', charge: 'returned' });
  });
});

describe('the card of a job', () => {
  it('the card of a job shows the progress bar within a second of the start, also after waiting', async () => {
    world.script.durationMs = () => 10_000;
    const [first, , third] = await world.submitAll(['ann', 'ann', 'ann']);
    if (first === undefined || third === undefined) throw new Error();
    await world.pass(1_000);
    const bars = (id: string) =>
      world.drawings.filter((one) => one.id === id).map(({ jobStatus }) => typeof jobStatus.progress);

    expect(bars(first.id)).toEqual(['number']);

    for (let tries = 0; tries < 60 && (await world.stateOf(third)) === 'waiting'; tries += 1)
      await world.pass(500);
    await world.pass(1_000);

    expect(bars(third.id).at(-1)).toBe('number');
  });

  it('the card of a job shows the position in line from the beginning, or as soon as the platform allows it', async () => {
    world.script.durationMs = () => 5 * MINUTE;
    await world.submitAll(['ann', 'ann']);
    await world.pass(1_000);
    let room = false;
    world.script.draw = () => (room ? { state: 'drawn' } : { state: 'later', afterMs: 0 });
    const { job } = await world.orchestrator.accept(orderOf('ann'));

    expect(await world.orchestrator.jobStatus(job)).toMatchObject({ position: 1 });

    await world.orchestrator.cardShown(job.id, { platform: 'web', ref: job.id });
    const { job: another } = await world.orchestrator.accept(orderOf('ben'));

    expect(await world.orchestrator.jobStatus(another)).toEqual({});

    const waiting = await world.submit('ann');
    const shown = () => world.drawings.filter(({ id }) => id === waiting.id);
    await world.pass(10_000);

    expect(shown()).toEqual([]);

    room = true;
    await world.pass(10_000);

    expect(shown().map(({ jobStatus }) => jobStatus.position)).toEqual([2]);
  });
});

it.each([
  {
    what: 'may have arrived',
    error: serviceError('unknown-outcome', true),
    end: { state: 'uncertain' },
    spent: 2,
  },
  {
    what: 'is refused',
    error: serviceError('refused', false, { detail: 'no such filter' }),
    end: { state: 'failed', failure: { code: 'refused', detail: 'no such filter' } },
    spent: 0,
  },
  // The service's code is not shown.
  {
    what: 'is refused with a known code',
    error: serviceError('refused', false, { code: 'FILTER_NOT_FOUND' }),
    end: { state: 'failed', failure: { code: 'filter-unknown' } },
    spent: 0,
  },
])('a run that $what is not sent again', async ({ error, end, spent }) => {
  let sent = 0;
  world.script.onRun = () => {
    sent += 1;
    throw error;
  };
  const job = await world.submitAndPass(30 * MINUTE);
  const { state, failure } = (await world.jobOf(job)) ?? {};

  expect({ state, ...(failure && { failure }) }).toEqual(end);
  expect(sent).toBe(1);
  expect(world.endsShown(job)).toHaveLength(1);
  expect(world.notices).toEqual([]);
  expect(await world.credits()).toEqual({ reserved: 0, spent });
});

describe('a running job', () => {
  it('a running job fails with the service’s message when generation failed, and returns the credits', async () => {
    world.script.outcome = () => ({ state: 'failed', reason: 'no face found' });
    const job = await world.submitAndPass(MINUTE);

    expect((await world.jobOf(job))?.failure).toEqual({ code: 'generation-failed', detail: 'no face found' });
    expect(await world.credits()).toEqual(nothing);
  });

  it.each([
    { what: 'before the first poll', imageMs: 1_500, before: 1_400, until: 400 },
    { what: 'of its kind', imageMs: 10 * MINUTE, before: 9.9 * MINUTE, until: 30_000 },
  ])(
    'a running job fails at a deadline $what, and returns the credits',
    async ({ imageMs, before, until }) => {
      await openWorld({ deadlines: { imageMs } });
      world.script.durationMs = () => Number.POSITIVE_INFINITY;
      const job = await world.submitAndPass(before);

      expect(await world.stateOf(job)).toBe('running');

      await world.pass(until);
      expect(await world.jobOf(job)).toMatchObject(failedFor('deadline'));

      const looks = world.looks.length;
      await world.pass(60 * MINUTE);

      expect(world.looks).toHaveLength(looks);
      expect(await world.credits()).toEqual(nothing);
    },
  );
});

/** Lets a part of the world hang. */
const hang = {
  turn: () => (world.script.turn = never),
  run: () => (world.script.onRun = never),
  draw: () => world.onFinalEdit(never),
};
it.each([
  {
    what: 'that only waited for its call is sent once',
    hangs: 'turn',
    before: 'waiting',
    after: 'done',
    runs: 1,
  },
  {
    what: 'whose run call was in progress is uncertain',
    hangs: 'run',
    before: 'submitting',
    after: 'uncertain',
    runs: 0,
  },
  {
    what: 'whose result was being drawn fetches it again',
    hangs: 'draw',
    before: 'delivering',
    after: 'done',
    runs: 1,
  },
] as const)('after a restart a job $what', async ({ hangs, before, after, runs }) => {
  const { turn, onRun, draw } = world.script;
  hang[hangs]();
  const job = await world.submitAndPass(30_000);

  expect(await world.stateOf(job)).toBe(before);

  Object.assign(world.script, { turn, onRun, draw });
  await world.restart();
  await world.pass(MINUTE);

  expect(await world.stateOf(job)).toEqual(after);
  expect(world.endsShown(job)).toEqual([after]);
  expect(world.runs).toHaveLength(runs);
});

describe('the number of status calls in the record of a job', () => {
  let received: number;
  let fails: () => boolean;
  let saves: number;
  beforeEach(() => {
    received = 0;
    fails = () => false;
    saves = 0;
    world.script.onLook = () => {
      received += 1;
      if (fails()) throw serviceError('unavailable', true);
    };
    world.script.onStore = (call) => {
      if (call === 'save') saves += 1;
    };
  });

  const expectRecord = async (id: string, expected: { state: string; looks: number }) => {
    expect(await world.jobOf({ id })).toMatchObject(expected);
  };

  it('the record of a job has the number of status calls that the service received when it is done, also those that failed, in as many writes as before', async () => {
    const { id } = await world.submitAndPass(5 * MINUTE);
    await expectRecord(id, { state: 'done', looks: received });

    const plain = saves;
    const calls = received;
    const other = await world.submit('bob');
    fails = () => received - calls <= 2;
    await world.pass(5 * MINUTE);

    await expectRecord(other.id, { state: 'done', looks: received - calls });
    expect(received - calls).toBeGreaterThan(2);
    // A job is saved once for each poll, and as often beside them as the first job.
    expect(saves - plain - (received - calls)).toBe(plain - calls);
    expect(world.finished.map(({ looks }) => looks)).toEqual([calls, received - calls]);
  });

  it('the record of a job has the number of status calls that the service received when it is cancelled during the poll that sees it completed, as its card says', async () => {
    const answer = Promise.withResolvers<void>();
    world.script.onLook = () => {
      received += 1;
      return answer.promise;
    };
    const { id } = await world.submitAndPass(MINUTE, 'bob');

    expect(received).toBe(1);

    await world.orchestrator.cancel(id);
    answer.resolve();
    await world.pass(10_000);

    await expectRecord(id, { state: 'cancelled', looks: 1 });
    expect(world.endsShown({ id })).toEqual(['cancelled']);
  });

  it('the record of a job has the number of status calls that the service received when it fails in an outage, without those that were held back, and with those that could not be written', async () => {
    world.script.durationMs = () => Number.POSITIVE_INFINITY;
    let isFull = false;
    world.script.onStore = (call) => {
      if (isFull && call === 'save') throw new Error('database or disk is full');
    };
    fails = () => {
      isFull = received === 1;
      return received > 3;
    };
    const { id } = await world.submitAndPass(30_000);
    isFull = false;
    await world.pass(15 * MINUTE);

    expect(received).toBeGreaterThan(5);
    await expectRecord(id, { state: 'failed', looks: received });
  });
});

describe('calls that are not answered, of people who have nothing to do with each other', () => {
  beforeEach(async () => {
    hanging = 0;
    await openWorld({ limits: { serviceConcurrentJobs: 100 } });
  });

  /** Another endpoint than that of the others. */
  const request = requestOf('face-swap-v5');

  let hanging: number;
  /** The service does not answer within the minute that the client gives a run call. */
  const hang = async (): Promise<never> => {
    hanging += 1;
    await sleep(world.clock, MINUTE);
    throw serviceError('unknown-outcome', true);
  };

  it('run calls that hang do not block others, while they hang or after they failed', async () => {
    world.script.onRun = (_, { endpoint }) => (endpoint === 'face-swap-v5' ? hang() : undefined);
    await world.submitAll(crowd(12), { request });
    await world.pass(1_000);

    expect(hanging).toBe(12);

    const calm = await world.submitAndPass(20_000, 'calm');
    expect(await world.stateOf(calm)).toBe('done');

    await world.pass(40_000);
    const after = await world.submitAndPass(500, 'calm');

    expect(await world.stateOf(after)).toBe('running');
  });

  it('run calls that hang use a limited share per person, also when their jobs are cancelled', async () => {
    world.script.onRun = hang;
    for (let round = 0; round < 30; round += 1) {
      const job = await world.submitAndPass(100, 'eve');
      await world.orchestrator.cancel(job.id);
    }

    expect(hanging).toBe(10);

    world.script.onRun = () => undefined;
    const calm = await world.submitAndPass(500, 'calm');

    expect(await world.stateOf(calm)).toBe('running');
  });

  it('submissions go on after as many as can be under way hung', async () => {
    await openWorld({ limits: { serviceConcurrentJobs: 1 } });
    const answered = Promise.withResolvers<void>();
    world.script.onRun = () => answered.promise;
    for (const person of crowd(4)) {
      const job = await world.submitAndPass(500, person);
      await world.orchestrator.cancel(job.id);
    }
    const calm = await world.submitAndPass(2_000, 'calm');

    expect(world.runs).toHaveLength(0);

    answered.resolve();
    await world.pass(2_000);

    expect(await world.stateOf(calm)).toBe('running');
  });

  it('status calls that hang do not delay those of others', async () => {
    await world.submitAll(crowd(40));
    await world.pass(1_000);
    const hung = new Set(world.runs.map(({ id }) => id));

    expect(hung.size).toBe(40);

    world.script.onLook = async (id) => {
      if (!hung.has(id)) return;
      await sleep(world.clock, 15_000);
      throw serviceError('unavailable', true);
    };
    await world.pass(40_000);
    for (let round = 0; round < 5; round += 1) {
      const calm = await world.submitAndPass(20_000, 'calm');
      expect(await world.stateOf(calm)).toBe('done');
    }
  });

  it('polls do not begin while many calls wait for their turn, and all begin afterwards', async () => {
    const jobs = await world.submitAll(crowd(20));
    await world.pass(500);
    world.script.callsWaiting = () => 64;
    await world.pass(30_000);

    expect(world.looks).toEqual([]);

    world.script.callsWaiting = () => 63;
    await world.pass(30_000);

    expect(await world.statesOf(jobs)).toEqual(jobs.map(() => 'done'));
  });

  it('jobs stay in line, for other processes, while a second’s submissions wait for their turn', async () => {
    world.script.callsWaiting = () => hanging;
    world.script.onRun = hang;
    const jobs = await world.submitAll(crowd(60));
    await world.pass(10_000);

    expect(hanging).toBe(20);

    world.script.onRun = () => undefined;
    hanging = 0;
    await world.pass(30_000);

    expect((await world.statesOf(jobs)).filter((state) => state === 'done')).toHaveLength(40);
  });
});
