import { DatabaseSync } from 'node:sqlite';
import { uncertain } from '../../orchestrator/job/final-states.ts';
import { noted } from '../../orchestrator/job/job.ts';
import { factsOf, PLATFORMS } from '../../platforms/platforms.ts';
import { intoOneFile } from '../../store/sqlite/backup/backup.ts';
import { openSqliteStore, type SqliteStore } from '../../store/sqlite/store.ts';
import { BACKUP } from '../../store/tables/schema.ts';

/**
 * Records that are valid only at their time, by namespace and prefix of the key: updates, gateway sessions, and sessions of
 * people.
 */
const MOMENTARY: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    PLATFORMS.map((platform) => [`adapter:${platform}`, factsOf(platform).restore.drops]),
  ),
  console: ['sessions'],
};

/** The numbers of jobs that were prepared for the restored store. */
export interface PreparedJobs {
  /** Jobs that end as uncertain, because they may have been submitted after the backup. */
  readonly uncertain: number;
  /** Jobs that were submitted before the backup, and whose results the next start waits for. */
  readonly followed: number;
}

function change(path: string, statements: string): void {
  using sql = new DatabaseSync(path);
  sql.exec(statements);
}

/**
 * Deletes the content of updates, which may have been handled since the backup. Their numbers stay, so that a repeated
 * update is recognised.
 */
const FORGET_UPDATES = `PRAGMA secure_delete = ON; DELETE FROM inbox_lanes;
  UPDATE inbox SET body = NULL, person = NULL, lane = '', holder = NULL WHERE body IS NOT NULL`;

/**
 * Makes the copy of a backup ready for a start: upgrades it, checks the keys, and ends jobs that must not be submitted
 * again.
 */
export async function prepareRestored(path: string, keys: readonly Uint8Array[]): Promise<PreparedJobs> {
  change(path, `DELETE FROM meta WHERE name = '${BACKUP}'`);
  const store = await openSqliteStore({ path, keys });
  let prepared: PreparedJobs;
  try {
    await forgetMomentary(store);
    for (const platform of PLATFORMS) {
      const { mark } = factsOf(platform).restore;
      if (mark !== undefined) await store.keyv(`adapter:${platform}`).set(mark, true);
    }
    prepared = await endJobs(store);
  } finally {
    store.close();
  }
  change(path, FORGET_UPDATES);
  intoOneFile(path);
  return prepared;
}

async function forgetMomentary(store: SqliteStore): Promise<void> {
  for (const [namespace, beginnings] of Object.entries(MOMENTARY)) {
    const records = store.keyv(namespace);
    const keys: string[] = [];
    for await (const [key] of records.iterator())
      if (beginnings.some((beginning) => String(key).startsWith(beginning))) keys.push(String(key));
    for (const key of keys) await records.delete(key);
  }
}

async function endJobs({ jobs }: SqliteStore): Promise<PreparedJobs> {
  const counts = { uncertain: 0, followed: 0 };
  for await (const job of jobs.abandoned()) {
    if (job.state === 'opening' || job.state === 'waiting' || job.state === 'submitting') {
      const at = Date.now();
      await jobs.save(job, noted(job, uncertain(job, at), at));
      counts.uncertain += 1;
    } else counts.followed += 1;
  }
  await jobs.onDisk();
  return counts;
}
