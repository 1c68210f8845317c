/** The database commits, and the connection is cut before it can say so. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import { eventually } from '../../eventually.ts';
import { startCuttingProxy } from '../../fakes/cutting-proxy.ts';
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../fakes/postgres.ts';
import { orderOf } from '../../unit/orchestrator/world.ts';
import { type InProcessOptions, startInProcess } from './scale/in-process.ts';

const JOBS = 12;
/** The new state of a job, as an argument of the statement: its length, then its name. */
const saying = (state: string): string => `\0\0\0${String.fromCharCode(state.length)}${state}`;

describe.skipIf(postgresUrl === undefined)('when answers of the database are lost', () => {
  let opened: AsyncDisposableStack;
  let database: TestDatabase;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    database = opened.use(await createTestDatabase());
  });
  afterEach(() => opened.disposeAsync());

  /** A process on the database behind this address. */
  const start = async (url: string, more?: InProcessOptions) => {
    const { orchestrator, members, runs } = await startInProcess(opened, url, more);
    const persist = async <T>(work: () => Promise<T>): Promise<T> => {
      const { value } = await eventually(() =>
        work().then(
          (found) => ({ value: found }),
          () => undefined,
        ),
      );
      return value;
    };
    const submit = async (person: string): Promise<string> => {
      const order = orderOf(person);
      const { job } = await persist(() => orchestrator.accept(order));
      await persist(() => orchestrator.shown(job.id, { platform: 'web', ref: `card-${job.id}` }));
      return job.id;
    };
    const ended = async (ids: readonly string[]): Promise<readonly Job[]> =>
      eventually(async () => {
        const jobs = await Promise.all(ids.map((id) => orchestrator.get(id).catch(() => undefined)));
        return jobs.every((job): job is Job => job?.settled === true) && jobs;
      }, 'all jobs to have ended');
    return { submit, ended, members, runs };
  };

  // What is said again after such a loss meets the next one: of those it takes few.
  it.each([
    ['submitting', JOBS],
    ['running', 5],
    ['delivering', JOBS],
    ['done', JOBS],
  ])('to "%s", each job is run and paid for once', async (state, connections) => {
    const proxy = await startCuttingProxy(database.url, saying(state), connections);
    opened.defer(proxy.stop);
    const { submit, ended, runs } = await start(proxy.url);
    const ids: string[] = [];
    for (let person = 0; person < JOBS; person += 1) ids.push(await submit(`person-${person}`));
    const ends = Object.groupBy(await ended(ids), (job) => job.state);
    expect(Object.keys(ends)).toEqual(['done']);
    expect(runs).toHaveLength(JOBS);
    expect(proxy.left()).toBe(0);
    const [sum] = await database.query(
      "SELECT sum(reserved)::int AS reserved, sum(spent)::int AS spent FROM usage WHERE person = ''",
    );
    expect(sum).toEqual({ reserved: 0, spent: 2 * JOBS });
  });

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
});
