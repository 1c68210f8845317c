import type { Credits } from '../../console/pages/shown-figures.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { UsageRecords } from '../../orchestrator/job/records.ts';
import { ALL, CREDITS, type FigureRow, SCALE_MS, type Sums, startOf } from '../../store/tables/figures.ts';
import { addUp, byCount, type Totals } from './series.ts';

export interface CreditsOf {
  readonly now: number;
  readonly from: number;
  /** Rows of the days that the range touches. */
  readonly days: readonly FigureRow[];
  /** All that was counted in the range. */
  readonly total: Totals;
  /** Credits of the range are those of whole days. */
  readonly isByDay: boolean;
}

const MOST_SHOWN = 20;
/** As long as the ledger is kept. */
export const LEDGER_DAYS = 30;

export const communitiesIn = (totals: Totals): ReadonlyMap<string, number> =>
  new Map([...(totals.get(CREDITS) ?? [])].filter(([community]) => community !== ALL));

/** Nothing else of these rows is needed. */
const creditsIn = (rows: readonly FigureRow[]): Totals =>
  addUp(rows.map(({ sums }): Sums => ({ [CREDITS]: sums[CREDITS] ?? {} })));

const mostIn = (totals: Totals): readonly string[] =>
  byCount(communitiesIn(totals))
    .slice(0, MOST_SHOWN)
    .map(([community]) => community);

export function createReadCredits(usage: Pick<UsageRecords, 'totalsOn' | 'creditsOn'>) {
  return async ({ now, from, days, total: ofRange, isByDay }: CreditsOf): Promise<Credits> => {
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
      if (at < exactFrom) return stored.get(at)?.[CREDITS]?.[community ?? ALL] ?? 0;
      const day = dayOf(at);
      return (community === undefined ? totals.get(day) : exact.get(`${day} ${community}`)) ?? 0;
    };
    const byDay = starts.map((at) => ({ day: dayOf(at), credits: creditsAt(at) }));
    const communities = shown.map((community) => {
      const each = starts.map((at) => creditsAt(at, community));
      const credits = isByDay ? sum(each) : (ofRange.get(CREDITS)?.get(community) ?? 0);
      return { community, credits, byDay: each };
    });
    const total = isByDay ? sum(byDay.map(({ credits }) => credits)) : (ofRange.get(CREDITS)?.get(ALL) ?? 0);
    return {
      days: byDay,
      total,
      communities: communities.toSorted((one, other) => other.credits - one.credits),
      others: Math.max(0, total - sum(communities.map(({ credits }) => credits))),
    };
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
