import { type Clock, createAlarm, sleep } from '../../base/clock.ts';
import type { Job } from '../job/job.ts';
import { type DueKind, dueKindOf, type JobRecords } from '../job/records.ts';

/** `released`: it was saved and is no longer claimed. `broken`: the record is as it was. */
export type StepEnd = 'saved' | 'released' | 'broken';

export interface DueJobsOptions {
  readonly clock: Clock;
  readonly records: Pick<JobRecords, 'claim' | 'release' | 'nextDue'>;
  /** Never rejects. */
  readonly step: (job: Job, which: DueKind) => Promise<StepEnd>;
  /** The due jobs could not be claimed or released; that is repeated after a pause. Never rejects. */
  readonly failed: (error: unknown) => Promise<void>;
  /** Whether more steps would only wait and use memory, or nothing may be claimed. */
  readonly isBusy: (which: DueKind) => boolean;
  /** Steps under way at once; each result is megabytes in memory. */
  readonly stepsAtOnce: Readonly<Record<DueKind, number>>;
}

const REST_MS = 5_000;
const BUSY_MS = 50;
/** Claimed with one query and begun in one turn of the event loop, so that other work is not delayed. */
const BATCH = 32;
/** What falls due one after the other is claimed together: each claim is a transaction, and other processes claim, too. */
const GATHER_MS = 10;

/** Runs what is due, one step of each job. One queue for each kind, so that what hangs in one holds up nothing in another. */
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
    /** Such a job was stored. */
    expect({ state, due }: Pick<Job, 'state' | 'due'>) {
      if (due !== undefined) queues[dueKindOf(state)].expect(due);
    },
    /** Others may have stored what is due. */
    look() {
      for (const queue of all) queue.expect(options.clock.now());
    },
    get underWay() {
      return all.reduce((sum, queue) => sum + queue.underWay, 0);
    },
    /** Claims no more and waits for the steps under way. */
    async stop() {
      await Promise.all(all.map((queue) => queue.stop()));
    },
  };
}

/** The table's index on the due time is the queue; there is one timer, for the next due, however many jobs there are. */
function createQueue(which: DueKind, { clock, records, ...work }: DueJobsOptions) {
  const stepsAtOnce = work.stepsAtOnce[which];
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  /** Before that, nothing is due that is not claimed. */
  let wakeAt = 0;
  /** Before that, nothing is claimed; the clock may have been set back since. */
  let gatherUntil = 0;
  const claimAt = (): number => Math.max(wakeAt, Math.min(gatherUntil, clock.now() + GATHER_MS));
  const alarm = createAlarm(clock, () => pump());
  let running = false;
  let claiming: Promise<void> | undefined;

  const rest = (): Promise<void> => sleep(clock, REST_MS, stopping.signal).catch(() => undefined);

  /** A job that stays claimed would never be stepped again, not before another process starts. */
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
      // It would be due again at once, endlessly.
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
    // `expect` may be called meanwhile.
    wakeAt = Number.POSITIVE_INFINITY;
    try {
      const jobs = await records.claim(which, clock.now(), limit);
      if (!running) return void (await Promise.all(jobs.map(({ id }) => release(id))));
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
