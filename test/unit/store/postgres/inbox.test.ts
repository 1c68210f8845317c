// @module-tag slow
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../eventually.ts';
import { openStoreAt } from '../../../fakes/open-store-at.ts';
import { createTestDatabase, type TestDatabase } from '../../../fakes/postgres.ts';
import { entry, idsFrom } from '../../../fakes/shared-inbox.ts';
import { keyOf } from '../../../fakes/store-file.ts';

type Joined = Awaited<ReturnType<typeof openStoreAt>>;

describe('the inbox in PostgreSQL', { tags: ['postgres'] }, () => {
  let database: TestDatabase;
  let one: Joined;
  let two: Joined;

  beforeAll(async () => {
    database = await createTestDatabase();
    const join = () => openStoreAt(database.url, [keyOf(7)]);
    one = await join();
    two = await join();
  });

  beforeEach(() => database.query('TRUNCATE inbox, inbox_lanes'));

  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await database[Symbol.asyncDispose]();
  });

  const claim = async ({ store, members }: Joined, most = 100): Promise<number[]> =>
    (await store.inbox.claim(members.id(), most)).map(({ id }) => id);

  const settle = ({ store, members }: Joined, handled: number[], returned: number[] = []): Promise<void> =>
    store.inbox.settle(members.id(), handled, returned);

  test('the inbox gives each lane to one member when many ask at the same moment', async () => {
    const lanes = idsFrom(0, 40);

    for (let round = 0; round < 5; round += 1) {
      await one.store.inbox.put(
        lanes.flatMap((lane) => idsFrom(round * 1_000 + lane * 3, 3).map((id) => entry(id, `${lane}`))),
      );
      const claims = await Promise.all(
        idsFrom(0, 10).map(async (index) => {
          const by = index % 2 === 0 ? one : two;
          return { by, ids: await claim(by, 30) };
        }),
      );

      const ids = claims.flatMap((each) => each.ids);
      expect(new Set(ids).size).toBe(ids.length);

      const holders = await database.query(
        'SELECT lane FROM inbox WHERE holder IS NOT NULL GROUP BY lane HAVING count(DISTINCT holder) > 1',
      );
      expect(holders).toEqual([]);

      for (const { by, ids } of claims) await settle(by, ids);
      for (const by of [one, two]) await settle(by, await claim(by, 1_000));
    }
    expect(await database.query('SELECT * FROM inbox WHERE body IS NOT NULL')).toEqual([]);
    expect(await database.query('SELECT * FROM inbox_lanes')).toEqual([]);
  });

  test('the inbox does not count a try that a member lost only with its session', async () => {
    const former = one.members.id();
    await one.store.inbox.put([entry(1)]);
    expect(await claim(one)).toEqual([1]);

    await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'darkroom session' AND datname = current_database()`);
    await eventually(() => one.members.isAlive() && one.members.id() !== former, 'another session');
    await eventually(() => two.members.isAlive(), 'another session of the other one');
    await two.store.inbox.freeDead(two.members.id());

    expect(await two.store.inbox.claim(two.members.id(), 10)).toMatchObject([{ id: 1, tries: 1 }]);

    const renewed = two.members.id();
    await two.members.renew();
    await eventually(async () => {
      await one.store.inbox.freeDead(one.members.id());
      const [claimed] = await one.store.inbox.claim(one.members.id(), 10);
      return claimed?.id === 1 && claimed.tries === 1;
    }, `what ${renewed} had`);
    expect((await one.members.list()).filter(({ isAlive }) => isAlive)).toHaveLength(2);
    expect(await one.members.list()).toHaveLength(2);
  });
});
