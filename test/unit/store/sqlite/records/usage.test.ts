import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insert } from '../../../../contract/store/suite/driver.ts';
import { jobWith } from '../../../../fakes/job.ts';
import { migrations } from '../../../../fixtures/old-migrations.ts';
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
  it('uses the record of a job from before charges were stored, once', async () => {
    const job = sampleJob();
    await insert(await file.open(), job);
    tamper((sql) => sql.exec('DELETE FROM charges'));
    const store = await file.open();
    await store.jobs.save(job, jobWith({ ...job, state: 'running', charge: 'spent' }));
    expect(await store.usage.person(day, community, person)).toEqual({ reserved: 0, spent: 2, jobs: 1 });
    await store.jobs.giveBack(jobWith({ ...job, state: 'submitting' }));
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
    const { usage } = await file.open();
    expect(await usage.person(day, community, person)).toEqual({ reserved: 4, spent: 0, jobs: 5 });
    expect(await usage.person(day, community, 'discord:1')).toEqual({ reserved: 1, spent: 3, jobs: 2 });
    tamper((sql) => expect(() => sql.exec('UPDATE usage SET spent = -1')).toThrow('CHECK'));
  });
});
