// @module-tag slow
/** Stores of older versions are brought up to date at the first start, and keep everything. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { consentRecordRules } from '../../../../src/community/rules/consent.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { SqliteStore } from '../../../../src/store/sqlite/store.ts';
import { allOf } from '../../../all-of.ts';
import { insert } from '../../../contract/store/suite/driver.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { createStoreFile, keyOf } from '../../../fakes/store-file.ts';
import { createOldTables } from '../../../fixtures/old-schemas.ts';

const person = 'discord:424242424242';
const day = '2026-01-05';
const community = 'discord:777777777';
const limits = { perPerson: 2, inAll: 6 };
const gates = { key: 'open', token: 'open' } as const;

/** More jobs than are read at once. */
const MANY = 520;

let file: ReturnType<typeof createStoreFile>;

const jobOf = (id: string, more: JobFields & Partial<Pick<Job, 'state'>> = {}): Job => {
  const caller = { platform: 'web', id: id.replace(/ .*$/, ''), name: 'Somebody', locale: 'en' } as const;
  return sampleJob({ id, origin: `event of ${id}`, caller, ...more });
};

const anns = Array.from({ length: MANY }, (_, i) => `ann ${i}`);

/** The jobs of the older store, in the order of their acceptance. */
const all: readonly Job[] = [
  ...anns.slice(0, 3).map((id) => jobOf(id)),
  jobOf('eve submits', { state: 'submitting' }),
  jobOf('eve was refused', { state: 'submitting', unsent: true }),
  jobOf('eve runs', { state: 'running', charge: 'spent', serviceId: 'service 1', due: 1 }),
  jobOf('eve waits'),
  jobOf('ben 0'),
  jobOf('cid 0'),
  jobOf('dan rests', { resting: 'service-busy', due: 5 }),
  jobOf('dan 0'),
  jobOf('fay is shown', { state: 'delivering', charge: 'spent', serviceId: 'service 2', due: 1 }),
  jobOf('fay opens', { state: 'opening', due: 1 }),
  jobOf('gil is done', { state: 'done', charge: 'spent', serviceId: 'service 3', settled: true }),
  jobOf('gil failed', { state: 'failed', charge: 'returned', due: 1 }),
  jobOf('gil cancelled', { state: 'cancelled', charge: 'returned', settled: true }),
  jobOf('ben 1'),
  jobOf('hal leaves'),
  jobOf('hal runs', { state: 'running', charge: 'spent', serviceId: 'service 4', due: 1 }),
  ...anns.slice(3).map((id) => jobOf(id)),
];

const unfinished = all.filter(({ state }) => !['done', 'failed', 'cancelled'].includes(state));

const take = async ({ jobs }: SqliteStore): Promise<string | undefined> =>
  (await jobs.take({ limits, gates, without: [] }))?.id;

const takeAll = async (store: SqliteStore): Promise<string[]> => {
  const order: string[] = [];
  for (let id = await take(store); id !== undefined; id = await take(store)) order.push(id);
  return order;
};

/** Copies a store into one of the last version that kept the line in memory. Fields that it did not have are lost. */
function copyToOld(newer: string, path: string): void {
  const sql = new DatabaseSync(path);
  createOldTables(sql, 8);
  sql.prepare('ATTACH ? AS newer').run(newer);
  const tables = "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'migrations'";
  const common = sql.prepare(
    `SELECT name FROM pragma_table_info($name, 'main') WHERE name IN (SELECT name FROM pragma_table_info($name, 'newer'))`,
  );
  for (const { name } of sql.prepare(tables).all()) {
    const columns = common.all({ name: name ?? '' }).map((column) => column.name);
    sql.exec(`INSERT INTO main.${name} (${columns}) SELECT ${columns} FROM newer.${name}`);
  }
  sql.close();
}

/** Makes a store as an earlier version left it when it was killed with steps under way. */
async function makeOld(keys: readonly Uint8Array[]) {
  const newer = createStoreFile();
  const store = await newer.open(keys);
  for (const job of all) await insert(store, job);
  await store.keyv('settings').set(community, { language: 'de' });
  await store.jobs.claim('polls', 9, 1);
  await store.jobs.claim('others', 9, 2);
  await store.erasures.begin('web:hal');
  const usage = {
    ann: await store.usage.person(day, community, 'web:ann'),
    all: await store.usage.community(day, community),
  };
  const old = join(newer.folder, 'old.sqlite');
  copyToOld(newer.path, old);
  const bytes = readFileSync(old);
  newer.remove();
  return { usage, bytes };
}

