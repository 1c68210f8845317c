import type { Pace } from '../../generation-client/wire/call.ts';
import type { Lane } from '../../generation-client/wire/transport.ts';
import { createCallLine } from './call-line.ts';

/** Limits the calls per second to the service, for all callers of this process together, in the order of `call-line.ts`. */
export interface Calls {
  readonly pace: Pace;
  /** The number of calls that have not begun, in one lane or in all. */
  readonly waiting: (lane?: Lane) => number;
  stop(): Promise<void>;
}

/**
 * Safety margin per second: calls arrive at the service less evenly than they begin here (a submission waits for the disk
 * first), and a service that counts the calls of any second must not find one too many.
 */
export const UNEVEN_MS = 40;
/** A call that begins later than this delays those after it; `UNEVEN_MS` has room for smaller delays. */
export const LATE_MS = 20;

/** Paces the calls of one process. The limit is on calls begun per second, not on calls under way. */
export function createPacing(perSecond: number): Calls {
  const everyMs = (1000 + UNEVEN_MS) / perSecond;
  const line = createCallLine();
  /** The earliest time of the next call. */
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  let isPlanned = false;
  let isStopped = false;

  const run = (): void => {
    while (line.waiting() > 0 && !isStopped) {
      const now = performance.now();
      if (next > now) {
        timer = setTimeout(run, Math.ceil(next - now));
        return;
      }
      next = Math.max(next, now - LATE_MS) + everyMs;
      line.next()?.begin();
    }
    isPlanned = false;
  };

  return {
    pace: line.paced(() => {
      if (isPlanned) return;
      isPlanned = true;
      next = Math.max(next, performance.now());
      // Deferred to a microtask, so that of the calls added together the first in line begins.
      queueMicrotask(run);
    }),
    waiting: line.waiting,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
