import type { Clock } from '../../base/clock.ts';
import type { Range, ShownFigures, ShownOutage } from '../../console/pages/shown-figures.ts';
import type { UsageRecords } from '../../orchestrator/job/records.ts';
import {
  type FigureRecords,
  type FigureRow,
  joined,
  type OutageInterval,
  SCALE_MS,
  type Scale,
  startOf,
} from '../../store/tables/figures.ts';
import type { Failing } from './outage-watch.ts';
import { createReadCredits } from './read-credits.ts';
import { addUp, addUpTotals, countsOf } from './series.ts';

/** The latest point is the one that now lies in. */
const POINTS: Readonly<
  Record<Range, { readonly scale: Scale; readonly rows: number; readonly count: number }>
> = {
  hour: { scale: 'minute', rows: 1, count: 60 },
  day: { scale: 'minute', rows: 15, count: 96 },
  month: { scale: 'hour', rows: 6, count: 120 },
  year: { scale: 'day', rows: 1, count: 365 },
};
/** One that was not seen for so long is another one. */
const OVER_MS = 60_000;
/** By then another process would have written that it lasts. */
const UNWRITTEN_MS = 15_000;

export interface ReadFiguresParts {
  readonly records: Pick<FigureRecords, 'read'>;
  readonly usage: Pick<UsageRecords, 'totalsOn' | 'creditsOn'>;
  readonly clock: Pick<Clock, 'now'>;
  /** What this process finds not to work. */
  readonly failing: () => readonly Failing[];
  /** No other process may find something not to work. */
  readonly isAlone: () => boolean;
  /** Outages that this process has seen and not stored yet. */
  readonly unwritten: () => readonly OutageInterval[];
}

/** What was stored about a time until now. Rejects while the store cannot be read. */
export function createReadFigures(parts: ReadFiguresParts) {
  const { records, usage, clock } = parts;
  const readCredits = createReadCredits(usage);

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
    const total = addUpTotals(sums);
    return {
      from,
      until,
      stepMs,
      points: sums.map(countsOf),
      total: countsOf(total),
      credits: await readCredits({ now, from, days, total, isByDay: scale !== 'minute' }),
      outages: outagesOf(days, from, now, parts),
    };
  };
}

function outagesOf(
  days: readonly FigureRow[],
  from: number,
  now: number,
  { failing, isAlone, unwritten }: ReadFiguresParts,
): readonly ShownOutage[] {
  const lasting = failing();
  const longestUnseen = isAlone() ? 0 : UNWRITTEN_MS;
  const isOver = ({ what, reason, until }: OutageInterval): boolean =>
    until < now - OVER_MS ||
    (until <= now - longestUnseen && !lasting.some((each) => each.what === what && each.reason === reason));
  return joined([...days.flatMap(({ outages }) => outages), ...unwritten()])
    .toSorted((one, other) => other.from - one.from)
    .filter(({ until }) => until >= from)
    .map((interval) => ({ ...interval, isOver: isOver(interval) }));
}
