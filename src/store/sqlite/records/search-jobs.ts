import type { StatementSync } from 'node:sqlite';
import {
  candidateOf,
  candidateQuery,
  createJobSearch,
  type JobSearch,
} from '../../records/jobs/job-search.ts';
import type { Database } from '../file/database.ts';
import { columns } from './job-row.ts';
import type { JobReader } from './read-jobs.ts';

/** Left to itself it would read every job to find the few that are unfinished. */
export const DIALECT = { unfinished: 'jobs INDEXED BY jobs_taken_up', community: 'community' };

export function createSearch(
  { sql }: Pick<Database, 'sql'>,
  { read }: Pick<JobReader, 'read'>,
  blind: (id: string) => string,
): JobSearch {
  /** One for each combination of what can be looked for. */
  const statements = new Map<string, StatementSync>();
  const prepared = (text: string): StatementSync => {
    const known = statements.get(text) ?? sql.prepare(text.replaceAll('$', '?'));
    statements.set(text, known);
    return known;
  };
  const some = sql.prepare(
    `SELECT ${columns} FROM jobs WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq DESC`,
  );
  return createJobSearch({
    blind,
    async candidates(query, limit, after) {
      const { text, values } = candidateQuery(query, after, DIALECT, blind, limit);
      return prepared(text)
        .all(...values)
        .map(candidateOf);
    },
    async open(seqs) {
      const rows = some.all(JSON.stringify(seqs));
      return new Map(
        rows.flatMap((row) => {
          const job = read(row);
          return job === undefined ? [] : [[Number(row.seq), job] as const];
        }),
      );
    },
  });
}
