import { Worker } from 'node:worker_threads';

/** A changed record is a few pages of 4 KB. */
const RECORDS_PER_CHECKPOINT = 400;

/** Checkpoints the write-ahead log in a worker thread; SQLite would do it inside a commit and block the event loop. */
export function createCheckpoints(path: string) {
  let changed = 0;
  let worker: Worker | undefined;
  let busy = false;
  let removed = false;
  let emptying = false;

  const start = (): Worker => {
    const fresh = new Worker(new URL('./checkpoint.worker.ts', import.meta.url), { workerData: path });
    fresh.unref();
    const ended = (): void => {
      if (worker !== fresh) return;
      worker = undefined;
      busy = false;
      removed ||= emptying;
      emptying = false;
    };
    fresh.on('message', ({ what, done }) => {
      busy = false;
      if (what !== 'empty') return;
      emptying = false;
      removed ||= !done;
    });
    // The next request starts another; meanwhile SQLite's own checkpoint bounds the log.
    fresh.on('error', ended);
    fresh.on('exit', ended);
    return fresh;
  };

  const ask = (what: 'copy' | 'empty'): void => {
    changed = 0;
    busy = true;
    worker ??= start();
    worker.postMessage(what);
  };

  return {
    /** Counts changed records; after enough of them the log is copied. */
    wrote(records: number): void {
      changed += records;
      if (changed >= RECORDS_PER_CHECKPOINT && !busy) ask('copy');
    },
    /** The log could not grow: once it has been copied, its space is used again. */
    logFull(): void {
      if (!busy) ask('copy');
    },
    /** Personal data was deleted, and the log may still hold a copy. */
    removed(): void {
      removed = true;
    },
    /** Empties the log if something was removed; a failure is repeated at the next call. */
    scrub(): void {
      if (!removed) return;
      removed = false;
      emptying = true;
      ask('empty');
    },
    close: () => void worker?.terminate(),
  };
}
