import { type Credentials, credentialsOf, statusPathNameOf } from '../../kinds/kinds.ts';
import { hasEnded, type Job, parseJob } from '../../orchestrator/job/job.ts';
import type { DueKind } from '../../orchestrator/job/records.ts';
import { refuseTooLongRecord, type Seal } from '../records/seal.ts';
import { type DamagedRecords, KEPT_BYTES } from './damaged.ts';
import type { Base, Query, Row, Transaction } from './driver.ts';
import { originOfUsedId, rememberOrigin } from './removed.ts';
import type { UsageTable } from './usage.ts';

const PURPOSE = 'job';
/** Prompts are some thousand characters at the most. */
const LONGEST_BODY = 262_144;

/** A job as it is stored; its version is a column. */
export const sealJob = ({ version: _, ...job }: Job, seal: Seal) =>
  refuseTooLongRecord(seal.seal(JSON.stringify(job), PURPOSE), LONGEST_BODY);

/** `body` is null when it is longer than `LONGEST_BODY`. Throws when it is damaged. */
export function openJob(row: Readonly<Record<string, unknown>>, seal: Seal): Job {
  if (row.body === null && Number(row.length) > LONGEST_BODY)
    throw new Error(`it is ${row.length} bytes long`);
  const job = parseJob(seal.open(row.body, PURPOSE));
  if (job.id !== row.id || job.state !== row.state) throw new Error('its columns and its body disagree');
  return { ...job, version: Number(row.version) };
}

/** The service's id of a job is unique together with its status path. */
export const serviceIdOf = ({ request }: Job, serviceId: string): string =>
  `${statusPathNameOf(request.kind)} ${serviceId}`;

/** Conditions of `jobs`: which states each kind of due job is in, as `dueKindOf` and the indexes `jobs_due_*` have it. */
export const DUE_STATES = {
  polls: "state = 'running'",
  results: "state = 'delivering'",
  others: "state NOT IN ('running', 'delivering')",
} as const satisfies Record<DueKind, string>;

/** When a job ended, in whole ms; null: it has not. */
export const endOf = (job: Job): number | null => (hasEnded(job) ? Math.floor(job.finishedAt) : null);

/** The credentials of the call that a job stands in line for; null: it does not. */
export const lineOf = (job: Job): Credentials | null =>
  job.state === 'waiting' && job.resting === undefined ? credentialsOf(job.request.kind) : null;

/** Whether a job in this state has a slot (1). */
export const slotOf = ({ state }: Job): 0 | 1 => (state === 'submitting' || state === 'running' ? 1 : 0);

/** When the next step is due, in whole ms; null: there is none. */
export const dueOf = ({ due }: Job): number | null => (due === undefined ? null : Math.ceil(due));

/** The columns that `openJob` needs; everything that is not looked up is in the sealed body. `erased`: the job's person is being erased. */
export const JOB_COLUMNS = `jobs.seq, jobs.id, jobs.owner, jobs.community, jobs.state, jobs.version,
  length(jobs.body) AS length, CASE WHEN length(jobs.body) <= ${LONGEST_BODY} THEN jobs.body END AS body,
  EXISTS (SELECT 1 FROM erasures AS e WHERE e.person = jobs.owner AND NOT e.finished AND jobs.seq <= e.jobs) AS erased`;

/** Opens the record in a row; undefined: it is damaged, or its person has been erased. */
export type OpenRow = (row: Row) => Job | undefined;

export type JobRows = ReturnType<typeof createJobRows>;

