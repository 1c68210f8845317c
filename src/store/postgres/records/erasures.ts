import { directCommunity } from '../../../command/place.ts';
import { dayOf } from '../../../orchestrator/job/day.ts';
import type { Job } from '../../../orchestrator/job/job.ts';
import type { ErasureRecords } from '../../../orchestrator/job/records.ts';
import { BEGINNING, type ErasedUpTo, erasedJobs } from '../../records/jobs/erase-jobs.ts';
import { openJob } from '../../records/jobs/job-body.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Database, Query, Row } from '../database/database.ts';
import { LOCK_SLOTS } from '../database/lock-order.ts';
import { eraseLines } from './audit.ts';
import { columns } from './read-jobs.ts';
import { eraseUsage } from './usage.ts';

export interface ErasurePart {
  readonly database: Database;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly now: () => number;
  /** Some of the damaged records were theirs. */
  readonly recount: () => Promise<void>;
}

interface Batch {
  readonly jobs: number;
  readonly left: boolean;
  readonly open: readonly Job[];
  readonly next: ErasedUpTo | undefined;
}

const NOTHING: Batch = { jobs: 0, left: false, open: [], next: undefined };

/**
 * Deletes all data of a person, table by table, at most `limit` records at a time. Everything up to the marks of an erasure
 * is deleted; whatever is written later has higher numbers. Any process can begin one, and any can go on with it.
 */
export function createErasureRecords({ database, seal, blind, now, recount }: ErasurePart): ErasureRecords {
  const { query, transaction } = database;
  const reached = new Map<string, ErasedUpTo>();

  /** Undefined for all that can be removed at once: it need not be readable for that. */
  const unsettled = async (on: Query, row: Row): Promise<Job | undefined> => {
    try {
      const job = openJob(row, seal);
      return job.settled ? undefined : job;
    } catch {
      await on('SELECT settle_lost($1, $2, $3, $4)', [row.id, row.community, row.owner, row.state]);
      return undefined;
    }
  };
  const eraseJobs = async (on: Query, who: string, upTo: number, limit: number, from: ErasedUpTo) => {
    const page = await on(
      `SELECT seq, created_at FROM jobs WHERE owner = $1 AND (created_at, seq) > ($2, $3) AND seq <= $4
       ORDER BY created_at, seq LIMIT $5`,
      [who, from.createdAt, from.seq, upTo, limit],
    );
    await on(LOCK_SLOTS, []);
    const rows = await on(
      `SELECT ${columns} FROM jobs j WHERE j.seq = ANY ($1::bigint[]) ORDER BY j.seq FOR UPDATE OF j`,
      [page.map(({ seq }) => seq)],
    );
    const open: Job[] = [];
    let gone = 0;
    for (const row of rows) {
      const job = await unsettled(on, row);
      if (job === undefined) {
        await on('SELECT remove_job($1, NULL, $2)', [row.id, now()]);
        gone += 1;
      } else if (!job.forget) open.push(job);
    }
    return erasedJobs(page, open, gone, limit, from);
  };
  const erase = async (on: Query, who: string, limit: number): Promise<Batch> => {
    // Locked, so that two processes do not go on with it at once.
    const [marks] = await on('SELECT * FROM erasures WHERE person = $1 AND NOT finished FOR UPDATE', [who]);
    if (marks === undefined) return NOTHING;
    const found = await eraseJobs(on, who, Number(marks.jobs), limit, reached.get(who) ?? BEGINNING);
    let budget = limit - found.seen;
    const tables = [
      () => eraseLines(on, who, Number(marks.audit), budget),
      () => eraseUsage(on, who, String(marks.direct), String(marks.day), budget),
      async () =>
        (
          await on(
            'DELETE FROM damaged WHERE seq IN (SELECT seq FROM damaged WHERE owner = $1 LIMIT $2) RETURNING 1',
            [who, budget],
          )
        ).length,
      // Last, because the pressed button refers to one of them.
      async () =>
        (
          await on(
            `DELETE FROM entries WHERE (namespace, key) IN
               (SELECT namespace, key FROM entries WHERE owner = $1 AND seq <= $2 LIMIT $3) RETURNING 1`,
            [who, marks.entries, budget],
          )
        ).length,
    ];
    for (const table of tables) if (budget > 0) budget -= await table();
    // Not finished until all running jobs are marked; otherwise they are gone through again.
    const left = budget <= 0 || found.next !== undefined || !found.isClean;
    if (!left) await on('UPDATE erasures SET finished = true WHERE person = $1', [who]);
    return { jobs: found.jobs, left, open: found.open, next: found.next };
  };

  return {
    async begin(person) {
      const who = blind(person);
      await query('SELECT begin_erasure($1, $2, $3)', [who, blind(directCommunity(person)), dayOf(now())]);
      reached.delete(who);
      return who;
    },
    async pending() {
      const rows = await query('SELECT person FROM erasures WHERE NOT finished', []);
      return rows.map(({ person }) => String(person));
    },
    async more(who, limit) {
      const batch = await transaction((on) => erase(on, who, limit));
      // After the commit, so that a failed batch is repeated.
      if (batch.next === undefined) reached.delete(who);
      else reached.set(who, batch.next);
      await recount();
      return { jobs: batch.jobs, left: batch.left, open: batch.open };
    },
  };
}

/** Deletes the last counters of erased people when their day is over; says of how many. */
export async function closeErasures(query: Query, today: string, limit: number): Promise<number> {
  const over = await query(
    'SELECT person, direct FROM erasures WHERE finished AND day < $1 LIMIT $2 FOR UPDATE SKIP LOCKED',
    [today, limit],
  );
  for (const { person, direct } of over) {
    await eraseUsage(query, String(person), String(direct), today, limit);
    await query('DELETE FROM erasures WHERE person = $1', [person]);
  }
  return over.length;
}
