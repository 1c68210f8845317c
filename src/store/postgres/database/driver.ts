import type { Dialect, Driver } from '../../tables/driver.ts';
import { isDead, MEMBER_LOCKS } from '../members/lock-keys.ts';
import type { Database } from './database.ts';
import { isTaken } from './postgres-error.ts';

const key = (what: string, name: string): string =>
  `hashtextextended(current_schema() || '/${what}/' || ${name}, 0)`;

/** Members say every three seconds that they are there. Others may be on their way back after an outage. */
function otherProcesses(member: string): string {
  return `SELECT process FROM members WHERE process IS NOT NULL GROUP BY process
  HAVING NOT bool_or(id::text = ${member})
  AND greatest(max(seen_at), (SELECT joined_at FROM members WHERE id::text = ${member})) > now() - interval '15 seconds'`;
}

/** Members who only lost their session: their process has another id now. */
const rejoined = `SELECT former.id FROM members AS former JOIN members AS later USING (process)
  WHERE later.id > former.id AND later.id IN (SELECT objid::integer FROM ${MEMBER_LOCKS})`;

const LOSSY = "(SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL";

export const dialect: Dialect = {
  lossy: LOSSY,
  unawaited: LOSSY,
  forUpdate: ' FOR UPDATE',
  skipLocked: ' FOR UPDATE SKIP LOCKED',
  greatest: 'greatest',
  least: 'least',
  now: '(extract(epoch FROM now()) * 1000)::bigint',
  indexedBy: () => '',
  // `OFFSET 0`: planned by itself, so that all jobs are not read in order to find the few that are unfinished.
  unfinishedJobs: '(SELECT * FROM jobs WHERE finished_at IS NULL OFFSET 0) AS jobs',
  nextSeq: (table) => `nextval('${table}_seq')`,
  list: (list, type) => `unnest(${list}::${type}[]) AS list (value)`,
  rows: (list) => `jsonb_array_elements(${list}::jsonb) AS list (value)`,
  bytes: (text) => `decode(${text}, 'hex')`,
  given: ' OVERRIDING SYSTEM VALUE',
  sharedLock: (person) =>
    `SELECT CASE WHEN ${person}::text IS NOT NULL THEN pg_advisory_xact_lock_shared(${key('person', `${person}::text`)})::text END AS locked`,
  lock: (what, names) =>
    `SELECT pg_advisory_xact_lock(${key(what, 'value')}) FROM unnest(${names}::text[]) AS list (value)`,
  otherProcesses,
  isDead,
  rejoined,
};

export function driverOf({ query, transaction }: Pick<Database, 'query' | 'transaction'>): Driver {
  return {
    query,
    transaction,
    together: (work) => work(query),
    // Every statement but the lossy ones is on disk when it resolves.
    onDisk: async () => undefined,
    removed: () => undefined,
    isDuplicate: isTaken,
    sql: dialect,
  };
}
