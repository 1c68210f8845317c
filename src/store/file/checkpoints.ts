import { Worker } from 'node:worker_threads';

/**
 * Moves what the log has gathered into the file. SQLite would do it inside of some commit, for as long as it takes:
 * here it happens in a thread that begins with the first need.
 */
export interface Checkpoints {
  /** So many records were changed, in the log. */
  wrote(records: number): void;
  /** The log could not grow. What has been copied into the file need not stay in it: it then begins anew in its own room. */
  stuck(): void;
  /** What the log holds of something must not stay readable there. */
  removed(): void;
  /** Empties the log if something was removed. Where that fails, the next time tries again. */
  scrub(): void;
  close(): void;
}

/** Each changed record is some pages of 4 KB. */
const RECORDS = 400;

export function createCheckpoints(path: string): Checkpoints {
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
    // It is started anew at the next need; SQLite's own checkpoint steps in when the log grows very long.
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
    wrote(records) {
      changed += records;
      if (changed >= RECORDS && !busy) ask('copy');
    },
    stuck() {
      if (!busy) ask('copy');
    },
    removed() {
      removed = true;
    },
    scrub() {
      if (!removed) return;
      removed = false;
      emptying = true;
      ask('empty');
    },
    close: () => void worker?.terminate(),
  };
}
