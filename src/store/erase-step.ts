import { directCommunity } from '../command/place.ts';
import type { ErasureRecords } from '../orchestrator/records.ts';
import type { AuditTable } from './audit.ts';
import type { Database } from './database.ts';
import type { Erasures } from './erasures.ts';
import type { JobTable } from './jobs.ts';
import type { Usage } from './usage.ts';

export interface ErasingParts {
  readonly database: Database;
  readonly blind: (id: string) => string;
  readonly erasures: Erasures;
  readonly jobs: Pick<JobTable, 'eraseOf'>;
  readonly audit: Pick<AuditTable, 'eraseOf'>;
  readonly usage: Pick<Usage, 'eraseOf'>;
}

/** All that a person has stored, table by table, each found by whose it is; never more than `limit` records at a time. */
export function createErasing({
  database,
  blind,
  erasures,
  jobs,
  audit,
  usage,
}: ErasingParts): ErasureRecords {
  const { sql, transaction, removed } = database;
  const entries = sql.prepare(`
    DELETE FROM entries WHERE (namespace, key) IN
      (SELECT namespace, key FROM entries WHERE owner = ? AND seq <= ? LIMIT ?)
  `);
  const damaged = sql.prepare(
    'DELETE FROM damaged WHERE seq IN (SELECT seq FROM damaged WHERE owner = ? LIMIT ?)',
  );

  return {
    begin(person) {
      const who = blind(person);
      erasures.begin(who, blind(directCommunity(person)));
      return who;
    },
    pending: erasures.pending,
    more(who, limit) {
      const marks = erasures.marks(who);
      const keeps = erasures.keeps(who);
      if (marks === undefined || keeps === undefined) return { jobs: 0, left: false, open: [] };
      const batch = transaction(() => {
        removed();
        const found = jobs.eraseOf(who, marks.jobs, limit);
        let budget = limit - found.seen;
        const tables = [
          () => audit.eraseOf(who, marks.audit, budget),
          () => usage.eraseOf(who, keeps.direct, keeps.day, budget),
          () => Number(damaged.run(who, budget).changes),
          // Last: the button that was pressed belongs to one of them.
          () => Number(entries.run(who, marks.entries, budget).changes),
        ];
        for (const table of tables) if (budget > 0) budget -= table();
        return { jobs: found.seen, left: budget <= 0, open: found.open };
      });
      if (!batch.left) erasures.finish(who);
      return batch;
    },
  };
}
