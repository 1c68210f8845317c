import { withTimeout } from '../../base/clock.ts';
import { turnKey } from '../../command/place.ts';
import type { StatusReport } from '../../generation-client/result/status-report.ts';
import { type Credentials, credentialsOf, statusPathNameOf } from '../../kinds/kinds.ts';
import { ContentUnchecked, JobFailure } from '../job/failure.ts';
import type { DeliveringJob, Job, RunningJob, WaitingJob } from '../job/job.ts';
import { type DueKind, dueKindOf } from '../job/records.ts';
import type { ActiveJobs } from '../live/active-jobs.ts';
import type { CardRefresh } from '../live/card-refresh.ts';
import { type Gate, isNoAnswer } from '../service/service-gate.ts';
import { deliver, settle } from '../steps/deliver.ts';
import {
  createEffects,
  DRAW_MS,
  type Effects,
  type JobContext,
  type Reserve,
  type Service,
  type StepEffects,
  type SubmitEffects,
} from '../steps/effects.ts';
import { hold } from '../steps/hold.ts';
import { searchCard } from '../steps/opening.ts';
import { poll } from '../steps/poll.ts';
import { jobAfterInterruption, submit } from '../steps/submit.ts';
import { inLine, returnToLineOrFail } from '../steps/waiting.ts';
import type { StepEnd } from './due-jobs.ts';
import { createByteBudgets, createPhotosInMemory, createResultsInMemory, type StepMemory } from './memory.ts';
import type { createSaveJob } from './save-job.ts';
import type { StoreWatch } from './store-watch.ts';

/** Timeout of a photo: to fetch it, to wait for the decoder, and the longest that decoding may take (36 s). */
const PHOTO_MS = 120_000;
/** Timeout of a result: to fetch it, to wait for memory and to send it, each of which has timeouts of its own. */
const RESULT_MS = 900_000;

/**
 * Runs the step that is due for a job in its state. A step reads nothing but the job and its effects and keeps nothing,
 * so any process can run it. Every change goes through `save`, which refuses to replace a record that is no longer the
 * one read.
 */
async function step(job: Job, fx: StepEffects): Promise<void> {
  switch (job.state) {
    case 'opening':
      return searchCard(job, fx);
    case 'waiting':
      return returnToLineOrFail(job, fx);
    case 'submitting':
      return void (await fx.save(job, jobAfterInterruption(job, fx.now(), fx.waitingMs)));
    case 'running':
      return poll(job, fx);
    case 'delivering':
      return deliver(job, fx);
    case 'held':
      return hold(job, fx);
    default:
      return settle(job, fx);
  }
}

