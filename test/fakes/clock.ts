/**
 * Time in the hands of a test. Parts take a `Clock` and never touch timers themselves, so a test moves through
 * minutes in microseconds and the order of events is its own.
 */
import { type Clock, systemClock } from '../../src/base/clock.ts';

interface Timer {
  at: number;
  readonly order: number;
  readonly run: () => void;
}

/** A clock whose time is in the test’s hands. */
export interface FakeClock extends Clock {
  /** Runs every timer that falls due on the way, in order, letting promises settle between them. */
  advance(ms: number): Promise<void>;
  /** The time on the wall changes, and no time passes: every timer still has as long to go. */
  leap(ms: number): void;
  readonly pending: number;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((done) => setImmediate(done));
};

/** The real time, but nothing takes too long: the check of a photo may take as long as a test. */
export const patientClock: Clock = {
  ...systemClock,
  after: (ms, run) => systemClock.after(ms === 15_000 ? 120_000 : ms, run),
};

/** A clock that stands still until the test advances it; its timers are called then. */
export const createFakeClock = (start = Date.UTC(2026, 0, 5, 12)): FakeClock => {
  let now = start;
  let lastForwardJump = Number.NEGATIVE_INFINITY;
  let order = 0;
  const timers = new Set<Timer>();
  const next = (until: number): Timer | undefined =>
    [...timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0];

  return {
    now: () => now,
    lastForwardJump: () => lastForwardJump,
    leap(ms) {
      now += ms;
      if (ms > 0) lastForwardJump = now;
      for (const timer of timers) timer.at += ms;
    },
    after(ms, run) {
      const timer: Timer = { at: now + Math.max(0, ms), order: order++, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (let timer = next(end); timer !== undefined; timer = next(end)) {
        timers.delete(timer);
        now = timer.at;
        timer.run();
        await settle();
      }
      now = end;
      await settle();
    },
    get pending() {
      return timers.size;
    },
  };
};
