import { CLOCKS_APART_MS } from '../../base/clock.ts';
import { directCommunity } from '../../command/place.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import type { ErasureRecords } from '../../orchestrator/job/records.ts';
import { eraseLines } from './audit.ts';
import type { DamagedRecords } from './damaged.ts';
import type { Base, Dialect, Query, Row, Transaction } from './driver.ts';
import { JOB_COLUMNS, type JobRows, openJob } from './job-rows.ts';
import { eraseUsage, type UsageTable } from './usage.ts';

/** How far the erasing of a person's jobs has come: those that are not settled yet stay, and are not gone through again. */
interface Reached {
  readonly createdAt: number;
  readonly seq: number;
  /** No job since the beginning has to be brought to an end first. */
  readonly isClean: boolean;
}

const ERASE_DAMAGED = `DELETE FROM damaged WHERE seq IN (SELECT seq FROM damaged WHERE owner = $1 LIMIT $2)
  RETURNING 1`;
const ERASE_ENTRIES = `DELETE FROM entries WHERE (namespace, key) IN
    (SELECT namespace, key FROM entries WHERE owner = $1 AND seq <= $2 LIMIT $3)
  RETURNING 1`;
const FINISH = 'UPDATE erasures SET finished = true WHERE person = $1';

const statementsOf = (sql: Dialect) => ({
  /** The numbers of the marks are given out here: nothing that was stored before has a higher one. */
  begin: `INSERT INTO erasures (person, direct, day, began_at, jobs, audit, entries)
    VALUES ($1, $2, $3, ${sql.clock},
      ${sql.nextSeq('jobs')}, ${sql.nextSeq('audit')}, ${sql.nextSeq('entries', '$1')})
    ON CONFLICT (person) DO UPDATE
      SET direct = excluded.direct, day = excluded.day, began_at = excluded.began_at,
        jobs = excluded.jobs, audit = excluded.audit, entries = excluded.entries, finished = false`,
  beganAgo: `SELECT ${sql.clock} - began_at AS ago FROM erasures WHERE person = $1`,
  lockErasure: `SELECT direct, day, jobs, audit, entries FROM erasures
    WHERE person = $1 AND NOT finished${sql.forUpdate}`,
  nextJobs: `SELECT seq, created_at FROM jobs
    WHERE owner = $1 AND (created_at, seq) > ($2, $3) AND seq <= $4
    ORDER BY created_at, seq LIMIT $5`,
  lockJobs: `SELECT ${JOB_COLUMNS} FROM jobs
    WHERE seq IN (SELECT value FROM ${sql.list('$1', 'bigint')})
    ORDER BY seq${sql.forUpdate}`,
  over: `SELECT person, direct FROM erasures WHERE finished AND day < $1 LIMIT $2${sql.skipLocked}`,
});

const BEGINNING: Reached = { createdAt: Number.MIN_SAFE_INTEGER, seq: 0, isClean: true };

/**
 * Deletes all data of a person, table by table, at most `limit` records at a time. Everything up to the marks of an erasure is
 * deleted; what is written later has higher numbers. Any process can begin one, and any can go on with it.
 */
