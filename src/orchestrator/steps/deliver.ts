import { jitteredBackoff } from '../../base/backoff.ts';
import { DAY_MS, HOUR_MS } from '../../base/clock.ts';
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

const FIRST_PAUSE_MS = 1_000;
/** For about half an hour; after that the pauses double with every eight tries, up to an hour. */
const SHORT_PAUSE_MS = 60_000;
const SHORT_PAUSES = 60;
export const LONGEST_PAUSE_MS = HOUR_MS;
/** A host that is slow or down gets longer pauses each time. */
const FETCH_PAUSES = { firstMs: 2_000, slowMs: 10_000, longestMs: 300_000 };
/** The service may need a moment to find its own result; after that it is lost. */
const MOST_MISSES = 8;
/** Refusals for good: as it is, in a plainer form, and in direct messages. */
const MOST_REFUSALS = 3;
/** About a week. */
const MOST_REMOVALS = 400;
const MISSING_KINDS: readonly GenerationErrorKind[] = ['not-found', 'refused', 'unusable-result'];

/** The service no longer has the result. */
export const isMissing = (error: unknown): boolean =>
  error instanceof GenerationError && MISSING_KINDS.includes(error.kind);

/** From the end to the one last try to show it. */
const DELIVERY_MS = 7 * DAY_MS;
/** From the end to the first try to show a result in its person's own messages, where its card refuses it. */
const ELSEWHERE_MS = 6 * HOUR_MS;

const isOver = (job: DeliveringJob | FinalJob, fx: StepEffects, ms = DELIVERY_MS): boolean =>
  fx.now() >= Math.max(job.finishedAt, fx.lastForwardJump()) + ms;

/**
 * Turns the card into the result. An edit can be repeated after a crash; the result is not stored but fetched again.
 */
export async function deliver(job: DeliveringJob, fx: StepEffects, polled?: GenerationOutput): Promise<void> {
  let output = polled ?? fx.keptResult();
  if (output === undefined) {
    const found = await result(job, fx);
    if (found === 'later') return again(job, fx);
    if (found === 'missing') return missed(job, fx);
    output = found;
  }
  // Refused here in every form, and the direct message had to wait.
  if (job.refusals === MOST_REFUSALS - 1 && !job.moved) return moveOn(job, fx, output, false);
  const shown: DoneJob = { ...job, state: 'done' };
  const drawn = await tryDraw(shown, fx, output);
  if (drawn.state === 'unusable') return void (await fx.save(job, failed(job, drawn.failure, fx.now())));
  if (drawn.state === 'drawn') {
    const { card, result: photo } = drawn;
    const more = { ...(card ? { card } : {}), ...(photo ? { result: photo } : {}) };
    await change(job, fx, (latest) => ({ ...done(latest), ...more }));
  } else if (drawn.state === 'unfetched') await fetchAgain(job, fx, drawn.slow);
  else if (drawn.state === 'refused') await tryOtherwise(job, fx, output);
  else if (drawn.state === 'gone' || isOver(job, fx) || (isOver(job, fx, ELSEWHERE_MS) && !job.moved))
    await moveOn(job, fx, output, drawn.state === 'gone');
  else await again(job, fx, drawn.afterMs);
}

/** The same would be refused again: a plainer form is tried at once, then direct messages, each of them once. */
async function tryOtherwise(job: DeliveringJob, fx: StepEffects, output: GenerationOutput): Promise<void> {
  const refusals = (job.refusals ?? 0) + 1;
  const isLast = refusals >= MOST_REFUSALS || (refusals > 1 && (job.moved || job.place.direct));
  if (isLast) return giveUp({ ...job, refusals }, fx);
  const saved = await fx.save(job, { ...job, refusals });
  if (saved?.state !== 'delivering') return change(job, fx, done);
  return deliver(saved, fx, output);
}

/** There is no other place for it. */
function giveUp(job: DeliveringJob, fx: StepEffects): Promise<void> {
  const { refusals = 0 } = job;
  return change(job, fx, (latest) =>
    refusals > 1 ? failed({ ...latest, refusals }, failureWith('result-refused'), fx.now()) : done(latest),
  );
}

/**
 * A result whose card was deleted gets one more card, in the caller's direct messages. It is stored before the result is
 * drawn on it, so that a repetition cannot show a result twice.
 */
