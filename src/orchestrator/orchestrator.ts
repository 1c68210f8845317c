import type { Clock } from '../base/clock.ts';
import { createFairBudget, type FairBudget, splitBySize } from '../base/fair-budget.ts';
import type { CardRef } from '../command/place.ts';
import type { Log } from '../log/log.ts';
import { createDueSteps } from './engine/due-steps.ts';
import { createHousekeeping } from './engine/housekeeping.ts';
import { createForgetting, type Forgetting } from './engine/job-removal.ts';
import { createStoreWatch } from './engine/store-watch.ts';
import { createWorker } from './engine/worker.ts';
import type { Deadlines } from './engine/worker-parts.ts';
import { createInterventions, type Interventions } from './interventions.ts';
import { shiftBack } from './job/clock-jumps.ts';
import { dayEnd, dayOf } from './job/day.ts';
import { uncertain } from './job/final-states.ts';
import { hasEnded, type Job, type JobStatus, type Order } from './job/job.ts';
import {
  type ErasureRecords,
  type JobRecords,
  ServiceIdTaken,
  type UsageCount,
  type UsageRecords,
} from './job/records.ts';
import { Refusal } from './job/refusal.ts';
import { within } from './job/with-timeout.ts';
import { createUnderWay } from './live/active-jobs.ts';
import { createRedraw } from './live/card-refresh.ts';
import { createProgressEdit } from './live/progress-edit.ts';
import { type AcceptanceLimits, type Accepted, accept } from './queue/accept.ts';
import { createDispatcher } from './queue/dispatcher.ts';
import { createRecent, MINUTE_MS } from './queue/recent-submissions.ts';
import { createSlots } from './queue/slots.ts';
import { createTiming, type ModelStore } from './schedule/timing.ts';
import { createGate } from './service/service-gate.ts';
import { LONGEST_PAUSE_MS } from './steps/deliver.ts';
import type { Ports, Service } from './steps/effects.ts';

export interface OrchestratorOptions {
  readonly store: {
    readonly jobs: JobRecords;
    readonly usage: UsageRecords;
    readonly erasures: ErasureRecords;
    /** Removes what has expired, a little at a time; says whether more is left. */
    sweep(): boolean;
    /** Throws when nothing can be written. */
    tryToWrite(): void;
  };
  /** What was learned of durations. */
  readonly models: ModelStore;
  readonly client: Service;
  readonly ports: Ports;
  readonly limits: AcceptanceLimits & {
    readonly serviceConcurrentJobs: number;
    readonly serviceCallsPerSecond: number;
  };
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly deadlines?: Partial<Deadlines>;
  /** Least time between two looks at one job. */
  readonly floorsMs?: Readonly<Record<'image' | 'video', number>>;
  /** Bytes of photos on their way in, and of results on their way out, that are in memory at once. */
  readonly bytesInHand?: Partial<Record<'photos' | 'pictures' | 'videos', FairBudget>>;
}

export interface UsageToday extends UsageCount {
  readonly resetsAt: number;
}

export interface Orchestrator extends Pick<Interventions, 'cancel'>, Forgetting {
  /**
   * Takes an order or throws a Refusal. The job is written down before this returns (see `onDisk`), and with it what
   * `together` writes of a new one.
   */
  accept(order: Order, together?: (job: Job) => void): Accepted;
  /** Resolves when what was accepted would survive a power cut: before a card is shown. */
  onDisk(): Promise<void>;
  /**
   * Its card is visible: from now on the job proceeds. `undefined`: it never will be, so nobody waits for the job.
   * Resolves when that would survive a power cut.
   */
  shown(id: string, card: CardRef | undefined): Promise<void>;
  get(id: string): Job | undefined;
  /** The job that this event has made before. */
  begun(origin: string): Job | undefined;
  /** A person's unfinished jobs, then the latest finished ones. */
  mine(person: string, limit: number): Job[];
  jobStatus(job: Pick<Job, 'id' | 'state' | 'request' | 'caller'>): JobStatus;
  usage(community: string, person: string): UsageToday;
  communityUsage(community: string): UsageToday & { readonly people: number };
  start(): Promise<void>;
  /** Takes no more work, waits for the steps in hand (7 seconds at most), writes down what was learned. */
  stop(): Promise<void>;
  stats(): OrchestratorStats;
}

