import { z } from 'zod';
import type { AuditLine } from '../../orchestrator/job/records.ts';
import { refuseTooLongRecord } from '../records/seal.ts';
import type { DamagedRecords } from './damaged.ts';
import type { Dialect, Query, ReadBase, Row, Transaction } from './driver.ts';

export type { AuditLine };

const PURPOSE = 'audit';
const LONGEST_DETAIL = 65_536;
const PAGE = 200;
/** Lines of accepted jobs, almost all there are, are not counted where none of them is searched for. */
const MOST_LINES_SCANNED = 5_000;
const ACCEPTED = 'job';

/** The condition for lines about a person's own jobs and faces, which are deleted with the person. */
const OWN_LINES = "(action >= 'job' AND action < 'joc' OR action >= 'face.' AND action < 'face/')";
/** Lines about jobs and faces of a person who is being erased are hidden. */
const VISIBLE = `NOT (${OWN_LINES} AND EXISTS
  (SELECT 1 FROM erasures AS e WHERE e.person = audit.actor AND NOT e.finished AND audit.seq <= e.audit))`;

const ERASE = `DELETE FROM audit WHERE seq IN
    (SELECT seq FROM audit WHERE actor = $1 AND ${OWN_LINES} AND seq <= $2 LIMIT $3)
  RETURNING 1`;

const statementsOf = (sql: Dialect) => ({
  append: `INSERT INTO audit (seq, at, community, actor, action, detail)
    VALUES (${sql.nextSeq('audit')}, CAST($1 AS bigint), $2, $3, $4, $5)`,
  /** Like `append`, after an erasure of the actor that is beginning: what is written before it has a lower number than its mark. */
  appendAfterErasure: `WITH locked AS MATERIALIZED (${sql.sharedLock('$3')})
    INSERT INTO audit (seq, at, community, actor, action, detail)
    SELECT ${sql.nextSeq('audit')}, CAST($1 AS bigint), $2, $3, $4, $5 FROM locked`,
  latest: `SELECT seq, at, action, detail FROM audit
    WHERE community = $1 AND ${VISIBLE} ORDER BY seq DESC LIMIT $2`,
  latestOf: `SELECT seq, at, action, detail FROM audit
    WHERE community = $1 AND actor = $3 AND ${VISIBLE} ORDER BY seq DESC LIMIT $2`,
  /** Lines whose actions begin with one of `$3`. */
  search: `SELECT seq, at, action, detail FROM (
      SELECT seq, at, action, detail FROM audit
      WHERE community = $1 AND ${VISIBLE} ORDER BY seq DESC LIMIT ${MOST_LINES_SCANNED}
    ) AS line
    WHERE EXISTS (SELECT 1 FROM ${sql.list('$3', 'text')} WHERE substr(line.action, 1, length(value)) = value)
    ORDER BY seq DESC LIMIT $2`,
  /** Like `search`, in the index without the lines of accepted jobs. */
  searchWithoutJobs: `SELECT seq, at, action, detail FROM (
      SELECT seq, at, action, detail FROM audit
      WHERE community = $1 AND action <> '${ACCEPTED}' AND ${VISIBLE} ORDER BY seq DESC LIMIT ${MOST_LINES_SCANNED}
    ) AS line
    WHERE EXISTS (SELECT 1 FROM ${sql.list('$3', 'text')} WHERE substr(line.action, 1, length(value)) = value)
    ORDER BY seq DESC LIMIT $2`,
  /** Like `search`, for the actor `$4`. `$5`: whether lines of accepted jobs can be among them. */
  searchOf: `SELECT seq, at, action, detail FROM (
      SELECT seq, at, action, detail FROM audit
      WHERE community = $1 AND actor = $4 AND ($5 OR action <> '${ACCEPTED}') AND ${VISIBLE}
      ORDER BY seq DESC LIMIT ${MOST_LINES_SCANNED}
    ) AS line
    WHERE EXISTS (SELECT 1 FROM ${sql.list('$3', 'text')} WHERE substr(line.action, 1, length(value)) = value)
    ORDER BY seq DESC LIMIT $2`,
  since: `SELECT seq, at, action, detail FROM audit
    WHERE seq > $1 AND at >= $2 AND ${VISIBLE} ORDER BY seq LIMIT $3`,
  sinceIn: `SELECT seq, at, action, detail FROM audit
    WHERE community = $4 AND seq > $1 AND at >= $2 AND ${VISIBLE} ORDER BY seq LIMIT $3`,
});

