import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { StoreError } from '../../records/store-error.ts';
import { isEncrypted } from '../../tables/unlock.ts';
import { readDriverOf } from '../driver.ts';
import { SCHEMA_VERSION } from '../file/schema.ts';
import { describeFileError, fileErrorKind } from '../file/sqlite-error.ts';
import { isForeignDatabase, noteIn, requireNumbers, schemaVersion } from '../file/store-file.ts';
import { type BackupNote, hasSchema, readNote, sumsOf } from './backup.ts';

const NONE = 'it is not a backup that npm run backup has written.';
const DAMAGED = 'it is damaged or not whole. Use another backup.';

export interface CheckedBackup extends BackupNote {
  readonly isEncrypted: boolean;
}

/** Reads all of a backup and compares it with what it must hold. `shown`: the name of the file for people. */
export async function checkBackup(path: string, shown: string): Promise<CheckedBackup> {
  let sql: DatabaseSync | undefined;
  try {
    if (statSync(path).size === 0) throw new Error(NONE);
    // Nothing in the file is carried out: neither functions of its own schema, nor extensions.
    sql = new DatabaseSync(path, { readOnly: true, defensive: true });
    sql.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0');
    return await checked(sql);
  } catch (error) {
    const kind = fileErrorKind(error);
    const why = kind === 'not a store' ? NONE : kind === 'damaged' ? DAMAGED : describeFileError(error);
    throw new StoreError(`The backup ${shown} cannot be used: ${why}`, { cause: error });
  } finally {
    sql?.close();
  }
}

async function checked(sql: DatabaseSync): Promise<CheckedBackup> {
  const version = schemaVersion(sql);
  if (version === 0 || isForeignDatabase(sql)) throw new Error(NONE);
  if (version > SCHEMA_VERSION)
    throw new Error(
      `it was written by a newer version of Darkroom (schema ${version}). Install that version first.`,
    );
  // Before any other table is read: a view or trigger in its place could do anything.
  if (!hasSchema(sql, version)) throw new Error(NONE);
  const note = readNote(noteIn(sql));
  if (note === undefined) throw new Error(NONE);
  // Of the indexes too, which the checksums do not cover: a job that is missing in one could be submitted again.
  const [found] = sql.prepare('PRAGMA integrity_check(1)').all();
  if (found?.integrity_check !== 'ok') throw new Error(DAMAGED);
  if (!isDeepStrictEqual(await sumsOf(sql), note.tables)) throw new Error(DAMAGED);
  requireNumbers(sql);
  return { ...note, isEncrypted: await isEncrypted(readDriverOf(sql).query) };
}
