import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileErrorKind } from './sqlite-error.ts';

/** A process that was just told to stop may need this long. */
const DEFAULT_TIMEOUT_MS = 2_000;

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
    // Nothing is written to it, so it needs no journal file.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => lock?.close();
  } catch (error) {
    lock?.close();
    // Locking is not possible here; opening the store reports what is wrong, if anything is.
    return fileErrorKind(error) === 'busy' ? undefined : () => undefined;
  }
}
