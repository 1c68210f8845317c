import type { Job } from '../../../orchestrator/job/job.ts';
import { LOCK_SLOTS } from '../database/lock-order.ts';
import { MEMBER_LOCKS } from '../members/lock-keys.ts';
import type { JobTableParts } from './job-table-parts.ts';
import { columns, type JobReader } from './read-jobs.ts';

/** So few that a process that dies meanwhile has not kept the others waiting for many. */
const PAGE = 100;

const first = 'SELECT min(member) FROM jobs WHERE (finished_at IS NULL OR held IS NOT NULL)';

/**
 * Processes whose lock nobody holds, as `$1` sees it, whose session must be on this server. The index leads from one to the next: they
 * are few, and jobs may be many. An outage of the database cuts off everybody, so whoever joined before `$1` may be on the way back
 * (`$2`: no more). One that lives under another id goes on itself with what it had. `certain`: it has left, or was `$1`.
 */
export const DEAD = `
  WITH RECURSIVE known (member) AS (
    ${first} UNION ALL SELECT (${first} AND member > known.member) FROM known WHERE known.member IS NOT NULL
  ), alive AS MATERIALIZED (SELECT objid::bigint AS id FROM ${MEMBER_LOCKS})
  SELECT known.member, coalesce(m.process = own.process, m.id IS NULL) AS certain
  FROM known LEFT JOIN members m ON m.id::text = known.member LEFT JOIN members own ON own.id::text = $1
  WHERE (known.member <> $1 OR own.id IS NULL) AND known.member NOT IN (SELECT id::text FROM alive) AND (
    m.id IS NULL OR m.process = own.process OR own.id IN (SELECT id FROM alive) AND (m.id > own.id OR $2)
      AND NOT EXISTS (SELECT FROM members l WHERE l.process = m.process AND l.id IN (SELECT id FROM alive))
  )`;

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
  INSERT INTO slots SELECT turn_of, count(*), 0 FROM jobs WHERE finished_at IS NULL AND slot = 1 GROUP BY turn_of;
END $$`;

/**
 * Takes over the unfinished jobs of processes that are no longer alive, and what they had in hand. A raised version refuses
 * every later write of theirs. Whoever takes over and dies is followed by the next one. The
 * first time, slots are counted again.
 */
export function createTakeOver(
  { database, memberId, isSettled }: JobTableParts,
  { read }: JobReader,
): () => AsyncIterable<Job> {
  const { query } = database;
  let isRecounted = false;
  let suspects: ReadonlySet<unknown> = new Set();
  return async function* () {
    if (!isRecounted) await query(RECOUNT, []);
    isRecounted = true;
    const found = await query(DEAD, [memberId(), isSettled()]);
    // A session that was cut off alone is opened again at once: not before the second look.
    const dead = found.flatMap(({ member, certain }) => (certain || suspects.has(member) ? [member] : []));
    suspects = new Set(found.map(({ member }) => member));
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
