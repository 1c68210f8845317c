import type { Job } from '../../orchestrator/job/job.ts';
import { reasonOf } from '../records/damage.ts';
import { erasedJob, LONGEST_BODY, openJob } from '../records/jobs/job-body.ts';
import type { Seal } from '../records/seal/seal.ts';
import { type DamagedRecords, KEPT_BYTES } from './damaged.ts';
import { type Driver, type Query, type Row, type Transaction, withWrite } from './driver.ts';
import { remember, retired } from './removed.ts';
import type { UsageTable } from './usage.ts';

/**
 * What is looked up by stands in columns, everything else in a sealed body. `erased`: its person is being erased.
 */
export const JOB_COLUMNS = `jobs.seq, jobs.id, jobs.owner, jobs.community, jobs.state, jobs.version,
  length(jobs.body) AS length, CASE WHEN length(jobs.body) <= ${LONGEST_BODY} THEN jobs.body END AS body,
  EXISTS (SELECT 1 FROM erasures AS e WHERE e.person = jobs.owner AND NOT e.finished AND jobs.seq <= e.jobs) AS erased`;

/** A job in the table, and the slots that jobs have. All methods with a `query` are called in a transaction. */
export interface JobRows {
  /** Undefined: it is damaged and was set aside, or its person has been erased. `query`: in a transaction. */
  read(row: Row, query?: Transaction): Promise<Job | undefined>;
  readAll(rows: readonly Row[]): Promise<Job[]>;
  /** Removes a job; its event and its id at the service stay known for some days. False: there is none in this version. */
  remove(query: Transaction, id: string, version?: number): Promise<boolean>;
  /** Locks everybody's row of `slots`: what follows from a slot is counted exactly. */
  lockSlots(query: Query): Promise<Row | undefined>;
  /** The same if this job's slot will change to `next`, or if it stands in line. Returns the slot it has now. */
  lockSlotOf(query: Query, id: string, next: number): Promise<number>;
  /** A job of this person (`turn_of`) gets a slot (1) or gives one back (-1). The caller has called one of those. */
  changeSlots(query: Transaction, person: string, seq: number, by: 1 | -1): void;
}

export interface JobRowsParts {
  readonly driver: Driver;
  readonly seal: Seal;
  readonly now: () => number;
  readonly usage: Pick<UsageTable, 'settleLost'>;
  readonly damagedRecords: DamagedRecords;
}

/** Undone when it fails, and the rest of the transaction goes on. */
async function apart<T>(within: Transaction, work: (query: Transaction) => Promise<T>): Promise<T> {
  const query = withWrite(within);
  within.write('SAVEPOINT apart', []);
  try {
    const result = await work(query);
    await Promise.all(query.sent);
    return result;
  } catch (error) {
    within.write('ROLLBACK TO SAVEPOINT apart', []);
    throw error;
  } finally {
    within.write('RELEASE SAVEPOINT apart', []);
  }
}

const OWN_IN_LINE = `FROM jobs AS own WHERE own.turn_of = $1 AND own.finished_at IS NULL AND own.line IS NOT NULL`;

export function createJobRows({ driver, seal, now, usage, damagedRecords }: JobRowsParts): JobRows {
  const { transaction, sql } = driver;
  const everybody = `SELECT running, turn, per_person FROM slots WHERE person = ''${sql.forUpdate}`;
  // Who was full and is no more does not overtake those who waited meanwhile.
  const goOn = `UPDATE jobs SET passed = 0, turn = turn + ${sql.greatest}(0, 1 + (SELECT turn FROM slots WHERE person = '')
      - (SELECT min(own.turn) ${OWN_IN_LINE} AND own.seq <> $2))
    WHERE turn_of = $1 AND finished_at IS NULL AND line IS NOT NULL AND seq <> $2
      AND EXISTS (SELECT 1 ${OWN_IN_LINE} AND own.passed = 1)`;

  const ofOne = `SELECT 1 FROM slots WHERE person = '' AND EXISTS
    (SELECT 1 FROM jobs WHERE id = $1 AND (line IS NOT NULL OR slot <> $2))${sql.forUpdate}`;

  const lockSlots: JobRows['lockSlots'] = async (query) => (await query(everybody, []))[0];
  const lockSlotOf: JobRows['lockSlotOf'] = async (query, id, next) => {
    // Read by a statement of its own: it may have been taken from the line before the lock was given.
    const [, [row]] = await Promise.all([
      query(ofOne, [id, next]),
      query('SELECT slot FROM jobs WHERE id = $1', [id]),
    ]);
    return Number(row?.slot ?? next);
  };
  const changeSlots: JobRows['changeSlots'] = ({ write }, person, seq, by) => {
    write("UPDATE slots SET running = running + $1 WHERE person = ''", [by]);
    if (by > 0) {
      const more = 'ON CONFLICT (person) DO UPDATE SET running = s.running + 1';
      write(`INSERT INTO slots AS s (person, running, turn) VALUES ($1, 1, 0) ${more}`, [person]);
      return;
    }
    write('UPDATE slots SET running = running - 1 WHERE person = $1', [person]);
    write('DELETE FROM slots WHERE person = $1 AND running <= 0', [person]);
    write(goOn, [person, seq]);
  };
  const remove: JobRows['remove'] = async (query, id, version) => {
    await lockSlotOf(query, id, 0);
    const [gone] = await query(
      `DELETE FROM jobs WHERE id = $1 AND version = coalesce(CAST($2 AS bigint), version)
       RETURNING seq, origin, turn_of, service_id, slot`,
      [id, version ?? null],
    );
    if (gone === undefined) return false;
    driver.removed();
    if (gone.slot === 1) changeSlots(query, String(gone.turn_of), Number(gone.seq), -1);
    remember(query, String(gone.origin), now());
    if (gone.service_id !== null) remember(query, retired(String(gone.service_id)), now());
    return true;
  };
  /** Which card it has, nobody can tell: the card stays as it is. */
  const setAside = async (row: Row, error: unknown, within?: Transaction): Promise<void> => {
    const record = { kind: 'job', id: String(row.id), why: reasonOf(error) };
    const version = Number.isSafeInteger(row.version) ? Number(row.version) : undefined;
    const move = async (query: Transaction): Promise<boolean> => {
      await lockSlotOf(query, record.id, 0);
      const [lost] = await query(
        `SELECT community, owner, state, substr(body, 1, ${KEPT_BYTES}) AS bytes FROM jobs
         WHERE id = $1 AND version = coalesce(CAST($2 AS bigint), version)${sql.forUpdate}`,
        [record.id, version ?? null],
      );
      if (lost === undefined) return false;
      const of = { job: record.id, community: String(lost.community), person: String(lost.owner) };
      await usage.settleLost(query, of, lost.state);
      await damagedRecords.keep(query, record, lost.owner, lost.bytes);
      return remove(query, record.id, version);
    };
    try {
      if (await (within === undefined ? transaction(move) : apart(within, move)))
        damagedRecords.found(record);
    } catch {
      // Where nothing can be written now, the next reader tries again.
      damagedRecords.skip(record);
    }
  };
  const read: JobRows['read'] = async (row, query) => {
    try {
      const job = openJob(row, seal);
      return row.erased ? erasedJob(job) : job;
    } catch (error) {
      await setAside(row, error, query);
      return undefined;
    }
  };

  return {
    read,
    async readAll(rows) {
      const jobs: Job[] = [];
      for (const row of rows) {
        const job = await read(row);
        if (job !== undefined) jobs.push(job);
      }
      return jobs;
    },
    remove,
    lockSlots,
    lockSlotOf,
    changeSlots,
  };
}
