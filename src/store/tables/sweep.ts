import { DAY_MS, MINUTE_MS } from '../../base/clock.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { Dialect, Query } from './driver.ts';
import { closeErasures } from './erasures.ts';
import { FIGURES_KEPT_MS, SCALES } from './figures.ts';
import { hourOf } from './tallies.ts';

const RECORDS_KEPT_MS = 30 * DAY_MS;
/** Longer than a month by more than any two clocks differ, because the month's ceiling is checked against them. */
const TOTALS_KEPT_MS = 40 * DAY_MS;
const AUDIT_KEPT_MS = 90 * DAY_MS;
/** Longer than charges, by which a job's credits return to a grant. */
const GRANTS_KEPT_MS = 32 * DAY_MS;
/** Telegram repeats an update for at most a day. */
const EVENTS_KEPT_MS = 2 * DAY_MS;
const BATCH = 200;

/** Each removes a batch, at most `$1` rows, and returns a row for each. Rows that another transaction has locked stay for the next batch. */
const statementsOf = ({ clock, least, now, skipLocked }: Dialect) => ({
  usage: `DELETE FROM usage WHERE (day, community, person) IN
      (SELECT day, community, person FROM usage WHERE day < $2 LIMIT $1${skipLocked})
    RETURNING 1`,
  charges: `DELETE FROM charges WHERE job IN
      (SELECT job FROM charges WHERE day < $2 LIMIT $1${skipLocked})
    RETURNING 1`,
  totals: `DELETE FROM totals WHERE (day, part) IN
      (SELECT day, part FROM totals WHERE day < $2 LIMIT $1${skipLocked})
    RETURNING 1`,
  jobs: `DELETE FROM jobs WHERE seq IN
      (SELECT seq FROM jobs WHERE finished_at < $2 ORDER BY finished_at LIMIT $1${skipLocked})
    RETURNING 1`,
  /** By the database's clock as well: its trigger refuses to delete younger lines, and ours may be ahead. */
  audit: `DELETE FROM audit WHERE seq IN
      (SELECT seq FROM audit WHERE at < ${least}(CAST($2 AS bigint), ${now} - ${AUDIT_KEPT_MS})
       ORDER BY at LIMIT $1${skipLocked})
    RETURNING 1`,
  damaged: `DELETE FROM damaged WHERE seq IN
      (SELECT seq FROM damaged WHERE at < $2 LIMIT $1${skipLocked})
    RETURNING 1`,
  entries: `DELETE FROM entries WHERE (namespace, key) IN
      (SELECT namespace, key FROM entries WHERE expires IS NOT NULL AND expires <= $2 LIMIT $1${skipLocked})
    RETURNING 1`,
  removed: `DELETE FROM removed WHERE origin IN
      (SELECT origin FROM removed WHERE at < $2 LIMIT $1${skipLocked})
    RETURNING 1`,
  inbox: `DELETE FROM inbox WHERE id IN
      (SELECT id FROM inbox WHERE body IS NULL AND at < $2 LIMIT $1${skipLocked})
    RETURNING 1`,
  /** The whole table is read: it has the jobs of about a minute. They are counted by this clock, which ours may be ahead of. */
  acceptances: `DELETE FROM acceptances WHERE (person, at, seq) IN
      (SELECT person, at, seq FROM acceptances
       WHERE at NOT BETWEEN ${clock} - ${MINUTE_MS} AND ${clock} + ${MINUTE_MS} LIMIT $1${skipLocked})
    RETURNING 1`,
  tallies: `DELETE FROM tallies WHERE (community, what, hour, name) IN
      (SELECT community, what, hour, name FROM tallies WHERE hour < $2 LIMIT $1${skipLocked})
    RETURNING 1`,
  grants: `DELETE FROM grants WHERE (community, person) IN
      (SELECT community, person FROM grants WHERE credits = 0 AND at < $2 LIMIT $1${skipLocked})
    RETURNING 1`,
  figures: `DELETE FROM figures WHERE (scale, at) IN
      (SELECT scale, at FROM figures WHERE scale = $2 AND at < $3 LIMIT $1${skipLocked})
    RETURNING 1`,
});

/** Removes one batch of what has expired from each table; says whether more is left. Removal is final, so `at` cannot be ahead. */
export async function sweepTables(query: Query, sql: Dialect, at: number): Promise<boolean> {
  const statements = statementsOf(sql);
  const remove = async (text: string, ...values: readonly (string | number)[]): Promise<number> => {
    const whole = values.map((value) => (typeof value === 'number' ? Math.floor(value) : value));
    return (await query(text, [BATCH, ...whole])).length;
  };
  const day = dayOf(at - RECORDS_KEPT_MS);
  const removed = [
    // Before all that would keep others waiting: this one waits for them.
    await closeErasures(query, sql, at, BATCH),
    await remove(statements.usage, day),
    await remove(statements.charges, day),
    await remove(statements.totals, dayOf(at - TOTALS_KEPT_MS)),
    await remove(statements.jobs, at - RECORDS_KEPT_MS),
    await remove(statements.audit, at - AUDIT_KEPT_MS),
    await remove(statements.damaged, at - AUDIT_KEPT_MS),
    await remove(statements.entries, at),
    await remove(statements.removed, at - EVENTS_KEPT_MS),
    await remove(statements.inbox, at - EVENTS_KEPT_MS),
    await remove(statements.acceptances),
    await remove(statements.tallies, hourOf(at - RECORDS_KEPT_MS)),
    await remove(statements.grants, at - GRANTS_KEPT_MS),
  ];
  for (const scale of SCALES)
    removed.push(await remove(statements.figures, scale, at - FIGURES_KEPT_MS[scale]));
  return removed.some((count) => count >= BATCH);
}
