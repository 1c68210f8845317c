import { beforeEach, describe, expect, it } from 'vitest';
import { discordRecordRules } from '../../../../src/adapters/discord/records.ts';
import { telegramRecordRules } from '../../../../src/adapters/telegram/records.ts';
import { createDrafts, draftRecordRules } from '../../../../src/command/desk/parts/draft-store.ts';
import type { Draft } from '../../../../src/command/draft.ts';
import { consentRecordRules } from '../../../../src/community/rules/consent.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { community, type Driver, doneJob, eraseAll, insert, person, valuesIn, wasRemoved } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export function expiryTests(driver: Driver): void {
  const place = placeForEach(driver);
  let store: Store;
  let wall: number;
  let passed: number;
  beforeEach(async () => {
    wall = place.time.now;
    passed = 0;
    store = await place.open();
  });

  const restart = async (): Promise<void> => {
    passed = 0;
    store = await place.open([], { wall: () => wall, passed: () => passed });
  };
  const sweepFor = async (ms: number): Promise<void> => {
    for (let done = 0; done < ms; done += HOUR) {
      wall += HOUR;
      passed += HOUR;
      while (await store.sweep());
    }
  };
  /** Finished that many days ago, with counters of its time, and a draft that expires. */
  const finishedAgo = async (days: number): Promise<void> => {
    await restart();
    const at = wall - days * DAY;
    const job = doneJob({ finishedAt: at, createdAt: at, day: new Date(at).toISOString().slice(0, 10) });
    await insert(store, job);
    await store.keyv('drafts').set('d', 'kept', DAY);
  };
  const kept = async (): Promise<number> => (await store.jobs.ofPerson(person, 10)).length;

  describe('records whose time is over', () => {
    it('records whose time is over are removed within an hour; a job that has not ended stays', async () => {
      await finishedAgo(29);
      await insert(store, sampleJob({ createdAt: wall - 60 * DAY }));
      await sweepFor(23 * HOUR);

      expect(await kept()).toBe(2);

      await sweepFor(2 * HOUR);
      expect(await store.jobs.ofPerson(person, 10)).toMatchObject([{ state: 'waiting' }]);
    });

    it.each(['while it runs', 'at a start'])(
      'records stay when the clock is wrong for hours %s',
      async (when) => {
        await finishedAgo(1);
        await sweepFor(HOUR);
        wall += 40 * DAY;
        if (when === 'at a start') await restart();
        await sweepFor(5 * HOUR);

        expect(await kept()).toBe(1);

        wall -= 40 * DAY;
        await sweepFor(3 * DAY);

        expect(await kept()).toBe(1);
        expect((await store.usage.person('2026-01-04', community, person)).jobs).toBe(1);
      },
    );

    it('records stay for a day when the clock was set ahead, and for that day at every restart', async () => {
      await finishedAgo(1);
      await sweepFor(HOUR);
      wall += 40 * DAY;
      await sweepFor(10 * HOUR);
      await restart();
      await sweepFor(10 * HOUR);

      expect(await kept()).toBe(1);

      await sweepFor(5 * HOUR);
      expect(await kept()).toBe(0);
    });

    it('records whose time is over are removed in the end on a machine that runs one hour a week', async () => {
      await finishedAgo(1);
      for (let week = 0; week < 8; week += 1) {
        await sweepFor(HOUR);
        wall += 7 * DAY;
        await restart();
        if (week < 4) expect(await kept()).toBe(1);
      }
      await sweepFor(HOUR);

      expect(await kept()).toBe(0);
    });

    it('records are removed later when the clock is set back', async () => {
      await finishedAgo(29);
      wall -= 5 * DAY;
      await sweepFor(5 * DAY);

      expect(await kept()).toBe(1);

      await sweepFor(2 * DAY);
      expect(await kept()).toBe(0);
    });

    it('records whose time is over are removed in small batches, and it is told when more is left', async () => {
      for (let i = 0; i < 250; i += 1) await insert(store, doneJob({ finishedAt: 1 }));
      expect(await store.sweep()).toBe(true);
      expect(await place.sql("SELECT seq FROM jobs WHERE state = 'done'")).toHaveLength(50);

      while (await store.sweep());
      expect(await place.sql('SELECT seq FROM jobs')).toEqual([]);
    });
  });
}

const many = 150;

