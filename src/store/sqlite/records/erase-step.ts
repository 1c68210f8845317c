import { directCommunity } from '../../../command/place.ts';
import type { ErasureRecords } from '../../../orchestrator/job/records.ts';
import type { ErasedUpTo } from '../../records/jobs/erase-jobs.ts';
import { type Database, HIGHEST_NUMBER } from '../file/database.ts';
import type { AuditTable } from './audit.ts';
import type { Erasures } from './erasures.ts';
import type { GrantTable } from './grants.ts';
import type { JobTable } from './jobs.ts';
import type { Usage } from './usage.ts';

export interface ErasureRecordsParts {
  readonly database: Database;
  readonly blind: (id: string) => string;
  readonly erasures: Erasures;
  readonly jobs: Pick<JobTable, 'eraseOf'>;
  readonly audit: Pick<AuditTable, 'eraseOf'>;
  readonly usage: Pick<Usage, 'eraseOf'>;
  readonly grants: Pick<GrantTable, 'eraseOf'>;
}

/** Deletes all data of a person, table by table, at most `limit` records at a time. */
export function createErasureRecords({
  database,
  blind,
  erasures,
  jobs,
  audit,
  usage,
  grants,
}: ErasureRecordsParts): ErasureRecords {
  const { sql, transaction, removed } = database;
  const entries = sql.prepare(`
    DELETE FROM entries WHERE (namespace, key) IN
      (SELECT namespace, key FROM entries WHERE owner = ? AND (seq <= ? OR seq > ${HIGHEST_NUMBER}) LIMIT ?)
  `);
  const damaged = sql.prepare(
    'DELETE FROM damaged WHERE seq IN (SELECT seq FROM damaged WHERE owner = ? LIMIT ?)',
  );
  const reached = new Map<string, ErasedUpTo>();

  return {
    async begin(person) {
      const who = blind(person);
      transaction(() => {
        erasures.begin(who, blind(directCommunity(person)));
        grants.eraseOf(who);
      });
      return who;
    },
    pending: async () => erasures.pending(),
    async more(who, limit) {
      const marks = erasures.marks(who);
      const keeps = erasures.keeps(who);
      if (marks === undefined || keeps === undefined) return { jobs: 0, left: false, open: [] };
      const batch = transaction(() => {
        removed();
        const found = jobs.eraseOf(who, marks.jobs, limit, reached.get(who));
        let budget = limit - found.seen;
        const tables = [
          () => audit.eraseOf(who, marks.audit, budget),
          () => usage.eraseOf(who, keeps.direct, keeps.day, budget),
          () => Number(damaged.run(who, budget).changes),
          // Last, because the pressed button refers to one of them.
          () => Number(entries.run(who, marks.entries, budget).changes),
        ];
        for (const table of tables) if (budget > 0) budget -= table();
        // Not finished until all running jobs are marked; otherwise they are gone through again.
        const left = budget <= 0 || found.next !== undefined || !found.isClean;
        return { ...found, left };
      });
      // After the commit, so that a failed batch is repeated.
      if (batch.next === undefined) reached.delete(who);
      else reached.set(who, batch.next);
      if (!batch.left) erasures.finish(who);
      return batch;
    },
  };
}
