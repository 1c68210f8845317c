import type { SlotLimits, Standing } from '../job/records.ts';

export type WaitEstimate = ReturnType<typeof createWaitEstimate>;

/** Before anything has finished: a picture takes some seconds. */
const FIRST_GUESS_MS = 15_000;
const LEAST_MS = 1_000;
const MEMORY = 0.1;
/** What seems to have taken longer says more about the clock than about the service. */
const LONGEST_MS = 3_600_000;

/** How long a job in line will wait, guessed from how long jobs have kept their slots lately. */
export function createWaitEstimate({ perPerson, inAll }: SlotLimits) {
  let keptMs = FIRST_GUESS_MS;
  return {
    /** A job has kept its slot for so long. */
    kept(ms: number): void {
      if (ms < LONGEST_MS) keptMs += MEMORY * (ms - keptMs);
    },
    waitMs({ position, own }: Standing): number {
      const rounds = Math.max(position / inAll, (own + 1) / perPerson);
      return Math.ceil(rounds * Math.max(LEAST_MS, keptMs));
    },
  };
}
