import { HOUR_MS } from '../../base/clock.ts';
import { isPersonal } from '../../command/place.ts';
import { hasEnded, type Job } from '../../orchestrator/job/job.ts';
import type { NewJob } from '../../orchestrator/job/records.ts';
import { original, storable } from '../records/seal.ts';
import type { Base, Transaction } from './driver.ts';

/**
 * Numbers about what communities do, which name no person: `job` counts accepted jobs by kind, and `end` counts jobs that ended
 * without a result, by the reason, both by the hour, so that days can be made of them in any time zone. `filter` counts
 * filters by the UTC day, which is enough to rank them. `job` counts credits that were taken, `end` credits that went back.
 */
export type Tallied = 'job' | 'filter' | 'end';

interface Tally {
  readonly what: Tallied;
  /** Since 1970, UTC; of a day its first. */
  readonly hour: number;
  /** Not encrypted: nothing that people have named. */
  readonly name: string;
  readonly count: number;
  readonly credits: number;
}

export type TallyCount = Omit<Tally, 'what'>;

/** Names of one sort in an hour or a day; others are not counted. */
const MOST_NAMES = 100;
const LONGEST_NAME = 100;

/** The hour of a time, counted since 1970. */
export const hourOf = (time: number): number => Math.floor(time / HOUR_MS);

/** Nothing is counted of a person's own community, nor the filter of a private job, which others would learn of. */
export function talliesOf({ job, filter }: Pick<NewJob, 'job' | 'filter'>): readonly Tally[] {
  if (isPersonal(job.place.community)) return [];
  const { credits } = job;
  const hour = hourOf(job.createdAt);
  const all: Tally[] = [{ what: 'job', hour, name: job.request.kind, count: 1, credits }];
  if (filter !== undefined && filter.length <= LONGEST_NAME && !job.private)
    all.push({ what: 'filter', hour: hour - (hour % 24), name: filter, count: 1, credits });
  return all;
}

/** A job that ended without a result, or whose credits went back after that; in the hour in which it was accepted. */
export function talliesOfEnd(before: Job, after: Job): readonly Tally[] {
  if (!hasEnded(after) || after.state === 'done' || isPersonal(after.place.community)) return [];
  const name = after.state === 'failed' ? after.failure.code : after.state;
  const count = hasEnded(before) ? 0 : 1;
  const credits = after.charge === 'returned' && before.charge !== 'returned' ? after.credits : 0;
  return count + credits === 0 ? [] : [{ what: 'end', hour: hourOf(after.createdAt), name, count, credits }];
}

/** The credits of a job whose record was removed after its end go back. */
export const talliesOfReturn = ({ place, createdAt, credits }: Job): readonly Tally[] =>
  isPersonal(place.community)
    ? []
    : [{ what: 'end', hour: hourOf(createdAt), name: 'cancelled', count: 0, credits }];

export type Tallies = ReturnType<typeof createTallies>;

/** Counts what communities do, for statistics and the order of filters. */
export function createTallies({ driver, blind }: Base) {
  const add = `INSERT INTO tallies AS t (community, what, hour, name, count, credits)
    SELECT $1, what, hour, name, count, credits FROM (
      SELECT value->>0 AS what, CAST(value->>1 AS bigint) AS hour, value->>2 AS name,
        CAST(value->>3 AS bigint) AS count, CAST(value->>4 AS bigint) AS credits
      FROM ${driver.sql.rows('$2')}
    ) AS given
    WHERE EXISTS (
        SELECT 1 FROM tallies AS known WHERE known.community = $1 AND known.what = given.what
          AND known.hour = given.hour AND known.name = given.name
      ) OR (
        SELECT count(*) FROM tallies AS known WHERE known.community = $1 AND known.what = given.what
          AND known.hour = given.hour
      ) < ${MOST_NAMES}
    ON CONFLICT (community, what, hour, name)
      DO UPDATE SET count = t.count + excluded.count, credits = t.credits + excluded.credits`;
  return {
    add({ write }: Transaction, community: string, tallies: readonly Tally[]): void {
      const rows = tallies.map(({ what, hour, name, count, credits }) => [
        what,
        hour,
        storable(name),
        count,
        credits,
      ]);
      if (rows.length > 0) write(add, [blind(community), JSON.stringify(rows)]);
    },
    /** All of one sort from this hour on. */
    async since(community: string, what: Tallied, hour: number): Promise<readonly TallyCount[]> {
      const rows = await driver.query(
        `SELECT hour, name, count, credits FROM tallies
         WHERE community = $1 AND what = $2 AND hour >= $3`,
        [blind(community), what, hour],
      );
      return rows.map((row) => ({
        hour: Number(row.hour),
        name: original(String(row.name)),
        count: Number(row.count),
        credits: Number(row.credits),
      }));
    },
  };
}
