import { type Clock, createRepeat, withTimeout } from '../base/clock.ts';
import type { Members } from '../base/members/members.ts';
import type { Log } from '../log/log.ts';
import { createDueJobs } from './engine/due-jobs.ts';
import { createJobRemoval } from './engine/job-removal.ts';
import { createSaveJob } from './engine/save-job.ts';
import { createStoreWatch } from './engine/store-watch.ts';
import { createJobRecovery, createTakeover } from './engine/takeover.ts';
import { createWorker } from './engine/worker.ts';
import { dayOf } from './job/day.ts';
import { hasEnded, isActive, type Job, originOfFurtherPhoto } from './job/job.ts';
import type { AcceptanceLimits, ErasureRecords, JobRecords, UsageRecords } from './job/records.ts';
import { createActiveJobs } from './live/active-jobs.ts';
import { createCardRefresh } from './live/card-refresh.ts';
import { createProgressEdit } from './live/progress-edit.ts';
import { createDispatcher } from './queue/dispatcher.ts';
import { createJobRequests } from './requests.ts';
import { createTiming, type ModelStore } from './schedule/timing.ts';
import { createServiceGate } from './service/service-gate.ts';
import type { Deadlines, JobContext, OrchestratorPorts, Service } from './steps/effects.ts';

/** The parts of the program that the orchestrator works with, and its limits. */
export interface OrchestratorOptions {
  readonly store: {
    readonly jobs: JobRecords;
    readonly usage: UsageRecords;
    readonly erasures: ErasureRecords;
    /** Removes some expired records; resolves with whether more are left. */
    sweep(): Promise<boolean>;
    /** Rejects when nothing can be written. */
    tryToWrite(): Promise<void>;
  };
  readonly members: Members;
  /** Stores what was learned about the durations of jobs. */
  readonly models: ModelStore;
  readonly client: Service;
  /** The number of calls to the service that wait for their turn. */
  readonly callsWaiting: (lane: 'submit' | 'poll') => number;
  readonly ports: OrchestratorPorts;
  readonly limits: AcceptanceLimits & {
    readonly serviceConcurrentJobs: number;
    readonly serviceCallsPerSecond: number;
  };
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly deadlines: Deadlines;
  /** Minimum interval between two polls of one job. */
  readonly floorsMs: Readonly<Record<'image' | 'video', number>>;
}

/** The running orchestrator, see `createOrchestrator`. */
export type Orchestrator = ReturnType<typeof createOrchestrator>;

/** Load and outages of the orchestrator, for figures and metrics. */
export type OrchestratorStats = Awaited<ReturnType<Orchestrator['stats']>>;

const STOP_MS = 7_000;
const SWEEP_EVERY_MS = 60_000;
/** Pause between two batches of expired records, so that other work is not delayed. */
const NEXT_SWEEP_MS = 50;
const STEPS_AT_ONCE = 64;
/** A result that waits for its turn to be sent or for memory uses neither a call nor memory, so many may wait. */
const RESULTS_AT_ONCE = 1024;

/**
 * Refuses to edit cards while this process has no session with the store: after standing still, others may have gone on with
 * its jobs.
 */
function editedByMember(ports: OrchestratorPorts, { isAlive }: Pick<Members, 'isAlive'>): OrchestratorPorts {
  const asMember =
    <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (!isAlive()) throw new Error('This process has no session with the store.');
      return work(...args);
    };
  return { ...ports, draw: asMember(ports.draw), newCard: asMember(ports.newCard) };
}

/**
 * The room's entry: accepts jobs and brings each of them to exactly one final state, despite crashes and outages. A job's
 * states are in `job/job.ts`; its steps (opening, waiting, submit, poll, deliver) are functions in `steps/`; `engine/worker.ts`
 * runs them when they are due, and `queue/dispatcher.ts` submits the next job in line.
 */