export function createErasures(
  { driver, seal, blind, now }: Base,
  table: JobRows,
  usage: UsageTable,
  damagedRecords: DamagedRecords,
): ErasureRecords {
  const { query: ask, transaction, sql } = driver;
  const reached = new Map<string, Reached>();
  const statements = statementsOf(sql);

  /** Undefined for all that can be removed at once: it need not be readable for that. */
  const unsettled = async (query: Transaction, row: Row): Promise<Job | undefined> => {
    try {
      const job = openJob(row, seal);
      return job.settled ? undefined : job;
    } catch {
      const of = { job: String(row.id), community: String(row.community), person: String(row.owner) };
      await usage.settleLost(query, of, row.state);
      return undefined;
    }
  };
  const eraseJobs = async (query: Transaction, who: string, upTo: number, limit: number) => {
    const from = reached.get(who) ?? BEGINNING;
    const page = await query(statements.nextJobs, [who, from.createdAt, from.seq, upTo, limit]);
    await table.lockSlots(query);
    const rows = await query(statements.lockJobs, [page.map(({ seq }) => seq)]);
    const open: Job[] = [];
    let gone = 0;
    for (const row of rows) {
      const job = await unsettled(query, row);
      if (job === undefined) gone += Number(await table.remove(query, String(row.id)));
      else if (!job.forget) open.push(job);
    }
    const isClean = from.isClean && open.length === 0;
    const last = page.length < limit ? undefined : page.at(-1);
    const next = last && { createdAt: Number(last.created_at), seq: Number(last.seq), isClean };
    return { seen: page.length, open, jobs: gone + open.length, isClean, next };
  };
  const erase = async (query: Transaction, who: string, limit: number) => {
    // By the clocks of other processes it may still be yesterday: they would give out the credits of that day again.
    const dayBefore = dayOf(now() - CLOCKS_APART_MS);
    // Locked, so that two processes do not go on with it at once.
    const [row] = await query(statements.lockErasure, [who]);
    if (row === undefined) return { jobs: 0, left: false, open: [], next: undefined };
    driver.removed();
    const { seen, jobs, open, isClean, next } = await eraseJobs(query, who, Number(row.jobs), limit);
    const firstKept = String(row.day) < dayBefore ? String(row.day) : dayBefore;
    let budget = limit - seen;
    const remove = async (text: string, ...values: readonly unknown[]): Promise<number> =>
      (await query(text, [who, ...values])).length;
    const tables = [
      () => eraseLines(query, who, Number(row.audit), budget),
      () => eraseUsage(query, sql, who, String(row.direct), firstKept, budget),
      () => remove(ERASE_DAMAGED, budget),
      // Last, because the pressed button refers to one of them.
      () => remove(ERASE_ENTRIES, row.entries, budget),
    ];
    for (const erase of tables) if (budget > 0) budget -= await erase();
    // Not finished until all running jobs are marked; otherwise they are gone through again.
    const left = budget <= 0 || next !== undefined || !isClean;
    if (!left) await query(FINISH, [who]);
    return { jobs, left, open, next };
  };

  return {
    async begin(person) {
      const who = blind(person);
      await transaction(async ({ write }) => {
        write(sql.lock('person', '$1'), [[who]]);
        write(statements.begin, [who, blind(directCommunity(person)), dayOf(now() + CLOCKS_APART_MS)]);
        write('DELETE FROM grants WHERE person = $1', [who]);
        driver.removed();
      });
      reached.delete(who);
      return who;
    },
    async began(person, withinMs) {
      const [row] = await ask(statements.beganAgo, [blind(person)]);
      // In the future: the clock was set back.
      return row !== undefined && Number(row.ago) >= 0 && Number(row.ago) < withinMs;
    },
    async pending() {
      const rows = await ask('SELECT person FROM erasures WHERE NOT finished', []);
      return rows.map(({ person }) => String(person));
    },
    async more(who, limit) {
      const { jobs, left, open, next } = await transaction((query) => erase(query, who, limit));
      // After the commit, so that a failed batch is repeated.
      if (next === undefined) reached.delete(who);
      else reached.set(who, next);
      await damagedRecords.recount();
      return { jobs, left, open };
    },
  };
}

/** Deletes the last counters of erased people when their day is over by every clock; says of how many, or how many of one. */
export async function closeErasures(query: Query, sql: Dialect, at: number, limit: number) {
  const today = dayOf(at - CLOCKS_APART_MS);
  const over = await query(statementsOf(sql).over, [today, limit]);
  const counts = [over.length];
  for (const { person, direct } of over) {
    const gone = await eraseUsage(query, sql, String(person), String(direct), today, limit);
    counts.push(gone);
    if (gone < limit) await query('DELETE FROM erasures WHERE person = $1', [person]);
  }
  return Math.max(...counts);
}
