/** Copies the log of one SQLite file into the file, in a thread of its own, whenever it is told to. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Pages in a log that never got to begin anew because somebody was always writing: 8 MB. */
const TOO_LONG = 2_000;

const checkpoint = (path: string, empty: boolean): void => {
  const sql = new DatabaseSync(path, { timeout: 5_000 });
  try {
    // Holds up nobody, but what is written meanwhile is left for the next time.
    const pages = Number(sql.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.log ?? 0);
    // Nearly everything is copied by now: writers wait for the rest of it only.
    if (empty) sql.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    else if (pages > TOO_LONG) sql.exec('PRAGMA wal_checkpoint(RESTART)');
  } finally {
    sql.close();
  }
};

parentPort?.on('message', (what) => {
  checkpoint(String(workerData), what === 'empty');
  parentPort?.postMessage('done');
});
