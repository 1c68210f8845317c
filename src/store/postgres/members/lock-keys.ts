import { RESTORE } from '../../records/tables.ts';
import type { Query } from '../../tables/driver.ts';

/**
 * Advisory locks belong to a database; these keys also carry the schema, so that two Darkrooms in one database do not meet.
 * A member's key is a pair of integers, a named lock's key is one: PostgreSQL keeps the two apart.
 */
const SCHEMA = 'quote_ident(current_schema())::regnamespace::oid';

/** Arguments of an advisory lock function. `id`: an SQL expression. */
export function memberKey(id: string): string {
  return `${SCHEMA}::int, (${id})::int`;
}

/** The members whose locks are held, one row each: `objid` is the id. */
export const MEMBER_LOCKS = `pg_locks
  WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = ${SCHEMA}
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** How many processes work on the store. */
export async function countMembers(query: Query): Promise<number> {
  const [row] = await query(`SELECT count(*) AS n FROM ${MEMBER_LOCKS}`, []);
  return Number(row?.n);
}

/** Whether a row of `members` can go, as an SQL expression: nothing has to be brought to an end for it. */
export const HAS_NOTHING =
  'NOT EXISTS (SELECT FROM jobs WHERE member = members.id::text AND (finished_at IS NULL OR held IS NOT NULL))';

/** Arguments of an advisory lock function. `name`: an SQL expression. */
export function namedKey(name: string): string {
  return `hashtextextended(current_schema() || '/' || ${name}, 0)`;
}

/**
 * Whether no restore asks for the store, as an SQL expression. Until the transaction ends none can begin to. Any number can ask at
 * once: only a restore takes the lock for itself alone.
 */
export const NOT_REQUESTED = `pg_try_advisory_xact_lock_shared(${namedKey("'restore'")})`;

/** Asks for the store until the transaction ends. */
export const REQUEST = `SELECT pg_advisory_xact_lock(${namedKey("'restore'")})`;

/** Locks for each connection of a process that works on the store, apart from its session, as an SQL expression. */
export const AT_WORK = `pg_advisory_lock_shared(${namedKey("'work'")})`;

/**
 * Ends those connections. The processes that have left have none; one that froze would go on with them when it wakes. `ended` is
 * false when one of them could not be ended.
 */
export const END_WORK = `SELECT coalesce(bool_and(pg_terminate_backend(pid, 5000)), true) AS ended FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND (classid::bigint << 32) | objid::bigint = ${namedKey("'work'")}
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** By which restore the store was filled, as an SQL expression; null: by none. */
export const RESTORED = `(SELECT encode(value, 'escape') FROM meta WHERE name = '${RESTORE}')`;

/**
 * Whether this member is dead, as an SQL expression; `id`: an SQL expression. Until the transaction ends nobody else finds that
 * out: of several, one takes over.
 */
export function isDead(id: string): string {
  return `pg_try_advisory_xact_lock(${memberKey(id)})`;
}
