import type { JobRecords } from '../../../orchestrator/job/records.ts';
import { storable } from '../seal/columns.ts';
import type { JobTableParts } from './job-table-parts.ts';
import { columns, type JobReader } from './read-jobs.ts';

/** Who is next, kept in columns of `jobs`; the rules are those of the functions in the database. */
export function createLine(
  { database, blind, memberId }: JobTableParts,
  { read }: JobReader,
): Pick<JobRecords, 'take' | 'place' | 'expectedPlace' | 'counts'> {
  const { query } = database;
  return {
    async take({ limits, gates, without }) {
      // What was damaged has left the line.
      for (;;) {
        const [row] = await query(`SELECT ${columns} FROM take_job($1, $2, $3, $4, $5, $6) AS j`, [
          limits.perPerson,
          limits.inAll,
          gates.key,
          gates.token,
          without.map(blind),
          memberId(),
        ]);
        if (row === undefined) return undefined;
        const job = await read(row);
        if (job?.state === 'waiting') return job;
      }
    },
    async place(id) {
      const [row] = await query(
        `SELECT 1 + count(o.seq) AS position, count(o.seq) FILTER (WHERE o.turn_of = j.turn_of) AS own
         FROM jobs j LEFT JOIN jobs o ON o.line IS NOT NULL AND (o.turn, o.seq) < (j.turn, j.seq)
         WHERE j.id = $1 AND j.line IS NOT NULL GROUP BY j.seq`,
        [storable(id)],
      );
      return row && { position: Number(row.position), own: Number(row.own) };
    },
    async expectedPlace(person, { perPerson, inAll }) {
      const [row] = await query(
        `SELECT 1 + count(o.seq) AS position, count(o.seq) FILTER (WHERE o.turn_of = $1) AS own
         FROM (SELECT next_turn($1) AS turn WHERE (SELECT running FROM slots WHERE person = '') >= $3
           OR (SELECT running FROM slots WHERE person = $1) >= $2) AS expected
         LEFT JOIN jobs o ON o.line IS NOT NULL AND o.turn <= expected.turn GROUP BY expected.turn`,
        [blind(person), perPerson, inAll],
      );
      return row && { position: Number(row.position), own: Number(row.own) };
    },
    async counts() {
      const [row] = await query(
        `SELECT (SELECT count(*) FROM jobs WHERE line IS NOT NULL) AS waiting,
           (SELECT running FROM slots WHERE person = '') AS running`,
        [],
      );
      return { waiting: Number(row?.waiting), running: Number(row?.running) };
    },
  };
}
