import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { createOldTables, type OldVersion } from '../../../fixtures/old-schemas.ts';

/** The records of an old store, which must still be there after any start. */
export type OldStore = ReturnType<typeof makeOldStore>;

const RECORDS = 60;

/** A store without a key as an older version has left it. */
export function makeOldStore(path: string, version: OldVersion) {
  const sql = new DatabaseSync(path);
  sql.exec('PRAGMA journal_mode = WAL');
  createOldTables(sql, version);
  const put = (table: string, row: Readonly<Record<string, SQLInputValue>>): void => {
    const names = Object.keys(row);
    const text = `INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`;
    sql.prepare(text).run(...Object.values(row));
  };
  const person = 'discord:424242424242';
  const community = 'discord:777777777';
  const day = new Date().toISOString().slice(0, 10);
  const jobs: Job[] = [];
  const settings = new Map<string, number>();
  sql.exec('BEGIN');
  put('meta', { name: 'blinding', value: '' });
  for (let count = 0; count < RECORDS; count += 1) {
    const job = sampleJob({ createdAt: Date.now() - count, day });
    const { version: _, ...body } = job;
    jobs.push(job);
    put('jobs', {
      id: job.id,
      origin: job.origin,
      owner: person,
      community,
      state: job.state,
      created_at: job.createdAt,
      version: 1,
      body: JSON.stringify(body),
    });
    const detail = JSON.stringify({ community, actor: person, detail: { count } });
    put('audit', { at: Date.now(), community, actor: person, action: 'alias.create', detail });
    const key = `community-${count}`;
    settings.set(key, count);
    const value = JSON.stringify([key, JSON.stringify({ value: count })]);
    put('entries', { namespace: 'settings', key, value });
  }
  for (const whose of [person, ''])
    put('usage', { day, community, person: whose, reserved: 2 * RECORDS, jobs: RECORDS });
  sql.exec('COMMIT');
  sql.close();
  return { day, jobs, person, community, lines: RECORDS, settings };
}
