import { createHash } from 'node:crypto';
import { jitteredBackoff } from '../../base/backoff.ts';
import { HOUR_MS } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import { removed } from '../job/final-states.ts';
import type { DeliveringJob, DoneJob, HeldJob } from '../job/job.ts';
import type { StepEffects } from './effects.ts';

/** A result about which nobody has decided in this time is removed. */
const DECISION_MS = 48 * HOUR_MS;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

/** In place of a hash: moderators looked at a picture that is not the one that was held. */
const SEVERAL = 'several';

/** SHA-256 of a picture as the service gives it; undefined for a video, which is never held. */
const pictureHash = (output: GenerationOutput): string | undefined =>
  output.kind === 'image' ? createHash('sha256').update(output.bytes).digest('base64url') : undefined;

/** The job with its result kept back until a moderator decides. */
export function held(
  { due: _, unchecked: __, ...job }: DeliveringJob,
  output: GenerationOutput,
  now: number,
): HeldJob {
  const heldPicture = pictureHash(output);
  return { ...job, state: 'held', held: { at: now }, ...defined({ heldPicture }), attempts: 0, due: now };
}

/**
 * The held job after a moderator was given this picture to look at; undefined: nothing changes. Which of several pictures a moderator means
 * who presses Show nobody can tell, so after another picture than the one that was held, the one that is shown is checked again.
 */
export function lookedAt(job: HeldJob, output: GenerationOutput): HeldJob | undefined {
  const isOther = job.heldPicture !== undefined && job.heldPicture !== pictureHash(output);
  return isOther && job.heldPicture !== SEVERAL ? { ...job, heldPicture: SEVERAL } : undefined;
}

/** Whether a moderator has decided that this very picture is shown. */
export const isCleared = (job: DeliveringJob | DoneJob, output: GenerationOutput): boolean =>
  job.cleared !== undefined && (job.heldPicture === undefined || job.heldPicture === pictureHash(output));

/** The job whose result a moderator wants to be shown. */
export function cleared({ held: _, ...job }: HeldJob, now: number): DeliveringJob {
  return { ...job, state: 'delivering', cleared: now, attempts: 0, due: now };
}

/** Step of a held job: its card says so, moderators or owners are told, and without a decision it ends. */
export async function hold(job: HeldJob, fx: StepEffects): Promise<void> {
  const now = fx.now();
  const deadline = Math.max(job.held.at, fx.lastForwardJump()) + DECISION_MS;
  const again = now + jitteredBackoff(job.attempts, fx.random(), FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  if (job.forget || job.withdrawn || now >= deadline) {
    const isTakenBack = await succeeds(fx.takeBack(job));
    const after = isTakenBack
      ? removed(job, 'content-undecided', now)
      : { ...job, attempts: job.attempts + 1, due: again };
    return void (await fx.save(job, after));
  }
  const [drawn, isTold] = await Promise.all([
    job.held.isShown ? undefined : show(job, fx),
    job.held.isTold === true || succeeds(fx.tellHeld(job)),
  ]);
  const isShown = job.held.isShown === true || drawn?.isShown === true;
  await fx.save(job, {
    ...job,
    ...defined({ card: drawn?.card }),
    held: { at: job.held.at, ...(isShown && { isShown }), ...(isTold && { isTold }) },
    attempts: isShown && isTold ? 0 : job.attempts + 1,
    due: isShown && isTold ? deadline : Math.min(deadline, again),
  });
}

/** Whether the card says that the result is held, or has gone. */
async function show(job: HeldJob, fx: StepEffects) {
  try {
    const drawn = await fx.draw(job);
    if (drawn.state === 'drawn') return { isShown: true, card: drawn.card };
    return { isShown: drawn.state === 'gone', card: undefined };
  } catch {
    return { isShown: false, card: undefined };
  }
}

const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
