import type { Clock } from '../../base/clock.ts';
import type { FairBudget } from '../../base/fair-budget.ts';
import { personKey } from '../../command/place.ts';
import type { Log } from '../../log/log.ts';
import { ageSinceJump, startedAfterJump } from '../job/clock-jumps.ts';
import { isOwners, lasting } from '../job/failure.ts';
import type { Job, RunningJob } from '../job/job.ts';
import { type Credentials, credentialsOf, outputOf, statusFamilyOf } from '../job/job-kinds.ts';
import type { DueKind, JobRecords, UsageRecords } from '../job/records.ts';
import { within } from '../job/with-timeout.ts';
import type { UnderWay } from '../live/active-jobs.ts';
import type { Redraw } from '../live/card-refresh.ts';
import type { Slot } from '../queue/slots.ts';
import type { Timing } from '../schedule/timing.ts';
import { type Gate, isNoAnswer } from '../service/service-gate.ts';
import type { Effects, Ports, Service } from '../steps/effects.ts';
import { step } from '../steps/step.ts';
import { inLine, waited } from '../steps/waiting.ts';
import { engineOf } from './engines.ts';
import { createPhotosInHand, type PhotosInHand } from './photo-budget.ts';
import { createResultsInHand, type ResultBudgets, type StepInHand } from './result-budget.ts';
import type { StoreWatch } from './store-watch.ts';

export interface Deadlines {
  /** From submission to the result. */
  readonly imageMs: number;
  readonly videoMs: number;
  /** From acceptance to submission. */
  readonly waitingMs: number;
  /** From the end to the card that says it, at the most. */
  readonly deliveryMs: number;
  /** From the end to the first try to show a result in its person's own messages, where its card refuses it. */
  readonly elsewhereMs: number;
}

export interface WorkerParts {
  readonly records: JobRecords;
  readonly usage: Pick<UsageRecords, 'move'>;
  readonly save: (before: Job, after: Job, weight?: 'promise' | 'note') => Job | undefined;
  readonly watch: Pick<StoreWatch, 'isWell' | 'isStoreFailure' | 'writeLater'>;
  readonly service: Service;
  readonly ports: Ports;
  readonly gates: Readonly<Record<Credentials, Gate>>;
  readonly timing: Timing;
  readonly underWay: UnderWay;
  readonly redraw: Pick<Redraw, 'quiet'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly deadlines: Deadlines;
  /** Of photos on their way in, and of results on their way out. */
  readonly photoBytes: FairBudget;
  readonly resultBytes: ResultBudgets;
}

/** Runs one step of one job with everything it needs from this process. Neither ever rejects; false: it broke. */
export interface Worker {
  /** A job that was due in one of the two ways a moment ago. */
  due(id: string, which: DueKind): Promise<boolean>;
  /** A job that has got its turn; the gate has admitted it. */
  submission(turn: Slot): Promise<boolean>;
}

/** What a step is given for itself alone. */
type PerStep = 'run' | 'photo' | 'status' | 'draw' | 'keepResult' | 'keptResult';

const RESOLVE_MS = 60_000;
/** To fetch it, to wait for a turn at the decoder, and the longest that a photo may take there (36 s). */
const PHOTO_MS = 120_000;
const SEARCH_MS = 30_000;
const DRAW_MS = 180_000;
const REFRESH_MS = 10_000;
/** To fetch a result, to wait for memory and to send it, each of which has bounds of its own. */
const RESULT_MS = 900_000;

