import { chmodSync, chownSync, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileErrorKind } from './sqlite-error.ts';

/** A process that was just asked to stop may need this long. */
const DEFAULT_TIMEOUT_MS = 2_000;
const LOOK_MS = 1_000;

/**
 * Two processes on one store would each take the other's jobs for abandoned. An empty file beside the store is locked,
 * because backups and tools must be able to read the store; the system unlocks it however the process ends. Returns the
 * release function; undefined: another process holds the lock.
 */
export function acquireLock(path: string, timeoutMs = DEFAULT_TIMEOUT_MS): (() => void) | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: timeoutMs });
    chmodSync(path, 0o600);
    giveToOwner(path);
    // Nothing is written to it, so it needs no journal file.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => lock?.close();
  } catch (error) {
    lock?.close();
    // Locking is not possible here; opening the store reports what is wrong, if anything is.
    return fileErrorKind(error) === 'busy' ? undefined : () => undefined;
  }
}

/** A tool may run as root: the user that Darkroom runs as must be able to open it. */
function giveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}

/** The file that is locked beside a store. */
export const lockOf = (file: string): string => `${file}-lock`;

/** Whether a process works on it. */
export function isInUse(file: string): boolean {
  const release = acquireLock(lockOf(file), 0);
  release?.();
  return release === undefined;
}

const requestOf = (file: string): string => `${file}-restore`;

/** All names that SQLite and Darkroom use beside a store. */
export const besideOf = (file: string): readonly string[] => [
  ...['-wal', '-shm', '-journal'].map((end) => `${file}${end}`),
  lockOf(file),
  requestOf(file),
];

/** Asks the process on the store to leave it, until the returned function is called or this process ends. Undefined: another one asks. */
export function requestStore(file: string): (() => void) | undefined {
  return acquireLock(requestOf(file));
}

/** Whether a process asks for the store. Reading takes a shared lock, so it is not mistaken for such a request. */
export function isRequested(file: string): boolean {
  const request = requestOf(file);
  if (!existsSync(request)) return false;
  let sql: DatabaseSync | undefined;
  try {
    sql = new DatabaseSync(request, { readOnly: true, timeout: 0 });
    sql.prepare('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return fileErrorKind(error) === 'busy';
  } finally {
    sql?.close();
  }
}

/** The returned function ends that. */
export function watchForRequest(file: string, requested: () => void): () => void {
  const looking = setInterval(() => {
    if (isRequested(file)) requested();
  }, LOOK_MS).unref();
  return () => clearInterval(looking);
}
