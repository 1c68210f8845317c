/** Checkpoints one SQLite file in a worker thread: copies its write-ahead log into the file. */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** Log pages (8 MB) above which copying is repeated: a log that is copied whole restarts with the next write. */
const LONG_LOG_PAGES = 2_000;
/** Above this the log is restarted although others are writing. */
const TOO_LONG_LOG_PAGES = 8_000;
const MAX_TRIES = 8;
/** Short, because writers wait meanwhile: a longer reader, such as a backup, is not waited for. */
const BUSY_TIMEOUT_MS = 200;

/** Returns whether the log was emptied, if that was asked for. */
function checkpoint(path: string, empty: boolean): boolean {
  // `rw`: a file that was removed is not created again.
  using sql = new DatabaseSync(`${pathToFileURL(path)}?mode=rw`, { timeout: BUSY_TIMEOUT_MS });
  // PASSIVE blocks no writer; what is written meanwhile is left for the next try, which has less to copy.
  const copy = sql.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  let pages = Number.POSITIVE_INFINITY;
  for (let tries = 0; pages > LONG_LOG_PAGES && tries < MAX_TRIES; tries += 1)
    pages = Number(copy.get()?.log ?? 0);
  // Most is copied by now, so TRUNCATE blocks writers only briefly.
  if (empty) return sql.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  if (pages > TOO_LONG_LOG_PAGES) sql.exec('PRAGMA wal_checkpoint(RESTART)');
  return true;
}

parentPort?.on('message', (what) => {
  parentPort?.postMessage({ what, done: checkpoint(String(workerData), what === 'empty') });
});
