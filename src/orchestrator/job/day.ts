import { DAY_MS } from '../../base/clock.ts';

/** Cache of the latest result: nearly every call, several for each job, asks for today. */
let last = { from: 0, day: '1970-01-01' };

/** The UTC day of a time, as `YYYY-MM-DD`. A job counts against the allowance of the day on which it was accepted. */
export function dayOf(at: number): string {
  const from = Math.floor(at / DAY_MS) * DAY_MS;
  if (from !== last.from) last = { from, day: new Date(at).toISOString().slice(0, 10) };
  return last.day;
}

/** The calendar month of a UTC day, as `YYYY-MM`. */
export const monthOf = (day: string): string => day.slice(0, 7);

/** The first moment of the UTC month that lies `after` months after the one of a time; 0: its own, 1: the next. */
export function monthStart(at: number, after = 0): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + after);
}

/** The UTC days of a time's month until that time, the first one first. */
export function daysOfMonth(at: number): readonly string[] {
  const first = monthStart(at);
  return Array.from({ length: Math.floor((at - first) / DAY_MS) + 1 }, (_, index) =>
    dayOf(first + index * DAY_MS),
  );
}

/** The next midnight UTC, when the whole allowance is available again. */
export const dayEnd = (at: number): number => (Math.floor(at / DAY_MS) + 1) * DAY_MS;
