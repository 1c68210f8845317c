import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Cipher } from './cipher.ts';
import { transaction } from './database.ts';
import { openBytes, sealBytes } from './sealed-bytes.ts';

const taskRow = z.object({ id: z.string(), task: z.string() });
const aliasRow = z.object({ id: z.string(), project: z.string() });
const resultRow = z.object({ result: z.instanceof(Uint8Array).nullable() });

const SCRUB_DUE = 1;

/** At the start: what has never been sealed, or with a key that may go soon, is sealed with the key of today. */
export function sealAnew(db: DatabaseSync, cipher: Cipher): void {
  const { isOutdated } = cipher;
  if (isOutdated === undefined) return;
  // Killed after it had sealed everything, and before it had removed what was readable.
  if (db.prepare('PRAGMA user_version').get()?.user_version === SCRUB_DUE) scrub(db);
  // A result was sealed by the process that took its job.
  const jobs = rows(db, 'SELECT id, task FROM jobs', taskRow).filter(({ task }) => isOutdated(task));
  const aliases = rows(db, 'SELECT id, project FROM aliases', aliasRow).filter(({ project }) =>
    isOutdated(project),
  );
  if (jobs.length + aliases.length === 0) return;
  const resultOf = db.prepare('SELECT result FROM jobs WHERE id = ?');
  const putJob = db.prepare('UPDATE jobs SET task = ?, result = ? WHERE id = ?');
  const putAlias = db.prepare('UPDATE aliases SET project = ? WHERE id = ?');
  transaction(db, () => {
    db.exec(`PRAGMA user_version = ${SCRUB_DUE}`);
    for (const { id, task } of jobs) {
      const { result } = resultRow.parse(resultOf.get(id));
      const opened = whereKeyIsKnown(() => ({
        task: cipher.open(task),
        bytes: result && openBytes(cipher, result),
      }));
      if (opened === undefined) continue;
      putJob.run(cipher.seal(opened.task), opened.bytes && sealBytes(cipher, opened.bytes), id);
    }
    for (const { id, project } of aliases) {
      const opened = whereKeyIsKnown(() => cipher.open(project));
      if (opened !== undefined) putAlias.run(cipher.seal(opened), id);
    }
  });
  scrub(db);
}

/** What was readable must not stay in unused pages or in the log. */
function scrub(db: DatabaseSync): void {
  db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA user_version = 0');
}

const rows = <T>(db: DatabaseSync, query: string, shape: z.ZodType<T>): T[] =>
  db
    .prepare(query)
    .all()
    .map((row) => shape.parse(row));

/** What no key at hand opens stays as it is: its key may come back. */
function whereKeyIsKnown<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
