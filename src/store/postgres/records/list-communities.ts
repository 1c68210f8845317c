import { type CommunityList, createCommunityList } from '../../records/community-list.ts';
import { createEntryBodies, LONGEST_VALUE } from '../../records/entry-body.ts';
import type { JobTableParts } from './job-table-parts.ts';
import { columns, type JobReader } from './read-jobs.ts';

const next = (after: string): string =>
  `SELECT min(community COLLATE "C") FROM jobs WHERE finished_at IS NOT NULL AND community COLLATE "C" > ${after}`;
// From one community to the next, however many jobs each has.
const KEYS = `WITH RECURSIVE found (key) AS (
    ${next('$1')} UNION ALL SELECT (${next('found.key')}) FROM found WHERE key IS NOT NULL
  ) SELECT key FROM found WHERE key IS NOT NULL LIMIT $2`;
const ENTRIES = `SELECT key, length(value) AS length, CASE WHEN length(value) <= ${LONGEST_VALUE} THEN value END AS value
  FROM entries WHERE namespace = $1 AND key > $2 AND owner IS NULL AND (expires IS NULL OR expires > $3)
  ORDER BY key LIMIT $4`;
const LATEST = `SELECT k.key, ${columns} FROM unnest($1::text[]) AS k (key) CROSS JOIN LATERAL (
    SELECT * FROM jobs WHERE community COLLATE "C" = k.key AND finished_at IS NOT NULL ORDER BY seq DESC LIMIT 1
  ) AS j`;

export function createListCommunities(
  { database: { query }, seal, blind, now }: JobTableParts,
  { read }: Pick<JobReader, 'read'>,
): CommunityList {
  return createCommunityList({
    keysOfJobs: async (after, limit) => (await query(KEYS, [after, limit])).map(({ key }) => String(key)),
    async entries(namespace, after, limit) {
      const { idOf } = createEntryBodies(namespace, {}, seal, blind);
      const rows = await query(ENTRIES, [namespace, after, now(), limit]);
      return rows.map((row) => ({ key: String(row.key), id: idOf(row) }));
    },
    async idsOfJobs(wanted) {
      const ids = new Map<string, string>();
      if (wanted.length === 0) return ids;
      for (const row of await query(LATEST, [wanted])) {
        const job = await read(row);
        if (job !== undefined) ids.set(String(row.key), job.place.community);
      }
      return ids;
    },
  });
}
