import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../../../src/orchestrator/job/job.ts';
import { migrations } from '../../../../../src/store/sqlite/file/migrations.ts';
import { jobWith } from '../../../../fakes/job.ts';
import { createStoreFile, sampleJob } from '../open-store.ts';

const person = 'discord:424242424242';
const community = 'discord:777777777';
const day = '2026-01-05';

let file: ReturnType<typeof createStoreFile>;
beforeEach(() => {
  file = createStoreFile();
});
afterEach(() => file.remove());

/** Changes the file while no store has it open. */
const tamper = (change: (sql: DatabaseSync) => void): void => {
  file.close();
  const sql = new DatabaseSync(file.path);
  change(sql);
  sql.close();
};

describe('the ledger', () => {
  it('moves a charge through its states, each once', async () => {
    const store = file.open();
    const job = sampleJob();
    store.jobs.insert(job);
    const counted = () => store.usage.person(day, community, person);
    const move = (to: Job['charge']) => store.usage.move(person, job, to);
    expect(await counted()).toEqual({ reserved: 2, spent: 0, jobs: 1 });
    expect(move('reserved')).toBe(false);
    expect(move('spent')).toBe(true);
    expect(move('spent')).toBe(false);
    expect(move('reserved')).toBe(false);
    expect(await counted()).toEqual({ reserved: 0, spent: 2, jobs: 1 });
    expect(move('returned')).toBe(true);
    for (const to of ['returned', 'spent', 'reserved'] as const) expect(move(to)).toBe(false);
    expect(await counted()).toEqual({ reserved: 0, spent: 0, jobs: 1 });
    expect(await store.usage.community(day, community)).toMatchObject({ reserved: 0, spent: 0 });
  });

  it.each(["'many'", '-1', '9007199254740993', '2.5'])('counts a total of %s again', (damaged) => {
    const store = file.open();
    const job = sampleJob();
    for (const each of [job, sampleJob(), sampleJob({ place: { ...job.place, community: 'discord:1' } })])
      store.jobs.insert(each);
    expect(store.usage.total(day)).toBe(6);
    tamper((sql) => sql.exec(`UPDATE totals SET credits = ${damaged}`));
    const again = file.open();
    expect(again.usage.total(day)).toBe(6);
    expect(again.usage.total('2026-01-06')).toBe(0);
    again.usage.move(person, job, 'returned');
    expect(again.usage.total(day)).toBe(4);
  });

  it('returns the stored amount, whatever the caller passes', async () => {
    const store = file.open();
    const job = sampleJob();
    for (const each of [job, sampleJob()]) store.jobs.insert(each);
    expect(store.usage.move(person, { ...job, credits: 1000 }, 'returned')).toBe(true);
    expect(await store.usage.person(day, community, person)).toEqual({ reserved: 2, spent: 0, jobs: 2 });
  });

  it('knows nothing of a job that was never charged', () => {
    const store = file.open();
    expect(store.usage.move(person, sampleJob(), 'returned')).toBe(false);
  });

  it('uses the record of a job from before charges were stored, once', async () => {
    const job = sampleJob();
    file.open().jobs.insert(job);
    tamper((sql) => sql.exec('DELETE FROM charges'));
    const store = file.open();
    await store.jobs.save(job, jobWith({ ...job, state: 'running', charge: 'spent' }));
    expect(await store.usage.person(day, community, person)).toEqual({ reserved: 0, spent: 2, jobs: 1 });
    expect(store.usage.move(person, job, 'returned')).toBe(true);
    expect(store.usage.move(person, job, 'returned')).toBe(false);
    expect(await store.usage.person(day, community, person)).toEqual({ reserved: 0, spent: 0, jobs: 1 });
  });

  it('of an older file continues; a negative counter starts at zero', async () => {
    mkdirSync(file.folder, { recursive: true });
    tamper((sql) => {
      sql.exec('CREATE TABLE migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)');
      for (const [index, migration] of migrations.slice(0, 3).entries()) {
        sql.exec(migration);
        sql.prepare('INSERT INTO migrations VALUES (?, 0)').run(index + 1);
      }
      const put = sql.prepare('INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?)');
      put.run(day, community, person, 4, -6, 5);
      put.run(day, community, 'discord:1', 1, 3, 2);
    });
    const { usage } = file.open();
    expect(await usage.person(day, community, person)).toEqual({ reserved: 4, spent: 0, jobs: 5 });
    expect(await usage.person(day, community, 'discord:1')).toEqual({ reserved: 1, spent: 3, jobs: 2 });
    tamper((sql) => expect(() => sql.exec('UPDATE usage SET spent = -1')).toThrow('CHECK'));
  });
});
