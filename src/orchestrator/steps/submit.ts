import type { GenerationRequest } from '../../generation-client/endpoint.ts';
import type { CallRecord } from '../../generation-client/wire/call.ts';
import { GenerationError, type GenerationErrorKind } from '../../generation-client/wire/errors.ts';
import {
  ContentUnchecked,
  failureWith,
  isOwners,
  JobFailure,
  lastingFailure,
  type OwnersTrouble,
} from '../job/failure.ts';
import { failed, uncertain } from '../job/final-states.ts';
import type { Failure, Job, RunningJob, SubmittingJob, UncertainJob, WaitingJob } from '../job/job.ts';
import type { Effects, SubmitEffects } from './effects.ts';
import { toServiceRequest } from './service-request.ts';
import { atRest, failureAtDeadline, inLine } from './waiting.ts';

/** How often fetching a photo is tried before the job fails; the platform may only be slow. */
const MOST_PREPARATIONS = 6;
/** Pause of a job that the service answered with 429, if it does not ask for one. */
const BUSY_REST_MS = 3_000;

/**
 * Submission of a job that has its turn: fetch the photos, wait for the call's turn, mark the job as `submitting`, send the
 * request. Everything that is safe to repeat comes before that mark, so that little is uncertain after a crash.
 */
export async function submit(job: WaitingJob, fx: SubmitEffects): Promise<void> {
  let request: GenerationRequest;
  const photoHashes: string[] = [];
  const blockChecks: (() => Promise<boolean>)[] = [];
  try {
    await fx.admit(job);
    request = await toServiceRequest(job.request, {
      resolve: (choice) => fx.resolve(choice, job),
      photo: async (ref) => {
        const { image, hashes, isBlockedNow } = await fx.photo(ref);
        photoHashes.push(...hashes);
        if (isBlockedNow !== undefined) blockChecks.push(isBlockedNow);
        await fx.checkPhoto(image);
        return image;
      },
    });
  } catch (error) {
    return notPrepared(job, error, fx);
  }
  const { due: _, resting: __, ...waiting } = job;
  const mark: SubmittingJob = { ...waiting, state: 'submitting', submittedAt: fx.now(), photoHashes };
  let submitting: SubmittingJob | undefined;
  let maySend = false;
  const record: CallRecord = {
    async ready() {
      maySend = false;
      // Checked again, because getting here may have taken minutes in a queue or a pause that the service asked for.
      await fx.admit(job);
      for (const isBlockedNow of blockChecks)
        if (await isBlockedNow()) throw new JobFailure({ code: 'photo-blocked' });
      const marked = await fx.save(submitting ?? job, mark);
      // The job was cancelled before this point.
      if (marked?.state !== 'submitting') return false;
      submitting = marked;
      // The job may have been cancelled while the mark was written to disk.
      maySend = (await fx.load(job.id))?.version === marked.version;
      return maySend;
    },
    async unsent() {
      if (submitting === undefined) return;
      const marked = await fx.save(submitting, { ...submitting, unsent: true });
      if (marked?.state === 'submitting') submitting = marked;
    },
  };
  let id: string;
  try {
    ({ id } = await fx.run(request, record));
  } catch (error) {
    const known = error instanceof GenerationError;
    // The job is no longer admitted; nothing was sent.
    if (error instanceof JobFailure) {
      if (submitting === undefined) await end(job, error.failure, fx);
      else await unsent(mark, fx, (marked) => end(marked, error.failure, fx));
    } else if (!known && !maySend) {
      // Nothing was sent here either: marking the job for the (next) attempt, or reading it again, failed. The mark may have
      // been stored all the same.
      await unsent(mark, fx, (marked) => later(marked, error, fx));
      throw error;
    } else if (submitting !== undefined) await notAccepted(submitting, error, fx);
    else if (known && error.kind !== 'aborted') await notPrepared(job, error, fx);
    return;
  }
  if (submitting !== undefined) await accepted(submitting, id, fx);
}

/**
 * The job after the process died while submitting it. Its outcome is uncertain, except with `unsent`, because the request may
 * have arrived.
 */
export const jobAfterInterruption = (
  job: SubmittingJob,
  now: number,
  waitingMs: number,
): WaitingJob | UncertainJob => (job.unsent ? inLine(job, waitingMs) : uncertain(job, now));

async function accepted(submitting: SubmittingJob, serviceId: string, fx: SubmitEffects): Promise<void> {
  const now = fx.now();
  const { unsent: _, ...taken } = submitting;
  const running: RunningJob = {
    ...taken,
    state: 'running',
    charge: 'spent',
    serviceId,
    submittedAt: now,
    attempts: 0,
  };
  await fx.keep(async () => {
    for (let job: Job | undefined = submitting; ; job = await fx.load(submitting.id)) {
      if (isMarked(job, submitting)) {
        if ((await fx.save(job, { ...running, due: fx.nextPoll(running) })) !== undefined) return;
        continue;
      }
      // Either the job was cancelled meanwhile, and its record already has the credits spent; or it was stored, and only the
      // answer was lost.
      if (job?.serviceId !== serviceId) await fx.retireServiceId(submitting, serviceId);
      return;
    }
  });
}

/**
 * Whether this is still the record of this submission. It may be a later version than known here, because an answer of the
 * store may have been lost.
 */
