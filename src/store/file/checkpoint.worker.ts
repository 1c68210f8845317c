/** Copies the log of one SQLite file into the file, in a thread of its own, whenever it is told to. */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** Pages after which the log had better begin anew: 8 MB. It does with the next write if all of it has been copied. */
const LONG = 2_000;
/** It never came to that, because somebody was always writing. */
const TOO_LONG = 8_000;
const MOST_TRIES = 8;
/** Who reads the file for longer, a backup perhaps, is not waited for: all writers would wait along. */
const PATIENCE_MS = 200;

/** Whether it did all that was asked for. */
const checkpoint = (path: string, empty: boolean): boolean => {
  // `rw`: a file that has been removed is not made anew.
  const sql = new DatabaseSync(`${pathToFileURL(path)}?mode=rw`, { timeout: PATIENCE_MS });
  try {
    // Holds up nobody, but what is written meanwhile is left for the next time, which has less to do and is quicker.
    const copy = sql.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    let pages = Number.POSITIVE_INFINITY;
    for (let tries = 0; pages > LONG && tries < MOST_TRIES; tries += 1) pages = Number(copy.get()?.log ?? 0);
    // Nearly everything is copied by now: writers wait for the rest of it only.
    if (empty) return sql.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    if (pages > TOO_LONG) sql.exec('PRAGMA wal_checkpoint(RESTART)');
    return true;
  } finally {
    sql.close();
  }
};

parentPort?.on('message', (what) => {
  parentPort?.postMessage({ what, done: checkpoint(String(workerData), what === 'empty') });
});
