import { setImmediate } from 'node:timers/promises';
import { machineTime } from '../../../base/clock.ts';
import type { Job, WaitingJob } from '../../../orchestrator/job/job.ts';
import type { Credentials } from '../../../orchestrator/job/job-kinds.ts';
import type { JobRecords, SlotLimits, TakeOptions } from '../../../orchestrator/job/records.ts';
import { lineOf, slotOf } from '../../records/jobs/line-columns.ts';
import type { Database } from '../file/database.ts';
import { columns, type Row } from './job-row.ts';

/**
 * Who is next, kept in columns of `jobs`. People (`turn_of`, see `turnKey`) take turns: a job that enters the line gets the turn
 * after its person's last one, and after every turn that was taken before. Order: `turn`, then `seq`.
 *
 * `line`: the half of the service that it stands in line for; null when it does not. `turn`: set once, and kept until its
 * end. `slot`: 1 while it has one. `passed`: its person has no slot left, so `take` passes it over. `returns`: how often it
 * came straight back from a slot.
 */
export interface Line extends Pick<JobRecords, 'take' | 'place' | 'expectedPlace' | 'counts'> {
  /** A job that was taken and still waits is in line again. */
  giveBack(row: Row): void;
  /** Counts the slots again, for a start: nobody else has the store open. */
  recount(): void;
  /** The columns of an unfinished job follow its record: another process, or an earlier version, may have left it. */
  correct(row: Row, job: Job): void;
}

export interface LineParts {
  readonly database: Pick<Database, 'sql' | 'transaction' | 'note'>;
  readonly blind: (id: string) => string;
  /** Undefined: it is damaged and was set aside. */
  readonly read: (row: Row) => Job | undefined;
}

/** Damaged records that one transaction sets aside. */
const MOST_DAMAGED = 100;
/** From here on the place of a new job may be a second old. */
const LONG_LINE = 500;
const COUNT_KEPT_MS = 1_000;
const HALVES: readonly Credentials[] = ['key', 'token'];

/** The turn of a job that enters the line, in a statement on `jobs`. */
export const nextTurn = (person: string): string => `1 + max(
    (SELECT turn FROM slots WHERE person = ''),
    coalesce((SELECT max(own.turn) FROM jobs AS own INDEXED BY jobs_turns
      WHERE own.turn_of = ${person} AND own.finished_at IS NULL), 0))`;

