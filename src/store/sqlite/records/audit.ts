import type { StatementSync } from 'node:sqlite';
import type { AuditLine } from '../../../orchestrator/job/records.ts';
import {
  ACCEPTED,
  isOwnLine,
  MOST_LINES_SCANNED,
  OWN_LINES,
  openLine,
  sealLine,
} from '../../records/audit-body.ts';
import { reasonOf } from '../../records/damage.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Audit, LineFilter } from '../../records/store.ts';
import type { Database } from '../file/database.ts';
import type { DamagedRecords } from './damaged-records.ts';
import type { Erasures } from './erasures.ts';

const pageSize = 200;

export interface AuditTable extends Audit {
  /** `append` inside a transaction. */
  insert(line: AuditLine): void;
  /** Removes up to `limit` lines older than `before`; returns how many. */
  expire(before: number, limit: number): number;
  /** Removes up to `limit` lines of a person's own jobs and faces, up to a line number. Their moderator actions stay. */
  eraseOf(actor: string, upTo: number, limit: number): number;
}

type Row = Record<string, unknown>;

export function createAudit(
  { sql, transaction, removed }: Database,
  seal: Seal,
  blind: (id: string) => string,
  erasures: Pick<Erasures, 'marks' | 'highest' | 'pending'>,
  damagedRecords: Pick<DamagedRecords, 'skip'>,
): AuditTable {
  const insert = sql.prepare(`
    INSERT INTO audit (seq, at, community, actor, action, detail)
    VALUES (1 + max(coalesce((SELECT max(seq) FROM audit), 0), ?), ?, ?, ?, ?, ?)
  `);
  const recent = sql.prepare('SELECT * FROM audit WHERE community = ? ORDER BY seq DESC LIMIT ?');
  const recentOfOne = sql.prepare(
    'SELECT * FROM audit WHERE community = ? AND actor = ? ORDER BY seq DESC LIMIT ?',
  );
  const beginning = (lines: string): StatementSync =>
    sql.prepare(`
      SELECT * FROM (SELECT * FROM audit WHERE community = ? AND ${lines} ORDER BY seq DESC LIMIT ${MOST_LINES_SCANNED})
      WHERE EXISTS (SELECT 1 FROM json_each(?) WHERE substr(action, 1, length(value)) = value)
      ORDER BY seq DESC LIMIT ?
    `);
  const latest = {
    all: beginning('true'),
    acts: beginning(`action <> '${ACCEPTED}'`),
    ofOne: beginning('actor = ?'),
  };
  const rowsOf = (community: string, limit: number, { actor, actions }: LineFilter): readonly Row[] => {
    const who = actor === undefined ? [] : [blind(actor)];
    if (actions === undefined)
      return (actor === undefined ? recent : recentOfOne).all(blind(community), ...who, limit);
    const among = actions.some((action) => ACCEPTED.startsWith(action)) ? latest.all : latest.acts;
    return (actor === undefined ? among : latest.ofOne).all(
      blind(community),
      ...who,
      JSON.stringify(actions),
      limit,
    );
  };
  const pageOfAll = sql.prepare('SELECT * FROM audit WHERE seq > ? AND at >= ? ORDER BY seq LIMIT ?');
  const pageOfOne = sql.prepare(
    'SELECT * FROM audit WHERE community = ? AND seq > ? AND at >= ? ORDER BY seq LIMIT ?',
  );
  const erase = sql.prepare(`
    DELETE FROM audit WHERE seq IN
      (SELECT seq FROM audit WHERE actor = ? AND ${OWN_LINES} AND seq <= ? LIMIT ?)
  `);
  // Also compared with SQLite's clock: its trigger refuses to delete younger lines, and our clock may be ahead.
  const expire = sql.prepare(
    `DELETE FROM audit WHERE seq IN (SELECT seq FROM audit
      WHERE at < min(?, (unixepoch() - 90 * 86400) * 1000) ORDER BY at LIMIT ?)`,
  );

  /** A damaged line stays in the table and is skipped. */
  const read = (row: Row): readonly AuditLine[] => {
    const upTo = erasures.marks(String(row.actor))?.audit ?? 0;
    if (Number(row.seq) <= upTo && isOwnLine(String(row.action))) return [];
    try {
      return [openLine(row, seal)];
    } catch (error) {
      damagedRecords.skip({ kind: 'audit', id: String(row.seq), why: reasonOf(error) });
      return [];
    }
  };

  const write = (line: AuditLine): void => {
    const { at, community, actor, action } = line;
    insert.run(erasures.highest('audit'), at, blind(community), blind(actor), action, sealLine(line, seal));
  };

  return {
    insert: write,
    // Durable: the action may be a call to the service of which nothing else is stored.
    append: async (line) => transaction(() => write(line)),
    async recent(community, limit, only = {}) {
      // Lines of a person who is being erased may lie between; only one more page is read for them.
      const most = limit + (erasures.pending().length > 0 ? pageSize : 0);
      return rowsOf(community, most, only).flatMap(read).slice(0, limit);
    },
    async *since(at, community) {
      let last = 0;
      for (;;) {
        const rows =
          community === undefined
            ? pageOfAll.all(last, at, pageSize)
            : pageOfOne.all(blind(community), last, at, pageSize);
        for (const row of rows) {
          last = Number(row.seq);
          yield* read(row);
        }
        if (rows.length < pageSize) return;
      }
    },
    eraseOf(actor, upTo, limit) {
      removed();
      return Number(erase.run(actor, upTo, limit).changes);
    },
    expire: (before, limit) => Number(expire.run(before, limit).changes),
  };
}
