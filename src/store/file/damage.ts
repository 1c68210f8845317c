import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** That takes a second or two when the system has it at hand, and far longer when the disk has to be asked. */
const LARGEST = 1024 ** 3;

/**
 * What SQLite finds wrong with the pages of a file, in one line; undefined: nothing, or it is too large to look. Reads all
 * of it, in another thread: 300 MB take some 400 ms when the system has them at hand.
 */
export async function findDamage(path: string, largest = LARGEST): Promise<string | undefined> {
  if (statSync(path).size > largest) return undefined;
  const worker = new Worker(new URL('./damage.worker.ts', import.meta.url), { workerData: path });
  return new Promise((resolve, reject) => {
    worker.once('message', (found: unknown) => resolve(typeof found === 'string' ? found : undefined));
    worker.once('error', reject);
    worker.once('exit', () => resolve(undefined));
  });
}
