import { expect, it } from 'vitest';
import type { Store } from '../../../../src/store/tables/store.ts';
import { entry, idsFrom } from '../../../fakes/shared-inbox.ts';
import { keyOf } from '../../../fakes/store-file.ts';
import { type Driver, valuesIn } from './driver.ts';
import { placeForEach } from './set-up.ts';

/** Members are numbers; none of those here is a process that lives. */
export function inboxTests(driver: Driver): void {
  const place = placeForEach(driver);
  const claim = async ({ inbox }: Store, member = '1', most = 100): Promise<number[]> =>
    (await inbox.claim(member, most)).map(({ id }) => id);
  const count = async (where = 'true'): Promise<number> =>
    Number((await place.sql(`SELECT count(*) AS n FROM inbox WHERE ${where}`))[0]?.n);
  it('the inbox hands out each entry once, however often it comes', async () => {
    const store = await place.open();
    for (let times = 0; times < 2; times += 1) await store.inbox.put([entry(1), entry(2, 'b')]);
    await store.inbox.onDisk();

    expect(await claim(store)).toEqual([1, 2]);
    expect(await claim(store)).toEqual([]);

    await store.inbox.settle('1', [1, 2], []);
    expect((await store.inbox.put([entry(1)])).full.size).toBe(0);
    expect(await claim(store)).toEqual([]);
  });

  it('the inbox gives a lane to one member at a time, in the order of the ids', async () => {
    const store = await place.open();
    await store.inbox.put([entry(3), entry(1)]);

    expect(await claim(store, '1')).toEqual([1, 3]);

    await store.inbox.put([entry(2), entry(4, 'b')]);
    expect(await claim(store, '2')).toEqual([4]);

    await store.inbox.settle('1', [1], []);
    expect(await claim(store, '2')).toEqual([]);
    expect(await claim(store, '1')).toEqual([2]);

    await store.inbox.settle('1', [2, 3], []);
    await store.inbox.put([entry(5)]);

    expect(await claim(store, '2')).toEqual([5]);
  });

  const given = ({ claimed }: Awaited<ReturnType<Store['inbox']['put']>>) => claimed.map(({ id }) => id);

  it('the inbox gives a member at once what it puts into a lane that had nothing in it', async () => {
    const store = await place.open();
    const { claimed } = await store.inbox.put([entry(3, 'b'), entry(2), entry(1)], '1');

    expect(claimed).toEqual([1, 2, 3].map((id) => ({ id, body: { update_id: id }, tries: 1 })));
    expect(given(await store.inbox.put([entry(3, 'b'), entry(4), entry(5, 'c')], '1'))).toEqual([5]);
    expect(await claim(store, '1')).toEqual([4]);

    await store.inbox.settle('1', [1, 2, 4], []);
    expect(given(await store.inbox.put([entry(1), entry(5), entry(6)], '1'))).toEqual([6]);
  });

  if (driver.isShared)
    it('the inbox gives a member nothing of a lane that another one has', async () => {
      const store = await place.open();
      await store.inbox.put([entry(3, 'b'), entry(2), entry(1)], '1');

      expect(given(await store.inbox.put([entry(3, 'b'), entry(4), entry(5, 'c')], '2'))).toEqual([5]);
      expect(await claim(store, '2')).toEqual([]);

      await store.inbox.settle('1', [1, 2], []);
      expect(given(await store.inbox.put([entry(6)], '2'))).toEqual([]);
      expect(await claim(store, '2')).toEqual([4, 6]);
      expect(given(await store.inbox.put([entry(1), entry(5)], '2'))).toEqual([]);
    });

  it('the inbox gives out again what is returned, and what a dead member had, with the number of tries', async () => {
    const store = await place.open();
    await store.inbox.put([entry(1), entry(2, 'b')]);
    await claim(store, '1');
    await store.inbox.settle('1', [], [1]);
    const next = await place.open();

    expect(await next.inbox.claim('2', 10)).toEqual([{ id: 1, body: { update_id: 1 }, tries: 1 }]);

    await next.inbox.freeDead('2');
    expect(await next.inbox.claim('2', 10)).toEqual([{ id: 2, body: { update_id: 2 }, tries: 2 }]);

    // The first member has lost entry 2, so that it cannot settle it.
    await next.inbox.settle('1', [2], []);
    expect(await count('body IS NOT NULL AND holder = 2')).toBe(2);
  });

  it('the inbox has a bound for each lane and in all; a full lane leaves room to others', async () => {
    const { inbox } = await place.open();
    const { full: refused } = await inbox.put(idsFrom(1, 600).map((id) => entry(id)));

    expect(refused).toEqual(new Set(idsFrom(601 - refused.size, refused.size)));
    expect(refused.size).toBeGreaterThan(100);
    expect((await inbox.put([entry(601)])).full).toEqual(new Set([601]));
    // Known, so it need not come again.
    expect((await inbox.put([entry(1)])).full.size).toBe(0);
    expect((await inbox.put([entry(700, 'b')])).full.size).toBe(0);

    for (let lane = 0; lane < 40; lane += 1)
      await inbox.put(idsFrom(10_000 + lane * 500, 500).map((id) => entry(id, `flood-${lane}`)));
    expect(await count()).toBeLessThan(10_000);
    expect((await inbox.put([entry(99_999, 'quiet')])).full.size).toBe(0);

    for (let lane = 0; lane < 100; lane += 1)
      await inbox.put(idsFrom(200_000 + lane * 100, 100).map((id) => entry(id, `more-${id}`)));
    expect(await count()).toBeLessThanOrEqual(10_000);
    expect((await inbox.put([entry(999_999, 'late')])).full.size).toBe(1);
  });

  it('the inbox gives out a part of a busy lane, so that the others have their turn', async () => {
    const store = await place.open();
    await store.inbox.put(idsFrom(1, 400).map((id) => entry(id)));
    await store.inbox.put([entry(1_000, 'b')]);

    expect(await claim(store, '1', 1_000)).toEqual([...idsFrom(1, 200), 1_000]);
    expect(await claim(store, '1', 1_000)).toEqual([]);

    await store.inbox.settle('1', idsFrom(1, 150), []);
    expect(await claim(store, '1', 1_000)).toEqual(idsFrom(201, 150));
  });

  it('the inbox is encrypted, and deletes what a person sent', async () => {
    const store = await place.open([keyOf(1)]);
    const secret = 'a word that nobody may read';

    await store.inbox.put([
      { ...entry(1, 'a chat', 'telegram:5'), body: { update_id: 1, secret } },
      entry(2),
    ]);
    const text = String(await valuesIn(place, ['inbox', 'inbox_lanes']));

    for (const readable of [secret, 'a chat', 'telegram:5']) expect(text).not.toContain(readable);

    await store.inbox.forget('telegram:5');
    expect(await claim(store)).toEqual([2]);

    await store.inbox.put([entry(3, 'b', 'telegram:6')]);
    expect(await claim(store)).toEqual([3]);

    await store.inbox.forget('telegram:6');
    await store.inbox.settle('1', [2, 3], []);

    expect(await place.sql('SELECT lane FROM inbox_lanes')).toEqual([]);
    expect(await place.sql('SELECT DISTINCT lane, person, body, holder FROM inbox')).toEqual([
      { lane: '', person: null, body: null, holder: null },
    ]);
  });

  it('the inbox tells whether entries are still to be handled, or were handled or deleted', async () => {
    const { inbox } = await place.open();
    await inbox.put([entry(1), entry(2, 'a', 'telegram:5'), entry(3)]);
    await inbox.claim('1', 3);

    expect(await inbox.areOpen([1, 2, 3])).toBe(true);

    await inbox.forget('telegram:5');
    expect(await inbox.areOpen([1, 2])).toBe(false);
    expect(await inbox.areOpen([1, 3])).toBe(true);

    await inbox.settle('1', [1], []);
    expect(await inbox.areOpen([1])).toBe(false);
  });

  it('the inbox forgets handled entries when they are old, and no others', async () => {
    const store = await place.open();
    await store.inbox.put([entry(1), entry(2)]);
    await claim(store);
    await store.inbox.settle('1', [1], []);
    await store.sweep();

    expect(await count()).toBe(2);

    place.time.now += 3 * 86_400_000;
    await store.sweep();

    expect(await place.sql('SELECT CAST(id AS integer) AS id FROM inbox')).toEqual([{ id: 2 }]);
  });

  it('the inbox hands out a record that cannot be read without its body', async () => {
    const { inbox } = await place.open();
    await inbox.put([entry(1)]);
    await place.sql('UPDATE inbox SET body = $1', Buffer.from('nonsense'));

    expect(await inbox.claim('1', 10)).toEqual([{ id: 1, body: undefined, tries: 1 }]);
  });
}
