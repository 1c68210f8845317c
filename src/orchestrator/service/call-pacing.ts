import type { Pace } from '../../generation-client/wire/call.ts';
import type { Lane } from '../../generation-client/wire/transport.ts';
import { createCallLine } from './call-line.ts';

/** Calls a second to the service, for every process-wide caller at once, in the order of `call-line.ts`. */
export interface Calls {
  readonly pace: Pace;
  /** Calls that have not begun, in one lane or in all. */
  readonly waiting: (lane?: Lane) => number;
  stop(): Promise<void>;
}

/**
 * Calls arrive less evenly than they begin (a submission waits for the disk first): a service that counts the calls
 * of any second must not find one too many.
 */
export const UNEVEN_MS = 40;
/** A call that begins later than this after its time delays those after it; `UNEVEN_MS` leaves room for less. */
export const LATE_MS = 20;

/** What is limited is the beginning of calls, not how many are under way. */
export function createPacing(perSecond: number): Calls {
  const everyMs = (1000 + UNEVEN_MS) / perSecond;
  const line = createCallLine();
  /** The time of the next call. */
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
      // The first in line of those that come together begins.
      queueMicrotask(run);
    }),
    waiting: line.waiting,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