async function moveOn(job: DeliveringJob, fx: StepEffects, output: GenerationOutput, isGone: boolean) {
  const latest = await fx.load(job.id);
  // The caller has just deleted it, or all their data.
  const unwanted = latest === undefined || latest.forget || latest.withdrawn;
  if (unwanted) return change(job, fx, done);
  if (job.moved) return giveUp(job, fx);
  // If the store cannot be written now, the new card could not be stored either, and each try would send another.
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

/** A card that is in no record could never be edited, so it is deleted. */
async function writtenDown(job: DeliveringJob, card: CardRef, fx: StepEffects) {
  const discard = (): Promise<void> => fx.discard(card).catch(() => undefined);
  try {
    const moved = await fx.save(job, { ...job, card, moved: true, attempts: 0 });
    if (moved?.state === 'delivering') return moved;
    await discard();
    return undefined;
  } catch (error) {
    // It may have been stored, and only the answer be lost; while that is not known, the card stays.
    if ((await fx.load(job.id))?.card?.ref !== card.ref) await discard();
    throw error;
  }
}

/** The caller deleted it, and the process died before the card was gone. */
async function takeAway(job: FinalJob, fx: StepEffects): Promise<void> {
  try {
    for (const card of messagesOf(job)) await fx.discard(card);
  } catch {
    if (job.attempts < MOST_REMOVALS) return again(job, fx);
  }
  await fx.save(job, { ...settled(job), forget: true });
}

/** It ended before its card was confirmed; the card may exist. */
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

/** A result was shown elsewhere: its former card says so once it can be edited again. */
async function settleFormerCard(job: FinalJob, fx: StepEffects): Promise<void> {
  const { formerCard, ...rest } = job;
  const drawn = formerCard === undefined ? undefined : await tryDraw({ ...job, card: formerCard }, fx);
  if (drawn?.state === 'later' && job.state === 'done' && !isOver(job, fx))
    return again(job, fx, drawn.afterMs);
  await fx.save(job, rest.state === 'done' ? settled(rest) : { ...rest, attempts: 0, due: fx.now() });
}

/** Makes the card show how the job ended. */
export async function settle(job: FinalJob, fx: StepEffects): Promise<void> {
  if (job.withdrawn) return takeAway(job, fx);
  if (job.formerCard !== undefined) return settleFormerCard(job, fx);
  if (job.card === undefined && job.answer !== undefined) return searchForCard(job, fx);
  // Tried also when it is late: the platform may have just come back.
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

/** Counted apart from other failures and repeated soon, so that the card can show it. */
async function missed(job: DeliveringJob, fx: StepEffects): Promise<void> {
  const unusable = (job.unusable ?? 0) + 1;
  if (unusable >= MOST_MISSES || isOver(job, fx))
    return void (await fx.save(job, failed(job, failureWith('result-gone'), fx.now())));
  const due = fx.now() + jitteredBackoff(unusable, fx.random(), FIRST_PAUSE_MS, SHORT_PAUSE_MS);
  await change(job, fx, (latest) => ({ ...latest, unusable, due }), 'lossy');
}

/** No card can show the result: the job has failed although the service completed it. */
type Unusable = { readonly state: 'unusable'; readonly failure: Failure };

/** A draw that throws is repeated; adapters say `gone` when that is pointless. */
async function tryDraw(
  job: FinalJob,
  fx: StepEffects,
  output?: GenerationOutput,
): Promise<DrawnResult | Unusable> {
  try {
    const drawn = await fx.draw(job, output);
    // There is no other form of an end without a result.
    return drawn.state === 'refused' && output === undefined ? { state: 'later', afterMs: 0 } : drawn;
  } catch (error) {
    if (output !== undefined && error instanceof JobFailure)
      return { state: 'unusable', failure: error.failure };
    return { state: 'later', afterMs: 0 };
  }
}

async function fetchAgain(job: DeliveringJob, fx: StepEffects, slow: boolean): Promise<void> {
  // Otherwise the card would show an old progress, perhaps for half an hour.
  await fx.refresh(job);
  const { fetches = 0 } = job;
  const { firstMs, slowMs, longestMs } = FETCH_PAUSES;
  const due =
    fx.now() + jitteredBackoff(slow ? 2 * fetches : fetches, fx.random(), slow ? slowMs : firstMs, longestMs);
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
 * Saves, and tries once more if `forget` or `withdrawn` was set meanwhile. A record in another state or removed is left
 * alone.
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