export function createOrchestrator(options: OrchestratorOptions) {
  const { clock, random, log, members } = options;
  const { jobs: records, usage } = options.store;
  const now = clock.now;
  const callsPerSecond = options.limits.serviceCallsPerSecond;
  let isStopped = false;
  const changed = (): void => dispatcher.wake();
  const common: JobContext = {
    records,
    ports: editedByMember(options.ports, members),
    gates: {
      key: createServiceGate({ clock, random, changed }),
      token: createServiceGate({ clock, random, changed }),
    },
    timing: createTiming({
      models: options.models,
      shared: members.isShared,
      callsPerSecond,
      random,
      floorsMs: options.floorsMs,
    }),
    limits: { perPerson: options.limits.userConcurrentJobs, inAll: options.limits.serviceConcurrentJobs },
    deadlines: options.deadlines,
    clock,
    random,
    log,
    isShared: members.isShared,
    isStopped: () => isStopped,
  };
  const { ports, gates, timing, limits } = common;
  const watch = createStoreWatch({
    clock,
    log,
    tryToWrite: options.store.tryToWrite,
    isMember: members.isAlive,
    troubled: (error) => ports.ownerNotice('store', error),
    recovered: changed,
  });
  const cardRefresh = createCardRefresh({
    clock,
    cardState: (id) => activeJobs.cardState(id),
    draw: createProgressEdit(common),
  });
  const activeJobs = createActiveJobs(common, cardRefresh);

  const saving = createSaveJob(common, (job, before) => {
    activeJobs.saved(job);
    if (hasEnded(job) && !hasEnded(before)) ports.finished(job);
    dueJobs.expect(job);
    if (job.state === 'waiting' || (isActive(before) && !isActive(job))) dispatcher.wake();
  });
  const { change } = saving;
  const recovery = createJobRecovery(common, saving.save, activeJobs.saved, (id) =>
    dispatcher.ids().includes(id),
  );
  const worker = createWorker(common, options.client, saving, watch, activeJobs, cardRefresh);
  const storeFailed = async (error: unknown): Promise<void> => {
    takeover?.renew();
    if (!(await watch.isStoreFailure(error)))
      log.error({ err: error }, 'what is due or next could not be read; it will be tried again');
  };
  const dueJobs = createDueJobs({
    clock,
    records,
    step(job, ...more) {
      if (job.state === 'running' && job.due !== undefined) ports.polled(now() - job.due);
      return worker.runStep(job, ...more);
    },
    failed: storeFailed,
    // Polls are claimed while at most a tenth of a second of calls waits; jobs beyond that are better left in the store, because
    // what waits in memory is copied by each garbage collection.
    isBusy: (which) =>
      !members.isAlive() ||
      (which === 'polls' && options.callsWaiting('poll') >= Math.max(STEPS_AT_ONCE, callsPerSecond / 10)),
    // Room for a poll of every running job: polls that hang must not block the others.
    stepsAtOnce: {
      polls: Math.max(STEPS_AT_ONCE, limits.inAll),
      results: RESULTS_AT_ONCE,
      others: STEPS_AT_ONCE,
    },
  });
  const dispatcher = createDispatcher(common, {
    failed: storeFailed,
    isOpen: watch.isWritable,
    submit: worker.submit,
    async continueJob(id) {
      // The outcome of the broken submission may still have to be written.
      if (!watch.isWritable() || watch.isPending(id))
        throw new Error('Not before the store can be written to.');
      const job = await records.get(id);
      // The outcome of this process's own submission is written by now, so another process is submitting the job.
      if (job?.state === 'submitting') return;
      if (job !== undefined) await recovery.recover(job);
      await records.release('submission', id);
      dispatcher.wake();
    },
    callsWaiting: () => options.callsWaiting('submit'),
    callsPerSecond,
  });
  const removal = createJobRemoval(common, options.store.erasures, change);
  const housekeeping = createRepeat(clock, SWEEP_EVERY_MS, async () => {
    let isMoreLeft = false;
    try {
      isMoreLeft = await watch.watched(options.store.sweep);
      // The dispatcher is woken because no event reports a slot that was freed by setting a damaged record aside.
      dispatcher.wake();
      await timing.save();
    } catch (error) {
      log.warn({ err: error }, 'housekeeping failed; retrying');
    }
    return isMoreLeft ? NEXT_SWEEP_MS : SWEEP_EVERY_MS;
  });

  const countRunning = async (): Promise<void> => timing.runningInAll((await records.counts()).running);
  const takeOver = async (): Promise<void> => {
    dueJobs.checkStore();
    dispatcher.wake();
    // Keeps the claims of submissions under way: no other process can find out their outcome.
    await records.keepSubmissions?.(dispatcher.ids());
    await recovery.recoverAbandoned();
    await countRunning();
  };
  const takeover = members.isShared
    ? createTakeover(clock, members, watch, takeOver, storeFailed)
    : undefined;
  let starting = Promise.resolve();
  const begin = async (): Promise<void> => {
    await timing.load();
    await recovery.recoverAll();
    if (common.isShared) await countRunning();
    if (!isStopped) await removal.erasing.start();
    if (isStopped) return;
    // Nothing after this line fails, so a failed start can be repeated.
    dueJobs.start();
    dispatcher.start();
    cardRefresh.start();
    // Begins soon, because housekeeping also re-encrypts records after a key change.
    housekeeping.start(NEXT_SWEEP_MS);
    takeover?.start();
  };
  let counts = { waiting: 0, running: 0 };
  const underWay = () => ({ steps: dueJobs.underWay, submissions: dispatcher.underWay });
  members.reportLoad(underWay);
  const outages = () => ({ key: gates.key.outage(), token: gates.token.outage() });

  return {
    ...createJobRequests(common, options.limits, change, watch, dueJobs.expect),
    get: records.get,
    /** The job that an event has made before. */
    begun: records.byOrigin,
    /** The jobs of the other photos of a job's album that exist. */
    async others({ origin, others = 0 }: Job): Promise<readonly Job[]> {
      const numbers = Array.from({ length: others }, (_, index) => index + 1);
      const found = await Promise.all(
        numbers.map((number) => records.byOrigin(originOfFurtherPhoto(origin, number))),
      );
      return found.filter((job) => job !== undefined);
    },
    /** A person's unfinished jobs, then the latest finished ones. */
    mine: records.ofPerson,
    jobStatus: activeJobs.jobStatus,
    withdraw: removal.withdraw,
    remove: removal.remove,
    erase: removal.erase,
    /** The credits that a person has used in a community today. */
    usage: (community: string, person: string) => usage.person(dayOf(now()), community, person),
    communityUsage: (community: string) => usage.community(dayOf(now()), community),
    start(): Promise<void> {
      starting = begin();
      return starting;
    },
    /** Takes no more work, waits for steps under way (7 seconds at most), and stores what was learned. */
    async stop(): Promise<void> {
      isStopped = true;
      const begun = starting.catch(() => undefined);
      const ended = Promise.allSettled([
        begun,
        housekeeping.stop(),
        removal.erasing.stop(),
        takeover?.stop(),
        dueJobs.stop(),
        dispatcher.stop(),
        cardRefresh.stop(),
      ]);
      const parts = await withTimeout(clock, STOP_MS, () => ended).catch(() => {
        log.warn('some steps did not finish in time; they continue at the next start');
        return [];
      });
      for (const part of parts)
        if (part.status === 'rejected') log.warn({ err: part.reason }, 'a part did not stop as it should');
      watch.stop();
      await timing
        .save()
        .catch((error: unknown) => log.warn({ err: error }, 'the learned job durations could not be saved'));
    },
    /** The outages that keep this process from calling the service, by credentials. */
    outages,
    /** The outages that calls have met lately. */
    outagesMet: () => ({ key: gates.key.outageMet(), token: gates.token.outageMet() }),
    /** Load and outages. While the store cannot be read, the numbers of waiting and running jobs are the last known ones. */
    async stats() {
      counts = await records.counts().catch(() => counts);
      return { ...counts, ...underWay(), outages: outages() };
    },
  };
}
