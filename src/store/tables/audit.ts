import { z } from 'zod';
import type { AuditLine } from '../../orchestrator/job/records.ts';
import { bounded } from '../records/seal.ts';
import type { DamagedRecords } from './damaged.ts';
import type { Query, ReadBase, Row, Transaction } from './driver.ts';
import { removeRows } from './schema.ts';

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
const SELECT = 'SELECT seq, at, action, detail FROM audit WHERE';

const shape = z.object({
  community: z.string(),
  actor: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

export interface LineFilter {
  readonly actor?: string;
  /** How their actions begin; searched for among the latest `MOST_LINES_SCANNED`. */
  readonly actions?: readonly string[];
}

export type AuditTable = ReturnType<typeof createAuditTable>;

/** Append-only. The database refuses to change a line, and to delete a moderator's before its time, which is 90 days. */
export function createAuditTable({ driver, seal, blind }: ReadBase, { skip }: Pick<DamagedRecords, 'skip'>) {
  const { query: ask, sql } = driver;
  const values = ({ at, community, actor, action, detail }: AuditLine) => [
    Math.floor(at),
    blind(community),
    blind(actor),
    action,
    bounded(seal.seal(JSON.stringify({ community, actor, detail }), PURPOSE), LONGEST_DETAIL),
  ];
  const columns = `INSERT INTO audit (seq, at, community, actor, action, detail)`;
  const given = `${sql.nextSeq('audit')}, CAST($1 AS bigint), $2, $3, $4, $5`;
  const append = `${columns} VALUES (${given})`;

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
    appendIn: ({ write }: Transaction, line: AuditLine): void => write(append, values(line)),
    async append(line: AuditLine): Promise<void> {
      const locked = `WITH locked AS MATERIALIZED (${sql.sharedLock('$3')})`;
      await ask(`${locked} ${columns} SELECT ${given} FROM locked`, values(line));
    },
    async recent(community: string, limit: number, { actor, actions = [] }: LineFilter = {}) {
      const ofActor = actor === undefined ? '' : 'AND actor = $3';
      const isAny = actions.length === 0 || actions.some((action) => ACCEPTED.startsWith(action));
      const some = isAny ? '' : `AND action <> '${ACCEPTED}'`;
      const latest = `${SELECT} community = $1 ${ofActor} ${some} AND ${VISIBLE} ORDER BY seq DESC LIMIT`;
      const wanted = [blind(community), limit, ...(actor === undefined ? [] : [blind(actor)])];
      const rows = await (actions.length === 0
        ? ask(`${latest} $2`, wanted)
        : ask(
            `SELECT * FROM (${latest} ${MOST_LINES_SCANNED}) AS line WHERE EXISTS
               (SELECT 1 FROM ${sql.list(`$${wanted.length + 1}`, 'text')}
                WHERE substr(line.action, 1, length(value)) = value)
             ORDER BY seq DESC LIMIT $2`,
            [...wanted, actions],
          ));
      return rows.flatMap(read);
    },
    /** Every line since a time, oldest first, of one community or all; read in pages. */
    async *since(at: number, community?: string): AsyncIterable<AuditLine> {
      const ofOne = community === undefined ? '' : 'community = $4 AND';
      const page = `${SELECT} ${ofOne} seq > $1 AND at >= $2 AND ${VISIBLE} ORDER BY seq LIMIT $3`;
      const one = community === undefined ? [] : [blind(community)];
      for (let last = 0; ; ) {
        const rows = await ask(page, [last, Math.ceil(at), PAGE, ...one]);
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
export const eraseLines = (query: Query, actor: string, upTo: number, limit: number): Promise<number> =>
  removeRows(query, 'audit', `actor = $1 AND ${OWN_LINES} AND seq <= $2 LIMIT $3`, [actor, upTo, limit]);
