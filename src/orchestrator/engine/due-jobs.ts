import { type Clock, createAlarm, sleep } from '../../base/clock.ts';
import type { Job } from '../job/job.ts';
import { type DueKind, dueKindOf, type JobRecords } from '../job/records.ts';

/**
 * How a step ended. `released`: the job was saved and its claim ended with it. `saved`: the claim is still held.
 * `broken`: the record is unchanged.
 */
export type StepEnd = 'saved' | 'released' | 'broken';

export interface DueJobsOptions {
  readonly clock: Clock;
  readonly records: Pick<JobRecords, 'claim' | 'release' | 'nextDue'>;
  /** Runs one step of a claimed job. Must not reject. */
  readonly step: (job: Job, which: DueKind) => Promise<StepEnd>;
  /** Called when claiming or releasing failed; the call is retried after a pause. Must not reject. */
  readonly failed: (error: unknown) => Promise<void>;
  /**
   * Backpressure: while true, nothing of this kind is claimed, because it would only wait in memory or this process may claim
   * nothing.
   */
  readonly isBusy: (which: DueKind) => boolean;
  /** Limit of concurrent steps for each kind; every result takes megabytes of memory. */
  readonly stepsAtOnce: Readonly<Record<DueKind, number>>;
}

const REST_MS = 5_000;
const BUSY_MS = 50;
/** Jobs claimed with one query and begun in one turn of the event loop; more would delay other work. */
const BATCH = 32;
/**
 * Jobs that fall due within this time are claimed together: each claim is a transaction, and other processes claim as
 * well.
 */
const GATHER_MS = 10;

/**
 * Claims due jobs from the store and runs one step of each. There is a queue for each kind, so that a hanging step
 * blocks no other kind.
 */
export function createDueJobs(options: DueJobsOptions) {
  const queues = {
    others: createQueue('others', options),
    results: createQueue('results', options),
    polls: createQueue('polls', options),
  };
  const all = Object.values(queues);
  return {
    start() {
      for (const queue of all) queue.start();
    },
    /** Tells the queue of this job's kind that it was stored and when it is due. */
    expect({ state, due }: Pick<Job, 'state' | 'due'>) {
      if (due !== undefined) queues[dueKindOf(state)].expect(due);
    },
    /** Checks the store for jobs that other processes have stored. */
    checkStore() {
      for (const queue of all) queue.expect(options.clock.now());
    },
    get underWay() {
      return all.reduce((sum, queue) => sum + queue.underWay, 0);
    },
    /** Stops claiming and waits for the steps under way. */
    async stop() {
      await Promise.all(all.map((queue) => queue.stop()));
    },
  };
}

/**
 * The database index on the due time is the queue; one timer is set for the next due job, however many jobs there are.
 */
function createQueue(which: DueKind, { clock, records, ...work }: DueJobsOptions) {
  const stepsAtOnce = work.stepsAtOnce[which];
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  /** No unclaimed job is due before this time. */
  let wakeAt = 0;
  /**
   * Nothing is claimed before this time, so that a batch can gather. `claimAt` limits the wait in case the clock was
   * set back.
   */
  let gatherUntil = 0;
  const claimAt = (): number => Math.max(wakeAt, Math.min(gatherUntil, clock.now() + GATHER_MS));
  const alarm = createAlarm(clock, () => pump());
  let running = false;
  let claiming: Promise<void> | undefined;

  const rest = (): Promise<void> => sleep(clock, REST_MS, stopping.signal).catch(() => undefined);

  /** Retries until the claim is released: a job that stays claimed would not run again before a process restarts. */
  const release = async (id: string): Promise<void> => {
    do {
      try {
        await records.release(which, id);
        wakeAt = 0;
        return;
      } catch (error) {
        await work.failed(error);
        await rest();
      }
    } while (running);
  };

  const begin = (job: Job): void => {
    const run = async (): Promise<void> => {
      const end = await work.step(job, which);
      // Without a pause a broken step would be repeated in a busy loop.
      if (end === 'broken') await rest();
      if (end !== 'released') await release(job.id);
      underWay.delete(step);
      pump();
    };
    const step = run();
    underWay.add(step);
  };

  const claim = async (): Promise<void> => {
    const limit = Math.min(BATCH, stepsAtOnce - underWay.size);
    // Reset before the query, because `expect` may set an earlier time while it runs.
    wakeAt = Number.POSITIVE_INFINITY;
    try {
      const jobs = await records.claim(which, clock.now(), limit);
      if (!running) {
        await Promise.all(jobs.map(({ id }) => release(id)));
        return;
      }
      for (const job of jobs) begin(job);
      const isFull = jobs.length === limit;
      const next = jobs.length > 0 ? 0 : await records.nextDue(which);
      wakeAt = Math.min(wakeAt, next ?? wakeAt);
      gatherUntil = isFull ? 0 : clock.now() + GATHER_MS;
    } catch (error) {
      await work.failed(error);
      wakeAt = clock.now() + REST_MS;
    }
    claiming = undefined;
    setTimer();
  };

  const setTimer = (): void => {
    if (running && underWay.size < stepsAtOnce && wakeAt < Number.POSITIVE_INFINITY) alarm.set(claimAt());
  };

  const pump = (): void => {
    if (!running || claiming !== undefined || underWay.size >= stepsAtOnce) return;
    if (clock.now() >= wakeAt && work.isBusy(which)) wakeAt = clock.now() + BUSY_MS;
    if (clock.now() < claimAt()) setTimer();
    else claiming = claim();
  };

  return {
    start() {
      running = true;
      pump();
    },
    expect(due: number) {
      wakeAt = Math.min(wakeAt, due);
      pump();
    },
    get underWay() {
      return underWay.size;
    },
    async stop() {
      running = false;
      alarm.cancel();
      stopping.abort();
      await claiming;
      await Promise.allSettled(underWay);
    },
  };
}
