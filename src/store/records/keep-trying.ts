import { setTimeout as pause } from 'node:timers/promises';

/** Where a restore reports its progress, and for how long it waits for others. */
export interface Patience {
  readonly progress: (line: string) => void;
  readonly patienceMs: number;
}

const EVERY_MS = 250;
const TELL_MS = 10_000;

/** Tries until there is a result, or there was none for as long as the patience lasts. `waiting`: the progress line. */
export async function keepTrying<T>(
  { progress, patienceMs }: Patience,
  waiting: string,
  attempt: () => T | undefined | Promise<T | undefined>,
): Promise<T | undefined> {
  const began = performance.now();
  let told = Number.NEGATIVE_INFINITY;
  for (;;) {
    const result = await attempt();
    const passed = performance.now() - began;
    if (result !== undefined || passed >= patienceMs) return result;
    if (passed - told >= TELL_MS) {
      progress(waiting);
      told = passed;
    }
    await pause(EVERY_MS);
  }
}
