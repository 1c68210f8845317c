import { DAY_MS } from '../../base/clock.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { DamagedRecord } from './damaged.ts';
import type { Base, Query } from './driver.ts';
import { COMMUNITY_SUM, totalsPartOf } from './usage.ts';

/** No counter comes near it, and sums of so many fit into every number. */
const MOST = 1_000_000_000_000;

/** Set wrong counters to zero. `$1`, where there is one: the first day whose counters are still counted on. */
const REPAIRS = {
  grants: `UPDATE grants SET credits = 0
    WHERE credits NOT BETWEEN 0 AND ${MOST}
    RETURNING community, person`,
  usage: `UPDATE usage SET
      reserved = CASE WHEN reserved BETWEEN 0 AND ${MOST} THEN reserved ELSE 0 END,
      spent = CASE WHEN spent BETWEEN 0 AND ${MOST} THEN spent ELSE 0 END,
      granted = CASE WHEN granted BETWEEN 0 AND ${MOST} THEN granted ELSE 0 END,
      given = CASE WHEN given BETWEEN 0 AND ${MOST} THEN given ELSE 0 END,
      jobs = CASE WHEN jobs BETWEEN 0 AND ${MOST} THEN jobs ELSE 0 END
    WHERE day >= $1 AND (
      reserved NOT BETWEEN 0 AND ${MOST} OR spent NOT BETWEEN 0 AND ${MOST} OR granted NOT BETWEEN 0 AND ${MOST}
      OR given NOT BETWEEN 0 AND ${MOST} OR jobs NOT BETWEEN 0 AND ${MOST})
    RETURNING day, community, person`,
  /** A total can be below zero for a while, and so can a tally: credits of a day that has been deleted go back. */
  totals: `UPDATE totals SET credits = 0
    WHERE day >= $1 AND credits NOT BETWEEN -${MOST} AND ${MOST}
    RETURNING day, part`,
  tallies: `UPDATE tallies SET
      count = CASE WHEN count BETWEEN -${MOST} AND ${MOST} THEN count ELSE 0 END,
      credits = CASE WHEN credits BETWEEN -${MOST} AND ${MOST} THEN credits ELSE 0 END
    WHERE count NOT BETWEEN -${MOST} AND ${MOST} OR credits NOT BETWEEN -${MOST} AND ${MOST}
    RETURNING community, what, hour, name`,
} as const;

/**
 * Sets counters that cannot be true to zero, once when the store is opened: every sum with one of them would fail, for everybody
 * whom it counts. Sums are made again from what they add up.
 */
export async function repairCounters(
  { driver: { transaction }, now }: Pick<Base, 'driver' | 'now'>,
  report: (record: DamagedRecord) => void,
): Promise<void> {
  const yesterday = dayOf(now() - DAY_MS);
  const found = await transaction(async (query) => {
    const grants = await query(REPAIRS.grants, []);
    const usage = await query(REPAIRS.usage, [yesterday]);
    for (const { day, community, person } of usage)
      if (person === COMMUNITY_SUM) await addPeople(query, day, community);
    const totals = await query(REPAIRS.totals, [yesterday]);
    for (const { day, part } of totals) await addCommunities(query, day, part);
    const tallies = await query(REPAIRS.tallies, []);
    return Object.entries({ grants, usage, totals, tallies });
  });
  for (const [kind, rows] of found)
    for (const row of rows)
      report({ kind, id: Object.values(row).join(' '), why: 'a number that cannot be true' });
}

/** Makes a community's sum of a day again from the counters of its people. */
async function addPeople(query: Query, day: unknown, community: unknown): Promise<void> {
  await query(
    `UPDATE usage SET
       reserved = (SELECT coalesce(sum(reserved), 0) FROM usage WHERE day = $1 AND community = $2 AND person <> $3),
       spent = (SELECT coalesce(sum(spent), 0) FROM usage WHERE day = $1 AND community = $2 AND person <> $3),
       jobs = (SELECT coalesce(sum(jobs), 0) FROM usage WHERE day = $1 AND community = $2 AND person <> $3)
     WHERE day = $1 AND community = $2 AND person = $3`,
    [day, community, COMMUNITY_SUM],
  );
}

/** Makes the total of a part on a day again from the sums of its communities. */
async function addCommunities(query: Query, day: unknown, part: unknown): Promise<void> {
  const sums = await query(
    `SELECT community, reserved + spent AS used FROM usage WHERE day = $1 AND person = '${COMMUNITY_SUM}'`,
    [day],
  );
  const mine = sums.filter(({ community }) => totalsPartOf(String(community)) === Number(part));
  const total = mine.reduce((sum, { used }) => sum + Number(used), 0);
  await query('UPDATE totals SET credits = $3 WHERE day = $1 AND part = $2', [day, part, total]);
}