export function createWorker(parts: WorkerParts): Worker {
  const { records, watch, ports, gates, timing, underWay, clock, log, deadlines } = parts;
  const gateOf = (job: Job): Gate => gates[credentialsOf(job.request.kind)];

  const deadlineOf = ({ request: { kind }, submittedAt }: RunningJob): number =>
    Math.max(submittedAt, clock.lastForwardJump()) +
    (outputOf(kind) === 'video' ? deadlines.videoMs : deadlines.imageMs);
  /** One entry for each status path. */
  const answered = new Map<string, number>();
  const even = (job: RunningJob): RunningJob => ageSinceJump(job, clock.lastForwardJump());

  const results = createResultsInHand(parts.resultBytes, clock);

  const effects: Omit<Effects, PerStep> = {
    now: clock.now,
    random: parts.random,
    async save(before, after, weight) {
      const saved = parts.save(before, after, weight);
      if (weight !== 'note') await records.onDisk();
      return saved;
    },
    load: async (id) => records.get(id),
    giveBack: (job) =>
      void records.transaction(() => parts.usage.move(personKey(job.caller), job, 'returned')),
    retireServiceId: records.retireServiceId,
    admit: async (job) => ports.admit?.(job),
    resolve: (choice, job) => within(clock, RESOLVE_MS, () => ports.resolve(choice, job)),
    findCard: (answer, job) => within(clock, SEARCH_MS, async () => ports.findCard?.(answer, job)),
    newCard: (job) => within(clock, DRAW_MS, async () => ports.newCard?.(job)),
    refresh: (job) =>
      within(clock, REFRESH_MS, () => ports.draw(job, {}, 'cosmetic')).then(
        () => undefined,
        () => undefined,
      ),
    discard: (card) => within(clock, DRAW_MS, async () => ports.discard?.(card)),
    tellOwner(error, job) {
      const trouble = lasting(error);
      if (trouble !== undefined && isOwners(trouble)) ports.ownerNotice?.(trouble.code, job);
    },
    // At its deadline it is looked at a last time.
    nextLook: (job) => Math.min(timing.nextLook(even(job), clock.now()), deadlineOf(job)),
    postponed: (job) => timing.postponed(even(job), clock.now()),
    afterFailedLook: (job, retryAfterMs) => timing.afterFailedLook(even(job), clock.now(), retryAfterMs),
    sawUnfinished(job) {
      if (startedAfterJump(job, clock.lastForwardJump())) timing.sawUnfinished(job, clock.now());
    },
    sawFinished(job) {
      if (startedAfterJump(job, clock.lastForwardJump())) timing.sawFinished(job, clock.now());
    },
    answeredAt: (job) => answered.get(statusFamilyOf(job.request.kind)) ?? Number.NEGATIVE_INFINITY,
    outage: (job) => gateOf(job).outage(),
    isTrial: (job) => gateOf(job).isTrial(),
    deadline: deadlineOf,
    lastForwardJump: clock.lastForwardJump,
    waitingMs: deadlines.waitingMs,
    deliveryMs: deadlines.deliveryMs,
    elsewhereMs: deadlines.elsewhereMs,
  };
  /** What has become of a request cannot be found out again: it is kept until it is written down. */
  const saveOutcome: Effects['save'] = async (before, after, weight) => {
    try {
      return await effects.save(before, after, weight);
    } catch (error) {
      if (before.state === 'submitting' && after.state !== 'submitting')
        watch.writeLater(before.id, () => void parts.save(before, after, weight));
      throw error;
    }
  };
  const notNow = async (): Promise<never> => {
    throw new Error('Only a job that has got its turn is submitted.');
  };

  /** Something harmless is asked; gives the error where the service did not answer. */
  const probe = async (credentials: Credentials): Promise<unknown> => {
    try {
      await parts.service.probe(credentials);
    } catch (error) {
      if (isNoAnswer(error)) return error;
    }
    return undefined;
  };

  /** No look was answered lately: whether the service is there at all. */
  const answersProbe = async (gate: Gate, job: Job): Promise<boolean> => {
    const begunAt = clock.now();
    const error = await probe(credentialsOf(job.request.kind));
    if (error === undefined) gate.letLooksPass();
    else gate.report('look', error, begunAt);
    return error === undefined;
  };

  const withResults = (
    inHand: StepInHand,
  ): Pick<Effects, 'status' | 'draw' | 'keepResult' | 'keptResult'> => ({
    async status(job) {
      const gate = gateOf(job);
      const admitted = gate.admitLook();
      if (admitted === 'no' || (admitted === 'probe' && !(await answersProbe(gate, job))))
        throw new Error('The service is not answering; this look waits.');
      const report = await reported(gate, 'look', clock, () =>
        parts.service.status({ endpoint: job.request.kind, id: job.serviceId }, { reserve: inHand.reserve }),
      );
      answered.set(statusFamilyOf(job.request.kind), clock.now());
      return report;
    },
    async draw(job, output) {
      await Promise.all([records.onDisk(), parts.redraw.quiet(job.id)]);
      const longest = output === undefined ? DRAW_MS : RESULT_MS;
      return inHand.draw((reserve) =>
        within(clock, longest, () => ports.draw(job, {}, 'final', output, reserve)),
      );
    },
    keepResult: inHand.keep,
    keptResult: inHand.kept,
  });

  const isDelivering = (id: string): boolean => {
    try {
      return records.get(id)?.state === 'delivering';
    } catch {
      return false;
    }
  };

  const guarded = async (id: string, work: (job: Job) => Promise<void>): Promise<boolean> => {
    // Nothing of it could be written down.
    if (!watch.isWell()) return false;
    try {
      const job = records.get(id);
      if (job !== undefined) await work({ ...job, shownProgress: underWay.shownProgress(id) });
      return true;
    } catch (error) {
      if (!watch.isStoreFailure(error))
        log.error({ err: error, job: id }, 'a step broke; it will be tried again');
      return false;
    }
  };

  /** In an outage something harmless goes first: what becomes of a job that meets it, nobody may ever know. */
  const isPassable = async (gate: Gate, credentials: Credentials, job: Job): Promise<boolean> => {
    if (gate.outage() === undefined) return true;
    const error = await probe(credentials);
    if (error === undefined) return true;
    effects.tellOwner(error, job);
    gate.report('probe', error);
    return false;
  };

  return {
    due: (id, which) =>
      guarded(id, async (job) => {
        // Claimed a moment ago: somebody may have changed it since, and it may be due in the other way.
        if (job.due === undefined || job.due > clock.now()) return;
        if (engineOf(job.state) !== which) return;
        const inHand = results.begin(id, personKey(job.caller));
        const fx: Effects = { ...effects, ...withResults(inHand), run: notNow, photo: notNow };
        try {
          await (job.state === 'waiting' ? waited(job, fx) : step(job, fx));
        } finally {
          inHand.end(() => which === 'looks' && isDelivering(id));
        }
      }),
    async submission({ id, person, credentials }) {
      const gate = gates[credentials];
      let isReported = false;
      const run: Effects['run'] = (request, record) => {
        isReported = true;
        return reported(
          gate,
          'submission',
          clock,
          () => parts.service.run(request, { record, bodySent: () => photos?.letGo() }),
          id,
        );
      };
      let photos: PhotosInHand | undefined;
      const ok = await guarded(id, async (job) => {
        if (job.state !== 'waiting') return;
        if (await isPassable(gate, credentials, job)) {
          const inHand = createPhotosInHand(parts.photoBytes, job, ports.photo);
          photos = inHand;
          const photo: Effects['photo'] = (ref) =>
            within(clock, PHOTO_MS, (signal) => inHand.fetch(ref, signal));
          const noResults = withResults(results.begin(id, person));
          return step(job, { ...effects, ...noResults, save: saveOutcome, photo, run });
        }
        isReported = true;
        await effects.save(job, inLine(job, deadlines.waitingMs), 'note');
      });
      photos?.letGo();
      // Whatever kept it from calling: the turn at the gate is somebody else's now.
      if (!isReported) gate.report('submission', null);
      return ok;
    },
  };
}

async function reported<T>(
  gate: Gate,
  call: 'submission' | 'look',
  { now }: Clock,
  work: () => Promise<T>,
  job?: string,
): Promise<T> {
  const begunAt = now();
  try {
    const result = await work();
    gate.report(call, undefined);
    return result;
  } catch (error) {
    gate.report(call, error, begunAt, job);
    throw error;
  }
}
