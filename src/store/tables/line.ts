import { setImmediate } from 'node:timers/promises';
import { machineTime } from '../../base/clock.ts';
import type { Credentials } from '../../kinds/kinds.ts';
import type { WaitingJob } from '../../orchestrator/job/job.ts';
import type { JobRecords, SlotLimits, TakeOptions } from '../../orchestrator/job/records.ts';
import { storable } from '../records/seal.ts';
import type { AuditTable } from './audit.ts';
import type { Base, Dialect, Query, Row, Transaction } from './driver.ts';
import type { GrantRecords } from './grants.ts';
import { JOB_COLUMNS, type JobRows, type OpenRow } from './job-rows.ts';
import type { Tallies } from './tallies.ts';
import type { UsageTable } from './usage.ts';

/** The tables that change in one transaction with a job. */
export interface JobTableDependencies extends Base {
  readonly rows: JobRows;
  readonly usage: UsageTable;
  readonly grants: GrantRecords;
  readonly tallies: Tallies;
  readonly audit: AuditTable;
}

/** Damaged records that one transaction passes over; more are left to the next one. */
const MOST_DAMAGED = 100;
/** In a line of so many jobs, the place that a new one is told may be a second old. */
const LONG_LINE = 500;
const COUNT_KEPT_MS = 1_000;
const BOTH: readonly Credentials[] = ['key', 'token'];

/** The turn of a job that enters the line, in a statement on `jobs`. The caller has locked the person. */
export const nextTurn = ({ greatest, indexedBy }: Dialect, person: string): string => `1 + ${greatest}(
  (SELECT turn FROM slots WHERE person = ''),
  coalesce((SELECT max(own.turn) FROM jobs AS own${indexedBy('jobs_turns')}
    WHERE own.turn_of = ${person} AND own.finished_at IS NULL), 0))`;

const statementsOf = (sql: Dialect) => ({
  /** The job whose turn it is in the line `$2`. `$1`: people who take no turn now. */
  next: `SELECT line, turn, seq, turn_of, (SELECT running FROM slots WHERE person = jobs.turn_of) AS running
    FROM jobs
    WHERE line = $2 AND passed = 0
      AND NOT EXISTS (SELECT 1 FROM ${sql.list('$1', 'text')} WHERE value = jobs.turn_of)
    ORDER BY turn, seq LIMIT 1`,
  /** Like `next`, to try out a service that may be in trouble: a job that came back again and again may be the reason, and comes last. */
  nextToTry: `SELECT line, turn, seq, turn_of, (SELECT running FROM slots WHERE person = jobs.turn_of) AS running
    FROM jobs
    WHERE line = $2 AND passed = 0
      AND NOT EXISTS (SELECT 1 FROM ${sql.list('$1', 'text')} WHERE value = jobs.turn_of)
    ORDER BY returns, turn, seq LIMIT 1`,
  standing: `SELECT running, per_person,
      EXISTS (SELECT 1 FROM jobs WHERE line = 'key' AND passed = 0) AS key_waits,
      EXISTS (SELECT 1 FROM jobs WHERE line = 'token' AND passed = 0) AS token_waits
    FROM slots WHERE person = ''`,
  take: `UPDATE jobs SET slot = 1, line = NULL, held = 'submission', member = $2
    WHERE seq = $1 AND line IS NOT NULL AND passed = 0
    RETURNING ${JOB_COLUMNS}`,
  leave: 'UPDATE jobs SET slot = 0, held = NULL WHERE seq = $1',
  pass: 'UPDATE jobs SET passed = 1 WHERE turn_of = $1 AND finished_at IS NULL AND line IS NOT NULL AND passed = 0',
  /** `$1`: how many slots a person has from now on. */
  unpass: `UPDATE jobs${sql.indexedBy('jobs_places')} SET passed = 0
    WHERE line IS NOT NULL AND passed = 1
      AND NOT EXISTS (SELECT 1 FROM slots WHERE person = jobs.turn_of AND running >= $1)`,
  notePerPerson: "UPDATE slots SET per_person = $1 WHERE person = ''",
  noteTurn: `UPDATE slots SET turn = ${sql.greatest}(turn, $1) WHERE person = ''`,
  /** How many jobs have a turn up to `$1`. */
  countBefore: `SELECT count(*) AS n FROM jobs${sql.indexedBy('jobs_places')} WHERE line IS NOT NULL AND turn <= $1`,
  place: `SELECT
      (SELECT count(*) FROM jobs AS other${sql.indexedBy('jobs_places')}
       WHERE other.line IS NOT NULL AND (other.turn, other.seq) < (jobs.turn, jobs.seq)) AS before,
      (SELECT count(*) FROM jobs AS other${sql.indexedBy('jobs_line_of')}
       WHERE other.turn_of = jobs.turn_of AND other.finished_at IS NULL AND other.line IS NOT NULL
         AND (other.turn, other.seq) < (jobs.turn, jobs.seq)) AS own
    FROM jobs WHERE id = $1 AND line IS NOT NULL`,
  expectedStanding: `SELECT
      (SELECT running FROM slots WHERE person = '') AS running,
      ${nextTurn(sql, '$1')} AS turn,
      (SELECT running FROM slots WHERE person = $1) AS own_running,
      (SELECT count(*) FROM jobs AS other${sql.indexedBy('jobs_line_of')}
       WHERE other.turn_of = $1 AND other.finished_at IS NULL AND other.line IS NOT NULL) AS own`,
  counts: `SELECT
      (SELECT count(*) FROM jobs${sql.indexedBy('jobs_places')} WHERE line IS NOT NULL) AS waiting,
      (SELECT running FROM slots WHERE person = '') AS running`,
});