const isMarked = (job: Job | undefined, { submittedAt }: SubmittingJob): job is SubmittingJob =>
  job?.state === 'submitting' && job.submittedAt === submittedAt;

async function notPrepared(job: WaitingJob, error: unknown, fx: Effects): Promise<void> {
  const lost = lastingFailure(error);
  fx.tellOwner(error);
  if (lost !== undefined && isOwners(lost)) await later(job, error, fx);
  else if (lost !== undefined) {
    const alias = error instanceof GenerationError && error.kind === 'not-found';
    await end(job, alias ? failureWith('alias-gone') : lost, fx);
  } else if (error instanceof GenerationError || error instanceof ContentUnchecked)
    await later(job, error, fx);
  else if (job.attempts + 1 >= MOST_PREPARATIONS) await end(job, failureWith('photo-unavailable'), fx);
  else await later(job, error, fx);
}

async function notAccepted(submitting: SubmittingJob, error: unknown, fx: SubmitEffects): Promise<void> {
  fx.tellOwner(error);
  if (!(error instanceof GenerationError) || error.mayHaveArrived)
    return fx.keep(async () => {
      for (let job: Job | undefined = submitting; isMarked(job, submitting); job = await fx.load(job.id))
        if ((await fx.save(job, uncertain(job, fx.now()))) !== undefined) return;
    });
  const lost = lastingFailure(error);
  await unsent(submitting, fx, (job) => {
    if (error.kind === 'rate-limited') return notNow(job, error, fx);
    if (lost === undefined) return later(job, error, fx);
    return isOwners(lost) ? awaitsOwner(job, lost, fx) : end(job, lost, fx);
  });
}

/**
 * After an error that only the owner can fix (credits, credentials, address); nothing was spent. The first jobs fail at once;
 * during an outage the others wait, and the job that tried returns to its place in line.
 */
async function awaitsOwner(submitting: SubmittingJob, lost: OwnersTrouble, fx: Effects) {
  const waits = fx.outage(submitting) !== undefined && failureAtDeadline(submitting, fx) === undefined;
  return waits ? fx.save(submitting, inLine(submitting, fx.waitingMs)) : end(submitting, lost, fx);
}

/**
 * After a 429. If the service has answered several jobs with it, the gate waits and the job returns to its place in line; if
 * only this job, it rests and the others continue. Neither counts as a failed attempt.
 */
async function notNow(submitting: SubmittingJob, error: GenerationError, fx: Effects) {
  const failure = failureAtDeadline(submitting, fx);
  if (failure !== undefined) return end(submitting, failure, fx);
  if (fx.isTrial(submitting)) return fx.save(submitting, inLine(submitting, fx.waitingMs));
  // The pause is that of a first attempt, because being busy is no failure. At least one attempt is stored, because a job that
  // was tried before goes before the person's others.
  const askedMs = error.retryAfterMs ?? BUSY_REST_MS;
  const rested = atRest({ ...submitting, attempts: 0 }, askedMs, 'service-busy', fx);
  return fx.save(submitting, { ...rested, attempts: Math.max(1, submitting.attempts) });
}

/**
 * After a submission of which nothing has arrived: `goOn` makes the next record. If the job has ended meanwhile, its credits
 * are returned.
 */
async function unsent(
  mark: SubmittingJob,
  fx: SubmitEffects,
  goOn: (job: SubmittingJob) => Promise<Job | undefined>,
): Promise<void> {
  await fx.keep(async () => {
    let saved: Job | undefined;
    // Retried, because the record may change at the same time, for example when its card is drawn.
    while (saved === undefined) {
      const job = await fx.load(mark.id);
      // The job was cancelled and removed, so only the counters are left to correct.
      if (job === undefined) return fx.returnCredits(mark);
      if (isMarked(job, mark)) saved = await goOn(job);
      else if (job.submittedAt !== mark.submittedAt || job.charge !== 'spent') return;
      // The job was cancelled during the call, or another process took it for interrupted.
      else if (job.state === 'cancelled' || job.state === 'uncertain') {
        const redrawn = job.card === undefined ? {} : { settled: false, due: fx.now() };
        saved = await fx.save(job, { ...job, charge: 'returned', ...redrawn });
      } else return;
    }
  });
}

const end = async (
  job: WaitingJob | SubmittingJob,
  failure: Failure,
  fx: Effects,
): Promise<Job | undefined> => fx.save(job, failed(job, failure, fx.now()));

/** The reason that a resting job's card shows, by the error of its submission. */
const RESTING_REASONS: Partial<Record<GenerationErrorKind, WaitingJob['resting']>> = {
  unauthorized: 'service-credentials',
  redirected: 'service-address',
  unavailable: 'service-unavailable',
  unreachable: 'service-unavailable',
  'bad-response': 'service-unavailable',
  'rate-limited': 'service-busy',
};

/** Returns a job of which nothing was sent to the line, after a pause. */
async function later(job: WaitingJob | SubmittingJob, error: unknown, fx: Effects): Promise<Job | undefined> {
  const known = error instanceof GenerationError;
  const unknown = error instanceof ContentUnchecked ? 'unchecked' : 'unknown';
  const why = (known ? RESTING_REASONS[error.kind] : undefined) ?? unknown;
  const resting = atRest(job, known ? (error.retryAfterMs ?? 0) : 0, why, fx);
  const failure = failureAtDeadline(job, fx, why);
  return failure === undefined ? fx.save(job, resting) : end(job, failure, fx);
}
