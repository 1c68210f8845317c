import { jitteredBackoff } from '../../base/backoff.ts';
import type { Drawn } from '../../command/edit-outcome.ts';
import type { CardRef } from '../../command/place.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import { GenerationError, type GenerationErrorKind } from '../../generation-client/wire/errors.ts';
import { failureWith, JobFailure, ResultDelayed } from '../job/failure.ts';
import { done, failed, settled } from '../job/final-states.ts';
import type { DeliveringJob, DoneJob, Failure, FinalJob, Job } from '../job/job.ts';
import type { StepEffects } from './effects.ts';

const FIRST_PAUSE_MS = 1_000;
/** For the first half hour or so; from then on the pauses double with every eight tries, up to an hour. */
const SHORT_PAUSE_MS = 60_000;
const SHORT_PAUSES = 60;
export const LONGEST_PAUSE_MS = 3_600_000;
/** A host that is slow or away is given longer each time. */
const FETCH_PAUSES = { firstMs: 2_000, slowMs: 10_000, longestMs: 300_000 };
/** The service may take a moment to find its own result again; after that it has lost it. */
const MOST_MISSES = 8;
/** About a week: a platform that refuses for longer does so for ever. */
const MOST_REMOVALS = 400;
const misses: readonly GenerationErrorKind[] = ['not-found', 'refused', 'unusable-result'];

const hasPassed = ({ finishedAt }: DeliveringJob | FinalJob, ms: number, fx: StepEffects): boolean =>
  fx.now() >= Math.max(finishedAt, fx.lastForwardJump()) + ms;
/** Its card has refused it for so long that a result also goes to its person's own messages. */
const isLate = (job: DeliveringJob, fx: StepEffects): boolean => hasPassed(job, fx.elsewhereMs, fx);
/** Nothing is tried any more, but once. */
const isOver = (job: DeliveringJob | FinalJob, fx: StepEffects): boolean => hasPassed(job, fx.deliveryMs, fx);

const longestPause = (attempts: number): number =>
  Math.min(LONGEST_PAUSE_MS, SHORT_PAUSE_MS * 2 ** Math.max(0, (attempts - SHORT_PAUSES) / 8));

/**
 * Makes the card the result. It is an edit, so that repeating it after a crash is harmless; the result itself is
 * never stored, it is looked up again.
 */
export async function deliver(job: DeliveringJob, fx: StepEffects, inHand?: GenerationOutput): Promise<void> {
  let output = inHand ?? fx.keptResult();
  if (output === undefined) {
    const found = await result(job, fx);
    if (found === 'later') return again(job, fx);
    if (found === 'missing') return missed(job, fx);
    output = found;
  }
  const shown: DoneJob = { ...job, state: 'done' };
  const drawn = await tryDraw(shown, fx, output);
  if (drawn.state === 'unusable') {
    await fx.save(job, failed(job, drawn.failure, fx.now()));
    return;
  }
  if (drawn.state === 'drawn') {
    const { card, result: photo } = drawn;
    const more = { ...(card ? { card } : {}), ...(photo ? { result: photo } : {}) };
    await change(job, fx, (latest) => ({ ...done(latest), ...more }));
  } else if (drawn.state === 'unfetched') await fetchAgain(job, fx, drawn.slow);
  else if (drawn.state === 'gone' || isOver(job, fx) || (isLate(job, fx) && !job.moved))
    await moveOn(job, fx, output, drawn.state === 'gone');
  else await again(job, fx, drawn.afterMs);
}

/**
 * A result whose card has gone gets one more card, in its person's own messages. That card is empty and written down
 * before the result is drawn on it: whatever is lost on the way and repeated, no result is shown twice.
 */
async function moveOn(
  job: DeliveringJob,
  fx: StepEffects,
  output: GenerationOutput,
  isGone: boolean,
): Promise<void> {
  const latest = await fx.load(job.id);
  // Its person has just deleted it, or wants to be forgotten.
  const unwanted = latest === undefined || latest.forget || latest.withdrawn;
  if (unwanted || job.moved) return change(job, fx, done);
  // Where this cannot be written down, neither can the card be: people would get one after the other.
  const begun = await fx.save(job, { ...job, attempts: job.attempts + 1 });
  if (begun?.state !== 'delivering') return change(job, fx, done);
  let card: CardRef | undefined;
  try {
    card = await fx.newCard(begun);
  } catch {
    return isOver(begun, fx) ? change(begun, fx, done) : again(begun, fx);
  }
  if (card === undefined) return change(begun, fx, done);
  const former = isGone || begun.card === undefined ? {} : { formerCard: begun.card };
  const moved = await writtenDown({ ...begun, ...former }, card, fx);
  if (moved !== undefined) return deliver(moved, fx, output);
  await change(begun, fx, done);
}

