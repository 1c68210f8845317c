import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import type { Credits, Range, ShownFigures, ShownOutage } from '../../console/pages/shown-figures.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { UsageRecords } from '../../orchestrator/job/records.ts';
import {
  ALL_COMMUNITIES,
  CREDITS,
  type FigureAddition,
  type FigureRecords,
  type FigureRow,
  joinIntervals,
  type OutageInterval,
  SCALE_MS,
  type Scale,
  type Sums,
  startOf,
} from '../../store/tables/figures.ts';
import type { Failing } from './outage-watch.ts';
import { addUp, byCount, countsOf, sum, type Totals } from './series.ts';

/** The latest point is the one that now lies in. */
const POINTS: Readonly<
  Record<Range, { readonly scale: Scale; readonly rows: number; readonly count: number }>
> = {
  hour: { scale: 'minute', rows: 1, count: 60 },
  day: { scale: 'minute', rows: 15, count: 96 },
  month: { scale: 'hour', rows: 6, count: 120 },
  year: { scale: 'day', rows: 1, count: 365 },
};
/** An outage that was not seen for so long is over. */
const OVER_MS = 60_000;
/** After so long another process would have written that an outage lasts. */
const UNWRITTEN_MS = 15_000;

export interface ReadFiguresDependencies {
  readonly records: FigureRecords;
  readonly usage: Pick<UsageRecords, 'totalsOn' | 'creditsOn'>;
  readonly clock: Clock;
  /** Whatever this process finds not to work. */
  readonly failing: () => readonly Failing[];
  /** Processes that share the store. */
  readonly members: Pick<Members, 'count'>;
}

/**
 * Reads the figures of a time until now. Rejects while the store cannot be read. `unwritten`: outages that this process has
 * seen and not stored yet.
 */
export function createReadFigures(
  parts: ReadFiguresDependencies,
  unwritten: () => readonly OutageInterval[],
) {
  const { records, usage, clock, failing, members } = parts;
  const outagesOf = (days: readonly FigureRow[], from: number, now: number): readonly ShownOutage[] => {
    const lasting = failing();
    // No other process may find something not to work.
    const longestUnseen = members.count() === 1 ? 0 : UNWRITTEN_MS;
    const isOver = ({ what, reason, until }: OutageInterval): boolean =>
      until < now - OVER_MS ||
      (until <= now - longestUnseen && !lasting.some((each) => each.what === what && each.reason === reason));
    return joinIntervals([...days.flatMap(({ outages }) => outages), ...unwritten()])
      .toSorted((one, other) => other.from - one.from)
      .filter(({ until }) => until >= from)
      .map((interval) => ({ ...interval, isOver: isOver(interval) }));
  };

  return async (range: Range): Promise<ShownFigures> => {
    const now = clock.now();
    const { scale, rows: perPoint, count } = POINTS[range];
    const stepMs = perPoint * SCALE_MS[scale];
    const from = now - (now % stepMs) - (count - 1) * stepMs;
    const until = from + count * stepMs;
    const days = await records.read('day', startOf('day', from), until);
    const rows = scale === 'day' ? days : await records.read(scale, from, until);
    const byPoint = Map.groupBy(rows, (row) => Math.floor((row.at - from) / stepMs));
    const sums = Array.from({ length: count }, (_, index) =>
      addUp((byPoint.get(index) ?? []).map((row) => row.sums)),
    );
    const total = addUp(rows.map((row) => row.sums));
    return {
      from,
      until,
      stepMs,
      points: sums.map(countsOf),
      total: countsOf(total),
      credits: await readCredits(usage, now, from, days, total, scale !== 'minute'),
      outages: outagesOf(days, from, now),
    };
  };
}

const MOST_SHOWN = 20;
/** As long as the ledger is kept. */
export const LEDGER_DAYS = 30;

const communitiesIn = (totals: Totals): ReadonlyMap<string, number> =>
  new Map([...(totals.get(CREDITS) ?? [])].filter(([community]) => community !== ALL_COMMUNITIES));

