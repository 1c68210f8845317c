import type { Database } from './database.ts';
import type { Seal } from './seal.ts';

export interface AuditLine {
  readonly at: number;
  readonly community: string;
  readonly actor: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Who did what, when. Lines are added and, after their time, removed; nothing changes one. */
export interface Audit {
  append(line: AuditLine): void;
  /** The latest lines of a community, newest first. */
  recent(community: string, limit: number): AuditLine[];
  /** Every line since a time, oldest first, a community's own or all: read in pages, however many there are. */
  since(at: number, community?: string): Iterable<AuditLine>;
  /** Removes a person's lines whose action begins with `actionPrefix`. */
  forget(actor: string, actionPrefix: string): number;
  /** Removes up to `limit` lines older than `before`; says how many went. */
  expire(before: number, limit: number): number;
}

const PAGE = 200;
const PURPOSE = 'audit';

export function createAudit({ sql, note }: Database, seal: Seal, blind: (id: string) => string): Audit {
  const insert = sql.prepare(
    'INSERT INTO audit (at, community, actor, action, detail) VALUES (?, ?, ?, ?, ?)',
  );
  const recent = sql.prepare('SELECT * FROM audit WHERE community = ? ORDER BY seq DESC LIMIT ?');
  const pageOfAll = sql.prepare('SELECT * FROM audit WHERE seq > ? AND at >= ? ORDER BY seq LIMIT ?');
  const pageOfOne = sql.prepare(
    'SELECT * FROM audit WHERE community = ? AND seq > ? AND at >= ? ORDER BY seq LIMIT ?',
  );
  const forget = sql.prepare('DELETE FROM audit WHERE actor = ? AND substr(action, 1, ?) = ?');
  // By the machine's own clock as well, to the second: before that the file refuses, and our clock may be ahead of it.
  const expire = sql.prepare(
    `DELETE FROM audit WHERE seq IN (SELECT seq FROM audit
      WHERE at < min(?, (unixepoch() - 90 * 86400) * 1000) ORDER BY at LIMIT ?)`,
  );

  const read = (row: Record<string, unknown>): AuditLine => {
    const { community, actor, detail } = JSON.parse(seal.open(row.detail, PURPOSE));
    return { at: Number(row.at), community, actor, action: String(row.action), detail };
  };

  return {
    append({ at, community, actor, action, detail }) {
      const sealed = seal.seal(JSON.stringify({ community, actor, detail }), PURPOSE);
      note(() => insert.run(at, blind(community), blind(actor), action, sealed));
    },
    recent: (community, limit) => recent.all(blind(community), limit).map(read),
    *since(at, community) {
      let last = 0;
      for (;;) {
        const rows =
          community === undefined
            ? pageOfAll.all(last, at, PAGE)
            : pageOfOne.all(blind(community), last, at, PAGE);
        for (const row of rows) {
          last = Number(row.seq);
          yield read(row);
        }
        if (rows.length < PAGE) return;
      }
    },
    forget: (actor, prefix) => Number(forget.run(blind(actor), prefix.length, prefix).changes),
    expire: (before, limit) => Number(expire.run(before, limit).changes),
  };
}
