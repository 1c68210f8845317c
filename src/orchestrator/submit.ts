import type { GenerationRequest } from '../generation-client/endpoints.ts';
import { GenerationError } from '../generation-client/errors.ts';
import type { Effects } from './effects.ts';
import { backoff, failed, uncertain } from './endings.ts';
import { failureWith, lasting } from './failure.ts';
import type { Failure, Job } from './job.ts';
import { toSubmission } from './submission.ts';

/** Tries to fetch a photo before the job fails; the platform may only be slow. */
const MOST_PREPARATIONS = 6;
const LONGEST_WAIT_MS = 60_000;

/**
 * A job that has its turn: fetch what it needs, write down that it is being submitted, submit it. Everything that
 * may be done twice comes before that mark, so that as little as possible is uncertain after a crash.
 */
export async function submit(job: Job, fx: Effects): Promise<void> {
  let request: GenerationRequest;
  try {
    request = await toSubmission(job.request, {
      resolve: (choice) => fx.resolve(choice, job),
      photo: fx.photo,
    });
  } catch (error) {
    await notPrepared(job, error, fx);
    return;
  }
  const { due: _, ...ready } = job;
  const submitting = await fx.save(job, { ...ready, state: 'submitting', submittedAt: fx.now() });
  if (submitting === undefined) return;
  try {
    const { id } = await fx.run(request);
    await accepted(submitting, id, fx);
  } catch (error) {
    await notAccepted(submitting, error, fx);
  }
}

async function accepted(submitting: Job, serviceId: string, fx: Effects): Promise<void> {
  const now = fx.now();
  const running: Job = {
    ...submitting,
    state: 'running',
    charge: 'spent',
    serviceId,
    submittedAt: now,
    attempts: 0,
  };
  // Cancelled meanwhile: the record says so already, and that the credits are spent.
  await fx.save(submitting, { ...running, due: fx.nextLook(running) });
}

async function notPrepared(job: Job, error: unknown, fx: Effects): Promise<void> {
  const lost = lasting(error);
  if (lost !== undefined) {
    const alias = error instanceof GenerationError && error.kind === 'not-found';
    await end(job, alias ? failureWith('alias-gone') : lost, fx);
  } else if (error instanceof GenerationError) await later(job, error, fx);
  else if (job.attempts + 1 >= MOST_PREPARATIONS) await end(job, failureWith('photo-unavailable'), fx);
  else await later(job, error, fx);
}

async function notAccepted(submitting: Job, error: unknown, fx: Effects): Promise<void> {
  const known = error instanceof GenerationError;
  if (!known || error.mayHaveArrived) {
    await fx.save(submitting, uncertain(submitting, fx.now()));
    return;
  }
  const lost = lasting(error);
  const saved = lost === undefined ? await later(submitting, error, fx) : await end(submitting, lost, fx);
  if (saved === undefined) await giveBack(submitting, fx);
}

/** Cancelled while the call was under way, which has turned out not to have been taken: nothing was spent. */
async function giveBack(submitting: Job, fx: Effects): Promise<void> {
  const job = await fx.load(submitting.id);
  // Cancelled and forgotten: only the counters are left to be put right.
  if (job === undefined) return fx.giveBack(submitting);
  if (job.state !== 'cancelled' || job.charge !== 'spent') return;
  const redrawn = job.card === undefined ? {} : { settled: false, due: fx.now() };
  await fx.save(job, { ...job, charge: 'returned', ...redrawn });
}

async function end(job: Job, failure: Failure, fx: Effects): Promise<Job | undefined> {
  const saved = await fx.save(job, failed(job, failure, fx.now()));
  if (failure.code === 'service-credentials' || failure.code === 'service-credits') {
    fx.ownerNotice(failure.code, job);
  }
  return saved;
}

/** Nothing has been sent: it stands in line again after a while. */
async function later(job: Job, error: unknown, fx: Effects): Promise<Job | undefined> {
  const now = fx.now();
  if (now - job.createdAt >= fx.waitingMs) return end(job, failureWith('deadline'), fx);
  const asked = error instanceof GenerationError ? (error.retryAfterMs ?? 0) : 0;
  const wait = backoff(job.attempts, fx.random(), 1_000, LONGEST_WAIT_MS);
  const { submittedAt: _, ...waiting } = job;
  return fx.save(job, {
    ...waiting,
    state: 'waiting',
    attempts: job.attempts + 1,
    due: now + Math.min(LONGEST_WAIT_MS * 2, asked + wait),
  });
}
