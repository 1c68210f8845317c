import { jitteredBackoff } from '../../base/backoff.ts';
import { DAY_MS, HOUR_MS } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { CardRef } from '../../command/place.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import { GenerationError, type GenerationErrorKind } from '../../generation-client/wire/errors.ts';
import { failureWith, JobFailure } from '../job/failure.ts';
import { done, failed, settled } from '../job/final-states.ts';
import {
  type DeliveringJob,
  type DoneJob,
  type Failure,
  type FinalJob,
  type Job,
  messagesOf,
} from '../job/job.ts';
import type { DrawnResult, StepEffects } from './effects.ts';
import { held, isCleared } from './hold.ts';

const FIRST_PAUSE_MS = 1_000;
/** The longest pause during the first half hour; after that the limit doubles with every eight tries, up to an hour. */
const SHORT_PAUSE_MS = 60_000;
const SHORT_PAUSES = 60;
export const LONGEST_PAUSE_MS = HOUR_MS;
/** Pauses before a result is fetched again; a host that is slow or down gets longer ones. */
const FETCH_PAUSES = { firstMs: 2_000, slowMs: 10_000, longestMs: 300_000 };
/**
 * How often the service may answer that it does not have a finished result: it may need a moment to find it, and after that the
 * result is lost.
 */
const MOST_MISSES = 8;
/** The forms of a result that a platform may refuse for good: unchanged, a plainer form, a direct message. */
const MOST_REFUSALS = 3;
/** Tries to delete the messages of a withdrawn job: about a week. */
const MOST_REMOVALS = 400;
const MISSING_KINDS: readonly GenerationErrorKind[] = ['not-found', 'refused', 'unusable-result'];

/** Whether the error means that the service no longer has the result. */
export const isMissing = (error: unknown): boolean =>
  error instanceof GenerationError && MISSING_KINDS.includes(error.kind);

/** Deadline of the delivery, from the end of the job. */
const DELIVERY_MS = 7 * DAY_MS;
/** If the card refuses the result for this long, it is sent to the person's direct messages. */
const ELSEWHERE_MS = 6 * HOUR_MS;

const isOver = (job: DeliveringJob | FinalJob, fx: StepEffects, ms = DELIVERY_MS): boolean =>
  fx.now() >= Math.max(job.finishedAt, job.cleared ?? 0, fx.lastForwardJump()) + ms;

/**
 * Delivery step: turns the card into the result. The edit can be repeated after a crash; the result is not stored but fetched
 * again.
 */
export async function deliver(job: DeliveringJob, fx: StepEffects, polled?: GenerationOutput): Promise<void> {
  // It is being deleted, and is shown nowhere.
  if (job.withdrawn) return void (await fx.save(job, { ...done(job), settled: false, due: fx.now() }));
  if (await fx.isBlocked(job))
    return void (await fx.save(job, failed(job, failureWith('photo-blocked'), fx.now())));
  let output = polled ?? fx.takeKeptResult();
  if (output === undefined) {
    const found = await result(job, fx);
    if (found === 'later') return again(job, fx);
    if (found === 'missing') return missed(job, fx);
    output = found;
  }
  // With `polled`, this is another try to show what was looked at before.
  if (polled === undefined && !isCleared(job, output)) {
    const checked = output;
    const isHeld = await heldBack(job, checked, fx);
    if (isHeld === 'unchecked') return uncheckedYet(job, fx);
    if (isHeld === 'unusable')
      return void (await fx.save(job, failed(job, failureWith('result-unusable'), fx.now())));
    if (isHeld) return change(job, fx, (latest) => held(latest, checked, fx.now()));
  }
  // The platform has refused every form here, and the direct message was postponed before.
  if (job.refusals === MOST_REFUSALS - 1 && !job.moved) return moveOn(job, fx, output, false);
  const { unchecked: _, ...looked } = job;
  const shown: DoneJob = { ...looked, state: 'done' };
  const drawn = await tryDraw(shown, fx, output);
  if (drawn.state === 'unusable') return void (await fx.save(job, failed(job, drawn.failure, fx.now())));
  if (drawn.state === 'drawn') {
    const { card, result: photo, hashes } = drawn;
    const more = defined({ card, result: photo, resultHashes: hashes });
    await change(job, fx, (latest) => ({ ...done(latest), ...more }));
  } else if (drawn.state === 'unfetched') await fetchAgain(job, fx, drawn.slow);
  else if (drawn.state === 'refused') await tryOtherwise(job, fx, output);
  else if (drawn.state === 'gone' || isOver(job, fx) || (isOver(job, fx, ELSEWHERE_MS) && !job.moved))
    await moveOn(job, fx, output, drawn.state === 'gone');
  else await again(job, fx, drawn.afterMs);
}

/** Whether a moderator has to decide about the result, before anybody sees it. */
async function heldBack(job: DeliveringJob, output: GenerationOutput, fx: StepEffects) {
  try {
    return await fx.isHeld(output, job);
  } catch (error) {
    return error instanceof JobFailure ? 'unusable' : 'unchecked';
  }
}