describe.each([
  { what: 'plain', oldKeys: [], keys: [] },
  { what: 'encrypted', oldKeys: [keyOf(1)], keys: [keyOf(1)] },
  { what: 'encrypted at the same start', oldKeys: [], keys: [keyOf(1)] },
])('a store from before the line, $what', ({ oldKeys, keys }) => {
  let old: Awaited<ReturnType<typeof makeOld>>;

  beforeAll(async () => {
    old = await makeOld(oldKeys);
  });

  beforeEach(() => {
    file = createStoreFile();
    mkdirSync(file.folder);
    writeFileSync(file.path, old.bytes);
  });

  afterEach(() => file.remove());

  it('a store from before the line keeps every job, credit and setting, and its waiting jobs are put in line', async () => {
    const store = await file.open(keys);
    const found = await allOf(store.jobs.abandoned());
    expect(found.map(({ id }) => id)).toEqual(unfinished.map(({ id }) => id));
    expect(await store.usage.person(day, community, 'web:ann')).toEqual(old.usage.ann);
    expect(await store.usage.community(day, community)).toEqual(old.usage.all);

    // The credits that everybody took are counted from the beginning of the day, too.
    const credits = old.usage.all.reserved + old.usage.all.spent;
    expect(await store.usage.totalsOn([day])).toEqual([{ day, credits }]);
    expect(credits).toBeGreaterThan(0);
    expect(await store.keyv('settings').get(community)).toEqual({ language: 'de' });
    expect(await store.erasures.pending()).toHaveLength(1);
    for (const job of all.filter(({ caller }) => caller.id !== 'hal'))
      expect(await store.jobs.get(job.id)).toEqual({ ...job, version: expect.any(Number) });
    expect(await store.jobs.get('hal leaves')).toMatchObject({ state: 'waiting', forget: true });
    // Steps that were under way are due again.
    expect((await store.jobs.claim('polls', 9, 9)).map(({ id }) => id)).toEqual(['eve runs', 'hal runs']);
    expect(store.damaged()).toBe(0);
    expect(await store.jobs.counts()).toEqual({ waiting: MANY + 6, running: 4 });

    using sql = new DatabaseSync(file.path, { readOnly: true });
    const slots = sql.prepare("SELECT running FROM slots WHERE person <> '' ORDER BY running").all();
    expect(slots, 'of hal and of eve').toEqual([{ running: 1 }, { running: 3 }]);
  });

  it('the upgrade of a store from before the line goes on when the first start ends anywhere', async () => {
    const order = async (store: SqliteStore) =>
      Promise.all(unfinished.map(async ({ id }) => (await store.jobs.standing(id))?.position));

    for (const read of [0, 1, 501]) {
      const store = await file.open(keys);
      let count = 0;
      for await (const _ of store.jobs.abandoned()) if (++count > read) break;
      // One job is taken before the rest of the line is read.
      if (read > 0) await take(store);
    }
    const store = await file.open(keys);

    expect(await allOf(store.jobs.abandoned())).toHaveLength(unfinished.length);

    const places = (await order(store)).filter((place) => place !== undefined);
    expect(places.toSorted((one, other) => one - other)).toEqual(places.map((_, i) => i + 1));
    expect(places).toHaveLength(MANY + 6);
    expect(await takeAll(store)).toEqual(['ann 0', 'ben 0']);
    expect(await store.jobs.counts()).toEqual({ waiting: MANY + 4, running: 6 });
  });
});

describe('of an older file', () => {
  beforeEach(() => {
    file = createStoreFile();
  });

  afterEach(() => file.remove());

  /** Changes the file while no store has it open. */
  const tamper = (change: (sql: DatabaseSync) => void): void => {
    file.close();
    mkdirSync(file.folder, { recursive: true });
    const sql = new DatabaseSync(file.path);
    change(sql);
    sql.close();
  };

  it('a job from before charges were stored is charged once', async () => {
    const job = sampleJob();

    await insert(await file.open(), job);
    tamper((sql) => sql.exec('DELETE FROM charges'));
    const store = await file.open();
    await store.jobs.save(job, jobWith({ ...job, state: 'running', charge: 'spent' }));

    expect(await store.usage.person(day, community, person)).toEqual({ reserved: 0, spent: 2, jobs: 1 });

    await store.jobs.returnCredits(jobWith({ ...job, state: 'submitting' }));
    expect(await store.usage.person(day, community, person)).toEqual({ reserved: 0, spent: 0, jobs: 1 });
  });

  it('counters of an older store continue, and a negative one starts at zero', async () => {
    tamper((sql) => {
      createOldTables(sql, 3);
      const put = sql.prepare('INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?)');
      put.run(day, community, person, 4, -6, 5);
      put.run(day, community, 'discord:1', 1, 3, 2);
    });
    const { usage } = await file.open();
    expect(await usage.person(day, community, person)).toEqual({ reserved: 4, spent: 0, jobs: 5 });
    expect(await usage.person(day, community, 'discord:1')).toEqual({ reserved: 1, spent: 3, jobs: 2 });

    tamper((sql) => expect(() => sql.exec('UPDATE usage SET spent = -1')).toThrow('CHECK'));
  });

  it.each([
    { title: 'unencrypted', keys: [] },
    { title: 'encrypted', keys: [keyOf(5)] },
  ])('records from before the owner was stored are erased with their owner, $title', async ({ keys }) => {
    const people = ['discord:1', 'discord:2'];

    const before = (await file.open(keys)).keyv('consent', consentRecordRules);
    for (const who of people) await before.set(who, { at: file.time.now });
    await (await file.open(keys)).keyv('console').set('nobody’s', 1);
    tamper((sql) => sql.exec('UPDATE entries SET owner = NULL, seq = 0'));
    // A kind of record without an owner is gone through at the first start only.
    const ownerOf = vi.fn(() => undefined);
    (await file.open(keys)).keyv('console', { ownerOf });
    expect(ownerOf).toHaveBeenCalledTimes(1);
    (await file.open(keys)).keyv('console', { ownerOf });
    expect(ownerOf).toHaveBeenCalledTimes(1);

    const store = await file.open(keys);
    const consent = store.keyv('consent', consentRecordRules);
    await store.erasures.more(await store.erasures.begin('discord:1'), 100);
    const left = await Promise.all(people.map((who) => consent.get(who)));

    expect(left).toMatchObject([undefined, { at: file.time.now }]);
  });

  it('jobs of schema 21, which named the process that has their photos, go on without that column', async () => {
    await insert(await file.open(), sampleJob({ id: 'waits', state: 'waiting' }));
    tamper((sql) => {
      sql.exec("ALTER TABLE jobs ADD COLUMN only_process TEXT; UPDATE jobs SET only_process = 'a process'");
      sql.exec('UPDATE migrations SET version = 21');
    });
    expect(await take(await file.open())).toBe('waits');
  });
});
