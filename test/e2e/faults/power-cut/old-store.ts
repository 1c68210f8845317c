import { DatabaseSync } from 'node:sqlite';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { createOldTables, type OldVersion } from '../../../fixtures/old-schemas.ts';
import { sampleJob } from '../../../unit/store/sqlite/open-store.ts';

/** What must still be there after any start, and how it can be told. */
export type OldStore = ReturnType<typeof makeOldStore>;

const RECORDS = 60;

/** A store without a key as an older version has left it. */
export function makeOldStore(path: string, version: OldVersion) {
  const sql = new DatabaseSync(path);
  sql.exec('PRAGMA journal_mode = WAL');
  createOldTables(sql, version);
  const [person, community] = ['discord:424242424242', 'discord:777777777'] as const;
  const day = new Date().toISOString().slice(0, 10);
  const jobs: Job[] = [];
  const settings = new Map<string, number>();
  sql.exec('BEGIN');
  sql.prepare("INSERT INTO meta (name, value) VALUES ('blinding', '')").run();
  for (let count = 0; count < RECORDS; count += 1) {
    const job = sampleJob({ createdAt: Date.now() - count, day });
    const { version: _, ...body } = job;
    jobs.push(job);
    sql
      .prepare(
        'INSERT INTO jobs (id, origin, owner, community, state, created_at, version, body) VALUES (?, ?, ?, ?, ?, ?, 1, ?)',
      )
      .run(job.id, job.origin, person, community, job.state, job.createdAt, JSON.stringify(body));
    sql
      .prepare('INSERT INTO audit (at, community, actor, action, detail) VALUES (?, ?, ?, ?, ?)')
      .run(
        Date.now(),
        community,
        person,
        'alias.create',
        JSON.stringify({ community, actor: person, detail: { count } }),
      );
    settings.set(`community-${count}`, count);
    sql
      .prepare("INSERT INTO entries (namespace, key, value) VALUES ('settings', ?, ?)")
      .run(`community-${count}`, JSON.stringify([`community-${count}`, JSON.stringify({ value: count })]));
  }
  for (const whose of [person, ''])
    sql
      .prepare('INSERT INTO usage (day, community, person, reserved, jobs) VALUES (?, ?, ?, ?, ?)')
      .run(day, community, whose, 2 * RECORDS, RECORDS);
  sql.exec('COMMIT');
  sql.close();
  return { day, jobs, person, community, lines: RECORDS, settings };
}
