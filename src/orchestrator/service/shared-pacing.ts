import type { SharedPace } from '../../base/members.ts';
import type { Lane } from '../../generation-client/wire/transport.ts';
import { type Calls, PRIORITIES, UNEVEN_MS } from './call-pacing.ts';

/** Calls are reserved for those who stand in line already, so that nobody reserves what others could use. */
const MOST_AT_ONCE = 5;
/** No more than a quarter of a second is reserved at once. */
const LONGEST_PER_SECOND = 4;
const AGAIN_MS = 500;
/** A call that could begin only later than this after its time gives its time up; `UNEVEN_MS` leaves room for less. */
const LATE_MS = 20;
const LONGEST_SLACK_MS = 2_000;

interface Waiting {
  readonly begin: () => void;
}

/**
 * The same limit for several processes together: every call begins at a time that was reserved for it. When nothing can be
 * reserved, calls wait.
 */
export function createSharedCalls(perSecond: number, pace: SharedPace): Calls {
  const everyMs = (1000 + UNEVEN_MS) / perSecond;
  const atOnce = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(perSecond / LONGEST_PER_SECOND)));
  /** By priority. */
  const lines: Waiting[][] = Array.from({ length: Math.max(...Object.values(PRIORITIES)) + 1 }, () => []);
  const timers = new Set<NodeJS.Timeout>();
  let reserved = 0;
  let isAsking = false;
  let isStopped = false;
  /** A process that is often late reserves longer times, so that it can be late without coming close to another's call. */
  let slackMs = 0;

  const waiting = (): number => lines.reduce((sum, line) => sum + line.length, 0);
  const next = (): Waiting | undefined => lines.find((line) => line.length > 0)?.shift();
  const later = (ms: number, run: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, Math.ceil(ms));
    timers.add(timer);
  };

  const begin = (at: number, slack: number): void => {
    reserved -= 1;
    const lateMs = performance.now() - at;
    if (lateMs <= LATE_MS + slack) {
      const less = slack > LATE_MS ? slack / 2 : 0;
      if (lateMs <= LATE_MS / 2 + less) slackMs = Math.min(slackMs, less);
      next()?.begin();
    } else slackMs = Math.max(slackMs, Math.min(LONGEST_SLACK_MS, Math.max(LATE_MS, slack * 2)));
    reserve();
  };
  const ask = async (count: number): Promise<void> => {
    const slack = slackMs;
    const { delaysMs, lateMs } = await pace.reserve(count, everyMs + slack);
    const received = performance.now();
    if (isStopped) return;
    for (const delay of delaysMs) {
      reserved += 1;
      const run = (): void => begin(received + delay - lateMs, slack);
      if (delay <= 0) run();
      else later(delay, run);
    }
  };
  const reserve = (): void => {
    const missing = waiting() - reserved;
    // Asked for a little before the last one is used.
    if (isAsking || isStopped || missing <= 0 || reserved > atOnce / 2) return;
    isAsking = true;
    const asked = (): void => {
      isAsking = false;
      reserve();
    };
    ask(Math.min(atOnce, missing)).then(asked, () => later(AGAIN_MS, asked));
  };

  return {
    pace: <T>(lane: Lane, attempt: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        lines[PRIORITIES[lane]]?.push({ begin: () => void attempt().then(resolve, reject) });
        reserve();
      }),
    waiting,
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
