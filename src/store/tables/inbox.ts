import type { Inbox, InboxEntry } from '../../base/members/inbox.ts';
import type { Base, Dialect, Query, Row } from './driver.ts';

const PURPOSE = 'inbox';
const MOST_OPEN = 10_000;
/** A lane may take this part of the room that is left: many that flood it leave some to others. */
const SHARE = 20;
/** Entries that a member may claim of one lane, so that a busy lane leaves room for others. */
const CLAIMED_IN_LANE = 200;
/** So long an entry waits for a sync to disk that others ask for: handling it writes more, which is mostly on disk by then. */
const PATIENCE_MS = 10;

const textsOf = (sql: Dialect) => ({
  open: `SELECT lane, count(*) AS n FROM inbox${sql.indexedBy('inbox_open')} WHERE body IS NOT NULL GROUP BY lane`,
  known: `SELECT id FROM inbox WHERE id IN (SELECT value FROM ${sql.list('$1', 'bigint')})`,
  closed: `SELECT 1 FROM inbox WHERE id IN (SELECT value FROM ${sql.list('$1', 'bigint')}) AND body IS NULL LIMIT 1`,
  takeEmpty: `
INSERT INTO inbox_lanes (lane, holder) VALUES ($1, $2) ON CONFLICT (lane) DO NOTHING RETURNING lane`,
  put: `
INSERT INTO inbox (id, lane, person, body, at, holder, tries) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (id) DO NOTHING RETURNING 1`,
  isWaiting: `
SELECT 1 FROM inbox${sql.indexedBy('inbox_open')} WHERE body IS NOT NULL AND holder IS DISTINCT FROM CAST($1 AS integer) LIMIT 1`,
  freeDead: `
WITH holders AS MATERIALIZED (SELECT DISTINCT holder FROM inbox_lanes WHERE holder <> $1),
dead AS MATERIALIZED (SELECT holder FROM holders WHERE ${sql.isDead('holder')})
DELETE FROM inbox_lanes WHERE holder IN (SELECT holder FROM dead) RETURNING 1`,
  takeLanes: `
INSERT INTO inbox_lanes (lane, holder) SELECT lane, CAST($1 AS integer) FROM (
  SELECT lane FROM inbox${sql.indexedBy('inbox_open')} WHERE body IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM inbox_lanes WHERE inbox_lanes.lane = inbox.lane)
  GROUP BY lane ORDER BY min(id) LIMIT $2
) AS free WHERE true ORDER BY lane ON CONFLICT (lane) DO NOTHING RETURNING 1`,
  /**
   * A claim counts as a try, because its process may not survive it; one that a lost session interrupted is not counted. The
   * conditions of the update are checked again on the latest version of a row: another member may have handled it since this
   * statement began.
   */
  claim: `
UPDATE inbox SET holder = $1,
  tries = tries + CASE WHEN tries > 0 AND holder IN (${sql.rejoined}) THEN 0 ELSE 1 END
WHERE id IN (
  SELECT id FROM (
    SELECT lane, (
      SELECT id FROM inbox${sql.indexedBy('inbox_open')} WHERE lane = inbox_lanes.lane AND body IS NOT NULL
      ORDER BY id LIMIT 1 OFFSET ${CLAIMED_IN_LANE}
    ) AS too_late FROM inbox_lanes WHERE holder = $1 LIMIT ${MOST_OPEN}
  ) AS own JOIN inbox${sql.indexedBy('inbox_open')} ON inbox.lane = own.lane AND body IS NOT NULL
  WHERE holder IS DISTINCT FROM $1 AND (too_late IS NULL OR id < too_late) ORDER BY id LIMIT $2
) AND body IS NOT NULL AND holder IS DISTINCT FROM $1
RETURNING id, body, tries`,
  /** Only the number of a handled update is kept. */
  settleHandled: `
UPDATE inbox SET holder = NULL, lane = '', person = NULL, body = NULL, at = $3
WHERE id IN (SELECT value FROM ${sql.list('$2', 'bigint')}) AND holder = $1 RETURNING 1`,
  settleReturned: `
UPDATE inbox SET holder = NULL, tries = tries - 1
WHERE id IN (SELECT value FROM ${sql.list('$2', 'bigint')}) AND holder = $1 RETURNING 1`,
  freeOwn: `
DELETE FROM inbox_lanes WHERE holder = $1 AND NOT EXISTS (
  SELECT 1 FROM inbox${sql.indexedBy('inbox_open')} WHERE inbox.lane = inbox_lanes.lane AND inbox.holder = $1 AND body IS NOT NULL)
RETURNING 1`,
  /** A member that has claimed it still needs its lane. */
  forget: `
UPDATE inbox SET body = NULL, person = NULL, at = $2, lane = CASE WHEN holder IS NULL THEN '' ELSE lane END
WHERE id = $1 AND body IS NOT NULL`,
});

