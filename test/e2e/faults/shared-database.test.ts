// @module-tag slow
/**
 * Processes on one PostgreSQL as far as jobs go, within this one: store and orchestrator are real. Answers of the database are
 * lost, and processes are taken for dead or end in the middle.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, machineTime, systemClock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import type { JobRecords } from '../../../src/orchestrator/job/records.ts';
import { createOrchestrator } from '../../../src/orchestrator/orchestrator.ts';
import type { OrchestratorPorts, Service } from '../../../src/orchestrator/steps/effects.ts';
import { doneJob, insert, person } from '../../contract/store/suite/driver.ts';
import { eventually } from '../../eventually.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { startCuttingProxy } from '../../fakes/cutting-proxy.ts';
import { idlePorts, standardTimes } from '../../fakes/job-ports.ts';
import { openStoreAt } from '../../fakes/open-store-at.ts';
import { orderOf, png } from '../../fakes/orchestrator-world.ts';
import { createTestDatabase, type TestDatabase } from '../../fakes/postgres.ts';

const JOBS = 12;
/** The new state of a job, as an argument of the statement: its length, then its name. */
const saying = (state: string): string => `\0\0\0${String.fromCharCode(state.length)}${state}`;

interface Options {
  readonly clock?: Clock;
  readonly jobs?: Partial<JobRecords>;
  readonly isAlive?: () => boolean;
  readonly draw?: OrchestratorPorts['draw'];
  readonly status?: Service['status'];
  /** The service answers no run before this resolves. */
  readonly answer?: () => Promise<void>;
}