/** Runs due steps and submissions, one job at a time, with the effects of this process. Neither method rejects. */
export function createWorker(
  common: JobContext,
  service: Service,
  { save: saveJob, statusCalled }: ReturnType<typeof createSaveJob>,
  watch: StoreWatch,
  activeJobs: ActiveJobs,
  cardRefresh: CardRefresh,
) {
  const { records, ports, gates, clock, log, deadlines } = common;
  const effects = createEffects(common, saveJob);
  const bytes = createByteBudgets();
  const beginStep = createResultsInMemory(bytes, clock);

  /** When a poll on each status path was last answered. */
  const answeredAt = new Map<string, number>();

  /** Makes one free call. Returns its error if the service did not answer, otherwise undefined. */
  const probe = (credentials: Credentials): Promise<unknown> =>
    service.probe(credentials).catch((error: unknown) => (isNoAnswer(error) ? error : undefined));
  /** Makes a call and reports its outcome to the gate. */
  const callThroughGate = async <T>(
    gate: Gate,
    call: 'submission' | 'poll',
    work: () => Promise<T>,
    job?: string,
  ): Promise<T> => {
    const begunAt = clock.now();
    try {
      const result = await work();
      gate.report(call, undefined);
      return result;
    } catch (error) {
      gate.report(call, error, begunAt, job);
      throw error;
    }
  };
  /**
   * Asked when no poll was answered lately: makes a free call to see whether the service answers at all, and opens the
   * gate for polls if so.
   */
  const answersProbe = async (credentials: Credentials): Promise<boolean> => {
    const begunAt = clock.now();
    const error = await probe(credentials);
    if (error === undefined) gates[credentials].letPollsPass();
    else gates[credentials].report('poll', error, begunAt);
    return error === undefined;
  };
  const status = async (
    { id, request: { kind }, serviceId }: RunningJob | DeliveringJob,
    reserve: Reserve,
  ): Promise<StatusReport> => {
    const credentials = credentialsOf(kind);
    const gate = gates[credentials];
    const admitted = gate.admitPoll();
    if (admitted === 'no' || (admitted === 'probe' && !(await answersProbe(credentials))))
      throw new Error('The service is not answering; this poll waits.');
    statusCalled(id);
    const report = await callThroughGate(gate, 'poll', () =>
      service.status({ endpoint: kind, id: serviceId }, { reserve }),
    );
    answeredAt.set(statusPathNameOf(kind), clock.now());
    return report;
  };

  const stepEffects = (inMemory: StepMemory, save: Effects['save']): StepEffects => ({
    ...effects,
    save,
    status: (job) => status(job, inMemory.reserve),
    answeredAt: ({ request: { kind } }) => answeredAt.get(statusPathNameOf(kind)) ?? Number.NEGATIVE_INFINITY,
    async draw(job, output) {
      await Promise.all([records.onDisk(), cardRefresh.quiet(job.id)]);
      const longest = output === undefined ? DRAW_MS : RESULT_MS;
      return inMemory.draw((reserve) =>
        withTimeout(clock, longest, () => ports.draw(job, {}, 'final', output, reserve)),
      );
    },
    keepResult: inMemory.keep,
    takeKeptResult: inMemory.takeKept,
  });

  const isDelivering = async (id: string): Promise<boolean> =>
    (await records.get(id).catch(() => undefined))?.state === 'delivering';

  const withShownProgress = <T extends Job>(job: T): T => ({
    ...job,
    shownProgress: activeJobs.shownProgress(job.id),
  });
  const guarded = async (id: string, work: () => Promise<void>): Promise<boolean> => {
    // No step begins while its outcome could not be saved.
    if (!watch.isWritable()) return false;
    try {
      await work();
      return true;
    } catch (error) {
      if (!(await watch.isStoreFailure(error)))
        log.error({ err: error, job: id }, 'a step broke; it will be tried again');
      return false;
    }
  };

  return {
    /** Runs the step of a job that is due and claimed. */
    async runStep(job: Job, which: DueKind): Promise<StepEnd> {
      let isSaved = false;
      let isReleased = false;
      const save: Effects['save'] = async (before, after, durability) => {
        // A poll saves once and ends, so the same write can release the claim.
        const claim = which === 'polls' ? 'release' : 'keep';
        const saved = await effects.save(before, after, durability, claim);
        isSaved = true;
        isReleased = saved !== undefined && (claim === 'release' || dueKindOf(saved.state) !== which);
        return saved;
      };
      const ok = await guarded(job.id, async () => {
        const inMemory = beginStep(job.id, turnKey(job.caller));
        try {
          await step(withShownProgress(job), stepEffects(inMemory, save));
        } finally {
          await inMemory.end(async () => which === 'polls' && (await isDelivering(job.id)));
        }
      });
      if (isReleased) return 'released';
      return ok && isSaved ? 'saved' : 'broken';
    },
    /** Submits a job that has a slot and was admitted by the gate. Returns false if that broke. */
    async submit(taken: WaitingJob): Promise<boolean> {
      const { id } = taken;
      const credentials = credentialsOf(taken.request.kind);
      const gate = gates[credentials];
      activeJobs.taken(id);
      const job = withShownProgress(taken);
      const photos = createPhotosInMemory(bytes.photos, job, ports.photo);
      let isReported = false;
      const run: SubmitEffects['run'] = (request, record) => {
        isReported = true;
        const options = { record, bodySent: photos.release };
        return callThroughGate(gate, 'submission', () => service.run(request, options), id);
      };
      const checkPhoto: SubmitEffects['checkPhoto'] = async (photo) => {
        activeJobs.checking(id, true);
        try {
          await ports.checkPhoto(photo, job);
        } catch (error) {
          throw error instanceof JobFailure ? error : new ContentUnchecked('a photo', { cause: error });
        } finally {
          activeJobs.checking(id, false);
        }
      };
      const keep: SubmitEffects['keep'] = async (write) => {
        try {
          await write();
        } catch (error) {
          watch.writeLater(id, write);
          throw error;
        }
      };
      const ok = await guarded(id, async () => {
        // During an outage a free call goes first, because a run that fails could leave its job uncertain.
        const error = gate.outage() === undefined ? undefined : await probe(credentials);
        if (error !== undefined) {
          effects.tellOwner(error);
          gate.report('probe', error);
          isReported = true;
          await effects.save(job, inLine(job, deadlines.waitingMs), 'lossy');
          return;
        }
        const photo: SubmitEffects['photo'] = (ref) =>
          withTimeout(clock, PHOTO_MS, (signal) => photos.fetch(ref, signal));
        await submit(job, { ...effects, photo, checkPhoto, run, keep });
      });
      photos.release();
      // No call was made, so the gate may admit another job.
      if (!isReported) gate.report('submission', null);
      return ok;
    },
  };
}
