import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { familyNames } from '../interface/families.ts';

/** Limits of stored results: their age, number and total bytes. */
export interface StoredResultLimits {
  forMs: number;
  results: number;
  bytes: number;
}

const row = z.object({
  id: z.string(),
  family: z.enum(familyNames),
  cost: z.number(),
  state: z.enum(['rendering', 'ready', 'failed']),
  createdAt: z.number(),
  queuedMs: z.number(),
  runningMs: z.number(),
  failure: z.string().nullable(),
  file: z.string(),
});

export type JobRecord = z.infer<typeof row>;

const bytesRow = z.object({ bytes: z.instanceof(Uint8Array).nullable() });

const COLUMNS = `id, family, cost, state, created_at AS createdAt, queued_ms AS queuedMs,
  running_ms AS runningMs, failure, file`;

/** Reads and writes the table of jobs. */
export function createJobTable(db: DatabaseSync) {
  const insert = db.prepare(
    `INSERT INTO jobs (id, family, cost, state, created_at, queued_ms, running_ms, failure, file)
     VALUES (:id, :family, :cost, :state, :createdAt, :queuedMs, :runningMs, :failure, :file)`,
  );
  const one = db.prepare(`SELECT ${COLUMNS} FROM jobs WHERE id = ?`);
  const all = db.prepare(`SELECT ${COLUMNS} FROM jobs ORDER BY created_at, rowid`);
  const unfinished = db.prepare(`SELECT ${COLUMNS} FROM jobs WHERE state = 'rendering' ORDER BY created_at`);
  const finish = db.prepare(
    'UPDATE jobs SET state = ?, failure = ?, result = ?, finished_at = ? WHERE id = ?',
  );
  const result = db.prepare('SELECT result AS bytes FROM jobs WHERE id = ?');
  const resultOfFile = db.prepare('SELECT result AS bytes FROM jobs WHERE file = ?');
  const dropOld = db.prepare('DELETE FROM jobs WHERE finished_at < ?');
  const dropExcess = db.prepare(
    `DELETE FROM jobs WHERE id IN (
       SELECT id FROM (
         SELECT id,
           row_number() OVER newest AS place,
           sum(coalesce(length(result), 0)) OVER newest AS bytes
         FROM jobs WHERE finished_at IS NOT NULL
         WINDOW newest AS (ORDER BY finished_at DESC, rowid DESC)
       ) WHERE place > ? OR bytes > ?
     )`,
  );

  const bytesOf = (found: unknown): Uint8Array | undefined =>
    bytesRow.optional().parse(found)?.bytes ?? undefined;

  return {
    insert(job: JobRecord): void {
      insert.run({ ...job });
    },
    complete(id: string, bytes: Uint8Array, finishedAt: number): void {
      finish.run('ready', null, bytes, finishedAt, id);
    },
    fail(id: string, reason: string, finishedAt: number): void {
      finish.run('failed', reason, null, finishedAt, id);
    },
    find: (id: string): JobRecord | undefined => row.optional().parse(one.get(id)),
    list: (): JobRecord[] => all.all().map((found) => row.parse(found)),
    unfinished: (): JobRecord[] => unfinished.all().map((found) => row.parse(found)),
    result: (id: string): Uint8Array | undefined => bytesOf(result.get(id)),
    resultOfFile: (file: string): Uint8Array | undefined => bytesOf(resultOfFile.get(file)),
    forget(now: number, keep: StoredResultLimits): void {
      dropOld.run(now - keep.forMs);
      dropExcess.run(keep.results, keep.bytes);
    },
    /** Truncates the write-ahead log, which may still hold deleted results. */
    emptyLog: () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
  };
}
