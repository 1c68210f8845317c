import { type CommunityList, createCommunityList } from '../records/community-list.ts';
import { createEntryBodies, LONGEST_VALUE } from '../records/entry-body.ts';
import type { Seal } from '../records/seal/seal.ts';
import type { Driver } from './driver.ts';
import { JOB_COLUMNS, type JobRows } from './job-rows.ts';

const next = (after: string): string =>
  `SELECT min(community) FROM jobs WHERE finished_at IS NOT NULL AND community > ${after}`;
// From one community to the next, however many jobs each has.
const KEYS = `WITH RECURSIVE found (key) AS (
    ${next('$1')} UNION ALL SELECT (${next('found.key')}) FROM found WHERE key IS NOT NULL
  ) SELECT key FROM found WHERE key IS NOT NULL LIMIT $2`;
const ENTRIES = `SELECT key, length(value) AS length, CASE WHEN length(value) <= ${LONGEST_VALUE} THEN value END AS value
  FROM entries WHERE namespace = $1 AND key > $2 AND owner IS NULL AND (expires IS NULL OR expires > $3)
  ORDER BY key LIMIT $4`;
const LATEST = `SELECT ${JOB_COLUMNS} FROM jobs
  WHERE seq = (SELECT max(seq) FROM jobs WHERE community = $1 AND finished_at IS NOT NULL)`;

export interface CommunityParts {
  readonly driver: Pick<Driver, 'query'>;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly now: () => number;
  readonly rows: Pick<JobRows, 'read'>;
}

export function createCommunities({ driver, seal, blind, now, rows }: CommunityParts): CommunityList {
  const { query } = driver;
  return createCommunityList({
    keysOfJobs: async (after, limit) => (await query(KEYS, [after, limit])).map(({ key }) => String(key)),
    async entries(namespace, after, limit) {
      const { idOf } = createEntryBodies(namespace, {}, seal, blind);
      const found = await query(ENTRIES, [namespace, after, Math.floor(now()), limit]);
      return found.map((row) => ({ key: String(row.key), id: idOf(row) }));
    },
    async idsOfJobs(wanted) {
      const ids = new Map<string, string>();
      for (const key of wanted) {
        const [row] = await query(LATEST, [key]);
        const job = row && (await rows.read(row));
        if (job !== undefined) ids.set(key, job.place.community);
      }
      return ids;
    },
  });
}
