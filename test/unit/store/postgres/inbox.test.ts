import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../eventually.ts';
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../../fakes/postgres.ts';
import { entry, type Joined, joinStore } from '../../../fakes/shared-inbox.ts';

describe.skipIf(postgresUrl === undefined)('the inbox in PostgreSQL', () => {
  let database: TestDatabase;
  let one: Joined;
  let two: Joined;

  beforeAll(async () => {
    database = await createTestDatabase();
    [one, two] = await Promise.all([joinStore(database.url), joinStore(database.url)]);
  });
  beforeEach(() => database.query('TRUNCATE inbox, inbox_lanes'));
  afterAll(async () => {
    await Promise.all([one, two].map((each) => each[Symbol.asyncDispose]()));
    await database[Symbol.asyncDispose]();
  });

  const claim = async ({ inbox, members }: Joined, most = 100): Promise<number[]> =>
    (await inbox.claim(members.id(), most)).map(({ id }) => id);
  const settle = ({ inbox, members }: Joined, handled: number[], returned: number[] = []): Promise<void> =>
    inbox.settle(members.id(), handled, returned);
  const idsFrom = (first: number, count: number): number[] =>
    Array.from({ length: count }, (_, index) => first + index);

  test('gives lanes to one member each when many ask at the same moment', async () => {
    const lanes = idsFrom(0, 40);
    for (let round = 0; round < 5; round += 1) {
      await one.inbox.put(
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

  test('does not count what the member lost with its session only', async () => {
    const former = one.members.id();
    await one.inbox.put([entry(1)]);
    expect(await claim(one)).toEqual([1]);
    await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'darkroom session' AND datname = current_database()`);
    await eventually(() => one.members.isAlive() && one.members.id() !== former, 'another session');
    await eventually(() => two.members.isAlive(), 'another session of the other one');
    await two.inbox.freeDead(two.members.id());
    expect(await two.inbox.claim(two.members.id(), 10)).toMatchObject([{ id: 1, tries: 1 }]);
    const renewed = two.members.id();
    await two.members.renew();
    await eventually(async () => {
      await one.inbox.freeDead(one.members.id());
      return (await one.inbox.claim(one.members.id(), 10)).some(({ id, tries }) => id === 1 && tries === 1);
    }, `what ${renewed} had`);
    expect((await one.members.list()).filter(({ isAlive }) => isAlive)).toHaveLength(2);
    expect(await one.members.list()).toHaveLength(2);
  });
});
