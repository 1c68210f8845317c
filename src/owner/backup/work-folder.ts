import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `work` in a new folder that its owner alone can read, and that is removed at the end, also on a signal. */
export async function inWorkFolder<T>(
  parent: string,
  /** The message that is printed when a signal ends the work. */
  stopped: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(parent, 'darkroom-unfinished-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const stop = (): never => {
    remove();
    console.error(stopped);
    process.exit(130);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(folder);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    remove();
  }
}
