import { defined } from '../base/defined.ts';
import { buttonName, type NamedButton } from '../command/button-names.ts';
import { isGateRefusal, refusalTextAfterWaiting } from '../command/gate-refusal.ts';
import type { PhotoRef } from '../command/photo.ts';
import { isPersonal } from '../command/place.ts';
import { FOLLOW_UPS, hasFollowUp, photosOf } from '../command/request.ts';
import { shorten } from '../command/shorten.ts';
import type { Button, Line, Media, View } from '../command/view.ts';
import { kindName, outputOf } from '../kinds/kinds.ts';
import type { DoneJob, Failure, FinalJob, HeldJob, Job, JobStatus } from '../orchestrator/job/job.ts';
import { lengthOfTime, roughly } from '../words/time.ts';
import type { Words } from '../words/words.ts';

/** The card of a job as a view; the same on every platform. */

const LONGEST_LABEL = 80;

/** The title of every message about a job: its kind, and its filter or the start of its text. */
export function cardTitle(job: Pick<Job, 'request' | 'label'>, words: Words): string {
  const kind = kindName(job.request.kind, words);
  return job.label === '' ? kind : `${kind} · ${shorten(job.label, LONGEST_LABEL)}`;
}

/** Every message about a job is made by this function, so a flag that all of them need stands here once. */
function messageAbout(job: Pick<Job, 'request' | 'label'>, words: Words, content: Omit<View, 'title'>): View {
  return { title: cardTitle(job, words), ...content };
}

function button(job: Job, words: Words, verb: NamedButton, style?: Button['style']): Button {
  return { action: `${verb}:${job.id}`, label: buttonName(verb, words), ...defined({ style }) };
}

function charged(job: Job, words: Words): readonly Line[] {
  if (job.credits === 0) return [];
  if (job.charge === 'returned') return [words.card.returned(job.credits)];
  return job.charge === 'spent' ? [words.card.spent(job.credits)] : [];
}

function waiting(
  { position, waitMs = 0, resting, checking, outage }: JobStatus,
  words: Words,
): readonly Line[] {
  if (outage !== undefined) return [words.card.outage[outage]];
  if (checking) return [words.card.checkingPhoto];
  if (resting !== undefined) return [words.card.resting[resting], words.card.nextTry(roughly(waitMs))];
  if (position === undefined) return [words.card.accepted];
  return [
    position === 1 ? words.card.next : words.card.position(position),
    ...(waitMs === 0 ? [] : [words.card.wait(roughly(waitMs))]),
  ];
}

/** The bar never shows 100 %: the service gives no percentage. */
const MOST_PROGRESS = 0.99;

function busy(job: Exclude<Job, FinalJob>, jobStatus: JobStatus, words: Words): View {
  const buttons = [[button(job, words, 'cancel')]];
  if (job.state === 'delivering') {
    const line = job.unchecked ? words.card.checkingResult : words.card.delivering;
    return messageAbout(job, words, { tone: 'busy', lines: [line], bar: MOST_PROGRESS });
  }
  if (job.state === 'held')
    return messageAbout(job, words, {
      tone: 'busy',
      lines: [words.card.held],
      buttons: [[button(job, words, 'held-look')], [button(job, words, 'delete', 'danger')]],
    });
  if (job.state === 'submitting')
    return messageAbout(job, words, { tone: 'busy', lines: [words.card.sending], bar: 0, buttons });
  if (job.state !== 'running')
    return messageAbout(job, words, { tone: 'busy', lines: waiting(jobStatus, words), buttons });
  const { progress = 0, remainingMs, outage } = jobStatus;
  const left =
    remainingMs === undefined || remainingMs <= 0
      ? words.card.runningLong
      : words.card.running(roughly(remainingMs));
  return messageAbout(job, words, {
    tone: 'busy',
    lines: [left, ...(outage === undefined ? [] : [words.card.outage[outage]])],
    bar: Math.min(MOST_PROGRESS, Math.max(0, job.shownProgress, progress)),
    buttons,
  });
}

/** Whether a private result can be shown to everybody: once, and only where there is anybody else. */
export const canShare = (job: Job): job is DoneJob =>
  job.state === 'done' && job.private && !job.place.direct && !isPersonal(job.place.community);

/** The photo that a picture was made from, if it can be fetched again. */
export function photoOf(job: Job): Exclude<PhotoRef, { from: 'link' }> | undefined {
  const [photo, ...more] = photosOf(job.request);
  if (outputOf(job.request.kind) !== 'image' || more.length > 0 || photo?.from === 'link') return undefined;
  return photo;
}

/** A message that is not the job's card: `verb` deletes the message alone. */
function drawBeside(verb: 'unshare' | 'discard', line: Line, job: DoneJob, words: Words, media: Media): View {
  const remove: Button = { action: `${verb}:${job.id}`, label: buttonName('delete', words), style: 'danger' };
  return messageAbout(job, words, {
    tone: 'done',
    lines: [line, words.card.aiGenerated],
    media,
    buttons: [[remove, button(job, words, 'report')]],
  });
}

/** The message that shows a private result to everybody. */
export const drawShared = (job: DoneJob, words: Words, media: Media): View =>
  drawBeside('unshare', words.share.by(shorten(job.caller.name, LONGEST_LABEL)), job, words, media);

/** The message that shows a photo and the result side by side. */
export const drawCompared = (job: DoneJob, words: Words, media: Media): View =>
  drawBeside('discard', buttonName('compare', words), job, words, media);