/**
 * Who is next, kept in columns of `jobs`. People (`turn_of`, see `turnKey`) take turns: a job that enters the line gets the turn
 * after its person's last one, and after every turn that was taken before. Order: `turn`, then `seq`.
 *
 * `line`: the credentials of the call that it stands in line for; null when it does not. `turn`: set once, and kept until its end.
 * `slot`: 1 while it has one. `passed`: its person has no slot left, so `take` skips it. `returns`: how often it came
 * straight back from a slot. `slots` counts the slots of each person and, for '', of all, with the highest turn that was taken
 * and the number of slots for each person by which `passed` was set.
 */
export function createLine({
  driver,
  blind,
  rows,
  memberId,
}: JobTableDependencies): Pick<JobRecords, 'take' | 'standing' | 'expectedStanding' | 'counts'> {
  const { query: ask, sql } = driver;
  const statements = statementsOf(sql);

  /** The job that is taken next; undefined: no job is in line whose gate is not closed. */
  const next = async (
    query: Query,
    gates: TakeOptions['gates'],
    without: readonly string[],
  ): Promise<Row | undefined> => {
    const open = BOTH.filter((each) => gates[each] !== 'closed');
    const heads = await Promise.all(open.map((each) => query(statements.next, [without, each])));
    const [head] = heads
      .flat()
      .toSorted((one, other) => Number(one.turn) - Number(other.turn) || Number(one.seq) - Number(other.seq));
    const line = BOTH.find((each) => each === head?.line);
    if (line === undefined || gates[line] !== 'trial') return head;
    const [tried] = await query(statements.nextToTry, [without, line]);
    return tried;
  };
  const takeNext = async (
    query: Transaction,
    open: OpenRow,
    { gates, limits }: TakeOptions,
    without: readonly string[],
  ): Promise<WaitingJob | 'more damaged' | undefined> => {
    const [everybody, head] = await Promise.all([rows.lockSlots(query), next(query, gates, without)]);
    if (Number(everybody?.running) >= limits.inAll) return undefined;
    const isOther = everybody?.per_person !== limits.perPerson;
    if (isOther) {
      // The setting has changed. People who have all their slots by the new one are marked when it is their turn.
      query.write(statements.unpass, [limits.perPerson]);
      query.write(statements.notePerPerson, [limits.perPerson]);
    }
    let found = isOther ? await next(query, gates, without) : head;
    for (let damaged = 0; damaged < MOST_DAMAGED; found = await next(query, gates, without)) {
      if (found === undefined) return undefined;
      const { seq, turn_of: person, turn } = found;
      const own = Number(found.running ?? 0);
      const [row] = own < limits.perPerson ? await query.lossy(statements.take, [seq, memberId()]) : [];
      if (row !== undefined) {
        rows.changeSlots(query, found, 1);
        query.write(statements.noteTurn, [turn]);
      }
      if (own + (row === undefined ? 0 : 1) >= limits.perPerson) query.write(statements.pass, [person]);
      const job = row && open(row);
      if (job?.state === 'waiting') return job;
      if (row === undefined) continue;
      // The record is damaged: it leaves the line, so that it blocks no other job even if it cannot be set aside.
      query.write(statements.leave, [seq]);
      rows.changeSlots(query, found, -1);
      damaged += 1;
    }
    return 'more damaged';
  };

  /** The last count of a long line, which is not counted again for each job that comes: `turn` had `count` before it. */
  let lastLong = { turn: 0, count: 0, at: Number.NEGATIVE_INFINITY };
  const beforeNew = async (turn: number): Promise<number> => {
    if (turn === lastLong.turn && machineTime.passed() - lastLong.at < COUNT_KEPT_MS) {
      lastLong.count += 1;
      return lastLong.count;
    }
    const [row] = await ask(statements.countBefore, [turn]);
    const count = Number(row?.n);
    if (count >= LONG_LINE) lastLong = { turn, count, at: machineTime.passed() };
    return count;
  };

  return {
    async take(options) {
      const without = options.without.map(blind);
      // Asked often, and mostly in vain: nothing is locked until there is something to take.
      const [now] = await ask(statements.standing, []);
      if (Number(now?.running) >= options.limits.inAll) return undefined;
      const isWaiting = BOTH.some((each) => options.gates[each] !== 'closed' && now?.[`${each}_waits`]);
      if (!isWaiting && now?.per_person === options.limits.perPerson) return undefined;
      for (;;) {
        const taken = await rows.reading((query, open) => takeNext(query, open, options, without));
        if (taken !== 'more damaged') return taken;
        await setImmediate();
      }
    },
    async standing(id) {
      const [row] = await ask(statements.place, [storable(id)]);
      return row && { position: 1 + Number(row.before), own: Number(row.own) };
    },
    async expectedStanding(person, { perPerson, inAll }: SlotLimits) {
      const [row] = await ask(statements.expectedStanding, [blind(person)]);
      if (Number(row?.running ?? 0) < inAll && Number(row?.own_running ?? 0) < perPerson) return undefined;
      return { position: 1 + (await beforeNew(Number(row?.turn))), own: Number(row?.own) };
    },
    async counts() {
      const [row] = await ask(statements.counts, []);
      return { waiting: Number(row?.waiting), running: Number(row?.running) };
    },
  };
}
