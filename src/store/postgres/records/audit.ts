import type { AuditLine } from '../../../orchestrator/job/records.ts';
import { ACCEPTED, MOST_LINES_SCANNED, OWN_LINES, openLine, sealLine } from '../../records/audit-body.ts';
import { reasonOf } from '../../records/damage.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Audit } from '../../records/store.ts';
import type { Database, Query, Row } from '../database/database.ts';
import type { DamagedRecords } from './damaged-records.ts';
import { expire } from './expire.ts';

const PAGE = 200;

/** Lines about jobs and faces of a person who is being erased are seen by nobody. */
const VISIBLE = `NOT (${OWN_LINES} AND EXISTS
  (SELECT FROM erasures e WHERE e.person = a.actor AND NOT e.finished AND a.seq <= e.audit))`;
const SELECT = 'SELECT a.seq, a.at, a.action, a.detail FROM audit a WHERE';

export function createAudit(
  { query }: Pick<Database, 'query'>,
  seal: Seal,
  blind: (id: string) => string,
  damagedRecords: Pick<DamagedRecords, 'skip'>,
): Audit {
  /** A damaged line stays in the table and is skipped. */
  const read = (row: Row): readonly AuditLine[] => {
    try {
      return [openLine(row, seal)];
    } catch (error) {
      damagedRecords.skip({ kind: 'audit', id: String(row.seq), why: reasonOf(error) });
      return [];
    }
  };
  const page = (community: string | undefined, last: number, at: number) =>
    community === undefined
      ? query(`${SELECT} a.seq > $1 AND a.at >= $2 AND ${VISIBLE} ORDER BY a.seq LIMIT ${PAGE}`, [last, at])
      : query(
          `${SELECT} a.community = $3 AND a.seq > $1 AND a.at >= $2 AND ${VISIBLE} ORDER BY a.seq LIMIT ${PAGE}`,
          [last, at, blind(community)],
        );

  return {
    async append(line) {
      const { at, community, actor, action } = line;
      const values = [Math.floor(at), blind(community), blind(actor), action, sealLine(line, seal)];
      await query('SELECT append_line($1, $2, $3, $4, $5)', values);
    },
    async recent(community, limit, { actor, actions = [] } = {}) {
      const ofActor = actor === undefined ? '' : 'AND a.actor = $3';
      const acts = actions.length === 0 || actions.some((action) => ACCEPTED.startsWith(action));
      const some = acts ? '' : `AND a.action <> '${ACCEPTED}'`;
      const latest = `${SELECT} a.community = $1 ${ofActor} ${some} AND ${VISIBLE} ORDER BY a.seq DESC LIMIT`;
      const values = [blind(community), limit, ...(actor === undefined ? [] : [blind(actor)])];
      const rows = await (actions.length === 0
        ? query(`${latest} $2`, values)
        : query(
            `SELECT * FROM (${latest} ${MOST_LINES_SCANNED}) l
               WHERE EXISTS (SELECT FROM unnest($${values.length + 1}::text[]) p WHERE starts_with(l.action, p))
               ORDER BY seq DESC LIMIT $2`,
            [...values, actions],
          ));
      return rows.flatMap(read);
    },
    async *since(at, community) {
      for (let last = 0; ; ) {
        const rows = await page(community, last, Math.ceil(at));
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
  const gone = await query(
    `DELETE FROM audit WHERE seq IN (SELECT seq FROM audit
       WHERE actor = $1 AND ${OWN_LINES} AND seq <= $2 LIMIT $3) RETURNING 1`,
    [actor, upTo, limit],
  );
  return gone.length;
}

/** Also compared with the database's clock: its trigger refuses to delete younger lines, and our clock may be ahead. */
export function expireLines(query: Query, before: number, limit: number): Promise<number> {
  const old = 'at < least($2, ((extract(epoch FROM now()) - 90 * 86400) * 1000)::bigint) ORDER BY at';
  return expire(query, limit, 'audit', 'seq', old, Math.floor(before));
}