/** The message that has the service's own picture or video. */
export const drawFile = (job: DoneJob, words: Words, media: Media): View =>
  drawBeside('discard', words.file.original, job, words, media);

/** The message that tells moderators or owners of a held result; it does not show it. */
export const drawHeldNotice = (what: Line, job: HeldJob, words: Words, link?: string): View => ({
  tone: 'ask',
  title: words.held.title,
  lines: [
    what,
    words.notes.madeBy(shorten(job.caller.name, LONGEST_LABEL)),
    // The result was held before, and a moderator has decided to show that picture.
    ...(job.cleared === undefined ? [] : [words.held.changed]),
    words.held.notice,
    ...(link === undefined ? [] : [[{ link: words.notes.openMessage, url: link }]]),
  ],
  buttons: [[button(job, words, 'held-look', 'primary')]],
});

/** A held result as the moderator sees it who looks at it. */
export const drawHeld = (job: HeldJob, words: Words, media: Media): View =>
  messageAbout(job, words, {
    tone: 'ask',
    lines: [words.held.decide, words.card.aiGenerated],
    media,
    buttons: [[button(job, words, 'held-show', 'primary'), button(job, words, 'held-remove', 'danger')]],
  });

/** The message that replaces a card whose result is, or was, sent elsewhere: it must not keep promising the result. */
export const drawSentElsewhere = (job: Job, words: Words): View =>
  messageAbout(job, words, { tone: 'info', lines: [words.notes.notHere] });

/** The new card of a job whose first card can no longer be edited. */
export const drawReplacementCard = (job: Job, words: Words): View =>
  messageAbout(job, words, { tone: 'busy', lines: [words.notes.elsewhere] });

const LONGEST_JOB_MS = 86_400_000;

/** The result that a card shows; `kept`: the message has it already, and keeps it. */
type Shown = Media | 'kept' | undefined;

function done(job: DoneJob, words: Words, media: Shown): View {
  const took = job.finishedAt - job.submittedAt;
  // A job that seems to have run for a day shows no duration, because the clock was changed.
  const isKnown = !job.untimed && took >= 0 && took < LONGEST_JOB_MS;
  const hasOriginal = typeof media === 'object' && media.kind !== 'link' && media.isOriginal === true;
  const more = [
    ...(photoOf(job) === undefined ? [] : [button(job, words, 'compare')]),
    ...(canShare(job) && job.shared === undefined ? [button(job, words, 'share')] : []),
    ...(hasOriginal ? [] : [button(job, words, 'file')]),
  ];
  return messageAbout(job, words, {
    tone: 'done',
    lines: [
      words.card.done(isKnown ? lengthOfTime(took) : undefined, job.credits),
      words.card.aiGenerated,
      ...(job.shared?.card === undefined ? [] : [words.share.done]),
      ...(media === undefined ? [words.card.expired] : []),
    ],
    ...(media === 'kept' ? { keepsMedia: words.card.expired } : defined({ media })),
    buttons: [
      [
        button(job, words, 'again', 'primary'),
        ...FOLLOW_UPS.filter((verb) => hasFollowUp(job.request.kind, verb)).map((verb) =>
          button(job, words, verb),
        ),
      ],
      ...(media === undefined || more.length === 0 ? [] : [more]),
      [button(job, words, 'delete', 'danger'), button(job, words, 'report')],
    ],
  });
}

const CODES_WITH_OUR_DETAIL: ReadonlySet<Failure['code']> = new Set([
  'photo-unavailable',
  'photo-invalid',
  'alias-gone',
  'alias-mismatch',
  'paused',
]);

/** Why a job failed. */
const failureText = (code: Failure['code'], words: Words): string =>
  isGateRefusal(code) ? refusalTextAfterWaiting(code, words) : words.failure[code];

/** Text from the service is quoted as such; our own details (a GIF, the name of an alias) are appended. */
function reasons({ code, detail }: Failure, words: Words): readonly Line[] {
  const reason = failureText(code, words);
  if (!detail) return [reason];
  return CODES_WITH_OUR_DETAIL.has(code) ? [`${reason} (${detail})`] : [reason, words.serviceSays(detail)];
}

type WithoutResult = Exclude<FinalJob, DoneJob>;

function endLines(job: WithoutResult, words: Words): readonly Line[] {
  switch (job.state) {
    case 'failed':
      return [...reasons(job.failure, words), ...charged(job, words)];
    case 'cancelled': {
      const isKept = job.charge === 'spent' && job.credits > 0;
      return [words.card.cancelled, ...(isKept ? [words.card.kept(job.credits)] : charged(job, words))];
    }
    case 'uncertain':
      return [words.card.uncertain, words.card.uncertainNext, ...charged(job, words)];
  }
}

function ended(job: WithoutResult, words: Words): View {
  return messageAbout(job, words, {
    tone: job.state === 'cancelled' ? 'info' : 'failed',
    lines: endLines(job, words),
    buttons: [[button(job, words, 'retry', 'primary')]],
  });
}

/** The card of a job in its present state. `jobStatus` is what is known beside its record: its place in line, its progress. */
export function drawCard(job: Job, jobStatus: JobStatus, words: Words, media?: Shown): View {
  if (job.state === 'done') return done(job, words, media);
  if (job.state === 'failed' || job.state === 'cancelled' || job.state === 'uncertain')
    return ended(job, words);
  return busy(job, jobStatus, words);
}
