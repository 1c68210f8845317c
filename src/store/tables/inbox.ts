import type { Inbox, InboxClaim } from '../../base/members/inbox.ts';
import type { Base, Dialect, Row } from './driver.ts';

const PURPOSE = 'inbox';
const MOST_OPEN = 10_000;
/** A lane may take this part of the room that is left: many that flood it leave some to others. */
const SHARE = 20;
/** Given to a member at once, so that a busy lane leaves room in its hand to others. */
const CLAIMED_IN_LANE = 200;
/** What an entry makes its member write is mostly on disk by then, and the entry with it. */
const PATIENCE_MS = 10;

const textsOf = (sql: Dialect) => ({
  /** `$1`: ids, lanes, persons and bodies. Returns the ids of those that are new. */
  put: `
WITH given AS (
  SELECT CAST(value->>0 AS bigint) AS id, value->>1 AS lane, value->>2 AS person, value->>3 AS body FROM ${sql.rows('$1')}
), counts AS (
  SELECT lane, count(*) AS n FROM inbox${sql.indexedBy('inbox_open')} WHERE body IS NOT NULL GROUP BY lane
), ranked AS (
  SELECT given.*,
    coalesce(counts.n, 0) + row_number() OVER (PARTITION BY given.lane ORDER BY id) AS nth,
    ${MOST_OPEN} - (SELECT coalesce(sum(n), 0) FROM counts) - row_number() OVER (ORDER BY id) AS space
  FROM given LEFT JOIN counts ON counts.lane = given.lane
  WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.id = given.id)
)
INSERT INTO inbox (id, lane, person, body, at)
SELECT id, lane, person, ${sql.bytes('body')}, $2 FROM ranked WHERE space > 0 AND (nth = 1 OR nth * ${SHARE} <= space) ORDER BY id
ON CONFLICT (id) DO NOTHING RETURNING id`,
  unknown: `SELECT value AS id FROM ${sql.list('$1', 'bigint')} WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE id = value)`,
  freeDead: `
WITH holders AS MATERIALIZED (SELECT DISTINCT holder FROM inbox_lanes WHERE holder <> $1),
dead AS MATERIALIZED (SELECT holder FROM holders WHERE ${sql.isDead('holder')})
DELETE FROM inbox_lanes WHERE holder IN (SELECT holder FROM dead) AND ${sql.lossy}`,
  takeLanes: `
INSERT INTO inbox_lanes (lane, holder) SELECT lane, CAST($1 AS integer) FROM (
  SELECT lane FROM inbox${sql.indexedBy('inbox_open')} WHERE body IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM inbox_lanes WHERE inbox_lanes.lane = inbox.lane) AND ${sql.lossy}
  GROUP BY lane ORDER BY min(id) LIMIT $2
) AS free WHERE true ORDER BY lane ON CONFLICT (lane) DO NOTHING`,
  /**
   * What a process did not survive counts as a try, and not what the database or the network interrupted. The conditions of the
   * update are checked again on the latest version of a row: another member may have handled it since this
   * statement began.
   */
  claim: `
WITH ranked AS (
  SELECT id, holder, row_number() OVER (PARTITION BY lane ORDER BY id) AS nth
  FROM inbox${sql.indexedBy('inbox_open')} WHERE body IS NOT NULL AND lane IN (SELECT lane FROM inbox_lanes WHERE holder = $1)
), next AS MATERIALIZED (
  SELECT id FROM ranked WHERE nth <= ${CLAIMED_IN_LANE} AND holder IS DISTINCT FROM $1 ORDER BY id LIMIT $2
)
UPDATE inbox SET holder = $1,
  tries = tries + CASE WHEN tries > 0 AND holder IN (${sql.rejoined}) THEN 0 ELSE 1 END
WHERE id IN (SELECT id FROM next) AND body IS NOT NULL AND holder IS DISTINCT FROM $1 AND ${sql.lossy}
RETURNING id, body, tries`,
  /** Of what was handled only the number is kept. */
  settleHandled: `
UPDATE inbox SET holder = NULL, lane = '', person = NULL, body = NULL, at = $3
WHERE id IN (SELECT value FROM ${sql.list('$2', 'bigint')}) AND holder = $1 AND ${sql.unawaited}`,
  settleReturned: `
UPDATE inbox SET holder = NULL, tries = tries - 1
WHERE id IN (SELECT value FROM ${sql.list('$2', 'bigint')}) AND holder = $1 AND ${sql.unawaited}`,
  freeOwn: `
DELETE FROM inbox_lanes WHERE holder = $1 AND ${sql.lossy} AND NOT EXISTS (
  SELECT 1 FROM inbox${sql.indexedBy('inbox_open')} WHERE inbox.lane = inbox_lanes.lane AND inbox.holder = $1 AND body IS NOT NULL)`,
  /** A member that has it in hand still needs its lane. */
  forget: `
UPDATE inbox SET body = NULL, person = NULL, at = $2, lane = CASE WHEN holder IS NULL THEN '' ELSE lane END
WHERE id = $1 AND body IS NOT NULL`,
});

/** An entry without a body was handled. A lane belongs to the member of its row in `inbox_lanes`, and so do its entries. */
export function createInbox({ driver, seal, blind, now }: Base): Inbox {
  const { query, together, onDisk, removed, sql } = driver;
  const texts = textsOf(sql);
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
      const rows = entries.map(({ id, lane, person, body }) => [
        id,
        blind(lane),
        person === undefined ? null : blind(person),
        Buffer.from(seal.seal(JSON.stringify(body), PURPOSE)).toString('hex'),
      ]);
      const stored = await query(texts.put, [JSON.stringify(rows), now()]);
      if (stored.length === entries.length) return new Set();
      const full = await query(texts.unknown, [entries.map(({ id }) => id)]);
      return new Set(full.map(({ id }) => Number(id)));
    },
    onDisk: () => onDisk(PATIENCE_MS),
    freeDead: async (member) => void (await query(texts.freeDead, [Number(member)])),
    async claim(member, most) {
      // A lane that is taken and not used is free again when this member settles something, or is dead.
      const rows = await together(async (on) => {
        await on(texts.takeLanes, [Number(member), most]);
        return on(texts.claim, [Number(member), most]);
      });
      return rows.map(claimOf).sort((a, b) => a.id - b.id);
    },
    async settle(member, handled, returned) {
      if (handled.length > 0) await query(texts.settleHandled, [Number(member), handled, now()]);
      if (returned.length > 0) await query(texts.settleReturned, [Number(member), returned]);
      await query(texts.freeOwn, [Number(member)]);
    },
    async forget(person) {
      const rows = await query('SELECT id FROM inbox WHERE person = $1 AND body IS NOT NULL', [
        blind(person),
      ]);
      // One at a time: members that have several in hand lock them in an order of their own.
      for (const { id } of rows) await query(texts.forget, [id, now()]);
      if (rows.length > 0) removed();
    },
  };
}
