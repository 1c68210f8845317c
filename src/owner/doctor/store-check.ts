import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Finding } from '../../adapters/connection.ts';
import { defined } from '../../base/defined.ts';
import { isThere } from '../../base/make-folder.ts';
import type { Config } from '../../config/config.ts';
import { StoreError, StoreKeyError, StoreVersionError } from '../../store/records/store-error.ts';
import { fileErrorKind, isInterrupted } from '../../store/sqlite/file/sqlite-error.ts';
import { fileOf, openStoreToRead } from '../../store/store.ts';
import { fileErrorForOwner } from '../file-error.ts';

const name = 'Store';

/**
 * Checks whether the store can be read with the given key, and written to. Does not change the store, which may be in use.
 */
export async function checkStore({ store }: Config): Promise<readonly Finding[]> {
  const path = fileOf(store.url);
  return path === undefined ? checkDatabase(store) : [await checkFile(path, store)];
}

/** When the store was last backed up. Undefined: there is no store yet, or it cannot be read, which `checkStore` tells. */
export async function findLastBackup({
  url,
  keys,
}: Config['store']): Promise<{ readonly at: number | undefined } | undefined> {
  const path = fileOf(url);
  if (path !== undefined && !existsSync(path)) return undefined;
  try {
    const opened = await openStoreToRead(url, keys);
    try {
      return opened.isNew ? undefined : { at: await opened.lastBackup() };
    } finally {
      await opened.close();
    }
  } catch {
    return undefined;
  }
}

async function checkFile(path: string, store: Config['store']): Promise<Finding> {
  try {
    refuseUnwritable(path);
    if (!existsSync(path))
      return { name, ok: true, detail: `${path} can be created, ${sealing(store.keys)}` };
    return { name, ok: true, detail: `${path} is writable, ${await stateOf(store)}` };
  } catch (error) {
    return failed(error, path, cureOf(error));
  }
}

function cureOf(error: unknown): string {
  if (error instanceof StoreKeyError) return 'STORE_KEY must be the key that the store was created with.';
  const cause = error instanceof StoreError ? error.cause : error;
  if (isInterrupted(cause)) return 'Start Darkroom.';
  if (cause instanceof StoreVersionError) return 'Use the version of Darkroom that this store is for.';
  const kind = fileErrorKind(cause);
  if (kind === 'damaged') return 'Restore a backup (npm run restore).';
  if (kind === 'not a store') return 'Move it away and restore a backup, or set STORE_URL to another file.';
  return 'Make the folder writable for this user, or set STORE_URL to a file elsewhere.';
}

async function checkDatabase(store: Config['store']): Promise<readonly Finding[]> {
  const { checkPostgres } = await import('./postgres-check.ts');
  let server: Awaited<ReturnType<typeof checkPostgres>>;
  try {
    server = await checkPostgres(store.url);
  } catch (error) {
    return [failed(error, 'the database')];
  }
  return [await checkTables(store, server.isNew), ...server.findings];
}

async function checkTables(store: Config['store'], isNew: boolean): Promise<Finding> {
  if (isNew) {
    const how = store.keys.length > 0 ? 'encrypted' : sealing(store.keys);
    return { name, ok: true, detail: `reachable; the first start makes the tables, ${how}` };
  }
  try {
    return { name, ok: true, detail: `reachable, ${await stateOf(store)}` };
  } catch (error) {
    const cure =
      'STORE_KEY must be the key that the store was created with, and its tables of this version of Darkroom.';
    return failed(error, 'the database', cure);
  }
}

async function stateOf({ url, keys }: Config['store']): Promise<string> {
  const opened = await openStoreToRead(url, keys);
  await opened.close();
  return opened.encrypts ? 'encrypted' : sealing(keys);
}

function failed(error: unknown, shown: string, cure?: string): Finding {
  const detail = error instanceof Error ? error.message : `${shown} cannot be opened`;
  return { name, ok: false, detail, reason: reasonOf(error), ...defined({ cure }) };
}

/** The code of the system, of SQLite or of PostgreSQL, else the name of the error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('errcode' in error) return `SQLite ${Number(error.errcode)}`;
  if ('code' in error && /^[A-Z0-9_]{1,40}$/.test(String(error.code))) return String(error.code);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.name;
}

function sealing(given: readonly Buffer[]): string {
  return given.length > 0
    ? 'encrypted from the next start on'
    : 'not encrypted, and nobody can save a face (STORE_KEY is not set)';
}

const BYTES = 65_536;

/** Throws an error for the owner if a store cannot be written at this path. Does not touch the store. */
export function refuseUnwritable(path: string): void {
  if (path === ':memory:') return;
  tryTo(() => isThere(path) && accessSync(path, constants.R_OK | constants.W_OK), path);
  // The trial is in the nearest folder that exists, because the first start creates the others.
  const folder = existing(dirname(resolve(path)));
  const trial = join(folder, `doctor-${randomUUID()}`);
  tryTo(() => {
    try {
      writeFileSync(trial, Buffer.alloc(BYTES), { flag: 'wx', mode: 0o600, flush: true });
    } finally {
      rmSync(trial, { force: true });
    }
  }, folder);
}

function existing(folder: string): string {
  if (isThere(folder)) return folder;
  if (isLink(folder)) throw new Error(`${folder}: it is a link to a folder that does not exist`);
  return existing(dirname(folder));
}

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== '';
  } catch {
    return false;
  }
}

function tryTo(work: () => unknown, what: string): void {
  try {
    work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new Error(`${what}: nothing can be created in it.`, { cause: error });
    throw fileErrorForOwner(what, error) ?? error;
  }
}
