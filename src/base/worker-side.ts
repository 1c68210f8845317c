import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';

/** What a child process of `worker-pool.ts` does. */

/** SIGKILL, because a normal exit would wait for a thread that is still at work. */
const end = (): void => void process.kill(process.pid, 'SIGKILL');

/** To the parent process; if that has ended, so does this one. */
export function answer(message: object): void {
  process.send?.(message, undefined, undefined, (error) => error && end());
}

/**
 * The process is ready. It ends with its parent, which has priority for memory where the system supports that, and, if the process
 * `yields`, for the CPU.
 */
export async function sayReady({ yields = true } = {}): Promise<void> {
  process.on('disconnect', end);
  try {
    if (yields) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {}
  await writeFile('/proc/self/oom_score_adj', '500').catch(() => undefined);
  answer({ state: 'ready' });
}
