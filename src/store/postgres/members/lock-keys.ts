/**
 * Advisory locks belong to a database; these keys also carry the schema, so that two Darkrooms in one database do not meet.
 * A member's key is a pair of integers, a named lock's key is one: PostgreSQL keeps the two apart.
 */
const SCHEMA = 'current_schema()::regnamespace::oid';

/** Arguments of an advisory lock function. `id`: an SQL expression. */
export function memberKey(id: string): string {
  return `${SCHEMA}::int, ${id}`;
}

/** The members whose locks are held, one row each: `objid` is the id. */
export const MEMBER_LOCKS = `pg_locks
  WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = ${SCHEMA}
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Arguments of an advisory lock function. `name`: an SQL expression. */
export function namedKey(name: string): string {
  return `hashtextextended(current_schema() || '/' || ${name}, 0)`;
}

/**
 * Whether this member is dead, as an SQL expression; `id`: an SQL expression. Until the transaction ends nobody else finds that
 * out: of several, one takes over.
 */
export function isDead(id: string): string {
  return `pg_try_advisory_xact_lock(${memberKey(id)})`;
}