/** The ids of those that do not fit any more. `open`: how many wait in each lane. */
function withoutRoom(entries: readonly InboxEntry[], open: ReadonlyMap<string, number>): Set<number> {
  const counts = new Map(open);
  let room = MOST_OPEN - [...open.values()].reduce((sum, n) => sum + n, 0);
  const full = entries.filter(({ lane }) => {
    const nth = (counts.get(lane) ?? 0) + 1;
    if (room < 2 || (nth > 1 && nth * SHARE >= room)) return true;
    counts.set(lane, nth);
    room -= 1;
    return false;
  });
  return new Set(full.map(({ id }) => id));
}

/** An entry without a body was handled. A lane belongs to the member of its row in `inbox_lanes`, and so do its entries. */
export function createInbox({ driver, seal, blind, now }: Base): Inbox {
  const { query, transaction, together, onDisk, removed, sql } = driver;
  const texts = textsOf(sql);
  const bodyIn = ({ body }: Row): unknown => {
    try {
      return JSON.parse(seal.open(body, PURPOSE));
    } catch {
      return undefined;
    }
  };
  const claimOf = (row: Row) => ({ id: Number(row.id), body: bodyIn(row), tries: Number(row.tries) });

  const takeEmpty = async (on: Query, lanes: ReadonlySet<string>, member: number) => {
    if (sql.isSole) return lanes;
    const taken = await Promise.all([...lanes].sort().map((lane) => on(texts.takeEmpty, [lane, member])));
    return new Set(taken.flat().map(({ lane }) => lane));
  };

  return {
    put: (entries, member) =>
      transaction(async (on) => {
        const open = new Map((await on(texts.open, [])).map(({ lane, n }) => [String(lane), Number(n)]));
        const sorted = entries
          .map((entry) => ({ ...entry, lane: blind(entry.lane) }))
          .sort((a, b) => a.id - b.id);
        const full = withoutRoom(sorted, open);
        const known = full.size === 0 ? [] : await on(texts.known, [[...full]]);
        for (const { id } of known) full.delete(Number(id));
        const fitting = sorted.filter(({ id }) => !full.has(id));
        const empty = new Set(fitting.map(({ lane }) => lane).filter((lane) => !open.has(lane)));
        const own = member === undefined ? new Set() : await takeEmpty(on, empty, Number(member));
        const stored = fitting.map(async ({ id, lane, person, body }) => {
          const isOwn = own.has(lane);
          const [row] = await on(texts.put, [
            id,
            lane,
            person === undefined ? null : blind(person),
            seal.seal(JSON.stringify(body), PURPOSE),
            now(),
            isOwn ? Number(member) : null,
            Number(isOwn),
          ]);
          return isOwn && row !== undefined ? [{ id, body, tries: 1 }] : [];
        });
        return { full, claimed: (await Promise.all(stored)).flat() };
      }),
    onDisk: () => onDisk(PATIENCE_MS),
    freeDead: async (member) => void (await query.lossy(texts.freeDead, [Number(member)])),
    async claim(member, most) {
      // Mostly there is nothing, which this finds out at a small part of the cost.
      if ((await query(texts.isWaiting, [Number(member)])).length === 0) return [];
      // A lane that is taken and not used is free again when this member settles something, or is dead.
      const rows = await together(async (on) => {
        await on(texts.takeLanes, [Number(member), most]);
        return on(texts.claim, [Number(member), most]);
      });
      return rows.map(claimOf).sort((a, b) => a.id - b.id);
    },
    async settle(member, handled, returned) {
      if (handled.length > 0) await query.unawaited(texts.settleHandled, [Number(member), handled, now()]);
      if (returned.length > 0) await query.unawaited(texts.settleReturned, [Number(member), returned]);
      await query.lossy(texts.freeOwn, [Number(member)]);
    },
    areOpen: async (ids) => (await query(texts.closed, [ids])).length === 0,
    async forget(person) {
      const rows = await query('SELECT id FROM inbox WHERE person = $1 AND body IS NOT NULL', [
        blind(person),
      ]);
      // One at a time: members that have claimed several lock them in an order of their own.
      for (const { id } of rows) await query(texts.forget, [id, now()]);
      if (rows.length > 0) removed();
    },
  };
}
