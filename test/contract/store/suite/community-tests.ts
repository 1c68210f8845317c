import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { Records } from '../../../../src/base/keyv/records.ts';
import { approvalRecordRules, createApprovals } from '../../../../src/community/approvals/approvals.ts';
import {
  createSavedFaces,
  MOST_BYTES_IN_ALL,
  MOST_FACE_BYTES,
  savedFaceRecordRules,
} from '../../../../src/community/faces/saved-faces.ts';
import {
  createLeftCommunities,
  leftCommunityRecordRules,
} from '../../../../src/community/rules/left-communities.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { interleaved, recordsWith } from '../../../fakes/records.ts';
import { keyOf } from '../../../fakes/store-file.ts';
import { type Driver, eraseAll, person } from './driver.ts';
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
    createApprovals(store.keyv('approvals', approvalRecordRules), now, () => {
      ids += 1;
      return `request-${ids}`;
    });
  const left = () => createLeftCommunities(store.keyv('left', leftCommunityRecordRules), now);
  beforeEach(async () => {
    store = await place.open(keys);
  });

  it('a community asks for approval once a day, whoever asks how often, and stops when somebody has decided', async () => {
    const one = open();
    const other = open();
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

  it('approvals are obeyed by another process within two seconds, and survive a restart', async () => {
    const one = open();
    const other = open();
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

  it('requests for approval are listed by pages, the latest first, however many there are', async () => {
    const approvals = open();
    const records = store.keyv('approvals', approvalRecordRules);
    const asked = askedIn(group);

    for (let chat = 0; chat < 620; chat += 1) {
      // Keys in another order than times, and some of the same moment.
      const since = place.time.now - Math.floor(((chat * 7) % 620) / 2);
      const waiting = { id: `${chat}`, since, toldAt: since, place: asked.place, locale: 'en' };
      await records.set(`telegram:-${10_000 + chat}`, { waiting });
    }
    const seen: (typeof page)['list'][number][] = [];
    let page = await approvals.waiting();

    expect(page.count).toBe(620);
    expect(page.list[0]?.since).toBe(place.time.now);

    for (let pages = 1; ; pages += 1) {
      seen.push(...page.list);
      if (page.next === undefined) break;
      expect(pages).toBeLessThan(20);
      page = await approvals.waiting(page.next);
    }
    expect(seen).toHaveLength(620);
    expect(new Set(seen.map(({ community }) => community)).size).toBe(620);
    expect(seen).toEqual(seen.toSorted((one, other) => other.since - one.since));
  });

  it('an approval follows a group that becomes a supergroup, also while somebody decides', async () => {
    const approvals = open();
    const before = group;
    const after = 'telegram:-10077';
    const asked = await approvals.ask(before, askedIn(before));

    await Promise.all([approvals.move(before, after), approvals.approve(before, 'Olga')]);
    await approvals.move(before, after);

    for (const id of [before, after]) expect(await approvals.isApproved(id)).toBe(true);
    expect(await approvals.requested(asked?.id ?? '')).toMatchObject({ community: after });
    expect(await approvals.revoke(before)).toBe(true);
    expect(await approvals.isApproved(after)).toBe(false);

    await approvals.ask(before, askedIn(before));
    expect((await approvals.waiting()).list.map(({ community }) => community)).toEqual([after]);

    await approvals.forget([before, after]);
    expect(await approvals.isKnown(before)).toBe(false);
  });

  it('an approval follows a group that has asked again under its new id: what was approved does not wait', async () => {
    const approvals = open();
    const before = group;
    const after = 'telegram:-10078';

    await approvals.approve(before, 'Olga');
    await approvals.ask(after, askedIn(after));
    await approvals.move(before, after);

    expect(await approvals.isApproved(after)).toBe(true);
    expect((await approvals.waiting()).list).toEqual([]);
  });

  it('a request for approval expires and is deleted with the data of its person, an approval is not', async () => {
    const approvals = open();
    const mine = 'telegram:dm:5';
    const yours = 'telegram:dm:6';
    const asked = await Promise.all([mine, yours].map((each) => approvals.ask(each, askedIn(each))));

    await approvals.ask(group, { ...askedIn(group), name: 'Photo club' });
    await approvals.approve(yours, 'Olga');
    await approvals.approve('discord:9', 'Olga');

    expect((await approvals.waiting()).list).toEqual(
      expect.arrayContaining([{ community: group, name: 'Photo club', since: now() }]),
    );

    for (const each of ['telegram:5', 'telegram:6']) await store.erasures.begin(each);
    expect((await approvals.waiting()).count).toBe(1);
    expect(await approvals.requested(asked[0]?.id ?? '')).toBeUndefined();
    expect(await approvals.isApproved(yours)).toBe(true);

    place.time.now += 31 * DAY_MS;
    expect((await approvals.waiting()).count).toBe(0);
    expect(await approvals.find('discord:9')).toMatchObject({ found: { approved: { by: 'Olga' } } });
    expect(await approvals.isKnown(group)).toBe(false);
  });

  it('a community that was left is forgotten after thirty counted days, not after a leap of the clock', async () => {
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

const other = 'telegram:5';

/** Saved faces on a real store. */
export function faceTests(driver: Driver): void {
  const place = placeForEach(driver);
  let store: Store;
  let ids = 0;
  /** The bytes of faces besides those that a test has saved. */
  let others = 0;
  let full = 0;
  beforeEach(async () => {
    store = await place.open(keys);
    others = 0;
    full = 0;
  });
  const kept = () => store.keyv('faces', savedFaceRecordRules);
  const faces = (records: Records = kept(), acceptsMinors = true) =>
    createSavedFaces({
      records,
      bytes: async () => (await kept().bytes()) + others,
      newId: () => `id-${++ids}`,
      acceptsMinors,
      onFull() {
        full += 1;
      },
      clock: { now: () => place.time.now },
    });
  /** Saved faces whose photos are stored by this function. */
  const storing = (set: Records['set']) => faces(recordsWith(kept(), { set }));
  const rows = async (): Promise<number> =>
    Number((await place.sql("SELECT count(*) AS n FROM entries WHERE namespace = 'faces'"))[0]?.n);
  const save = (name: string, who = person) =>
    faces().save(who, { name, gender: 'girl', jpeg: Buffer.from(`photo of ${name}`) });
  const erase = async (who: string) => eraseAll(store, await store.erasures.begin(who), 5);

  it('a person can save at most twenty faces a day, whatever is deleted meanwhile', async () => {
    for (let index = 0; index < 20; index += 1) await save('again');
    await faces().delete(person, 'again');
    const tooMany = { reason: { code: 'face-saves', limit: 20 } };

    await expect(save('one-more')).rejects.toMatchObject(tooMany);
    await expect(faces().requireRoom(person, 'one-more')).rejects.toMatchObject(tooMany);

    await save('mine', 'telegram:another');
    place.time.now += 86_400_000;

    expect(await save('one-more')).toBe('saved');
  });

  it('when all faces together take the most there may be, nobody can save another, and the owner is told', async () => {
    await save('old');
    const taken = await kept().bytes();
    others = MOST_BYTES_IN_ALL - taken - 1;
    await faces().requireRoom('telegram:another', 'new');

    expect(full).toBe(0);

    others += 1;
    for (const who of [person, 'telegram:another'])
      await expect(faces().requireRoom(who, 'new')).rejects.toMatchObject({
        reason: { code: 'face-full' },
      });
    expect(full).toBe(2);

    // A saved face keeps working, and can be replaced and deleted.
    await faces().requireRoom(person, 'old');
    expect(String(await faces().use(person, 'old'))).toBe('photo of old');

    await faces().delete(person, 'old');
    await faces().requireRoom(person, 'new');
  });

  it('where boys and girls are not accepted, their faces cannot be saved or used, only listed and deleted', async () => {
    await save('kid');
    await faces().save(person, { name: 'me', gender: 'female', jpeg: Buffer.from('me') });
    const adults = faces(kept(), false);
    const refused = { reason: { code: 'face-minor' } };
    const [kid] = await adults.list(person);

    await expect(adults.find(person, { name: 'kid' })).rejects.toMatchObject(refused);
    await expect(adults.find(person, { id: kid?.id ?? '' })).rejects.toMatchObject(refused);
    await expect(
      adults.save(person, { name: 'new', gender: 'boy', jpeg: Buffer.from('new') }),
    ).rejects.toMatchObject(refused);
    expect(await adults.use(person, 'kid')).toBeUndefined();
    expect(String(await adults.use(person, 'me'))).toBe('me');
    expect((await adults.usable(person)).map(({ name }) => name)).toEqual(['me']);

    expect((await adults.list(person)).map(({ name }) => name)).toEqual(['kid', 'me']);
    expect((await adults.delete(person, 'kid')).map(({ name }) => name)).toEqual(['me']);
  });

  it('the largest photo of a saved face survives a restart, for its owner', async () => {
    const jpeg = randomBytes(MOST_FACE_BYTES);
    await faces().save(person, { name: 'zebedee', jpeg });
    store = await place.open(keys);

    expect(await faces().use(person, 'zebedee')).toEqual(jpeg);
    expect(await faces().use(other, 'zebedee')).toBeUndefined();
  });

  it('a saved face that is too large is set aside when it is read', async () => {
    await faces().save(person, { name: 'me', jpeg: randomBytes(MOST_FACE_BYTES + 3) });
    expect(await faces().use(person, 'me')).toBeUndefined();
    expect(place.found).toMatchObject([{ kind: 'faces' }]);
  });

  it.each([1, 2, 3])(
    'many faces that are saved at once leave ten, and no photo but theirs (%i)',
    async (seed) => {
      const one = faces(interleaved(kept(), seed));
      for (let count = 0; count < 8; count += 1) await save(`before-${count}`);
      const names = Array.from({ length: 12 }, (_, index) => `name-${index}`);
      const outcomes = await Promise.allSettled(
        names.map((name) => one.save(person, { name, jpeg: Buffer.from(`photo of ${name}`) })),
      );

      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          expect(['face-limit', 'face-busy']).toContain(outcome.reason.reason.code);

      const saved = await one.list(person);
      expect(saved).toHaveLength(10);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      for (const { name } of saved) expect(String(await one.use(person, name))).toBe(`photo of ${name}`);

      // The first change after the time of an interrupted save removes what it left.
      place.time.now += 3_600_000;
      await one.setDefault(person, 'before-3');

      expect(await rows()).toBe(11);
    },
  );

  it('what an interrupted save of a face has left is removed by the next change', async () => {
    const written = Promise.withResolvers<void>();
    const dying = storing(async (...given) => {
      await kept().set(...given);
      written.resolve();
      return new Promise(() => undefined);
    });

    void dying.save(person, { name: 'lost', jpeg: Buffer.from('x') });
    await written.promise;

    expect(await rows()).toBe(2);

    await save('me');
    expect(await rows()).toBe(3);

    place.time.now += 3_600_000;
    await save('work');

    expect((await faces().list(person)).map(({ name }) => name)).toEqual(['me', 'work']);
    expect(await rows()).toBe(3);
  });

  it('a saved face that is not used for a year is removed by the sweep; use renews it', async () => {
    // Keyv counts from the machine's clock.
    place.time.now = Date.now();
    await save('used');
    await save('unused');
    place.time.now += 200 * DAY_MS;
    store = await place.open(keys);

    expect(String(await faces().use(person, 'used'))).toBe('photo of used');

    place.time.now += 200 * DAY_MS;
    store = await place.open(keys);
    // A jump of the clock is believed after a day.
    for (let day = 0; day < 3; day += 1) {
      while (await store.sweep());
      place.time.now += DAY_MS;
    }

    expect((await faces().list(person)).map(({ name }) => name)).toEqual(['used']);
    expect(await rows()).toBe(2);
    expect(String(await faces().use(person, 'used'))).toBe('photo of used');
    expect(await faces().use(person, 'unused')).toBeUndefined();
  });

  it('saved faces are deleted with all data of their owner, and with them the audit lines about them', async () => {
    for (const name of ['me', 'me', 'work', 'gone']) await save(name);
    await faces().delete(person, 'gone');
    await save('me', other);

    // Replacing and deleting leave no photo behind.
    expect(await rows()).toBe(5);

    const line = { at: place.time.now, community: 'discord:dm:424242424242', actor: person, detail: {} };
    await store.audit.append({ ...line, action: 'face.save' });
    await store.audit.append({ ...line, action: 'settings.pause' });
    await erase(person);

    expect(await faces().list(person)).toEqual([]);
    expect(await faces().use(person, 'me')).toBeUndefined();
    expect(await rows()).toBe(2);
    expect(await store.audit.recent(line.community, 5)).toMatchObject([{ action: 'settings.pause' }]);
    expect(String(await faces().use(other, 'me'))).toBe('photo of me');

    // Faces can be saved again.
    await save('me');
    expect(await faces().list(person)).toHaveLength(1);
  });

  it.each(['before', 'after'])(
    'a photo of a face whose owner’s data is deleted just %s it is stored is not saved',
    async (when) => {
      const saving = storing(async (...given) => {
        if (when === 'before') await erase(person);
        const isSet = await kept().set(...given);
        if (when === 'after') await erase(person);
        return isSet;
      });
      await expect(saving.save(person, { name: 'me', jpeg: Buffer.from('x') })).rejects.toMatchObject({
        reason: { code: 'face-busy' },
      });
      expect(await faces().list(person)).toEqual([]);
      expect(await rows()).toBe(0);
    },
  );

  it('saved faces are sealed anew in small steps when the key changes', async () => {
    const stepsWith = async (...all: readonly Buffer[]): Promise<number> => {
      store = await place.open(all);
      let steps = 1;
      while (await store.sweep()) steps += 1;
      return steps;
    };
    const least = await stepsWith(keyOf(8), ...keys);
    const jpeg = randomBytes(MOST_FACE_BYTES);

    for (let count = 0; count < 8; count += 1) await faces().save(person, { name: `f-${count}`, jpeg });

    // Five of a megabyte each are enough for one.
    expect(await stepsWith(keyOf(9), keyOf(8))).toBeGreaterThan(least);

    store = await place.open([keyOf(9)]);
    expect(await faces().use(person, 'f-7')).toEqual(jpeg);
  });
}
