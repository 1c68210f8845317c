import { type CommunityList, createCommunityList } from '../../records/community-list.ts';
import { createEntryBodies, LONGEST_VALUE } from '../../records/entry-body.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Database } from '../file/database.ts';
import { columns } from './job-row.ts';
import type { JobReader } from './read-jobs.ts';

export interface ListCommunitiesParts {
  readonly database: Pick<Database, 'sql'>;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly now: () => number;
}

export function createListCommunities(
  { database: { sql }, seal, blind, now }: ListCommunitiesParts,
  { read }: Pick<JobReader, 'read'>,
): CommunityList {
  const next = (after: string): string =>
    `SELECT min(community) FROM jobs WHERE finished_at IS NOT NULL AND community > ${after}`;
  // From one community to the next, however many jobs each has.
  const keys = sql.prepare(`
    WITH RECURSIVE found (key) AS (${next('?1')} UNION ALL SELECT (${next('found.key')}) FROM found WHERE key IS NOT NULL)
    SELECT key FROM found WHERE key IS NOT NULL LIMIT ?2
  `);
  const entries = sql.prepare(`
    SELECT key, length(value) AS length, CASE WHEN length(value) <= ${LONGEST_VALUE} THEN value END AS value FROM entries
    WHERE namespace = ? AND key > ? AND owner IS NULL AND (expires IS NULL OR expires > ?) ORDER BY key LIMIT ?
  `);
  const latest = sql.prepare(
    `SELECT ${columns} FROM jobs WHERE community = ? AND finished_at IS NOT NULL ORDER BY seq DESC LIMIT 1`,
  );
  return createCommunityList({
    keysOfJobs: async (after, limit) => keys.all(after, limit).map(({ key }) => String(key)),
    async entries(namespace, after, limit) {
      const { idOf } = createEntryBodies(namespace, {}, seal, blind);
      return entries
        .all(namespace, after, now(), limit)
        .map((row) => ({ key: String(row.key), id: idOf(row) }));
    },
    async idsOfJobs(wanted) {
      return new Map(
        wanted.flatMap((key) => {
          const row = latest.get(key);
          const job = row && read(row);
          return job === undefined ? [] : [[key, job.place.community] as const];
        }),
      );
    },
  });
}