export function createLine({ database, blind, read }: LineParts): Line {
  const { sql, transaction, note } = database;
  const first = sql.prepare(`
    SELECT seq, turn, turn_of, line FROM jobs
    WHERE line = ? AND passed = 0 AND turn_of NOT IN (SELECT value FROM json_each(?)) ORDER BY turn, seq LIMIT 1
  `);
  const leastReturned = sql.prepare(`
    SELECT seq, turn, turn_of, line FROM jobs
    WHERE line = ? AND passed = 0 AND turn_of NOT IN (SELECT value FROM json_each(?)) ORDER BY returns, turn, seq LIMIT 1
  `);
  const bySeq = sql.prepare(`SELECT ${columns} FROM jobs WHERE seq = ?`);
  const slots = sql.prepare('SELECT running, turn FROM slots WHERE person = ?');
  const took = sql.prepare("UPDATE jobs SET slot = 1, line = NULL, held = 'submission' WHERE seq = ?");
  const leave = sql.prepare('UPDATE jobs SET line = NULL WHERE seq = ?');
  const advance = sql.prepare("UPDATE slots SET turn = max(turn, ?) WHERE person = ''");
  const pass = sql.prepare(
    'UPDATE jobs SET passed = 1 WHERE turn_of = ? AND line IS NOT NULL AND passed = 0',
  );
  const unpass = sql.prepare(
    'UPDATE jobs INDEXED BY jobs_places SET passed = 0 WHERE line IS NOT NULL AND passed = 1',
  );
  // Each of them is one statement: outside a transaction each statement locks the file and unlocks it.
  const standing = sql.prepare(`
    SELECT
      (SELECT count(*) FROM jobs AS other INDEXED BY jobs_places
        WHERE other.line IS NOT NULL AND (other.turn, other.seq) < (job.turn, job.seq)) AS before,
      (SELECT count(*) FROM jobs AS other INDEXED BY jobs_line_of
        WHERE other.turn_of = job.turn_of AND other.line IS NOT NULL AND (other.turn, other.seq) < (job.turn, job.seq)) AS own
    FROM jobs AS job WHERE job.id = ? AND job.line IS NOT NULL
  `);
  const outlook = sql.prepare(`
    SELECT (SELECT running FROM slots WHERE person = '') AS running, ${nextTurn('?1')} AS turn,
      (SELECT running FROM slots WHERE person = ?1) AS own_running,
      (SELECT count(*) FROM jobs INDEXED BY jobs_line_of WHERE turn_of = ?1 AND line IS NOT NULL) AS own
  `);
  const upToTurn = sql.prepare(
    'SELECT count(*) AS n FROM jobs INDEXED BY jobs_places WHERE line IS NOT NULL AND turn <= ?',
  );
  const inLine = sql.prepare('SELECT count(*) AS n FROM jobs INDEXED BY jobs_places WHERE line IS NOT NULL');
  const enter = sql.prepare(`
    UPDATE jobs SET slot = 0, held = NULL, line = ? WHERE seq = ? AND version = ? AND state = 'waiting' AND slot = 1
  `);
  const correct = sql.prepare(`
    UPDATE jobs SET slot = ?1, line = ?2, passed = 0,
      turn = CASE WHEN ?2 IS NULL OR turn IS NOT NULL THEN turn ELSE ${nextTurn('jobs.turn_of')} END
    WHERE seq = ?3
  `);
  const count = `
    -- Whatever the column says, it has not ended.
    UPDATE jobs INDEXED BY jobs_places SET finished_at = NULL WHERE line IS NOT NULL AND finished_at IS NOT NULL;
    INSERT INTO slots (person, running, turn)
      SELECT '', (SELECT count(*) FROM jobs INDEXED BY jobs_open WHERE finished_at IS NULL AND slot = 1),
        coalesce((SELECT turn FROM slots WHERE person = ''), 0)
      ON CONFLICT (person) DO UPDATE SET running = excluded.running;
    DELETE FROM slots WHERE person <> '';
    INSERT INTO slots (person, running)
      SELECT turn_of, count(*) FROM jobs INDEXED BY jobs_turns WHERE finished_at IS NULL AND slot = 1 GROUP BY turn_of;
  `;
  /** A long line is not counted again for each job that comes: `turn` had `count` before it. */
  let lastLong = { turn: 0, count: 0, at: Number.NEGATIVE_INFINITY };
  /** How many jobs a new one of this turn has before it. */
  const beforeNew = (turn: number): number => {
    if (turn === lastLong.turn && machineTime.passed() - lastLong.at < COUNT_KEPT_MS) {
      lastLong.count += 1;
      return lastLong.count;
    }
    const count = Number(upToTurn.get(turn)?.n);
    if (count >= LONG_LINE) lastLong = { turn, count, at: machineTime.passed() };
    return count;
  };
  /** `passed` is as this many slots for each person want it. */
  let inOrderFor: number | undefined;

  const running = (person: string): number => Number(slots.get(person)?.running ?? 0);
  const isEarlier = (one: Row, other: Row): boolean =>
    Number(one.turn) - Number(other.turn) < 0 ||
    (one.turn === other.turn && Number(one.seq) < Number(other.seq));
  const next = (gates: TakeOptions['gates'], without: string): Row | undefined => {
    let found: Row | undefined;
    for (const half of HALVES) {
      if (gates[half] === 'closed') continue;
      const head = first.get(half, without);
      if (head !== undefined && (found === undefined || isEarlier(head, found))) found = head;
    }
    const half = HALVES.find((one) => one === found?.line);
    return half !== undefined && gates[half] === 'trial' ? leastReturned.get(half, without) : found;
  };
  const takeNext = (
    { gates, limits: { perPerson, inAll } }: TakeOptions,
    without: string,
  ): WaitingJob | undefined | 'more damaged' => {
    for (let damaged = 0; damaged < MOST_DAMAGED; ) {
      const found = running('') < inAll ? next(gates, without) : undefined;
      if (found === undefined) return undefined;
      const { seq, turn } = found;
      const person = String(found.turn_of);
      const isFull = (): boolean => running(person) >= perPerson;
      if (isFull()) pass.run(person);
      else {
        const row = bySeq.get(Number(seq));
        const job = row && read(row);
        if (job?.state === 'waiting') {
          took.run(Number(seq));
          advance.run(Number(turn));
          if (isFull()) pass.run(person);
          return job;
        }
        // Even where it could not be set aside, it keeps nobody waiting.
        leave.run(Number(seq));
        damaged += 1;
      }
    }
    return 'more damaged';
  };

  return {
    async take(options) {
      const { limits, gates } = options;
      const without = JSON.stringify(options.without.map(blind));
      if (inOrderFor !== limits.perPerson) {
        note(() => unpass.run());
        inOrderFor = limits.perPerson;
      }
      // Asked often, and mostly in vain: a write begins only when there is something to take.
      if (running('') >= limits.inAll) return undefined;
      if (!HALVES.some((half) => gates[half] !== 'closed' && first.get(half, without) !== undefined))
        return undefined;
      for (;;) {
        const taken = transaction(() => takeNext(options, without));
        if (taken !== 'more damaged') return taken;
        await setImmediate();
      }
    },
    async place(id) {
      const found = standing.get(id);
      return found && { position: 1 + Number(found.before), own: Number(found.own) };
    },
    async expectedPlace(person, { perPerson, inAll }: SlotLimits) {
      const found = outlook.get(blind(person));
      if (Number(found?.running ?? 0) < inAll && Number(found?.own_running ?? 0) < perPerson)
        return undefined;
      return { position: 1 + beforeNew(Number(found?.turn)), own: Number(found?.own) };
    },
    counts: async () => ({ waiting: Number(inLine.get()?.n), running: running('') }),
    giveBack(row) {
      const job = read(row);
      const line = job === undefined ? null : lineOf(job);
      if (line !== null) note(() => enter.run(line, Number(row.seq), Number(row.version)));
    },
    recount: () => transaction(() => sql.exec(count)),
    correct(row, job) {
      const [slot, line] = [slotOf(job), lineOf(job)];
      if (row.slot !== slot || row.line !== line) correct.run(slot, line, Number(row.seq));
    },
  };
}
