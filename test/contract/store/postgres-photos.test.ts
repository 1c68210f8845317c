/** Jobs whose photos are in the memory of one process. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { TakeOptions } from '../../../src/orchestrator/job/records.ts';
import { eventually } from '../../eventually.ts';
import type { JobFields } from '../../fakes/job.ts';
import { postgresUrl } from '../../fakes/postgres.ts';
import { sampleJob } from '../../unit/store/sqlite/open-store.ts';
import { insert } from './suite/driver.ts';
import { createPostgres, type PostgresPlace } from './suite/postgres-driver.ts';
import { placeForEach } from './suite/set-up.ts';

type Joined = Awaited<ReturnType<PostgresPlace['join']>>;
const limits = { perPerson: 100, inAll: 100 };
const take = ({ jobs }: Joined, key: 'open' | 'trial' = 'open') => {
  const options: TakeOptions = { limits, gates: { key, token: 'open' }, without: [] };
  return jobs.take(options);
};

describe.skipIf(postgresUrl === undefined)('photos in memory, on PostgreSQL', () => {
  const postgres = createPostgres();
  const place = placeForEach(postgres);
  let one: Joined;
  let two: Joined;
  beforeEach(async () => {
    one = await place.join();
    two = await place.join();
  });
  afterAll(() => postgres.end());

  const withPhoto = (process: string | undefined, fields: JobFields = {}) =>
    sampleJob({
      state: 'waiting',
      request: {
        kind: 'self-prompt',
        prompt: 'a hat',
        photo: { from: 'web', ref: 'photo', ...(process && { process }) },
      },
      ...fields,
    });
  /** As if it had been killed `seconds` ago. */
  const seen = ({ members }: Joined, seconds: number) =>
    place.sql(
      `UPDATE members SET seen_at = now() - interval '${seconds} seconds' WHERE process = $1`,
      members.process,
    );

  it.each(['open', 'trial'] as const)('only that process takes them; the gate is %s', async (gate) => {
    const bound = withPhoto(one.members.process);
    const free = withPhoto(undefined);
    // Whoever accepts it: its question may have been answered through another process.
    await insert(two, bound);
    await insert(two, free);
    expect(await take(two, gate)).toMatchObject({ id: free.id });
    expect(await take(two, gate)).toBeUndefined();
    expect(await take(one, gate)).toMatchObject({ id: bound.id, request: bound.request });
  });

  it('also when they come back into line', async () => {
    const bound = withPhoto(one.members.process);
    await insert(one, bound);
    const taken = await take(one);
    await one.jobs.release('submission', bound.id);
    expect(await take(two)).toBeUndefined();
    expect(await take(one)).toEqual(taken);
    const resting = taken && (await one.jobs.save(taken, { ...taken, resting: 'service-busy', due: 1 }));
    const [due] = await two.jobs.claim('others', 2, 1);
    expect(due).toEqual(resting);
    if (due?.state !== 'waiting') throw new Error('it does not wait');
    const { resting: _, due: __, ...back } = due;
    await two.jobs.save(due, back);
    expect(await take(two)).toBeUndefined();
    expect(await take(one)).toMatchObject({ id: bound.id });
  });

  it('anybody takes them when that process has ended, or has not been there for a while', async () => {
    await insert(one, withPhoto(one.members.process));
    await insert(one, withPhoto(one.members.process));
    await seen(one, 60);
    // It has only just come itself: the others may be on their way back.
    expect(await take(two)).toBeUndefined();
    await place.sql("UPDATE members SET joined_at = now() - interval '1 minute'");
    // It says every three seconds that it is there.
    await eventually(async () => {
      await seen(one, 60);
      return take(two);
    }, 'it to be taken');
    await seen(one, 10);
    expect(await take(two)).toBeUndefined();
    await one.leave();
    expect(await take(two)).toBeDefined();
  });

  it('a process that lost its session and joined again still has its photos', async () => {
    await insert(one, withPhoto(one.members.process));
    const former = one.members.id();
    await place.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND objid = ${former}
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await eventually(() => !one.members.isAlive() || one.members.id() !== former, 'its session to be lost');
    expect(await take(two)).toBeUndefined();
    await eventually(() => one.members.isAlive() && one.members.id() !== former, 'it to have joined again');
    expect(await take(two)).toBeUndefined();
    expect(await take(one)).toBeDefined();
  });
});
