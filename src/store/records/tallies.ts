import { isPersonal } from '../../command/place.ts';
import { hasEnded, type Job } from '../../orchestrator/job/job.ts';
import type { NewJob } from '../../orchestrator/job/records.ts';

/**
 * What communities do, as numbers that name nobody: `job` counts accepted jobs by kind and `end` those that ended without a
 * result, by the reason, both by the hour, so that days can be made of them in any time zone. `filter` counts filters by the UTC
 * day, which is enough to rank them. Credits of `job` are those that were taken, of `end` those that went back.
 */
export type Tallied = 'job' | 'filter' | 'end';

export interface Tally {
  readonly what: Tallied;
  /** Since 1970, UTC; of a day its first. */
  readonly hour: number;
  /** Not encrypted: nothing that people have named. */
  readonly name: string;
  readonly credits: number;
}

/** A row of the table. */
export interface TallyCount {
  readonly hour: number;
  readonly name: string;
  readonly count: number;
  readonly credits: number;
}

/** Of one community. */
export interface Tallies {
  /** All of one sort from this hour on. */
  since(community: string, what: Tallied, hour: number): Promise<readonly TallyCount[]>;
}

const HOUR_MS = 3_600_000;
/** Names of one sort in an hour or a day; others are not counted. */
export const MOST_NAMES = 100;
const LONGEST_NAME = 100;

export const hourOf = (time: number): number => Math.floor(time / HOUR_MS);

/** Nothing is counted of a person's own community, nor the filter of a private job, which others would learn of. */
export function talliesOf({ job, filter }: Pick<NewJob, 'job' | 'filter'>): readonly Tally[] {
  if (isPersonal(job.place.community)) return [];
  const { credits } = job;
  const hour = hourOf(job.createdAt);
  const all: Tally[] = [{ what: 'job', hour, name: job.request.kind, credits }];
  if (filter !== undefined && filter.length <= LONGEST_NAME && !job.private)
    all.push({ what: 'filter', hour: hour - (hour % 24), name: filter, credits });
  return all;
}

/** A job that has just ended without a result; counted in the hour in which it was accepted. */
export function tallyOfEnd(before: Job, after: Job): readonly [] | readonly [Tally] {
  if (hasEnded(before) || !hasEnded(after) || after.state === 'done') return [];
  if (isPersonal(after.place.community)) return [];
  const name = after.state === 'failed' ? after.failure.code : after.state;
  const credits = after.charge === 'returned' ? after.credits : 0;
  return [{ what: 'end', hour: hourOf(after.createdAt), name, credits }];
}
