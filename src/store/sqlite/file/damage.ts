import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Checking this much takes a second or two from the page cache, and far longer from the disk. */
const MAX_BYTES = 1024 ** 3;

/** What SQLite's quick_check finds, in one line, run in a worker thread. Undefined: no damage, or the file is too large. */
export async function findDamage(path: string, largest = MAX_BYTES): Promise<string | undefined> {
  if (statSync(path).size > largest) return undefined;
  const worker = new Worker(new URL('./damage.worker.ts', import.meta.url), { workerData: path });
  return new Promise((resolve, reject) => {
    worker.once('message', (found: unknown) => resolve(typeof found === 'string' ? found : undefined));
    worker.once('error', reject);
    worker.once('exit', () => resolve(undefined));
  });
}
