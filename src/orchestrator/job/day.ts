import { DAY_MS } from '../../base/clock.ts';

/** Cache of the latest result: nearly every call, several for each job, asks for today. */
let last = { from: 0, day: '1970-01-01' };

/** The UTC day of a time, as `YYYY-MM-DD`. A job counts against the allowance of the day on which it was accepted. */
export function dayOf(at: number): string {
  const from = Math.floor(at / DAY_MS) * DAY_MS;
  if (from !== last.from) last = { from, day: new Date(at).toISOString().slice(0, 10) };
  return last.day;
}

/** The next midnight UTC, when the whole allowance is available again. */
export const dayEnd = (at: number): number => (Math.floor(at / DAY_MS) + 1) * DAY_MS;
