import { beforeEach, expect, it } from 'vitest';
import { approvalRecords, createApprovals } from '../../../../src/community/approvals/approvals.ts';
import { createLeftCommunities, leftRecords } from '../../../../src/community/rules/left-communities.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { keyOf } from '../../../unit/store/sqlite/open-store.ts';
import type { Driver } from './driver.ts';
import { placeForEach } from './set-up.ts';

const keys = [keyOf(7)];
const DAY_MS = 86_400_000;
const group = 'telegram:-77';

const askedIn = (community: string, person = 'Ann') => {
  const channel = community.slice(community.lastIndexOf(':') + 1);
  const direct = community.includes(':dm:');
  return { place: { platform: 'telegram' as const, community, channel, direct }, locale: 'de', person };
};

/** Approvals of communities, and those that the bot has left, on a real store. */
export function approvalTests(driver: Driver): void {
  const place = placeForEach(driver);
  let store: Store;
  let ids = 0;
  const now = (): number => place.time.now;
  const open = () =>
    createApprovals(store.keyv('approvals', approvalRecords), now, () => {
      ids += 1;
      return `request-${ids}`;
    });
  const left = () => createLeftCommunities(store.keyv('left', leftRecords), now);
  beforeEach(async () => {
    store = await place.open(keys);
  });

  it('ask once a day, whoever asks how often, and stop when somebody has decided', async () => {
    const [one, other] = [open(), open()];
    const asks = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? one : other).ask(group, askedIn(group)),
    );
    const told = (await Promise.all(asks)).filter((each) => each !== undefined);
    expect(told).toHaveLength(1);
    const id = told[0]?.id ?? '';
    place.time.now += DAY_MS - 1;
    expect(await other.ask(group, askedIn(group))).toBeUndefined();
    place.time.now += 1;
    expect(await other.ask(group, askedIn(group, 'Bob'))).toMatchObject({ id, since: now() - DAY_MS });
    const dismissals = await Promise.all([one.dismiss(id, 'Olga'), other.dismiss(id, 'Otto')]);
    expect(dismissals.filter(Boolean)).toHaveLength(1);
    place.time.now += 2 * DAY_MS;
    expect(await one.ask(group, askedIn(group))).toBeUndefined();
    expect(await one.isApproved(group)).toBe(false);
    expect(await one.approve(group, 'Olga')).toMatchObject({ waited: { id } });
    expect(await one.approve(group, 'Otto')).toBeUndefined();
    expect(await one.ask(group, askedIn(group))).toBeUndefined();
  });

  it('are obeyed by another process within two seconds, and survive a restart', async () => {
    const [one, other] = [open(), open()];
    expect(await other.isApproved(group)).toBe(false);
    await one.approve(group, 'Olga');
    place.time.now += 2_000;
    expect(await other.isApproved(group)).toBe(true);
    expect(await one.revoke(group)).toBe(true);
    expect(await one.revoke(group)).toBe(false);
    place.time.now += 2_000;
    expect(await other.isApproved(group)).toBe(false);
    await one.approve(group, 'Olga');
    store = await place.open(keys);
    place.time.now += 400 * DAY_MS;
    expect(await open().isApproved(group)).toBe(true);
  });

  it('are listed by pages, the latest first, however many there are', async () => {
    const approvals = open();
    const records = store.keyv('approvals', approvalRecords);
    const asked = askedIn(group);
    for (let chat = 0; chat < 620; chat += 1) {
      // Keys in another order than times, and some of the same moment.
      const since = place.time.now - Math.floor(((chat * 7) % 620) / 2);
      const waiting = { id: `${chat}`, since, toldAt: since, place: asked.place, locale: 'en' };
      await records.set(`telegram:-${10_000 + chat}`, { waiting });
    }
    const seen: (typeof page)['list'][number][] = [];
    let page = await approvals.list('waiting');
    expect(page.count).toBe(620);
    expect(page.list[0]?.since).toBe(place.time.now);
    for (let pages = 1; ; pages += 1) {
      seen.push(...page.list);
      if (page.next === undefined) break;
      expect(pages).toBeLessThan(20);
      page = await approvals.list('waiting', page.next);
    }
    expect(seen).toHaveLength(620);
    expect(new Set(seen.map(({ community }) => community)).size).toBe(620);
    expect(seen).toEqual(seen.toSorted((one, other) => other.since - one.since));
  });

  it('follow a group that becomes a supergroup, also while somebody decides', async () => {
    const approvals = open();
    const [before, after] = [group, 'telegram:-10077'];
    const asked = await approvals.ask(before, askedIn(before));
    await Promise.all([approvals.move(before, after), approvals.approve(before, 'Olga')]);
    await approvals.move(before, after);
    for (const id of [before, after]) expect(await approvals.isApproved(id)).toBe(true);
    expect(await approvals.requested(asked?.id ?? '')).toMatchObject({ community: after });
    expect(await approvals.revoke(before)).toBe(true);
    expect(await approvals.isApproved(after)).toBe(false);
    await approvals.ask(before, askedIn(before));
    expect((await approvals.list('waiting')).list.map(({ community }) => community)).toEqual([after]);
    await approvals.forget([before, after]);
    expect(await approvals.isKnown(before)).toBe(false);
  });

  it('are listed; what waits expires and is deleted with the data of its person, an approval is not', async () => {
    const approvals = open();
    const [mine, yours] = ['telegram:dm:5', 'telegram:dm:6'];
    for (const each of [mine, yours]) await approvals.ask(each, askedIn(each));
    await approvals.ask(group, { ...askedIn(group), name: 'Photo club' });
    await approvals.approve(yours, 'Olga');
    await approvals.approve('discord:9', 'Olga');
    expect((await approvals.list('approved')).count).toBe(2);
    expect((await approvals.list('waiting')).list).toEqual(
      expect.arrayContaining([{ community: group, name: 'Photo club', since: now() }]),
    );
    for (const each of ['telegram:5', 'telegram:6']) await store.erasures.begin(each);
    expect((await approvals.list('waiting')).count).toBe(1);
    expect(await approvals.isApproved(yours)).toBe(true);
    place.time.now += 31 * DAY_MS;
    expect((await approvals.list('waiting')).count).toBe(0);
    expect((await approvals.list('approved')).count).toBe(2);
    expect(await approvals.isKnown(group)).toBe(false);
  });

  it('forget a community that was left after thirty counted days, not after a leap of the clock', async () => {
    const gone = left();
    await gone.left(group);
    await gone.left(group);
    await gone.left('discord:1');
    expect(await gone.due()).toEqual([]);
    place.time.now += 400 * DAY_MS;
    expect(await gone.due()).toEqual([]);
    await gone.over('discord:1');
    for (let day = 0; day < 28; day += 1) {
      place.time.now += DAY_MS;
      expect(await gone.due()).toEqual([]);
    }
    // Several times a day, and by a new process, count once.
    store = await place.open(keys);
    expect(await left().due()).toEqual([]);
    place.time.now += DAY_MS;
    expect(await left().due()).toEqual([group]);
    await left().over(group);
    expect(await left().due()).toEqual([]);
  });
}
