import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/clock.ts';
import type { ReadBase } from './driver.ts';

/**
 * How the program is doing, by the minute, the hour and the day: sums by the name of a series, and intervals. Nothing in them
 * names a person; communities are named, so rows are encrypted where the store has a key.
 */
export const SCALES = ['minute', 'hour', 'day'] as const;
export type Scale = (typeof SCALES)[number];

export const SCALE_MS: Readonly<Record<Scale, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };
/** How long the rows of each scale are kept. */
export const FIGURES_KEPT_MS: Readonly<Record<Scale, number>> = {
  minute: 26 * HOUR_MS,
  hour: 40 * DAY_MS,
  day: 400 * DAY_MS,
};

/** The time at which the row begins that this moment belongs to. */
export const startOf = (scale: Scale, at: number): number => at - (at % SCALE_MS[scale]);

/** Sums by the name of a group, then by a name in it. */
export type Sums = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The figures of one minute, hour or day. */
export interface FigureRow {
  readonly at: number;
  readonly sums: Sums;
  readonly outages: readonly OutageInterval[];
}

/** An addition to the row of a time. */
export interface FigureAddition {
  readonly scale: Scale;
  readonly at: number;
  readonly sums?: Sums;
  readonly outages?: readonly OutageInterval[];
  /** These replace those of the group `credits`: the ledger knows better. */
  readonly credits?: Readonly<Record<string, number>>;
}

/** All that one process adds at once. A batch is added once, however often it is sent. */
export interface FigureBatch {
  /** Names the process; `number` rises. */
  readonly writer: string;
  readonly number: number;
  /** When it was first sent. */
  readonly at: number;
  readonly additions: readonly FigureAddition[];
}

const FIGURES = 'figures';
/** Credits by community, and of all together under the name `ALL_COMMUNITIES`. */
export const CREDITS = 'credits';
export const ALL_COMMUNITIES = '';
/** Credits by kind of job, as they were spent when jobs ended. */
export const KIND_CREDITS = 'kindCredits';
/** Calls to the service that failed, by endpoint and kind of error. */
export const ERRORS = 'errors';

/** Limits of one row. The smallest numbers are left out, so that a row always stays small. */
const MOST_GROUPS = 16;
const MOST_NAMES = 80;
const MOST_ERRORS = 5;
const MOST_COMMUNITIES: Readonly<Record<Scale, number>> = { minute: 5, hour: 10, day: 30 };
const MOST_OUTAGES = 100;
const MOST_WRITERS = 100;
const LONGEST_NAME = 100;
/** An outage that is seen again so soon is the same one, whichever process sees it. */
const SAME_OUTAGE_MS = 60_000;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Checked by hand: a page reads hundreds of thousands of them. */
const sumsShape = z.custom<Sums>((value) => {
  if (!isObject(value)) return false;
  for (const group in value) {
    const names = value[group];
    if (group.length > LONGEST_NAME || !isObject(names)) return false;
    for (const name in names) if (name.length > LONGEST_NAME || !isCount(names[name])) return false;
  }
  return true;
});
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const whole = z.int().nonnegative();
const named = z.string().max(LONGEST_NAME);
/** Something did not work. Both ends are times at which it was seen not to. */
const outage = z.object({ what: named, reason: named.optional(), from: whole, until: whole });
export type OutageInterval = Readonly<z.infer<typeof outage>>;
const bodyShape = z.object({
  sums: sumsShape,
  outages: z
    .array(outage)
    .max(2 * MOST_OUTAGES)
    .optional(),
  /** The last batch of each process, in the row of the minute in which it was first sent. */
  writers: z.record(z.string(), whole).optional(),
});
type Body = z.infer<typeof bodyShape>;

const ONE = 'SELECT body FROM figures WHERE scale = $1 AND at = $2';
const PUT = `INSERT INTO figures (scale, at, body) VALUES ($1, $2, $3)
  ON CONFLICT (scale, at) DO UPDATE SET body = excluded.body RETURNING 1`;

export type FigureRecords = ReturnType<typeof createFigureRecords>;

