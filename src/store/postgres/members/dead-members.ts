import type { Query } from '../../tables/driver.ts';
import { MEMBER_LOCKS } from './lock-keys.ts';

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

/** The members of `jobs` that are certainly no more, as this process sees it. */
export function createDeadMembers(
  query: Query,
  memberId: () => string,
  isSettled: () => boolean,
): () => Promise<readonly string[]> {
  let suspects: ReadonlySet<unknown> = new Set();
  return async () => {
    const found = await query(DEAD, [memberId(), isSettled()]);
    // A session that was cut off alone is opened again at once: not before the second look.
    const dead = found.filter(({ member, certain }) => certain || suspects.has(member));
    suspects = new Set(found.map(({ member }) => member));
    return dead.map(({ member }) => String(member));
  };
}