describe('on a database', { tags: ['postgres'] }, () => {
  let opened: AsyncDisposableStack;
  let database: TestDatabase;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    database = opened.use(await createTestDatabase());
  });
  afterEach(() => opened.disposeAsync());

  const start = async (url: string, more: Options = {}) => {
    const { clock = systemClock } = more;
    const { store, members, close } = await openStoreAt(url, [], { now: clock.now, machine: machineTime });
    opened.defer(close);
    const runs: string[] = [];
    const orchestrator = createOrchestrator({
      store: { ...store, jobs: { ...store.jobs, ...more.jobs } },
      members: { ...members, ...defined({ isAlive: more.isAlive }) },
      models: store.keyv('durations'),
      client: {
        async run(request, { record }) {
          if (!(await record.ready())) throw new Error('called off');
          runs.push(JSON.stringify(request));
          await more.answer?.();
          return { id: `service-${runs.length}` };
        },
        probe: async () => undefined,
        status: more.status ?? (async () => ({ state: 'completed', output: png })),
      },
      callsWaiting: () => 0,
      ports: { ...idlePorts, ...defined({ draw: more.draw }) },
      limits: {
        userConcurrentJobs: 2,
        userWaitingJobs: 5,
        userJobsPerMinute: 10,
        serviceConcurrentJobs: 8,
        serviceCallsPerSecond: 1_000,
      },
      deadlines: standardTimes.deadlines,
      floorsMs: { image: 10, video: 10 },
      clock,
      random: Math.random,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    await orchestrator.start();
    opened.defer(orchestrator.stop);
    const persist = async <T>(work: () => Promise<T>): Promise<T> => {
      const tried = () => work().then((found) => ({ value: found }));
      return (await eventually(() => tried().catch(() => undefined))).value;
    };
    const submit = async (who: string): Promise<string> => {
      const order = orderOf(who);
      const { job } = await persist(() => orchestrator.accept(order));
      await persist(() => orchestrator.cardShown(job.id, { platform: 'web', ref: `card-${job.id}` }));
      return job.id;
    };
    const ended = async (ids: readonly string[]): Promise<readonly Job[]> =>
      eventually(async () => {
        const jobs = await Promise.all(ids.map((id) => orchestrator.get(id).catch(() => undefined)));
        return jobs.every((job): job is Job => job?.settled === true) && jobs;
      }, 'all jobs to have ended');
    return { submit, ended, members, runs, orchestrator };
  };

  // A "running" that is repeated after such a loss meets the next loss, so that the test cuts few connections.
  it.each([
    { state: 'submitting', connections: JOBS },
    { state: 'running', connections: 5 },
    { state: 'delivering', connections: JOBS },
    { state: 'done', connections: JOBS },
  ])(
    'a database commits "$state" and cannot say so: each job is run and paid for once',
    async ({ state, connections }) => {
      const proxy = await startCuttingProxy(database.url, saying(state), connections);
      opened.defer(proxy.stop);
      const { submit, ended, runs } = await start(proxy.url);
      const ids: string[] = [];
      for (let who = 0; who < JOBS; who += 1) ids.push(await submit(`person-${who}`));
      const ends = Object.groupBy(await ended(ids), (job) => job.state);

      expect(Object.keys(ends)).toEqual(['done']);
      expect(runs).toHaveLength(JOBS);
      expect(proxy.left()).toBe(0);

      const [sum] = await database.query(
        "SELECT sum(reserved)::int AS reserved, sum(spent)::int AS spent FROM usage WHERE person = ''",
      );
      expect(sum).toEqual({ reserved: 0, spent: 2 * JOBS });
    },
  );

  it('a run under way stays in hand when the session is lost and it could not be told who has it', async () => {
    const answer = Promise.withResolvers<void>();
    let tries = 0;
    const keepSubmissions = async (): Promise<void> => {
      tries += 1;
      if (tries === 1) throw new Error('Connection terminated');
    };
    const process = await start(database.url, { jobs: { keepSubmissions }, answer: () => answer.promise });
    const id = await process.submit('ann');

    await eventually(() => process.runs.length === 1);
    const former = process.members.id();
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'darkroom%' AND datname = current_database()",
    );
    await eventually(async () => {
      const [row] = await database.query('SELECT member FROM jobs WHERE id = $1', [id]);
      return row?.member !== former;
    }, 'its jobs to be taken over');
    answer.resolve();

    expect(await process.ended([id])).toMatchObject([{ state: 'done' }]);
    expect(process.runs).toHaveLength(1);
  });

  it('a process that others may take for dead edits no card until it is one of them again', async () => {
    const clock = createFakeClock();
    let isAlive = true;
    let draws = 0;
    const { orchestrator, submit } = await start(database.url, {
      clock,
      isAlive: () => isAlive,
      async draw() {
        draws += 1;
        return { state: 'drawn' };
      },
      status: async () => ({ state: 'running' }),
    });
    const id = await submit('ann');
    const isDrawn = async (): Promise<boolean> => {
      const before = draws;
      await clock.advance(1_000);
      return draws > before;
    };
    await eventually(isDrawn, 'progress');
    isAlive = false;
    for (let second = 0; second < 60; second += 1) {
      expect(await isDrawn()).toBe(false);
      // The store answers all the time.
      await orchestrator.get(id);
    }
    isAlive = true;
    await eventually(isDrawn, 'progress again');
  });

  it('what a process that ended in the middle of "Delete all my data" has left is deleted by another that was running before', async () => {
    const clock = createFakeClock();
    await start(database.url, { clock });
    const dying = await openStoreAt(database.url, [], { now: clock.now });
    for (let number = 0; number < 200; number += 1)
      await insert(dying.store, doneJob({ id: `job-${number}`, origin: `event-${number}` }));
    const { erasures } = dying.store;
    await erasures.more(await erasures.begin(person), 50);
    await dying.close();
    const left = () =>
      database.query('SELECT (SELECT count(*)::int FROM jobs) AS jobs, finished FROM erasures');

    expect(await left()).toEqual([{ jobs: 150, finished: false }]);

    await eventually(async () => {
      await clock.advance(1_000);
      return (await left())[0]?.finished === true;
    }, 'the rest to be deleted');
    expect(await left()).toEqual([{ jobs: 0, finished: true }]);
  });
});