/** The result could not be looked at: the card says so, and it is tried again until the delivery is over. */
async function uncheckedYet(job: DeliveringJob, fx: StepEffects): Promise<void> {
  if (isOver(job, fx))
    return void (await fx.save(job, failed(job, failureWith('content-unchecked'), fx.now())));
  const waiting: DeliveringJob = { ...job, unchecked: true };
  if (!job.unchecked) await fx.refresh(waiting);
  const due = fx.now() + jitteredBackoff(job.attempts, fx.random(), FIRST_PAUSE_MS, SHORT_PAUSE_MS);
  await change(
    job,
    fx,
    (latest) => ({ ...latest, unchecked: true, attempts: job.attempts + 1, due }),
    'lossy',
  );
}

/** After a refusal for good: tries a plainer form at once, then a direct message, each of them once. */
async function tryOtherwise(job: DeliveringJob, fx: StepEffects, output: GenerationOutput): Promise<void> {
  const refusals = (job.refusals ?? 0) + 1;
  const isLast = refusals >= MOST_REFUSALS || (refusals > 1 && (job.moved || job.place.direct));
  if (isLast) return giveUp({ ...job, refusals }, fx);
  const saved = await fx.save(job, { ...job, refusals });
  if (saved?.state !== 'delivering') return change(job, fx, done);
  return deliver(saved, fx, output);
}

/** Ends a job for whose result no other place is left. */
function giveUp(job: DeliveringJob, fx: StepEffects): Promise<void> {
  const { refusals = 0 } = job;
  return change(job, fx, (latest) =>
    refusals > 1 ? failed({ ...latest, refusals }, failureWith('result-refused'), fx.now()) : done(latest),
  );
}

/**
 * Sends a result whose card was deleted or cannot be edited on one more card, in the caller's direct messages. The new card is
 * stored before the result is drawn on it, so that a retry cannot show a result twice.
 */
async function moveOn(job: DeliveringJob, fx: StepEffects, output: GenerationOutput, isGone: boolean) {
  const latest = await fx.load(job.id);
  // The caller has just deleted the result, or all their data.
  const unwanted = latest === undefined || latest.forget || latest.withdrawn;
  if (unwanted) return change(job, fx, done);
  if (job.moved) return giveUp(job, fx);
  // Saved first: if the store could not be written, the new card could not be stored either, and each retry would send another
  // one.
  const begun = await fx.save(job, { ...job, attempts: job.attempts + 1 });
  if (begun?.state !== 'delivering') return change(job, fx, done);
  let card: CardRef | undefined;
  try {
    card = await fx.newCard(begun);
  } catch {
    return isOver(begun, fx) ? giveUp(begun, fx) : again(begun, fx);
  }
  if (card === undefined) return giveUp(begun, fx);
  const former = isGone || begun.card === undefined ? {} : { formerCard: begun.card };
  const moved = await writtenDown({ ...begun, ...former }, card, fx);
  if (moved !== undefined) return deliver(moved, fx, output);
  await change(begun, fx, done);
}

/** Stores the new card, or deletes it if that fails: a card that is in no record could never be edited. */
async function writtenDown(job: DeliveringJob, card: CardRef, fx: StepEffects) {
  const discard = (): Promise<unknown> => fx.discard(card).catch(() => undefined);
  try {
    const moved = await fx.save(job, { ...job, card, moved: true, attempts: 0 });
    if (moved?.state === 'delivering') return moved;
    await discard();
    return undefined;
  } catch (error) {
    // The card may have been stored although the answer was lost; while that is unknown, the card stays.
    if ((await fx.load(job.id))?.card?.ref !== card.ref) await discard();
    throw error;
  }
}

/** Deletes the messages of a withdrawn job, if the process that was deleting them has died. */
async function takeAway(job: FinalJob, fx: StepEffects): Promise<void> {
  try {
    for (const card of messagesOf(job)) await fx.discard(card);
  } catch {
    if (job.attempts < MOST_REMOVALS) return again(job, fx);
  }
  await fx.save(job, { ...settled(job), forget: true });
}

/** Searches for the card of a job that ended before its card was confirmed; the card may exist. */
async function searchForCard(job: FinalJob, fx: StepEffects): Promise<void> {
  const { answer, ...rest } = job;
  let card: CardRef | undefined;
  try {
    card = answer && (await fx.findCard(answer, job));
  } catch {
    if (!isOver(job, fx)) return again(job, fx);
  }
  await fx.save(job, card === undefined ? settled(rest) : { ...rest, card, due: fx.now() });
}