export function erasureTests(driver: Driver): void {
  const place = placeForEach(driver);

  const dones = (count: number) => Array.from({ length: count }, () => doneJob());
  const line = (actor: string, detail = {}) => ({
    at: place.time.now,
    community: 'discord:9',
    actor,
    action: 'job',
    detail,
  });
  const others = { platform: 'discord', id: '777', name: 'Berta', locale: 'en' } as const;

  const namespaces = (store: Store) => ({
    drafts: createDrafts(store.keyv('drafts', draftRecordRules)),
    consent: store.keyv('consent', consentRecordRules),
    discord: store.keyv('adapter:discord', discordRecordRules),
    telegram: store.keyv('adapter:telegram', telegramRecordRules),
  });

  const form = (who: string) => ({
    title: 'a secret form',
    questions: [{ option: 'prompt', label: 'Prompt', kind: 'text' }],
    person: who,
  });
  const draftOf = (id: string, caller: Job['caller'], where: Job['place']): Draft => ({
    id,
    command: 'faceswap',
    given: { prompt: 'a secret draft' },
    caller,
    place: where,
    event: `event-${id}`,
    awaits: 'text',
  });

  /** Hundreds of everything that is kept of a person. */
  const fill = async (store: Store, caller: Job['caller']): Promise<void> => {
    const { drafts, consent, discord, telegram } = namespaces(store);
    const community = `discord:dm:${caller.id}`;
    const direct = { platform: 'discord', community, channel: '1', direct: true } as const;
    for (let count = 0; count < many; count += 1) {
      const day = new Date(place.time.now - (count % 20) * DAY).toISOString().slice(0, 10);
      const job = doneJob({ caller, day, ...(count % 3 === 0 ? { place: direct } : {}) });
      await insert(store, job);
      await store.audit.append(line(`discord:${caller.id}`, { job: job.id, filter: 'a secret filter' }));
    }
    // Together, so that they wait for the disk together.
    const writes: Promise<unknown>[] = [];
    for (let count = 0; count < many; count += 1) {
      const draft = draftOf(`${caller.id}-${count}`, caller, { ...direct, channel: String(count) });
      writes.push(
        drafts.save(draft),
        discord.set(`form:${draft.id}`, form(caller.id), DAY),
        telegram.set(`telegram:album:${caller.id}:${count}`, 'full', DAY),
      );
    }
    await Promise.all(writes);
    await consent.set(`discord:${caller.id}`, { at: place.time.now });
    await telegram.set(`telegram:asked-elsewhere:${caller.id}`, direct, DAY);
  };

  /** One column of each table stands for its rows. */
  const isFirst = ([column]: readonly [string, string]): boolean =>
    ['jobs.seq', 'audit.seq', 'entries.key', 'usage.person'].includes(column);
  /** Every column that mentions one of these. */
  const mentions = async (words: readonly string[]): Promise<string[]> => {
    const found = (await valuesIn(place)).filter(([, text]) => words.some((word) => text.includes(word)));
    return [...new Set(found.map(([column]) => column))].sort();
  };

  describe.each(PLAIN_AND_ENCRYPTED)('deleting all of somebody’s data, $how', ({ keys }) => {
    it('deleting all of somebody’s data leaves only today’s counters, and nothing after midnight', async () => {
      const store = await place.open(keys);
      const ann = sampleJob().caller;

      await fill(store, ann);
      await fill(store, others);
      // As a telegram person has the same number, its records are that person's.
      for (const who of [person, 'telegram:424242424242'])
        await eraseAll(store, await store.erasures.begin(who), 100);
      // How the person is called in the columns, where the store has a key.
      const rows = await place.sql('SELECT person, direct FROM erasures');
      const blinded = rows.flatMap(({ person: who, direct }) => [String(who), String(direct)]);
      const names = [...blinded, ann.id, ann.name];

      expect(await mentions(names)).toEqual([
        'acceptances.person',
        'erasures.direct',
        'erasures.person',
        'usage.community',
        'usage.person',
      ]);
      expect((await store.usage.person('2026-01-05', 'discord:777777777', person)).jobs).toBeGreaterThan(0);
      expect((await store.usage.person('2026-01-04', 'discord:777777777', person)).jobs).toBe(0);
      expect((await store.usage.community('2026-01-03', 'discord:dm:424242424242')).jobs).toBe(0);

      const more = Array.from({ length: 250 }, (_, i) => `('2026-01-05', 'c${i}', '${rows[0]?.person}')`);
      await place.sql(`INSERT INTO usage (day, community, person) VALUES ${more}`);
      // It was noon, and drafts are kept for a day. By another clock it may still be that day.
      place.time.now += DAY / 2;
      while (await store.sweep());

      expect(await mentions(names)).toContain('usage.person');

      await place.pass(2 * 60_000);
      while (await store.sweep());

      expect(await mentions(names)).toEqual([]);
      // Nobody else's went.
      expect(await store.jobs.ofPerson('discord:777', 1_000)).toHaveLength(many);

      const { drafts, discord } = namespaces(store);
      expect(await drafts.load('777-0')).toBeDefined();
      expect(await discord.get(`form:777-${many - 1}`)).toBeDefined();
    });

    it('deleting all of somebody’s data hides all at once, removes one batch at a time, also after a restart, and nothing newer than the request', async () => {
      let store = await place.open(keys);
      const { caller, place: there } = sampleJob();

      await fill(store, caller);
      const [latest = expect.fail()] = await store.jobs.ofPerson(person, 1);
      const token = await store.erasures.begin(person);
      const { drafts, consent, discord } = namespaces(store);

      expect(await store.jobs.ofPerson(person, 1_000)).toEqual([]);
      expect(await store.jobs.get(latest.id)).toBeUndefined();
      expect(await store.jobs.byOrigin(latest.origin)).toBeUndefined();
      expect(await wasRemoved(store, latest.origin)).toBe(true);
      expect(await drafts.load(`${caller.id}-7`)).toBeUndefined();
      expect(await discord.get(`form:${caller.id}-7`)).toBeUndefined();
      expect(await consent.get(person)).toBeUndefined();
      expect(await store.audit.recent('discord:9', 10)).toEqual([]);

      await store.erasures.more(token, 50);
      const fresh = doneJob();
      await insert(store, fresh);
      await drafts.save(draftOf('later', caller, there));
      await discord.set('form:later', form(caller.id), DAY);
      await store.audit.append(line(person));
      store = await place.open(keys);

      expect(await store.erasures.pending()).toEqual([token]);

      const rows = async () => (await valuesIn(place, ['jobs', 'audit', 'entries', 'usage'])).filter(isFirst);
      for (let left = true; left; ) {
        const before = await rows();
        left = (await store.erasures.more(token, 50)).left;
        expect(before.length - (await rows()).length).toBeLessThanOrEqual(50 + 31);
      }

      expect(await store.erasures.pending()).toEqual([]);
      expect(await store.jobs.ofPerson(person, 10)).toMatchObject([{ id: fresh.id }]);
      expect(await store.audit.recent('discord:9', 1_000)).toHaveLength(1);

      const kept = namespaces(store);
      expect(await kept.drafts.load('later')).toMatchObject({ id: 'later' });
      expect(await kept.discord.get('form:later')).toBeDefined();
    });

    it('deleting all of somebody’s data leaves unfinished jobs to end, is finished when all of them are marked, and counts no job twice', async () => {
      const store = await place.open(keys);
      const running = sampleJob({ state: 'running', charge: 'spent', due: place.time.now });
      const undrawn = sampleJob({ state: 'failed', charge: 'returned', finishedAt: 1, due: place.time.now });

      await insert(store, running, undrawn, ...dones(30));
      for (let count = 0; count < 200; count += 1) await store.audit.append(line(person));
      const token = await store.erasures.begin(person);

      // Nothing could be written of them: they are named again and again.
      for (let count = 0; count < 10; count += 1)
        expect((await store.erasures.more(token, 20)).left).toBe(true);

      const { open } = await store.erasures.more(token, 20);
      expect(open.map(({ id }) => id)).toEqual([running.id, undrawn.id]);

      for (const job of open) await store.jobs.save(job, { ...job, forget: true });
      expect(await eraseAll(store, token, 20)).toBe(0);

      const left = await store.jobs.ofPerson(person, 10);
      expect(left.map(({ id, forget }) => ({ id, forget }))).toEqual([
        { id: running.id, forget: true },
        { id: undrawn.id, forget: true },
      ]);
    });

    it('deleting all of somebody’s data continues where it was when a batch could not be written', async () => {
      const store = await place.open(keys);
      await insert(store, ...dones(30));
      const token = await store.erasures.begin(person);
      // Whatever removes the first job fails at its commit, as on a full disk.
      await place.sql('CREATE TABLE kept (job BIGINT REFERENCES jobs (seq) DEFERRABLE INITIALLY DEFERRED)');
      await place.sql('INSERT INTO kept SELECT min(seq) FROM jobs');

      for (let tries = 0; tries < 5; tries += 1)
        await expect(store.erasures.more(token, 10)).rejects.toThrow();

      await place.sql('DROP TABLE kept');
      expect(await eraseAll(store, token)).toBe(30);
      expect(await place.sql('SELECT seq FROM jobs')).toEqual([]);
    });

    it('deleting all of somebody’s data can be repeated while in progress: newer records are removed too', async () => {
      const store = await place.open(keys);
      await insert(store, ...dones(30));
      await store.erasures.more(await store.erasures.begin(person), 10);
      await insert(store, ...dones(30));
      await eraseAll(store, await store.erasures.begin(person));

      expect(await store.jobs.ofPerson(person, 100)).toEqual([]);

      await insert(store, doneJob());
      expect(await store.jobs.ofPerson(person, 100)).toHaveLength(1);
    });
  });
}
