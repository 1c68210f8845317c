import type { Query } from '../../tables/driver.ts';
import { RESTORE } from '../../tables/schema.ts';

/**
 * Advisory locks belong to a database; these keys also carry the schema, so that two Darkrooms in one database do not meet.
 * A member's key is a pair of integers, a named lock's key is one: PostgreSQL keeps the two apart.
 */
export const SCHEMA_OID = 'quote_ident(current_schema())::regnamespace::oid';

/** Arguments of an advisory lock function. `id`: an SQL expression. */
export const memberKey = (id: string): string => `${SCHEMA_OID}::int, (${id})::int`;

/** The members whose locks are held, one row each: `objid` is the id. */
export const MEMBER_LOCKS = `pg_locks
  WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = ${SCHEMA_OID}
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** How many processes are certainly alive on this store. */
export async function countMembers(query: Query): Promise<number> {
  const [row] = await query(`SELECT count(*) AS n FROM ${MEMBER_LOCKS}`, []);
  return Number(row?.n);
}

/** Whether a member has no jobs that must be brought to an end, as an SQL expression on `members`: its row can go. */
export const HAS_NO_JOBS =
  'NOT EXISTS (SELECT FROM jobs WHERE member = members.id::text AND (finished_at IS NULL OR held IS NOT NULL))';

/** Arguments of an advisory lock function. `name`: an SQL expression. */
export const namedKey = (name: string): string => `hashtextextended(current_schema() || '/' || ${name}, 0)`;

/** Takes the lock of a restore until its transaction ends: no process joins meanwhile. */
export const TAKE_RESTORE_LOCK = `SELECT pg_advisory_xact_lock(${namedKey("'restore'")})`;

/** Waits for a restore that is under way, as an SQL expression. Until the transaction ends none can begin. */
export const WAIT_FOR_RESTORE = `pg_advisory_xact_lock_shared(${namedKey("'restore'")})`;

/** Whether a restore is under way. */
export async function isRestoring(query: Query): Promise<boolean> {
  const [row] = await query(`SELECT pg_try_advisory_xact_lock_shared(${namedKey("'restore'")}) AS free`, []);
  return row?.free === false;
}

/** Locks for each connection of a process that works on the store, apart from its session, as an SQL expression. */
export const TAKE_WORK_LOCK = `pg_advisory_lock_shared(${namedKey("'work'")})`;

/** Ends the connections of processes that froze, which would go on with them. `ended` is false when one could not be ended. */
export const END_FROZEN_CONNECTIONS = `SELECT coalesce(bool_and(pg_terminate_backend(pid, 5000)), true) AS ended FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND (classid::bigint << 32) | objid::bigint = ${namedKey("'work'")}
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** The id of the restore that filled the store, as an SQL expression; null: none did. */
export const RESTORE_ID = `(SELECT encode(value, 'escape') FROM meta WHERE name = '${RESTORE}')`;

/** Like `RESTORE_ID`, for a database whose `meta` table may not exist yet. */
export async function restoredBy(query: Query): Promise<string | null> {
  const [known] = await query("SELECT to_regclass('meta') IS NOT NULL AS yes", []);
  if (known?.yes !== true) return null;
  const [row] = await query(`SELECT ${RESTORE_ID} AS restored`, []);
  return typeof row?.restored === 'string' ? row.restored : null;
}

/** Whether a member is dead, as an SQL expression. Until the transaction ends no other one gets the same answer: one process takes over. */
export const isDead = (id: string): string => `pg_try_advisory_xact_lock(${memberKey(id)})`;

/**
 * Processes whose lock is free, as `$1` sees it, whose session must be on this server. The index leads from one to the
 * next: they are few, and jobs may be many. An outage of the database cuts off all, so one that joined before `$1` may
 * return (`$2`: no more). One that lives under another id keeps what it had. `certain`: it has left, or was `$1`.
 */
export const DEAD_MEMBERS = `
  WITH RECURSIVE known (member) AS (
    SELECT min(member) FROM jobs WHERE (finished_at IS NULL OR held IS NOT NULL)
    UNION ALL
    SELECT (SELECT min(member) FROM jobs WHERE (finished_at IS NULL OR held IS NOT NULL) AND member > known.member)
    FROM known WHERE known.member IS NOT NULL
  ), alive AS MATERIALIZED (SELECT objid::bigint AS id FROM ${MEMBER_LOCKS})
  SELECT known.member, coalesce(m.process = own.process, m.id IS NULL) AS certain
  FROM known LEFT JOIN members m ON m.id::text = known.member LEFT JOIN members own ON own.id::text = $1
  WHERE (known.member <> $1 OR own.id IS NULL) AND known.member NOT IN (SELECT id::text FROM alive) AND (
    m.id IS NULL OR m.process = own.process OR own.id IN (SELECT id FROM alive) AND (m.id > own.id OR $2)
      AND NOT EXISTS (SELECT FROM members l WHERE l.process = m.process AND l.id IN (SELECT id FROM alive))
  )`;

/** The members of `jobs` that are certainly dead, as this process sees it. */
export function createDeadMembers(
  query: Query,
  memberId: () => string,
  isSettled: () => boolean,
): () => Promise<readonly string[]> {
  let suspects: ReadonlySet<unknown> = new Set();
  return async () => {
    const found = await query(DEAD_MEMBERS, [memberId(), isSettled()]);
    // A session that was cut off alone is opened again at once: not before the second look.
    const dead = found.filter(({ member, certain }) => certain || suspects.has(member));
    suspects = new Set(found.map(({ member }) => member));
    return dead.map(({ member }) => String(member));
  };
}
