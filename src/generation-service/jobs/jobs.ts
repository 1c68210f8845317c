import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaceFinder } from '../../faces/finder.ts';
import { FAMILIES, type Family } from '../interface/families.ts';
import { HttpError } from '../interface/http-error.ts';
import type { RenderPool } from '../render/render-pool.ts';
import type { Task } from '../render/task.ts';
import type { Account } from '../storage/account.ts';
import { inTransaction } from '../storage/database.ts';
import { cutOutsFor, facesForTask, PhotoRefused } from './faces-for-task.ts';
import { createJobTable, type JobRecord, type StoredResultLimits } from './job-table.ts';

/** A validated run request. */
export interface Submission {
  family: Family;
  /** The path of the run endpoint. */
  run: string;
  task: Task;
  inputs: Uint8Array[];
  cost: number;
}

/** Overrides that a test can set for a job that is being accepted. */
export interface JobOverrides {
  queuedMs?: number;
  runningMs?: number;
  /** Makes the job end FAILED with this reason. */
  failure?: string;
  /** Uses these bytes as the result, without rendering. */
  result?: Uint8Array;
}

export type OverrideJob = (job: Pick<Submission, 'run'> & { id: string; output: Output }) => JobOverrides;

type Output = 'picture' | 'video';

/** The state of a job as its status path reports it. */
export type JobView =
  | { phase: 'queued' | 'running'; status: string }
  | { phase: 'failed'; status: string; reason: string }
  | { phase: 'completed'; status: string; file: string; result: Uint8Array };

interface JobsOptions {
  db: DatabaseSync;
  account: Account;
  pool: RenderPool;
  finder: FaceFinder;
  overrideJob: OverrideJob | undefined;
  now: () => number;
  keep: StoredResultLimits;
  onError: (error: unknown) => void;
}

const RETRY_MS = 500;
const MAX_RENDERING = 1000;
/** Limit of the bytes of photos that wait to be rendered and of results that wait to be written. */
const MAX_HELD = 512 * 1024 ** 2;

export type Jobs = ReturnType<typeof createJobs>;

