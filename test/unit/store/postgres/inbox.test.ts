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

  test('hands out each entry once, whoever stores it how often', async () => {
    await Promise.all([one, two, one, two].map(({ inbox }) => inbox.put([entry(1), entry(2, 'b')])));
    const claimed = await Promise.all([one, two, one, two].map((each) => claim(each)));
    expect(claimed.flat().sort()).toEqual([1, 2]);
    await settle(one, [1, 2]);
    await settle(two, [1, 2]);
    expect((await one.inbox.put([entry(1)])).size).toBe(0);
    expect(await claim(one)).toEqual([]);
    expect(await claim(two)).toEqual([]);
  });

  test('gives a lane to one member at a time, in the order of the ids', async () => {
    await one.inbox.put([entry(3), entry(1)]);
    expect(await claim(one)).toEqual([1, 3]);
    await two.inbox.put([entry(2), entry(4, 'b')]);
    expect(await claim(two)).toEqual([4]);
    await settle(one, [1]);
    expect(await claim(two)).toEqual([]);
    expect(await claim(one)).toEqual([2]);
    await settle(one, [2, 3]);
    await one.inbox.put([entry(5)]);
    expect(await claim(two)).toEqual([5]);
  });

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

  test('gives out what is returned again, and counts what is not', async () => {
    await one.inbox.put([entry(1)]);
    await claim(one);
    await settle(one, [], [1]);
    const again = await two.inbox.claim(two.members.id(), 10);
    expect(again).toEqual([{ id: 1, body: { update_id: 1 }, tries: 1 }]);
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

  test('gives what a dead member had in hand to others, which it cannot take back', async () => {
    const dead = await joinStore(database.url);
    const id = dead.members.id();
    await one.inbox.put([entry(1), entry(2)]);
    expect(await claim(dead)).toEqual([1, 2]);
    await one.inbox.freeDead(one.members.id());
    expect(await claim(one)).toEqual([]);
    await dead[Symbol.asyncDispose]();
    // The server hears of its end a moment later.
    const taken = await eventually(async () => {
      await one.inbox.freeDead(one.members.id());
      const claims = await one.inbox.claim(one.members.id(), 10);
      return claims.length > 0 && claims;
    }, 'what the dead had');
    expect(taken.map(({ tries }) => tries)).toEqual([2, 2]);
    await two.inbox.settle(id, [1], [2]);
    expect(await claim(two)).toEqual([]);
    const open = await database.query('SELECT holder FROM inbox WHERE body IS NOT NULL');
    expect(open.map(({ holder }) => String(holder))).toEqual([one.members.id(), one.members.id()]);
  });

  test('has a bound for each lane and in all; a full lane leaves room to others', async () => {
    const refused = await one.inbox.put(idsFrom(1, 600).map((id) => entry(id)));
    expect(refused).toEqual(new Set(idsFrom(601 - refused.size, refused.size)));
    expect(refused.size).toBeGreaterThan(100);
    expect(await one.inbox.put([entry(601)])).toEqual(new Set([601]));
    // Known, so it need not come again.
    expect((await one.inbox.put([entry(1)])).size).toBe(0);
    expect((await one.inbox.put([entry(700, 'b')])).size).toBe(0);
    for (let lane = 0; lane < 40; lane += 1)
      await one.inbox.put(idsFrom(10_000 + lane * 500, 500).map((id) => entry(id, `flood-${lane}`)));
    const [{ count } = {}] = await database.query('SELECT count(*)::int AS count FROM inbox');
    expect(Number(count)).toBeLessThan(10_000);
    expect((await one.inbox.put([entry(99_999, 'quiet')])).size).toBe(0);
    for (let lane = 0; lane < 100; lane += 1)
      await one.inbox.put(idsFrom(200_000 + lane * 100, 100).map((id) => entry(id, `more-${id}`)));
    const [{ count: all } = {}] = await database.query('SELECT count(*)::int AS count FROM inbox');
    expect(Number(all)).toBeLessThanOrEqual(10_000);
    expect((await one.inbox.put([entry(999_999, 'late')])).size).toBe(1);
  });

  test('gives out a part of a busy lane, so that the others have their turn', async () => {
    await one.inbox.put(idsFrom(1, 400).map((id) => entry(id)));
    await one.inbox.put([entry(1_000, 'b')]);
    const claimed = await claim(one, 1_000);
    expect(claimed).toEqual([...idsFrom(1, 200), 1_000]);
    expect(await claim(one, 1_000)).toEqual([]);
    await settle(one, idsFrom(1, 150));
    expect(await claim(one, 1_000)).toEqual(idsFrom(201, 150));
  });

  test('is encrypted, and deletes what a person sent', async () => {
    const secret = 'a word that nobody may read';
    await one.inbox.put([{ ...entry(1, 'a chat', 'telegram:5'), body: { update_id: 1, secret } }, entry(2)]);
    const rows = JSON.stringify(
      await database.query("SELECT lane, person, encode(body, 'escape') AS body FROM inbox"),
    );
    for (const readable of [secret, 'a chat', 'telegram:5']) expect(rows).not.toContain(readable);
    await two.inbox.forget('telegram:5');
    expect(await claim(one)).toEqual([2]);
    await one.inbox.put([entry(3, 'b', 'telegram:6')]);
    expect(await claim(one)).toEqual([3]);
    await two.inbox.forget('telegram:6');
    await settle(one, [2, 3]);
    expect(await database.query('SELECT lane FROM inbox_lanes')).toEqual([]);
    expect(await database.query('SELECT DISTINCT lane, person, body, holder FROM inbox')).toEqual([
      { lane: '', person: null, body: null, holder: null },
    ]);
  });

  test('is encrypted with a store that was created without a key', async () => {
    await using plain = await createTestDatabase();
    const body = { update_id: 2, text: 'zero \0 and half \ud800' };
    {
      await using first = await joinStore(plain.url, { keys: [] });
      await first.inbox.put([entry(1), { ...entry(2), body }, entry(3, 'b')]);
      expect(await claim(first, 10)).toEqual([1, 2, 3]);
      await settle(first, [1]);
    }
    await using next = await joinStore(plain.url);
    await next.inbox.freeDead(next.members.id());
    expect(await next.inbox.put([entry(1)])).toEqual(new Set());
    const claims = await next.inbox.claim(next.members.id(), 10);
    expect(claims).toEqual([
      { id: 2, body, tries: 2 },
      { id: 3, body: { update_id: 3 }, tries: 2 },
    ]);
    const rows = JSON.stringify(await plain.query("SELECT lane, person, encode(body, 'escape') FROM inbox"));
    for (const readable of ['half', 'telegram:1', '"a"']) expect(rows).not.toContain(readable);
  });

  test('forgets handled entries when they are old, and no others', async () => {
    await one.inbox.put([entry(1), entry(2)]);
    await claim(one);
    await settle(one, [1]);
    const stored = async (): Promise<number[]> =>
      (await database.query('SELECT id FROM inbox ORDER BY id')).map(({ id }) => Number(id));
    await one.store.sweep();
    expect(await stored()).toEqual([1, 2]);
    await database.query('UPDATE inbox SET at = at - 3 * 86400000');
    await one.store.sweep();
    expect(await stored()).toEqual([2]);
  });

  test('a record that cannot be read is handed out without its body', async () => {
    await one.inbox.put([entry(1)]);
    await database.query("UPDATE inbox SET body = 'nonsense'");
    expect(await one.inbox.claim(one.members.id(), 10)).toEqual([{ id: 1, body: undefined, tries: 1 }]);
  });
});
