// @module-tag slow
/** Jobs are taken over from dead processes, and never from one that is on its way back. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { allOf } from '../../all-of.ts';
import { eventually } from '../../eventually.ts';
import { sampleJob } from '../../fakes/sample-job.ts';
import { insert } from './suite/driver.ts';
import { createPostgres } from './suite/postgres-driver.ts';
import { placeForEach } from './suite/set-up.ts';

/** The longest that a process which lives takes to join again. */
const REJOIN_MS = 10_500;

describe('a process on PostgreSQL', { tags: ['postgres'] }, () => {
  const postgres = createPostgres();
  const place = placeForEach(postgres);
  beforeEach(() => place.another());
  afterAll(() => postgres.end());

  /** A process without a session, and a job that it sends at this moment. */
  const cutOff = async (process = 'cut off'): Promise<{ readonly id: string; readonly job: Job }> => {
    const [row] = await place.sql(
      "INSERT INTO members (name, version, started_at, process) VALUES ('m', '1', now(), $1) RETURNING id",
      process,
    );
    const id = String(row?.id);
    const job = sampleJob({ state: 'submitting' });
    await insert(await place.another([], id), job);
    return { id, job };
  };
  const taken = async ({ jobs }: Store): Promise<readonly string[]> =>
    (await allOf(jobs.abandoned())).map(({ id }) => id);
  const takenAtTheSecondLook = async (store: Store): Promise<readonly string[]> => {
    expect(await taken(store)).toEqual([]);
    return taken(store);
  };

  it.each(['that starts', 'that has joined again'])(
    'a process %s takes over from those before it when they had the time to join again',
    async (which) => {
      const first = which === 'that starts' ? undefined : await place.join();
      const { job } = await cutOff();
      const store = first ?? (await place.join());

      if (first !== undefined) {
        const former = first.members.id();
        await place.sql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'darkroom session' AND datname = current_database()",
        );
        await eventually(() => first.members.isAlive() && first.members.id() !== former, 'another session');
      }
      place.time.now += REJOIN_MS - 1;

      for (let looks = 0; looks < 3; looks += 1) expect(await taken(store)).toEqual([]);

      place.time.now += 1;
      expect(await takenAtTheSecondLook(store)).toEqual([job.id]);
    },
  );

  it('a process takes over from one that it had seen alive before', async () => {
    const store = await place.join();
    const { job } = await cutOff();
    expect(await takenAtTheSecondLook(store)).toEqual([job.id]);
  });

  it('a process takes over at once from those that have left', async () => {
    const { id, job } = await cutOff();
    await place.sql('DELETE FROM members WHERE id = $1', id);
    expect(await taken(await place.join())).toEqual([job.id]);
  });

  it('what a process has that lives on under another id is left to it, and it takes it at once', async () => {
    const store = await place.join();
    const other = await place.join();
    const { job } = await cutOff(other.members.process);

    place.time.now += 2 * REJOIN_MS;

    for (let looks = 0; looks < 3; looks += 1) expect(await taken(store)).toEqual([]);
    expect(await taken(other)).toEqual([job.id]);
  });

  it('a process keeps the submissions in hand that it began under another id', async () => {
    const store = await place.join();
    const { job } = await cutOff(store.members.process);
    const unknown = await cutOff(store.members.process);
    const foreign = await cutOff('another process');

    await place.sql("UPDATE jobs SET held = 'submission'");
    await store.jobs.keepSubmissions?.([job.id, foreign.job.id]);

    expect(await taken(store)).toEqual([unknown.job.id]);
    expect(await store.jobs.get(job.id)).toMatchObject({ version: job.version });
  });

  it('a process takes over from nobody on a server that does not know its own session: it may be another one', async () => {
    const { id } = await cutOff();
    await cutOff('another process');
    const store = await place.another([], id);

    for (let looks = 0; looks < 3; looks += 1) expect(await taken(store)).toEqual([]);
  });

  it('a dead process is remembered until all that it had has been taken over', async () => {
    const { id } = await cutOff();
    await place.sql("UPDATE members SET seen_at = now() - interval '2 days'");
    const known = async () => (await place.sql('SELECT FROM members WHERE id = $1', id)).length;
    const store = await place.join();

    expect(await known()).toBe(1);

    place.time.now += REJOIN_MS;
    await takenAtTheSecondLook(store);
    await place.join();
    await eventually(async () => (await known()) === 0);
  });
});
