import Bottleneck from 'bottleneck';
import type { Pace } from '../../generation-client/wire/call.ts';

/**
 * Calls a second to the service, for every process-wide caller at once: moderators' commands go before
 * submissions, those before polls and catalog reads.
 *
 * One Bottleneck limiter passes about 400 calls a second (each takes a timer of its own), far above what any
 * service grants; a larger limit is spread over several limiters.
 */
export interface Calls {
  readonly pace: Pace;
  readonly waiting: () => number;
  stop(): Promise<void>;
}

export const PRIORITIES = { moderator: 1, submit: 3, poll: 6, read: 6 } as const;
/** Its timers take milliseconds beside the gap. Each limiter has more than 25: then fractions do not exceed the sum. */
const MOST_PER_LIMITER = 50;
/**
 * Calls arrive less evenly than they begin (a submission waits for the disk first): whoever counts any second at the
 * other end must not find one too many.
 */
export const UNEVEN_MS = 40;
const WATCH_MS = 500;
/** Less is soon over, and may be no more than a moment in which we were not given the processor. */
const SET_BACK_MS = 1_000;

interface Waiting {
  readonly priority: number;
  readonly begin: () => Promise<void>;
  readonly reject: (error: unknown) => void;
}

interface Limiter {
  readonly bottleneck: Bottleneck;
  /** Bottleneck itself counts a call only some turns of the event loop after it came. */
  waiting: number;
}

export function createCalls(perSecond: number): Calls {
  const count = Math.max(1, Math.ceil(perSecond / MOST_PER_LIMITER));
  const newLimiters = (): Limiter[] => Array.from({ length: count }, () => newLimiter(perSecond / count));
  let limiters = newLimiters();
  let wall = wallAhead();
  let watching: NodeJS.Timeout | undefined;
  /** In the order of their arrival. */
  const waiting = new Set<Waiting>();
  const shortest = (): Limiter =>
    limiters.reduce((best, limiter) => (limiter.waiting < best.waiting ? limiter : best));
  const enqueue = (call: Waiting): void => {
    const limiter = shortest();
    limiter.waiting += 1;
    const begin = async (): Promise<void> => {
      limiter.waiting -= 1;
      if (waiting.delete(call)) await call.begin();
    };
    limiter.bottleneck.schedule({ priority: call.priority }, begin).catch(call.reject);
  };
  const disconnect = (all: readonly Limiter[]) =>
    Promise.all(all.map(({ bottleneck }) => bottleneck.disconnect(false)));

  /**
   * Bottleneck goes by the time on the wall: set back by an hour, it would let nothing pass for that long. Those who
   * wait then stand in line anew, in the same order.
   */
  const checkWallClock = (): void => {
    const before = wall;
    wall = wallAhead();
    if (wall > before - SET_BACK_MS) return;
    void disconnect(limiters);
    limiters = newLimiters();
    for (const call of waiting) enqueue(call);
  };
  const watch = (): void => {
    watching ??= setTimeout(() => {
      watching = undefined;
      checkWallClock();
      if (waiting.size > 0) watch();
    }, WATCH_MS).unref();
  };

  return {
    pace: (lane, attempt) =>
      new Promise((resolve, reject) => {
        const begin = async (): Promise<void> => void attempt().then(resolve, reject);
        const call = { priority: PRIORITIES[lane], begin, reject };
        checkWallClock();
        waiting.add(call);
        enqueue(call);
        watch();
      }),
    waiting: () => waiting.size,
    async stop() {
      clearTimeout(watching);
      await disconnect(limiters);
    },
  };
}

/** It grows and shrinks only when the clock is set. */
function wallAhead(): number {
  return Date.now() - performance.now();
}

/**
 * What is limited is the beginning of calls, not how many are under way. Yet with a gap alone Bottleneck would give
 * everybody their time on arrival, and nobody could go before anybody: one at a time keeps the rest in the queue,
 * where the priority counts.
 */
function newLimiter(perSecond: number): Limiter {
  const bottleneck = new Bottleneck({ maxConcurrent: 1, minTime: (1000 + UNEVEN_MS) / perSecond });
  return { bottleneck, waiting: 0 };
}
