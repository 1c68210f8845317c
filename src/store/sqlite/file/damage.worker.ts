/** Checks one SQLite file for damage, in a worker thread. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

function damageOf(path: string): string | undefined {
  try {
    using sql = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    // The first finding is enough. `integrity_check` would also compare indexes with tables, which takes far longer.
    const found = String(sql.prepare('PRAGMA quick_check(1)').get()?.quick_check);
    return found === 'ok'
      ? undefined
      : found
          .replace('*** in database main ***', '')
          .trim()
          .replaceAll(/\s*\n\s*/g, ' ');
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    // SQLITE_CORRUPT and SQLITE_NOTADB; other errors are not damage.
    return error instanceof Error && (code === 11 || code === 26) ? error.message : undefined;
  }
}

parentPort?.postMessage(damageOf(String(workerData)));