/** Adds figures to the store, and reads them. */
export function createFigureRecords({ driver, seal }: Pick<ReadBase, 'driver' | 'seal'>) {
  const { query: ask, transaction, sql } = driver;
  /** Undefined: it is damaged. */
  const opened = (body: unknown): Body | undefined => {
    try {
      return bodyShape.parse(JSON.parse(seal.open(body, FIGURES)));
    } catch {
      return undefined;
    }
  };
  return {
    /** All of it or nothing. A power cut may undo it. */
    add: ({ writer, number, at, additions }: FigureBatch): Promise<void> =>
      transaction(async (query) => {
        // Rows are changed here and not by the database, which cannot read them: one process at a time.
        query.write(sql.lock('figures', '$1'), [['']]);
        const rows = new Map<string, { scale: Scale; at: number; body: Body }>();
        /** Changes the body of the row of a time, which is written at the end. A damaged one begins anew. */
        const change = async (scale: Scale, time: number, changed: (body: Body) => Body): Promise<void> => {
          const at = startOf(scale, time);
          const name = `${scale} ${at}`;
          const stored = rows.has(name) ? undefined : (await query(ONE, [scale, at]))[0]?.body;
          const before = rows.get(name)?.body ?? opened(stored) ?? { sums: {} };
          rows.set(name, { scale, at, body: changed(before) });
        };
        let isKnown = false;
        await change('minute', at, ({ writers = {}, ...body }) => {
          isKnown = (writers[writer] ?? 0) >= number;
          const others = Object.entries(writers).filter(([name]) => name !== writer);
          const known = [...others.slice(1 - MOST_WRITERS), [writer, number] as const];
          return { ...body, writers: Object.fromEntries(known) };
        });
        if (isKnown) return;
        for (const more of additions) await change(more.scale, more.at, (body) => added(body, more));
        await Promise.all(
          [...rows.values()].map(({ scale, at, body }) =>
            query.lossy(PUT, [scale, at, seal.seal(JSON.stringify(body), FIGURES)]),
          ),
        );
      }),
    /** The rows of a scale that begin in this time, the earliest first. Damaged ones are left out. */
    async read(scale: Scale, from: number, before: number): Promise<readonly FigureRow[]> {
      const rows = await ask(
        'SELECT at, body FROM figures WHERE scale = $1 AND at >= $2 AND at < $3 ORDER BY at',
        [scale, Math.ceil(from), Math.ceil(before)],
      );
      return rows.flatMap(({ at, body: sealed }) => {
        const body = opened(sealed);
        return body === undefined ? [] : [{ at: Number(at), sums: body.sums, outages: body.outages ?? [] }];
      });
    },
  };
}

function added(body: Body, { scale, sums = {}, outages = [], credits }: FigureAddition): Body {
  const before = credits === undefined ? body.sums : { ...body.sums, [CREDITS]: {} };
  const more = credits === undefined ? sums : { ...sums, [CREDITS]: credits };
  const groups = [...new Set([...Object.keys(before), ...Object.keys(more)])].slice(0, MOST_GROUPS);
  const most: Readonly<Record<string, number>> = {
    [ERRORS]: MOST_ERRORS,
    [CREDITS]: 1 + MOST_COMMUNITIES[scale],
  };
  const all = groups.map((group) => [group, addCounts(before[group], more[group], most[group])] as const);
  const intervals = joinIntervals([...(body.outages ?? []), ...outages]);
  return {
    ...body,
    sums: Object.fromEntries(all),
    ...(intervals.length > 0 ? { outages: longest(intervals) } : {}),
  };
}

function addCounts(
  before: Readonly<Record<string, number>> = {},
  more: Readonly<Record<string, number>> = {},
  most = MOST_NAMES,
): Readonly<Record<string, number>> {
  const all = new Map(Object.entries(before));
  for (const [name, sum] of Object.entries(more))
    if (name.length <= LONGEST_NAME && isCount(sum) && sum > 0)
      all.set(name, Math.min((all.get(name) ?? 0) + sum, Number.MAX_SAFE_INTEGER));
  if (all.size <= most) return Object.fromEntries(all);
  return Object.fromEntries([...all].sort(([, one], [, other]) => other - one).slice(0, most));
}

const longest = (intervals: readonly OutageInterval[]): OutageInterval[] =>
  intervals
    .toSorted((one, other) => other.until - other.from - (one.until - one.from))
    .slice(0, MOST_OUTAGES)
    .toSorted((one, other) => one.from - other.from);

/** Joins intervals of the same outage that touch, or nearly; the earliest first. */
export function joinIntervals(intervals: readonly OutageInterval[]): OutageInterval[] {
  const all: OutageInterval[] = [];
  for (const next of intervals.toSorted((one, other) => one.from - other.from)) {
    const index = all.findLastIndex(({ what, reason }) => what === next.what && reason === next.reason);
    const before = all[index];
    if (before !== undefined && next.from <= before.until + SAME_OUTAGE_MS)
      all[index] = { ...before, until: Math.max(before.until, next.until) };
    else all.push(next);
  }
  return all;
}