export interface OrchestratorStats {
  readonly waiting: number;
  readonly running: number;
  readonly steps: number;
  readonly submissions: number;
  readonly outages: Readonly<Record<'key' | 'token', JobStatus['outage']>>;
}

const defaultDeadlines: Deadlines = {
  imageMs: 10 * MINUTE_MS,
  videoMs: 30 * MINUTE_MS,
  waitingMs: 6 * 60 * MINUTE_MS,
  deliveryMs: 7 * 24 * 60 * MINUTE_MS,
  elsewhereMs: 6 * 60 * MINUTE_MS,
};
const STOP_MS = 7_000;
const MOST_TOLD_SOON = 1_000;
const MB = 1024 * 1024;
/** A photo of 20 MB for each of eight people, or fifty of an ordinary size: it is smaller as soon as it is cleaned. */
const photoBytes = { total: 160 * MB, perPerson: 40 * MB };
/** Results of an ordinary size do not wait for the memory of large ones. A picture is base64, up to 12 MB of it. */
const ordinaryBytes = 16 * MB;
const pictureBytes = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 32 * MB, perPerson: 32 * MB },
};
/** Large ones: two as large as a chat takes. */
const videoBytes = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 100 * MB, perPerson: 50 * MB },
};
const bytesOf = ({ ordinary, large }: typeof pictureBytes): FairBudget =>
  splitBySize(createFairBudget(ordinary), ordinaryBytes, createFairBudget(large));
const STEPS_AT_ONCE = 64;
/** A result that waits for its turn or for memory holds neither. */
const RESULTS_AT_ONCE = 1024;

