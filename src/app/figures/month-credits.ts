import { daysOfMonth } from '../../orchestrator/job/day.ts';
import type { UsageRecords } from '../../orchestrator/job/records.ts';
import { sum } from './series.ts';

/** The credits that everybody together has used, or reserved, in the calendar month (UTC) of a time, until then. */
export async function monthCredits(usage: Pick<UsageRecords, 'totalsOn'>, at: number): Promise<number> {
  const days = await usage.totalsOn(daysOfMonth(at));
  return sum(days.map(({ credits }) => credits));
}
