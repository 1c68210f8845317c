import { dayOf } from '../../orchestrator/job/day.ts';
import type { UsageRecords } from '../../orchestrator/job/records.ts';
import {
  ALL,
  type FigureAddition,
  type FigureRecords,
  SCALE_MS,
  startOf,
} from '../../store/tables/figures.ts';
import { communitiesIn, LEDGER_DAYS } from './read-credits.ts';
import { addUp } from './series.ts';

/**
 * The credits of the days that are over, as the ledger has them, which is exact and is not kept for as long. What is given back
 * later is found the next day.
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
    settled.push({ scale: 'day', at, credits: Object.fromEntries([[ALL, credits], ...each]) });
  }
  return settled;
}
