import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';

/** This file is used by the child processes of `worker-pool.ts`. */

/** Ends this process with SIGKILL, because a normal exit would wait for a thread that is still at work. */
const end = (): void => void process.kill(process.pid, 'SIGKILL');

/** Sends a message to the parent process; if the parent has ended, this process ends as well. */
export function sendToParent(message: object): void {
  process.send?.(message, undefined, undefined, (error) => error && end());
}

/**
 * Reports that the process is ready. The process ends with its parent, and the parent has priority for memory where the system
 * supports that, and for the CPU if this process `yields`.
 */
export async function sayReady({ yields = true } = {}): Promise<void> {
  process.on('disconnect', end);
  try {
    if (yields) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {}
  await writeFile('/proc/self/oom_score_adj', '500').catch(() => undefined);
  sendToParent({ state: 'ready' });
}
