import type { UsageCount, UsageRecords } from '../../../orchestrator/job/records.ts';
import type { Database, Query } from '../database/database.ts';
import { expire } from './expire.ts';

/** The row with a community's sum: no person has an empty id. */
const EVERYBODY = '';

/** Credits reserved and spent per UTC day, by person and community, and by community in total. */
export function createUsage({ query }: Pick<Database, 'query'>, blind: (id: string) => string): UsageRecords {
  const count = async (day: string, community: string, person: string): Promise<UsageCount> => {
    const [row] = await query(
      'SELECT reserved, spent, granted, given, jobs FROM usage WHERE day = $1 AND community = $2 AND person = $3',
      [day, community, person],
    );
    const { reserved = 0, spent = 0, granted = 0, given = 0, jobs = 0 } = row ?? {};
    return {
      reserved: Number(reserved),
      spent: Number(spent),
      ...(Number(granted) > 0 ? { granted: Number(granted) } : {}),
      ...(Number(given) > 0 ? { given: Number(given) } : {}),
      jobs: Number(jobs),
    };
  };
  return {
    person: (day, community, person) => count(day, blind(community), blind(person)),
    async peopleOn(days, communities) {
      const [row] = await query(
        `SELECT count(DISTINCT person) AS people FROM usage
           WHERE day = ANY($1) AND community = ANY($2) AND person <> $3 AND jobs > 0`,
        [days, communities.map(blind), EVERYBODY],
      );
      return Number(row?.people ?? 0);
    },
    async totalsOn(days) {
      const rows = await query(
        'SELECT day, sum(credits)::bigint AS credits FROM totals WHERE day = ANY($1) GROUP BY day',
        [days],
      );
      return rows.map((row) => ({ day: String(row.day), credits: Math.max(0, Number(row.credits)) }));
    },
    async creditsOn(days, communities) {
      const names = new Map(communities.map((name) => [blind(name), name]));
      const rows = await query(
        `SELECT day, community, reserved + spent AS credits FROM usage
           WHERE day = ANY($1) AND community = ANY($2) AND person = $3`,
        [days, [...names.keys()], EVERYBODY],
      );
      return rows.map((row) => ({
        day: String(row.day),
        community: names.get(String(row.community)) ?? '',
        credits: Number(row.credits),
      }));
    },
    async community(day, community) {
      const [row] = await query(
        'SELECT count(*) AS people FROM usage WHERE day = $1 AND community = $2 AND person <> $3 AND jobs > 0',
        [day, blind(community), EVERYBODY],
      );
      return { ...(await count(day, blind(community), EVERYBODY)), people: Number(row?.people ?? 0) };
    },
  };
}

/** Removes up to `limit` counters of a person and of their direct chat, except those of one day; says how many. */
export async function eraseUsage(
  query: Query,
  person: string,
  direct: string,
  exceptDay: string,
  limit: number,
): Promise<number> {
  const gone = await query(
    `DELETE FROM usage WHERE (day, community, person) IN (SELECT day, community, person FROM usage
       WHERE person = $1 AND day <> $2 LIMIT $3) RETURNING 1`,
    [person, exceptDay, limit],
  );
  await query("DELETE FROM usage WHERE community = $1 AND person = '' AND day < $2", [direct, exceptDay]);
  return gone.length;
}

/** Removes up to `limit` counters, charges and totals each from before a day; says how many of either, the most. */
export async function expireUsage(query: Query, beforeDay: string, limit: number): Promise<number> {
  const removed = [
    await expire(query, limit, 'usage', 'day, community, person', 'day < $2', beforeDay),
    await expire(query, limit, 'charges', 'job', 'day < $2', beforeDay),
    await expire(query, limit, 'totals', 'day, part', 'day < $2', beforeDay),
  ];
  return Math.max(...removed);
}