/** Edits the former card of a result that was shown elsewhere, once it can be edited again. */
async function settleFormerCard(job: FinalJob, fx: StepEffects): Promise<void> {
  const { formerCard, ...rest } = job;
  const drawn = formerCard === undefined ? undefined : await tryDraw({ ...job, card: formerCard }, fx);
  if (drawn?.state === 'later' && job.state === 'done' && !isOver(job, fx))
    return again(job, fx, drawn.afterMs);
  await fx.save(job, rest.state === 'done' ? settled(rest) : { ...rest, attempts: 0, due: fx.now() });
}

/** Settling step: makes the card show how the job ended. */
export async function settle(job: FinalJob, fx: StepEffects): Promise<void> {
  if (job.withdrawn) return takeAway(job, fx);
  if (job.formerCard !== undefined) return settleFormerCard(job, fx);
  if (job.card === undefined && job.answer !== undefined) return searchForCard(job, fx);
  // Tried after the deadline as well: the platform may have just come back.
  const drawn = job.card === undefined ? { state: 'gone' as const } : await tryDraw(job, fx);
  if (drawn.state === 'later' && !isOver(job, fx)) return again(job, fx, drawn.afterMs);
  const card = drawn.state === 'drawn' && drawn.card !== undefined ? { card: drawn.card } : {};
  await fx.save(job, { ...settled(job), ...card });
}

async function result(job: DeliveringJob, fx: StepEffects): Promise<GenerationOutput | 'later' | 'missing'> {
  try {
    const report = await fx.status(job);
    return report.state === 'completed' ? report.output : 'missing';
  } catch (error) {
    return isMissing(error) || isOver(job, fx) ? 'missing' : 'later';
  }
}

/** Retries soon when the service does not find the result. These tries have a counter of their own. */
async function missed(job: DeliveringJob, fx: StepEffects): Promise<void> {
  const unusable = (job.unusable ?? 0) + 1;
  if (unusable >= MOST_MISSES || isOver(job, fx))
    return void (await fx.save(job, failed(job, failureWith('result-gone'), fx.now())));
  const due = fx.now() + jitteredBackoff(unusable, fx.random(), FIRST_PAUSE_MS, SHORT_PAUSE_MS);
  await change(job, fx, (latest) => ({ ...latest, unusable, due }), 'lossy');
}

/** The result cannot be used: the job has failed although the service completed it. */
type Unusable = { readonly state: 'unusable'; readonly failure: Failure };

/** A draw that throws is retried later; adapters answer `gone` when a retry is pointless. */
async function tryDraw(
  job: FinalJob,
  fx: StepEffects,
  output?: GenerationOutput,
): Promise<DrawnResult | Unusable> {
  try {
    const drawn = await fx.draw(job, output);
    // An end without a result has no plainer form, so a refusal is retried later.
    return drawn.state === 'refused' && output === undefined ? { state: 'later', afterMs: 0 } : drawn;
  } catch (error) {
    if (output !== undefined && error instanceof JobFailure)
      return { state: 'unusable', failure: error.failure };
    return { state: 'later', afterMs: 0 };
  }
}

async function fetchAgain(job: DeliveringJob, fx: StepEffects, slow: boolean): Promise<void> {
  // Without a refresh the card would show an old progress, perhaps for half an hour.
  await fx.refresh(job);
  const { fetches = 0 } = job;
  const { firstMs, slowMs, longestMs } = FETCH_PAUSES;
  const pauseMs = slow
    ? jitteredBackoff(2 * fetches, fx.random(), slowMs, longestMs)
    : jitteredBackoff(fetches, fx.random(), firstMs, longestMs);
  const due = fx.now() + pauseMs;
  await change(job, fx, (latest) => ({ ...latest, fetches: fetches + 1, due }), 'lossy');
}

async function again<Tried extends DeliveringJob | FinalJob>(job: Tried, fx: StepEffects, afterMs = 0) {
  const doublings = Math.max(0, (job.attempts - SHORT_PAUSES) / 8);
  const longest = Math.min(LONGEST_PAUSE_MS, SHORT_PAUSE_MS * 2 ** doublings);
  const wait = Math.max(afterMs, jitteredBackoff(job.attempts, fx.random(), FIRST_PAUSE_MS, longest));
  const due = fx.now() + wait;
  await change(job, fx, (latest) => ({ ...latest, attempts: job.attempts + 1, due }), 'lossy');
}

/**
 * Saves a change, and retries once if `forget` or `withdrawn` was set meanwhile. A record that was removed or has another state
 * is left unchanged.
 */
async function change<Before extends DeliveringJob | FinalJob>(
  job: Before,
  fx: StepEffects,
  to: (job: Before) => Job,
  durability?: 'durable' | 'lossy',
): Promise<void> {
  if ((await fx.save(job, to(job), durability)) !== undefined) return;
  const latest = await fx.load(job.id);
  if (latest !== undefined && (latest.forget || latest.withdrawn) && isInStateOf(job, latest))
    await fx.save(latest, to(latest), durability);
}

const isInStateOf = <Known extends Job>(known: Known, job: Job): job is Known => job.state === known.state;
