import type { Job, OpeningJob } from '../../../../src/orchestrator/job/job.ts';
import { OrderRefused } from '../../../../src/orchestrator/job/order-refused.ts';
import type { NewJob } from '../../../../src/orchestrator/job/records.ts';
import type { MachineTime } from '../../../../src/store/records/removal-time.ts';
import { COPIED_TABLES } from '../../../../src/store/tables/copy.ts';
import type { DamagedRecord } from '../../../../src/store/tables/damaged.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import type { JobFields } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

/** An implementation of the store, in the hands of a suite. */
export interface Driver {
  readonly name: string;
  /** Whether several processes can use one store. */
  readonly isShared: boolean;
  /** A place for one store, which nobody has opened yet. */
  create(): Promise<Place>;
}

export interface Place {
  readonly time: { now: number };
  /** Records that were found damaged. */
  readonly found: DamagedRecord[];
  /** Moves the time on for every process, and for the clock of a database. */
  pass(ms: number): Promise<void>;
  /** Opens the store as a new process: the one before is gone. */
  open(keys?: readonly Uint8Array[], machine?: MachineTime): Promise<Store>;
  /** Opens the store as a new process whose clock is so much ahead of `time`. Earlier processes are gone where only one can have the store. */
  openAhead(aheadMs: number): Promise<Store>;
  close(): Promise<void>;
  /** Looks into the tables or changes them, past the store. */
  sql(text: string, ...values: readonly unknown[]): Promise<Readonly<Record<string, unknown>>[]>;
  /** The value that a column holds for a text: sealed with the first key, if there is one. */
  sealed(text: string, purpose: string, keys: readonly Uint8Array[]): Uint8Array | string;
  remove(): Promise<void>;
}

export const person = 'discord:424242424242';
export const community = 'discord:777777777';
export const day = '2026-01-05';

/** A line that no test looks for. */
const line = { at: 1, community: 'test:none', actor: 'test:none', action: 'test', detail: {} };

export function orderOf(job: Job, more: Partial<Omit<NewJob, 'job'>> = {}): NewJob {
  const limits = { userConcurrentJobs: 1e6, userWaitingJobs: 1e6, userJobsPerMinute: 1e6 };
  // Stores write a job down in whatever state it is.
  return { job: job as OpeningJob, limits, dailyCredits: 1e6, line, ...more };
}

export async function insert({ jobs }: Pick<Store, 'jobs'>, ...all: readonly Job[]): Promise<void> {
  for (const job of all) await jobs.accept(orderOf(job));
}

/** Whether the event of a job that is no more is still known. */
export async function wasRemoved({ jobs }: Pick<Store, 'jobs'>, origin: string): Promise<boolean> {
  const job = sampleJob({ state: 'opening', origin });
  const refusal = await jobs.accept(orderOf(job)).catch((error: unknown) => error);
  return refusal instanceof OrderRefused && refusal.reason.code === 'deleted';
}

/** Every value of these tables as text, with its column. */
export async function valuesIn(
  { sql }: Pick<Place, 'sql'>,
  tables: readonly string[] = COPIED_TABLES.map(({ name }) => name),
): Promise<(readonly [column: string, text: string])[]> {
  const all: (readonly [string, string])[] = [];
  for (const table of tables)
    for (const row of await sql(`SELECT * FROM ${table}`))
      for (const [column, value] of Object.entries(row)) {
        const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
        all.push([`${table}.${column}`, text]);
      }
  return all;
}

/** Erases batch after batch, until nothing is left: how many jobs there were. */
export async function eraseAll(
  { erasures }: Pick<Store, 'erasures'>,
  who: string,
  limit = 10,
): Promise<number> {
  for (let jobs = 0; ; ) {
    const batch = await erasures.more(who, limit);
    jobs += batch.jobs;
    if (!batch.left) return jobs;
  }
}

export const doneJob = (more: JobFields = {}): Job =>
  sampleJob({ charge: 'spent', settled: true, finishedAt: Date.UTC(2026, 0, 5, 12), ...more, state: 'done' });
