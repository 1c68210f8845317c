import type { Job } from '../../../orchestrator/job/job.ts';
import { LOCK_SLOTS } from '../database/lock-order.ts';
import { MEMBER_LOCKS } from '../members/lock-keys.ts';
import type { JobTableParts } from './job-table-parts.ts';
import { columns, type JobReader } from './read-jobs.ts';

/** So few that a process that dies meanwhile has not kept the others waiting for many. */
const PAGE = 100;

const first = 'SELECT min(member) FROM jobs WHERE (finished_at IS NULL OR held IS NOT NULL)';

/**
 * Processes whose lock nobody holds; none of them gets it again. The index leads from one to the next: they are few, and jobs
 * may be many.
 */
export const DEAD = `
  WITH RECURSIVE known (member) AS (
    ${first} UNION ALL SELECT (${first} AND member > known.member) FROM known WHERE known.member IS NOT NULL
  )
  SELECT member FROM known WHERE member IS NOT NULL AND member NOT IN (SELECT objid::text FROM ${MEMBER_LOCKS})`;

// Of two processes, the second finds another member in the row when it gets the row's lock.
const TAKE_OVER = `
  WITH everybody AS MATERIALIZED (${LOCK_SLOTS}), found AS MATERIALIZED (
    SELECT seq FROM everybody, jobs WHERE member = ANY ($1) AND (finished_at IS NULL OR held IS NOT NULL) AND seq > $2
    ORDER BY seq LIMIT ${PAGE} FOR UPDATE OF jobs
  )
  UPDATE jobs AS j SET member = $3, version = j.version + 1, held = NULL,
    slot = CASE WHEN j.state = 'waiting' THEN 0 ELSE j.slot END,
    line = CASE WHEN j.state = 'waiting' AND j.slot = 1 THEN j.credentials ELSE j.line END
  FROM found WHERE j.seq = found.seq
  RETURNING j.finished_at IS NULL AS unfinished, ${columns}`;

// Whoever changes a slot locks the row of everybody (''): what was not counted yet is added afterwards. Without `per_person`
// the next `take` finds out again who is full.
const RECOUNT = `DO $$ BEGIN
  PERFORM FROM slots WHERE person = '' FOR UPDATE;
  INSERT INTO slots VALUES ('', (SELECT count(*) FROM jobs WHERE finished_at IS NULL AND slot = 1), 0)
    ON CONFLICT (person) DO UPDATE SET running = excluded.running, per_person = NULL;
  DELETE FROM slots WHERE person <> '';
  INSERT INTO slots SELECT owner, count(*), 0 FROM jobs WHERE finished_at IS NULL AND slot = 1 GROUP BY owner;
END $$`;

/**
 * Takes over the unfinished jobs of processes that are no longer alive, and what they had in hand. A raised version refuses
 * every later write of theirs. Whoever takes over and dies is followed by the next one. The
 * first time, slots are counted again.
 */
export function createTakeOver(
  { database, memberId }: JobTableParts,
  { read }: JobReader,
): () => AsyncIterable<Job> {
  const { query } = database;
  let isRecounted = false;
  return async function* () {
    if (!isRecounted) await query(RECOUNT, []);
    isRecounted = true;
    const dead = (await query(DEAD, [])).map(({ member }) => member);
    if (dead.length === 0) return;
    for (let last = 0; ; ) {
      const rows = await query(TAKE_OVER, [dead, last, memberId()]);
      if (rows.length === 0) return;
      for (const row of rows.toSorted((one, other) => Number(one.seq) - Number(other.seq))) {
        last = Number(row.seq);
        const job = row.unfinished === true ? await read(row) : undefined;
        if (job !== undefined) yield job;
      }
    }
  };
}