/** A card that no record knows of would stay as it is for ever: it goes again. */
async function writtenDown(
  job: DeliveringJob,
  card: CardRef,
  fx: StepEffects,
): Promise<DeliveringJob | undefined> {
  const discard = (): Promise<void> => fx.discard(card).catch(() => undefined);
  try {
    const moved = await fx.save(job, { ...job, card, moved: true, attempts: 0 });
    if (moved?.state === 'delivering') return moved;
    await discard();
    return undefined;
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Its person has deleted it, and we died before that was done. */
async function takeAway(job: FinalJob, fx: StepEffects): Promise<void> {
  try {
    if (job.card !== undefined) await fx.discard(job.card);
    if (job.formerCard !== undefined) await fx.discard(job.formerCard);
  } catch {
    if (job.attempts < MOST_REMOVALS) return again(job, fx);
  }
  await fx.save(job, { ...settled(job), forget: true });
}

/** Called off before we heard of its card, which may be there all the same. */
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

/** The card of a job that ended without a result has to say so. */
export async function settle(job: FinalJob, fx: StepEffects): Promise<void> {
  if (job.withdrawn) return takeAway(job, fx);
  if (job.formerCard !== undefined) return settleFormerCard(job, fx);
  if (job.card === undefined && job.answer !== undefined) return searchForCard(job, fx);
  // However late it is: the platform may be back, and this the first try since.
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
    const missing = error instanceof GenerationError && misses.includes(error.kind);
    return missing || isOver(job, fx) ? 'missing' : 'later';
  }
}

/** Counted apart from tries that fail for another reason, and repeated soon: the card should say it. */
async function missed(job: DeliveringJob, fx: StepEffects): Promise<void> {
  const unusable = (job.unusable ?? 0) + 1;
  if (unusable >= MOST_MISSES || isOver(job, fx)) {
    await fx.save(job, failed(job, failureWith('result-gone'), fx.now()));
    return;
  }
  const due = fx.now() + jitteredBackoff(unusable, fx.random(), FIRST_PAUSE_MS, SHORT_PAUSE_MS);
  await change(job, fx, (latest) => ({ ...latest, unusable, due }), 'note');
}

/** A result that no card can show: the job has failed although the service thinks otherwise. */
type Unusable = { readonly state: 'unusable'; readonly failure: Failure };

/** It could not be fetched this time. */
type Unfetched = { readonly state: 'unfetched'; readonly slow: boolean };

/** A draw that throws is one to be repeated: `gone` is what adapters say when it is pointless. */
async function tryDraw(
  job: FinalJob,
  fx: StepEffects,
  output?: GenerationOutput,
): Promise<Drawn | Unusable | Unfetched> {
  try {
    return await fx.draw(job, output);
  } catch (error) {
    if (output !== undefined && error instanceof JobFailure)
      return { state: 'unusable', failure: error.failure };
    if (error instanceof ResultDelayed) return { state: 'unfetched', slow: error.slow };
    return { state: 'later', afterMs: 0 };
  }
}

async function fetchAgain(job: DeliveringJob, fx: StepEffects, slow: boolean): Promise<void> {
  // Until then the card would say how far the job had come, perhaps for half an hour.
  await fx.refresh(job);
  const { fetches = 0 } = job;
  const { firstMs, slowMs, longestMs } = FETCH_PAUSES;
  const due =
    fx.now() + jitteredBackoff(slow ? 2 * fetches : fetches, fx.random(), slow ? slowMs : firstMs, longestMs);
  await change(job, fx, (latest) => ({ ...latest, fetches: fetches + 1, due }), 'note');
}

async function again<Tried extends DeliveringJob | FinalJob>(
  job: Tried,
  fx: StepEffects,
  afterMs = 0,
): Promise<void> {
  const longest = longestPause(job.attempts);
  const wait = Math.max(afterMs, jitteredBackoff(job.attempts, fx.random(), FIRST_PAUSE_MS, longest));
  const due = fx.now() + wait;
  await change(job, fx, (latest) => ({ ...latest, attempts: job.attempts + 1, due }), 'note');
}

/**
 * Meanwhile its person may have asked to be forgotten, or for it to go, which is written into the record: what was
 * done for the job is then written beside it. A record that has moved on or has gone is left alone.
 */
async function change<Before extends DeliveringJob | FinalJob>(
  job: Before,
  fx: StepEffects,
  to: (job: Before) => Job,
  weight?: 'promise' | 'note',
): Promise<void> {
  if ((await fx.save(job, to(job), weight)) !== undefined) return;
  const latest = await fx.load(job.id);
  if (latest !== undefined && (latest.forget || latest.withdrawn) && isInStateOf(job, latest))
    await fx.save(latest, to(latest), weight);
}

const isInStateOf = <Known extends Job>(known: Known, job: Job): job is Known => job.state === known.state;
