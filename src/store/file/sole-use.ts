import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { troubleOf } from './sqlite-error.ts';

/** Whoever has just been told to stop may need a moment. */
const PATIENCE_MS = 2_000;

/**
 * Two processes on one store would each take the other's jobs for abandoned. The store itself cannot be locked: backups
 * and tools read it meanwhile. So an empty file beside it is, which the system unlocks however the process ends.
 * Returns what gives it up; undefined: somebody else has it.
 */
export function takeAlone(path: string, patienceMs = PATIENCE_MS): (() => void) | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: patienceMs });
    chmodSync(path, 0o600);
    // Nothing is ever written to it: no journal need lie beside it.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => lock?.close();
  } catch (error) {
    lock?.close();
    // Where nothing can be locked or made, the store itself says what is wrong, if anything is.
    return troubleOf(error) === 'busy' ? undefined : () => undefined;
  }
}
