import { DAY_MS, MINUTE_MS } from '../../base/clock.ts';
import type { Words } from '../../words/words.ts';

/** Chooses a round step: 1, 2 or 5 times a power of ten. */
function stepFor(most: number, count: number): number {
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10;
  return step * power;
}

/** The values of an axis, from 0 on and at least `least` apart; the last one is at least `most`. */
export function ticksUpTo(most: number, least = 0): readonly number[] {
  if (!(most > 0) || !Number.isFinite(most)) return [0, 1];
  const step = Math.max(least, stepFor(most, 4));
  const last = Math.ceil(most / step - 1e-9);
  return Array.from({ length: last + 1 }, (_, index) => index * step);
}

/** Writes a number with no more digits than a reader can distinguish. */
export function numberText(value: number, { language }: Words): string {
  if (value === 0 || Number.isInteger(value)) return value.toLocaleString(language);
  return Number(value.toFixed(digitsFor(value))).toLocaleString(language);
}

function digitsFor(value: number): number {
  if (value >= 100) return 0;
  return value >= 10 ? 1 : 2;
}

/** Writes a coordinate of a drawing, with one decimal. */
export const fixed = (value: number): string => String(Math.round(value * 10) / 10);

/** Writes a number short enough for an axis: `1.5k`, `20M`. */
export function tickText(value: number, words: Words): string {
  if (value >= 1_000_000) return `${numberText(value / 1_000_000, words)}M`;
  return value >= 1_000 ? `${numberText(value / 1_000, words)}k` : numberText(value, words);
}

const DATES = {
  day: { day: 'numeric', month: 'short' },
  year: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** Formats are cached, because making one takes as long as a hundred uses. */
const formats = new Map<string, Intl.DateTimeFormat>();

function dateText(at: number, form: keyof typeof DATES, { language }: Words): string {
  const key = `${language} ${form}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, { ...DATES[form], timeZone: 'UTC' });
  formats.set(key, known);
  return known.format(at);
}

const clockText = (at: number): string => new Date(at).toISOString().slice(11, 16);

/** Writes the time of a point as `14:05`, `Jan 5 14:05` or `Jan 5, 2026`, according to the time between points. */
export function pointTimeText(at: number, stepMs: number, words: Words): string {
  if (stepMs >= DAY_MS) return dateText(at, 'year', words);
  return stepMs <= MINUTE_MS ? clockText(at) : `${dateText(at, 'day', words)} ${clockText(at)}`;
}

/** A mark on an axis of time. */
export interface TimeTick {
  readonly at: number;
  readonly text: string;
}

/** Marks an axis at round times: every 10 minutes, 4 hours, 5 days or each month. */
export function timeTicks(
  from: number,
  until: number,
  words: Words,
  stepMs = MINUTE_MS,
): readonly TimeTick[] {
  const span = until - from;
  if (span > 100 * DAY_MS) return monthTicks(from, until, words);
  const step = Math.max(roundStep(span), stepMs);
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.ceil((until - first) / step)) }, (_, index) => {
    const at = first + index * step;
    return { at, text: step >= DAY_MS ? dateText(at, 'day', words) : clockText(at) };
  });
}

function roundStep(spanMs: number): number {
  if (spanMs > 10 * DAY_MS) return 5 * DAY_MS;
  return spanMs > 3 * 3_600_000 ? 4 * 3_600_000 : 10 * MINUTE_MS;
}

function monthTicks(from: number, until: number, words: Words): readonly TimeTick[] {
  const ticks: TimeTick[] = [];
  const start = new Date(from);
  for (let month = start.getUTCMonth() + 1; ; month += 1) {
    const at = Date.UTC(start.getUTCFullYear(), month, 1);
    if (at >= until) return ticks;
    ticks.push({ at, text: dateText(at, 'month', words) });
  }
}