/** Nothing else of these rows is needed. */
const creditsIn = (rows: readonly FigureRow[]): Totals =>
  addUp(rows.map(({ sums }): Sums => ({ [CREDITS]: sums[CREDITS] ?? {} })));

const mostIn = (totals: Totals): readonly string[] =>
  byCount(communitiesIn(totals))
    .slice(0, MOST_SHOWN)
    .map(([community]) => community);

/** `days`: rows of the days that the range touches. `isByDay`: credits of the range are those of whole days. */
async function readCredits(
  usage: Pick<UsageRecords, 'totalsOn' | 'creditsOn'>,
  now: number,
  from: number,
  days: readonly FigureRow[],
  ofRange: Totals,
  isByDay: boolean,
): Promise<Credits> {
  const first = startOf('day', from);
  const starts = Array.from(
    { length: Math.floor((now - first) / SCALE_MS.day) + 1 },
    (_, index) => first + index * SCALE_MS.day,
  );
  const today = days.filter(({ at }) => at === startOf('day', now));
  const shown = [...new Set([...mostIn(isByDay ? creditsIn(days) : ofRange), ...mostIn(creditsIn(today))])];
  const exactFrom = startOf('day', now) - (LEDGER_DAYS - 1) * SCALE_MS.day;
  const exactDays = starts.filter((at) => at >= exactFrom).map(dayOf);
  const totals = new Map((await usage.totalsOn(exactDays)).map(({ day, credits }) => [day, credits]));
  const exact = new Map(
    (await usage.creditsOn(exactDays, shown)).map(({ day, community, credits }) => [
      `${day} ${community}`,
      credits,
    ]),
  );
  const stored = new Map(days.map(({ at, sums }): [number, Sums] => [at, sums]));
  const creditsAt = (at: number, community?: string): number => {
    if (at < exactFrom) return stored.get(at)?.[CREDITS]?.[community ?? ALL_COMMUNITIES] ?? 0;
    const day = dayOf(at);
    return (community === undefined ? totals.get(day) : exact.get(`${day} ${community}`)) ?? 0;
  };
  const byDay = starts.map((at) => ({ day: dayOf(at), credits: creditsAt(at) }));
  const communities = shown.map((community) => {
    const each = starts.map((at) => creditsAt(at, community));
    const credits = isByDay ? sum(each) : (ofRange.get(CREDITS)?.get(community) ?? 0);
    return { community, credits, byDay: each };
  });
  const total = isByDay
    ? sum(byDay.map(({ credits }) => credits))
    : (ofRange.get(CREDITS)?.get(ALL_COMMUNITIES) ?? 0);
  return {
    days: byDay,
    total,
    communities: communities.toSorted((one, other) => other.credits - one.credits),
    others: Math.max(0, total - sum(communities.map(({ credits }) => credits))),
  };
}

/**
 * The credits of the days that are over, as the ledger has them, which is exact and is not kept for as long. Credits that are given
 * back later are found the next day.
 */
export async function settledCredits(
  records: Pick<FigureRecords, 'read'>,
  usage: Pick<UsageRecords, 'totalsOn' | 'creditsOn'>,
  now: number,
): Promise<readonly FigureAddition[]> {
  const today = startOf('day', now);
  const starts = Array.from({ length: LEDGER_DAYS - 1 }, (_, index) => today - (index + 1) * SCALE_MS.day);
  const rows = await records.read('day', today - (LEDGER_DAYS - 1) * SCALE_MS.day, today);
  const names = new Map(rows.map(({ at, sums }) => [at, [...communitiesIn(addUp([sums])).keys()]]));
  const totals = await usage.totalsOn(starts.map(dayOf));
  const settled: FigureAddition[] = [];
  for (const at of starts) {
    const credits = totals.find(({ day }) => day === dayOf(at))?.credits ?? 0;
    const communities = await usage.creditsOn([dayOf(at)], names.get(at) ?? []);
    if (credits === 0 && !names.has(at)) continue;
    const each = communities.map((one) => [one.community, one.credits] as const);
    settled.push({ scale: 'day', at, credits: Object.fromEntries([[ALL_COMMUNITIES, credits], ...each]) });
  }
  return settled;
}
