import type { Base } from './driver.ts';
import { createEntryBodies, LONGEST_VALUE } from './entry-body.ts';
import { JOB_COLUMNS, type JobRows } from './job-rows.ts';

const next = (after: string): string =>
  `SELECT min(community) FROM jobs WHERE finished_at IS NOT NULL AND community > ${after}`;
// From one community to the next, however many jobs each has.
const KEYS = `WITH RECURSIVE found (key) AS (
    ${next('$1')} UNION ALL SELECT (${next('found.key')}) FROM found WHERE key IS NOT NULL
  ) SELECT key FROM found WHERE key IS NOT NULL LIMIT $2`;
/** Without records that belong to a person. */
const ENTRIES = `SELECT key, length(value) AS length, CASE WHEN length(value) <= ${LONGEST_VALUE} THEN value END AS value
  FROM entries WHERE namespace = $1 AND key > $2 AND owner IS NULL AND (expires IS NULL OR expires > $3)
  ORDER BY key LIMIT $4`;
const LATEST = `SELECT ${JOB_COLUMNS} FROM jobs
  WHERE seq = (SELECT max(seq) FROM jobs WHERE community = $1 AND finished_at IS NOT NULL)`;

export interface CommunityPage {
  /** One that cannot be read is left out, so there may be fewer than asked for. */
  readonly ids: readonly string[];
  /** Where the next page begins; undefined: there are no more. */
  readonly next?: string;
}

/** Communities that have ended jobs, or records of their own. */
export function createCommunities({ driver: { query }, seal, blind, now }: Base, { read }: JobRows) {
  const idOfJobs = async (key: string): Promise<string | undefined> => {
    const [row] = await query(LATEST, [key]);
    return (row && (await read(row)))?.place.community;
  };
  return {
    /** In the order of the store's own keys. `namespaces`: of records whose keys are communities. */
    async page(namespaces: readonly string[], limit: number, after = ''): Promise<CommunityPage> {
      const known = new Map<string, string | undefined>();
      for (const { key } of await query(KEYS, [after, limit + 1])) known.set(String(key), undefined);
      for (const namespace of namespaces) {
        const { open } = createEntryBodies(namespace, {}, { seal, blind });
        for (const row of await query(ENTRIES, [namespace, after, Math.floor(now()), limit + 1])) {
          const key = String(row.key);
          try {
            known.set(key, open(row)[0]);
          } catch {
            known.set(key, known.get(key));
          }
        }
      }
      const keys = [...known.keys()].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const shown = keys.slice(0, limit);
      const ids: string[] = [];
      for (const key of shown) {
        const id = known.get(key) ?? (await idOfJobs(key));
        if (id !== undefined) ids.push(id);
      }
      const last = shown.at(-1);
      return { ids, ...(keys.length > limit && last !== undefined ? { next: last } : {}) };
    },
  };
}
