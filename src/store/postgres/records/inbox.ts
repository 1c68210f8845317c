import type { Inbox, InboxClaim } from '../../../base/members/inbox.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Row } from '../../tables/driver.ts';
import type { Database } from '../database/database.ts';
import { dialect } from '../database/dialect.ts';
import { isDead, MEMBER_LOCKS } from '../members/lock-keys.ts';

const PURPOSE = 'inbox';
const MOST_OPEN = 10_000;
/** A lane may take this part of the room that is left: many that flood it leave some to others. */
const SHARE = 20;
/** Given to a member at once, so that a busy lane leaves room in its hand to others. */
const CLAIMED_IN_LANE = 200;

const FITS = `nth <= greatest(sign(space), space / ${SHARE})`;

const PUT = `
WITH given AS (
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[]) AS given (id, lane, person, body)
  WHERE NOT EXISTS (SELECT FROM inbox WHERE inbox.id = given.id)
), counts AS (
  SELECT lane, count(*) AS count FROM inbox WHERE body IS NOT NULL GROUP BY lane
), ranked AS (
  SELECT given.*,
    coalesce(counts.count, 0) + row_number() OVER (PARTITION BY given.lane ORDER BY id) AS nth,
    ${MOST_OPEN} - (SELECT coalesce(sum(count), 0) FROM counts) - row_number() OVER (ORDER BY id) AS space
  FROM given LEFT JOIN counts ON counts.lane = given.lane
), stored AS (
  INSERT INTO inbox (id, lane, person, body, at)
  SELECT id, lane, person, body, $5 FROM ranked WHERE ${FITS} ORDER BY id
  ON CONFLICT (id) DO NOTHING
)
SELECT id FROM ranked WHERE NOT ${FITS}`;

const FREE_DEAD = `
WITH holders AS MATERIALIZED (SELECT DISTINCT holder FROM inbox_lanes WHERE holder <> $1),
dead AS MATERIALIZED (SELECT holder FROM holders WHERE ${isDead('holder')})
DELETE FROM inbox_lanes WHERE holder IN (SELECT holder FROM dead)`;

/** Members who only lost their session: their process has another id now. */
const REJOINED = `SELECT former.id FROM members AS former JOIN members AS later USING (process)
  WHERE later.id > former.id AND later.id IN (SELECT objid::integer FROM ${MEMBER_LOCKS})`;

/**
 * What a process did not survive counts as a try, and not what the database or the network interrupted. The conditions of the
 * update are checked again on the latest version of a row: another member may have handled it since this
 * statement began.
 */
const CLAIM = `
WITH free AS (
  SELECT lane FROM inbox WHERE body IS NOT NULL
    AND NOT EXISTS (SELECT FROM inbox_lanes WHERE inbox_lanes.lane = inbox.lane)
  GROUP BY lane ORDER BY min(id) LIMIT $2
), taken AS (
  INSERT INTO inbox_lanes (lane, holder) SELECT lane, $1::integer FROM free ORDER BY lane ON CONFLICT (lane) DO NOTHING RETURNING lane
), own AS (
  SELECT lane FROM taken UNION ALL SELECT lane FROM inbox_lanes WHERE holder = $1
), ranked AS (
  SELECT id, holder, row_number() OVER (PARTITION BY lane ORDER BY id) AS nth
  FROM inbox JOIN own USING (lane) WHERE body IS NOT NULL
), next AS (
  SELECT id FROM ranked WHERE nth <= ${CLAIMED_IN_LANE} AND holder IS DISTINCT FROM $1 ORDER BY id LIMIT $2
)
UPDATE inbox SET holder = $1,
  tries = tries + CASE WHEN tries > 0 AND holder IN (${REJOINED}) THEN 0 ELSE 1 END
WHERE id IN (SELECT id FROM next) AND body IS NOT NULL AND holder IS DISTINCT FROM $1
RETURNING id, body, tries`;

/** Of what was handled only the number is kept. */
const SETTLE = `
WITH own AS (
  SELECT id, lane, id = ANY ($2::bigint[]) AS handled FROM inbox
  WHERE id = ANY ($2::bigint[] || $3::bigint[]) AND holder = $1
), settled AS (
  UPDATE inbox SET holder = NULL, at = $4,
    lane = CASE WHEN handled THEN '' ELSE inbox.lane END,
    person = CASE WHEN handled THEN NULL ELSE person END,
    body = CASE WHEN handled THEN NULL ELSE body END,
    tries = CASE WHEN handled THEN tries ELSE tries - 1 END
  FROM own WHERE inbox.id = own.id AND holder = $1 AND ${dialect.lossy}
  RETURNING own.lane
)
DELETE FROM inbox_lanes WHERE holder = $1 AND lane IN (SELECT lane FROM settled) AND NOT EXISTS (
  SELECT FROM inbox WHERE inbox.lane = inbox_lanes.lane AND inbox.holder = $1 AND body IS NOT NULL
    AND id <> ALL ($2::bigint[] || $3::bigint[]))`;

/** A member that has it in hand still needs its lane. */
const FORGET = `
UPDATE inbox SET body = NULL, person = NULL, at = $2, lane = CASE WHEN holder IS NULL THEN '' ELSE lane END
WHERE id = $1 AND body IS NOT NULL`;

export function createInbox({
  database: { query },
  seal,
  blind,
  now,
}: {
  readonly database: Pick<Database, 'query'>;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly now: () => number;
}): Inbox {
  const bodyIn = ({ body }: Row): unknown => {
    try {
      return JSON.parse(seal.open(body, PURPOSE));
    } catch {
      return undefined;
    }
  };
  const claimOf = (row: Row): InboxClaim => ({
    id: Number(row.id),
    body: bodyIn(row),
    tries: Number(row.tries),
  });

  return {
    async put(entries) {
      const full = await query(PUT, [
        entries.map(({ id }) => id),
        entries.map(({ lane }) => blind(lane)),
        entries.map(({ person }) => (person === undefined ? null : blind(person))),
        entries.map(({ body }) => seal.seal(JSON.stringify(body), PURPOSE)),
        now(),
      ]);
      return new Set(full.map(({ id }) => Number(id)));
    },
    freeDead: async (member) => void (await query(FREE_DEAD, [member])),
    async claim(member, most) {
      const rows = await query(CLAIM, [member, most]);
      return rows.map(claimOf).sort((a, b) => a.id - b.id);
    },
    async settle(member, handled, returned) {
      await query(SETTLE, [member, handled, returned, now()]);
    },
    async forget(person) {
      const rows = await query('SELECT id FROM inbox WHERE person = $1 AND body IS NOT NULL', [
        blind(person),
      ]);
      // One at a time: members that have several in hand lock them in an order of their own.
      for (const { id } of rows) await query(FORGET, [id, now()]);
    },
  };
}