const shape = z.object({
  community: z.string(),
  actor: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

/** Which lines of an audit trail are searched for. */
export interface LineFilter {
  readonly actor?: string;
  /** How their actions begin; searched for among the latest `MOST_LINES_SCANNED`. */
  readonly actions?: readonly string[];
}

export type AuditTable = ReturnType<typeof createAuditTable>;

/** The audit trail, to which lines are only added. The database refuses to change a line, and to delete a moderator's before its time, which is 90 days. */
export function createAuditTable({ driver, seal, blind }: ReadBase, { skip }: Pick<DamagedRecords, 'skip'>) {
  const { query: ask } = driver;
  const statements = statementsOf(driver.sql);
  const values = ({ at, community, actor, action, detail }: AuditLine) => [
    Math.floor(at),
    blind(community),
    blind(actor),
    action,
    refuseTooLongRecord(seal.seal(JSON.stringify({ community, actor, detail }), PURPOSE), LONGEST_DETAIL),
  ];
  const candidates = (community: string, limit: number, { actor, actions = [] }: LineFilter) => {
    const [where, who] = [blind(community), actor === undefined ? undefined : blind(actor)];
    const withJobs = actions.some((action) => ACCEPTED.startsWith(action));
    if (actions.length === 0)
      return who === undefined
        ? ask(statements.latest, [where, limit])
        : ask(statements.latestOf, [where, limit, who]);
    if (who !== undefined) return ask(statements.searchOf, [where, limit, actions, who, withJobs]);
    return ask(withJobs ? statements.search : statements.searchWithoutJobs, [where, limit, actions]);
  };

  /** A damaged line stays in the table and is skipped. */
  const read = ({ seq, at, action, detail: sealed }: Row): readonly AuditLine[] => {
    try {
      const { community, actor, detail } = shape.parse(JSON.parse(seal.open(sealed, PURPOSE)));
      return [{ at: Number(at), community, actor, action: String(action), detail }];
    } catch (error) {
      skip({ kind: 'audit', id: String(seq), error });
      return [];
    }
  };

  return {
    /** `append`, in a transaction that has the actor's lock. */
    appendIn: ({ write }: Transaction, line: AuditLine): void => write(statements.append, values(line)),
    append: async (line: AuditLine): Promise<void> =>
      void (await ask(statements.appendAfterErasure, values(line))),
    /** The latest lines of a community, the newest first. */
    async recent(community: string, limit: number, filter: LineFilter = {}): Promise<readonly AuditLine[]> {
      return (await candidates(community, limit, filter)).flatMap(read);
    },
    /** Every line since a time, oldest first, of one community or all; read in pages. */
    async *since(at: number, community?: string): AsyncIterable<AuditLine> {
      for (let last = 0; ; ) {
        const range = [last, Math.ceil(at), PAGE];
        const rows = await (community === undefined
          ? ask(statements.since, range)
          : ask(statements.sinceIn, [...range, blind(community)]));
        for (const row of rows) {
          last = Number(row.seq);
          yield* read(row);
        }
        if (rows.length < PAGE) return;
      }
    },
  };
}

/** Removes up to `limit` lines of a person's own jobs and faces, up to a line number. Their moderator actions stay. */
export async function eraseLines(query: Query, actor: string, upTo: number, limit: number): Promise<number> {
  const gone = await query(ERASE, [actor, upTo, limit]);
  return gone.length;
}
