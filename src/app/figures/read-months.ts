import type { Clock } from '../../base/clock.ts';
import type { NamedCredits, ShownMonth } from '../../console/pages/shown-figures.ts';
import { KINDS } from '../../kinds/kinds.ts';
import { dayOf, daysOfMonth, monthOf, monthStart } from '../../orchestrator/job/day.ts';
import type { UsageRecords } from '../../orchestrator/job/records.ts';
import {
  ALL_COMMUNITIES,
  CREDITS,
  type FigureRecords,
  type FigureRow,
  KIND_CREDITS,
  SCALE_MS,
  startOf,
} from '../../store/tables/figures.ts';
import { LEDGER_DAYS } from './read-figures.ts';
import { byCount, sum } from './series.ts';

/** The months that are shown before the current one. */
const MONTHS_BEFORE = 12;
const MOST_COMMUNITIES = 20;

const commandOf = new Map<string, string>(
  Object.entries(KINDS).map(([kind, { command }]) => [kind, command]),
);

type Counts = Map<string, number>;
const add = (counts: Counts, name: string, credits: number): void =>
  void counts.set(name, (counts.get(name) ?? 0) + credits);

const named = (counts: Counts): readonly NamedCredits[] =>
  byCount(counts)
    .filter(([, credits]) => credits > 0)
    .map(([name, credits]) => ({ name, credits }));

/** What is left of a month's credits when these are taken off. */
const restOf = (credits: number, parts: readonly NamedCredits[]): number =>
  Math.max(0, credits - sum(parts.map((part) => part.credits)));

/** Reads the credits of this month and the twelve before it, the current one first. Months before the first job are left out. */
export function createReadMonths(parts: {
  readonly records: Pick<FigureRecords, 'read'>;
  readonly usage: Pick<UsageRecords, 'totalsOn' | 'creditsOn'>;
  readonly clock: Pick<Clock, 'now'>;
}) {
  const { records, usage, clock } = parts;

  return async (): Promise<readonly ShownMonth[]> => {
    const now = clock.now();
    const rows = await records.read('day', monthStart(now, -MONTHS_BEFORE), now + 1);
    // The ledger is exact, also for what is not finished yet; the figures are kept for longer.
    const firstOfLedger = startOf('day', now) - (LEDGER_DAYS - 1) * SCALE_MS.day;
    const ledgerDays = Array.from({ length: LEDGER_DAYS }, (_, index) =>
      dayOf(firstOfLedger + index * SCALE_MS.day),
    );
    const days = [...new Set([...daysOfMonth(now), ...ledgerDays])];
    const totals = new Map((await usage.totalsOn(days)).map(({ day, credits }) => [day, credits]));
    const isInLedger = ({ at }: FigureRow): boolean => at >= firstOfLedger;
    const names = new Set(rows.filter(isInLedger).flatMap(({ sums }) => Object.keys(sums[CREDITS] ?? {})));
    names.delete(ALL_COMMUNITIES);
    const exact = await usage.creditsOn(ledgerDays, [...names]);

    const months = new Map<string, { all: number; communities: Counts; commands: Counts }>();
    const monthAt = (day: string) => {
      const month = monthOf(day);
      const known = months.get(month) ?? { all: 0, communities: new Map(), commands: new Map() };
      months.set(month, known);
      return known;
    };
    monthAt(dayOf(now));
    for (const [day, credits] of totals) if (credits > 0) monthAt(day).all += credits;
    for (const { day, community, credits } of exact) add(monthAt(day).communities, community, credits);
    for (const row of rows) {
      const month = monthAt(dayOf(row.at));
      const { [ALL_COMMUNITIES]: all = 0, ...communities } = row.sums[CREDITS] ?? {};
      if (!totals.has(dayOf(row.at))) month.all += all;
      if (!isInLedger(row))
        for (const [community, credits] of Object.entries(communities))
          add(month.communities, community, credits);
      for (const [kind, credits] of Object.entries(row.sums[KIND_CREDITS] ?? {}))
        add(month.commands, commandOf.get(kind) ?? kind, credits);
    }

    return [...months]
      .toSorted(([one], [other]) => (one < other ? 1 : -1))
      .map(([month, { all, communities, commands }]) => {
        const ofCommunities = named(communities).slice(0, MOST_COMMUNITIES);
        const ofCommands = named(commands);
        return {
          month,
          credits: all,
          communities: ofCommunities,
          otherCommunities: restOf(all, ofCommunities),
          commands: ofCommands,
          otherCommands: restOf(all, ofCommands),
        };
      });
  };
}