/** Reads and removes jobs of the table, and counts the slots that they have. Methods with a `query` are called in a transaction. */
export function createJobRows(
  { driver, seal, now }: Base,
  usage: UsageTable,
  damagedRecords: DamagedRecords,
) {
  const { transaction, sql } = driver;
  const everybody = `SELECT running, turn, per_person FROM slots WHERE person = ''${sql.forUpdate}`;
  // A person who had no slot left, and has one now, does not overtake people who waited meanwhile.
  const goOn = `UPDATE jobs SET passed = 0,
      turn = turn + ${sql.greatest}(0, 1 + (SELECT turn FROM slots WHERE person = '')
        - (SELECT min(own.turn) FROM jobs AS own
           WHERE own.turn_of = $1 AND own.finished_at IS NULL AND own.line IS NOT NULL AND own.seq <> $2))
    WHERE turn_of = $1 AND finished_at IS NULL AND line IS NOT NULL AND seq <> $2
      AND EXISTS (SELECT 1 FROM jobs AS own
        WHERE own.turn_of = $1 AND own.finished_at IS NULL AND own.line IS NOT NULL AND own.passed = 1)`;

  const ofOne = `SELECT 1 FROM slots WHERE person = '' AND EXISTS
    (SELECT 1 FROM jobs WHERE id = $1 AND (line IS NOT NULL OR slot <> $2))${sql.forUpdate}`;

  /** Locks everybody's row of `slots`: what follows from a slot is counted exactly. */
  const lockSlots = async (query: Query): Promise<Row | undefined> => (await query(everybody, []))[0];
  /** Like `lockSlots`, if this job's slot will change to `next` or it stands in line; returns the slot that it has now. */
  const lockSlotOf = async (query: Query, id: string, next: number): Promise<number> => {
    // Read by a statement of its own: it may have been taken from the line before the lock was given.
    const [, [row]] = await Promise.all([
      query(ofOne, [id, next]),
      query('SELECT slot FROM jobs WHERE id = $1', [id]),
    ]);
    return row === undefined ? next : Number(row.slot);
  };
  /** A job gets a slot (1), gives one back (-1) or does neither (0). The caller has called `lockSlots` or `lockSlotOf`. */
  const changeSlots = ({ write }: Transaction, { turn_of: person, seq }: Row, by: number): void => {
    if (by === 0) return;
    write("UPDATE slots SET running = running + $1 WHERE person = ''", [by]);
    if (by > 0) {
      write(
        `INSERT INTO slots AS s (person, running, turn) VALUES ($1, 1, 0)
         ON CONFLICT (person) DO UPDATE SET running = s.running + 1`,
        [person],
      );
      return;
    }
    write('UPDATE slots SET running = running - 1 WHERE person = $1', [person]);
    write('DELETE FROM slots WHERE person = $1 AND running <= 0', [person]);
    write(goOn, [person, seq]);
  };
  /** Removes a job; its event and its id at the service stay known for some days. False: there is none in this version. */
  const remove = async (query: Transaction, id: string, version?: number): Promise<boolean> => {
    await lockSlotOf(query, id, 0);
    const [gone] = await query(
      `DELETE FROM jobs WHERE id = $1 AND version = coalesce(CAST($2 AS bigint), version)
       RETURNING seq, origin, turn_of, service_id, slot`,
      [id, version ?? null],
    );
    if (gone === undefined) return false;
    driver.removed();
    changeSlots(query, gone, -Number(gone.slot));
    rememberOrigin(query, String(gone.origin), now());
    if (gone.service_id !== null) rememberOrigin(query, originOfUsedId(String(gone.service_id)), now());
    return true;
  };
  /** A damaged record does not say which card it has: the card stays as it is. */
  const setAside = ({ id, version }: Row, error: unknown): Promise<void> =>
    damagedRecords.setAside({ kind: 'job', id: String(id), error }, async (query) => {
      await lockSlotOf(query, String(id), 0);
      const [lost] = await query(
        `SELECT community, owner, state, substr(body, 1, ${KEPT_BYTES}) AS bytes FROM jobs
         WHERE id = $1 AND version = $2${sql.forUpdate}`,
        [id, version],
      );
      if (lost === undefined) return undefined;
      const of = { job: String(id), community: String(lost.community), person: String(lost.owner) };
      await usage.settleLost(query, of, lost.state);
      return (await remove(query, String(id), Number(version))) ? lost : undefined;
    });
  /** Records that turn out to be damaged are set aside after `work`, in transactions of their own. */
  const opening = async <T>(work: (open: OpenRow) => T | Promise<T>): Promise<T> => {
    const damaged = new Map<unknown, readonly [Row, unknown]>();
    const result = await work((row) => {
      try {
        const job = openJob(row, seal);
        if (!row.erased) return job;
        // It is hidden from now on, and what is under way for it is brought to its end.
        return job.settled ? undefined : { ...job, forget: true };
      } catch (error) {
        damaged.set(row.id, [row, error]);
        return undefined;
      }
    });
    for (const each of damaged.values()) await setAside(...each);
    return result;
  };
  const read = (row: Row): Promise<Job | undefined> => opening((open) => open(row));
  const readAll = (rows: readonly Row[]): Promise<Job[]> =>
    opening((open) => rows.flatMap((row) => open(row) ?? []));
  const reading = <T>(work: (query: Transaction, open: OpenRow) => Promise<T>): Promise<T> =>
    opening((open) => transaction((query) => work(query, open)));

  return { read, readAll, reading, remove, lockSlots, lockSlotOf, changeSlots };
}
