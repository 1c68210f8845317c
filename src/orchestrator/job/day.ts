import { DAY_MS } from '../../base/clock.ts';

/** The day that was asked for last: nearly always today, several times for each job. */
let last = { from: 0, day: '1970-01-01' };

/** Allowances are counted by the UTC day on which a job was accepted. */
export function dayOf(at: number): string {
  const from = Math.floor(at / DAY_MS) * DAY_MS;
  if (from !== last.from) last = { from, day: new Date(at).toISOString().slice(0, 10) };
  return last.day;
}

/** The next midnight UTC, when the allowance is whole again. */
export const dayEnd = (at: number): number => (Math.floor(at / DAY_MS) + 1) * DAY_MS;