/** Accepts jobs, renders them in the background, reports their state, and deletes old ones. */
export function createJobs({ db, account, pool, finder, overrideJob, now, keep, onError }: JobsOptions) {
  const table = createJobTable(db);
  const rendering = new Map<string, Promise<void>>();
  let held = 0;
  let closed = false;

  const fail = (job: JobRecord, reason: string, finishedAt: number) =>
    inTransaction(db, () => {
      table.fail(job.id, reason, finishedAt);
      account.add(job.cost);
    });

  const complete = (job: JobRecord, bytes: Uint8Array, finishedAt: number) => {
    table.complete(job.id, bytes, finishedAt);
    table.forget(now(), keep);
  };

  /** Retries a write until it succeeds: while the disk is full, a result waits in memory and counts as being rendered. */
  const persist = async (write: () => void): Promise<void> => {
    for (let tries = 0; !closed; tries += 1) {
      try {
        write();
        return;
      } catch (error) {
        if (tries === 0) onError(error);
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  };

  /** Renders a job. Photos are kept in memory until then, never on disk. */
  const startRender = (job: JobRecord, { task, inputs }: Submission) => {
    const lane = FAMILIES[job.family].output;
    let size = 0;
    const hold = (bytes: Uint8Array): void => {
      size += bytes.length;
      held += bytes.length;
    };
    inputs.forEach(hold);
    const report = (error: unknown) => closed || onError(error);
    const work = facesForTask(finder, task, inputs, report)
      .then(async (faces) => {
        const cutOuts = await cutOutsFor(finder, task, inputs, faces, report);
        return pool.render(lane, { task, inputs, faces, cutOuts });
      })
      .then(
        (bytes) => {
          hold(bytes);
          return persist(() => complete(job, bytes, Math.max(now(), endOf(job))));
        },
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : 'unknown';
          const detail =
            error instanceof PhotoRefused
              ? `INVALID_IMAGE: ${reason}`
              : `The result could not be rendered: ${reason}.`;
          return persist(() => fail(job, detail, Math.max(now(), endOf(job))));
        },
      )
      .finally(() => {
        held -= size;
        rendering.delete(job.id);
      });
    rendering.set(job.id, work);
  };

  return {
    /** Spends the credits and stores the job in one transaction. */
    accept(submission: Submission): { id: string; status: string } {
      if (rendering.size >= MAX_RENDERING || held >= MAX_HELD)
        throw new HttpError(503, 'BUSY', 'Too many jobs are in the queue.');
      const { family, run, cost } = submission;
      if (account.credits() < cost)
        throw new HttpError(402, 'INSUFFICIENT_CREDITS', `This costs ${cost} credits.`);
      const id = randomUUID();
      const { output, words } = FAMILIES[family];
      const plan: JobOverrides = overrideJob?.({ id, run, output }) ?? {};
      const usual = usualTimes(output);
      const job: JobRecord = {
        id,
        family,
        cost,
        state: 'rendering',
        createdAt: now(),
        queuedMs: plan.queuedMs ?? usual.queuedMs,
        runningMs: plan.runningMs ?? usual.runningMs,
        failure: null,
        file: randomBytes(24).toString('base64url'),
      };
      inTransaction(db, () => {
        account.add(-cost);
        table.insert(job);
      });
      if (plan.failure !== undefined) fail(job, plan.failure, endOf(job));
      else if (plan.result !== undefined) complete(job, plan.result, endOf(job));
      else startRender(job, submission);
      return { id, status: words.queued };
    },

    /**
     * The state to report. A job is reported queued, then running, for its planned time, even if its result is ready earlier.
     */
    view(id: string, family: Family): JobView {
      const job = table.find(id);
      if (job === undefined || job.family !== family) {
        throw new HttpError(404, 'JOB_NOT_FOUND', 'There is no such job on this status path.');
      }
      const { words } = FAMILIES[family];
      if (now() - job.createdAt < job.queuedMs) return { phase: 'queued', status: words.queued };
      if (job.state === 'rendering' || now() < endOf(job)) return { phase: 'running', status: words.running };
      if (job.state === 'failed')
        return { phase: 'failed', status: words.failed, reason: job.failure ?? 'unknown' };
      const result = table.result(id) ?? new Uint8Array();
      return { phase: 'completed', status: words.completed, file: job.file, result };
    },

    file: (name: string): Uint8Array | undefined => table.resultOfFile(name),

    /** Deletes old results. Called regularly, because there may be no new jobs that would cause it. */
    forget(): void {
      try {
        table.forget(now(), keep);
        table.emptyLog();
      } catch (error) {
        onError(error);
      }
    },

    /** Fails the jobs that a stop has interrupted, because their photos are lost, and refunds their credits. */
    resume(): void {
      table.forget(now(), keep);
      for (const job of table.unfinished()) fail(job, 'The service was restarted meanwhile.', now());
    },

    /** Resolves when nothing is being rendered. */
    async rendered(): Promise<void> {
      while (rendering.size > 0) await Promise.all(rendering.values());
    },

    list: () => table.list(),
    close: () => {
      closed = true;
    },
  };
}

const endOf = (job: JobRecord): number => job.createdAt + job.queuedMs + job.runningMs;

/**
 * Planned times of a job: 4 to 9 s for pictures, 15 to 25 s for videos. The mean of two random numbers makes the middle more
 * likely.
 */
function usualTimes(output: Output) {
  const [least, most] = output === 'picture' ? [4_000, 9_000] : [15_000, 25_000];
  const total = least + ((Math.random() + Math.random()) / 2) * (most - least);
  const queuedMs = Math.round(total * (0.1 + 0.15 * Math.random()));
  return { queuedMs, runningMs: Math.round(total) - queuedMs };
}
