import Bottleneck from 'bottleneck';
import type { Pace } from '../../generation-client/wire/call.ts';
import type { Lane } from '../../generation-client/wire/transport.ts';
import { createCallLine } from './call-line.ts';

/**
 * Calls a second to the service, for every process-wide caller at once, in the order of `call-line.ts`.
 *
 * One Bottleneck limiter passes about 400 calls a second (each takes a timer of its own), far above what any
 * service grants; a larger limit is spread over several limiters.
 */
export interface Calls {
  readonly pace: Pace;
  /** Calls that have not begun, in one lane or in all. */
  readonly waiting: (lane?: Lane) => number;
  stop(): Promise<void>;
}

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

interface Limiter {
  readonly bottleneck: Bottleneck;
  /** Turns to come. Bottleneck itself counts one only some turns of the event loop after it came. */
  turns: number;
}

export function createCalls(perSecond: number): Calls {
  const count = Math.max(1, Math.ceil(perSecond / MOST_PER_LIMITER));
  const newLimiters = (): Limiter[] => Array.from({ length: count }, () => newLimiter(perSecond / count));
  let limiters = newLimiters();
  let wall = wallAhead();
  let watching: NodeJS.Timeout | undefined;
  const line = createCallLine();
  const addTurn = (): void => {
    const limiter = limiters.reduce((best, each) => (each.turns < best.turns ? each : best));
    limiter.turns += 1;
    const take = async (): Promise<void> => {
      limiter.turns -= 1;
      if (limiters.includes(limiter)) line.next()?.begin();
    };
    // It is refused when all has stopped.
    limiter.bottleneck.schedule(take).catch(() => undefined);
  };
  const disconnect = (all: readonly Limiter[]) =>
    Promise.all(all.map(({ bottleneck }) => bottleneck.disconnect(false)));

  /**
   * Bottleneck goes by the time on the wall: set back by an hour, it would let nothing pass for that long. Those who
   * wait are given new turns.
   */
  const checkWallClock = (): void => {
    const before = wall;
    wall = wallAhead();
    if (wall > before - SET_BACK_MS) return;
    void disconnect(limiters);
    limiters = newLimiters();
    for (let turns = line.waiting(); turns > 0; turns -= 1) addTurn();
  };
  const watch = (): void => {
    watching ??= setTimeout(() => {
      watching = undefined;
      checkWallClock();
      if (line.waiting() > 0) watch();
    }, WATCH_MS).unref();
  };

  return {
    pace: (lane, attempt, askers = []) =>
      new Promise((resolve, reject) => {
        checkWallClock();
        line.add(lane, { begin: () => void attempt().then(resolve, reject), askers });
        addTurn();
        watch();
      }),
    waiting: line.waiting,
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
 * What is limited is the beginning of calls, not how many are under way. Yet with a gap alone Bottleneck would give every
 * turn its time on arrival, and one that is late would come too close to the next: so one at a time.
 */
function newLimiter(perSecond: number): Limiter {
  const bottleneck = new Bottleneck({ maxConcurrent: 1, minTime: (1000 + UNEVEN_MS) / perSecond });
  return { bottleneck, turns: 0 };
}
