import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Cipher } from './cipher.ts';
import { transaction } from './database.ts';
import { openBytes, sealBytes } from './sealed-bytes.ts';

const taskRow = z.object({ id: z.string(), task: z.string() });
const aliasRow = z.object({ id: z.string(), project: z.string() });
const resultRow = z.object({ result: z.instanceof(Uint8Array).nullable() });

const VACUUM_DUE = 1;

/** At the start: seals with the current key what is plain or was sealed with an older key. */
export function reseal(db: DatabaseSync, cipher: Cipher): void {
  const { isOutdated } = cipher;
  if (isOutdated === undefined) return;
  // The process was killed after sealing everything and before removing what was readable.
  if (db.prepare('PRAGMA user_version').get()?.user_version === VACUUM_DUE) vacuum(db);
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
    db.exec(`PRAGMA user_version = ${VACUUM_DUE}`);
    for (const { id, task } of jobs) {
      const { result } = resultRow.parse(resultOf.get(id));
      const opened = openOrSkip(() => ({
        task: cipher.open(task),
        bytes: result && openBytes(cipher, result),
      }));
      if (opened === undefined) continue;
      putJob.run(cipher.seal(opened.task), opened.bytes && sealBytes(cipher, opened.bytes), id);
    }
    for (const { id, project } of aliases) {
      const opened = openOrSkip(() => cipher.open(project));
      if (opened !== undefined) putAlias.run(cipher.seal(opened), id);
    }
  });
  vacuum(db);
}

/** What was readable must not stay in unused pages or in the log. */
function vacuum(db: DatabaseSync): void {
  db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA user_version = 0');
}

function rows<T>(db: DatabaseSync, query: string, shape: z.ZodType<T>): T[] {
  return db
    .prepare(query)
    .all()
    .map((row) => shape.parse(row));
}

/** What none of the keys opens stays as it is: its key may be configured again. */
function openOrSkip<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