/** Accepts jobs and sees every one of them to exactly one end, whatever fails meanwhile. */
export function createOrchestrator(options: OrchestratorOptions): Orchestrator {
  const { clock, random, log, ports } = options;
  const { jobs: records, usage } = options.store;
  const now = clock.now;
  const deadlines = { ...defaultDeadlines, ...options.deadlines };

  const timing = createTiming({
    models: options.models,
    callsPerSecond: options.limits.serviceCallsPerSecond,
    random,
    ...(options.floorsMs === undefined ? {} : { floorsMs: options.floorsMs }),
  });
  const recent = createRecent();
  const limits = createSlots({
    perPerson: options.limits.userConcurrentJobs,
    inAll: options.limits.serviceConcurrentJobs,
    now,
  });
  const changed = (): void => dispatcher.wake();
  const gates = {
    key: createGate({ clock, random, changed }),
    token: createGate({ clock, random, changed }),
  };
  const watch = createStoreWatch({
    clock,
    log,
    tryToWrite: options.store.tryToWrite,
    troubled: () => ports.ownerNotice?.('store'),
    recovered: changed,
  });
  /** Whatever meets a store that cannot be written to makes that known, also when nothing else is going on. */
  const watched = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Refusal)) watch.isStoreFailure(error);
      throw error;
    }
  };
  const redraw = createRedraw({
    clock,
    cardState: (id) => underWay.cardState(id),
    draw: createProgressEdit({ clock, records, ports, log }),
  });
  const underWay = createUnderWay({ limits, timing, gates, redraw, now });

  /** An id that another job has may stand for the other one's picture: nobody can tell what became of this one. */
  const write = (before: Job, after: Job, weight?: 'promise' | 'note'): Job | undefined => {
    try {
      return records.save(before, after, weight);
    } catch (error) {
      if (!(error instanceof ServiceIdTaken) || before.state !== 'submitting') throw error;
      log.warn(
        { job: before.id, kind: before.request.kind, serviceJob: after.serviceId },
        'the service answered a run with the id of another job; this job is uncertain',
      );
      return records.save(before, uncertain(before, now()));
    }
  };

  const save = (before: Job, after: Job, weight?: 'promise' | 'note'): Job | undefined => {
    const saved = write(before, after, weight);
    if (saved === undefined) return undefined;
    underWay.saved(saved);
    if (hasEnded(saved) && !hasEnded(before)) ports.finished?.(saved);
    dueSteps.expect(saved);
    dispatcher.wake();
    return saved;
  };

  const interventions = createInterventions({ records, save, underWay, now, waitingMs: deadlines.waitingMs });
  const worker = createWorker({
    records,
    usage,
    save,
    watch,
    service: options.client,
    ports,
    gates,
    timing,
    underWay,
    redraw,
    clock,
    random,
    log,
    deadlines,
    photoBytes: options.bytesInHand?.photos ?? createFairBudget(photoBytes),
    resultBytes: {
      pictures: options.bytesInHand?.pictures ?? bytesOf(pictureBytes),
      videos: options.bytesInHand?.videos ?? bytesOf(videoBytes),
    },
  });
  const jobsAtOnce = options.limits.serviceConcurrentJobs;
  const dueSteps = createDueSteps({
    clock,
    records,
    step: worker.due,
    failed: (error) => log.error({ err: error }, 'what is due could not be read; it will be tried again'),
    // Looks that hang must leave room for all others: no more jobs than that run.
    stepsAtOnce: {
      looks: Math.max(STEPS_AT_ONCE, jobsAtOnce),
      results: RESULTS_AT_ONCE,
      others: STEPS_AT_ONCE,
    },
  });
  const dispatcher = createDispatcher({
    clock,
    limits,
    gates,
    isOpen: watch.isWell,
    submit: worker.submission,
    takeUp(id) {
      // What has become of it may still have to be written down.
      if (!watch.isWell()) throw new Error('Not before the store can be written to.');
      const job = records.get(id);
      if (job !== undefined) interventions.takeUp(job);
      dispatcher.wake();
    },
    // Those of cancelled jobs come on top of the jobs that run.
    submissionsAtOnce: 4 * jobsAtOnce,
  });
  const { erasures } = options.store;
  const forgetting = createForgetting({ records, erasures, clock, log, save });
  const housekeeping = createHousekeeping({
    clock,
    log,
    sweep: () => watched(options.store.sweep),
    save: timing.save,
  });

  /** The machine's clock has been set back since: what lies ahead would otherwise be waited for. */
  const putBack = (job: Job): Job => {
    const earlier = shiftBack(job, now());
    return earlier === job ? job : (save(job, earlier, 'note') ?? job);
  };

  /** Cards that have yet to say their end are tried soon after a start: the next try may be an hour away. */
  const tellSoon = (): void => {
    for (const id of records.due('others', now() + LONGEST_PAUSE_MS + MINUTE_MS, MOST_TOLD_SOON)) {
      const job = records.get(id);
      if (job === undefined || !hasEnded(job)) continue;
      save(job, { ...job, due: now(), attempts: 0 }, 'note');
    }
  };

  const today = (count: UsageCount): UsageToday => ({ ...count, resetsAt: dayEnd(now()) });

  return {
    accept: (order, together) => {
      const accepted = watched(() => accept(records, usage, recent, options.limits, now(), order, together));
      dueSteps.expect(accepted.job);
      return accepted;
    },
    async onDisk() {
      try {
        await records.onDisk();
      } catch (error) {
        watch.isStoreFailure(error);
        throw error;
      }
    },
    async shown(id, card) {
      try {
        interventions.shown(id, card);
      } catch (error) {
        // It is to be seen: that stays true, whoever asks again or not.
        watch.writeLater(id, () => interventions.shown(id, card));
        if (watch.isStoreFailure(error)) throw error;
      }
      await records.onDisk();
    },
    cancel: interventions.cancel,
    get: records.get,
    begun: records.byOrigin,
    mine: records.ofPerson,
    jobStatus: underWay.jobStatus,
    withdraw: forgetting.withdraw,
    remove: forgetting.remove,
    erase: forgetting.erase,
    usage: (community, person) => today(usage.person(dayOf(now()), community, person)),
    communityUsage(community) {
      const all = usage.community(dayOf(now()), community);
      return { ...today(all), people: all.people };
    },
    async start() {
      await timing.load();
      for (const job of records.unfinished()) interventions.takeUp(putBack(job));
      tellSoon();
      dueSteps.start();
      dispatcher.start();
      redraw.start();
      housekeeping.start();
      forgetting.resumeErasing();
    },
    async stop() {
      housekeeping.stop();
      forgetting.stopErasing();
      const inHand = Promise.all([dueSteps.stop(), dispatcher.stop(), redraw.stop()]);
      await within(clock, STOP_MS, () => inHand).catch(() =>
        log.warn('some steps did not finish in time; they continue at the next start'),
      );
      watch.stop();
      await timing
        .save()
        .catch((error: unknown) => log.warn({ err: error }, 'the learned job durations could not be saved'));
    },
    stats: () => ({
      waiting: limits.counts().waiting,
      running: limits.counts().running,
      steps: dueSteps.inHand,
      submissions: dispatcher.inHand,
      outages: { key: gates.key.outage(), token: gates.token.outage() },
    }),
  };
}
