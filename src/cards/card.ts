import { defined } from '../base/defined.ts';
import { shorten } from '../command/shorten.ts';
import type { Button, Line, Media, View } from '../command/view.ts';
import type { DoneJob, Failure, FinalJob, Job, JobStatus } from '../orchestrator/job/job.ts';
import { lengthOfTime, roughly } from '../words/time.ts';
import type { Words } from '../words/words.ts';

/** The card of a job as a view; the same on every platform. */

const longestLabel = 80;

export const cardTitle = (job: Pick<Job, 'request' | 'label'>, words: Words): string =>
  `${words.kinds[job.request.kind]} · ${shorten(job.label, longestLabel)}`;

const isVideo = (job: Job): boolean =>
  job.request.kind === 'single-frame-video' || job.request.kind === 'first-last-frame-video';

const button = (job: Job, words: Words, verb: keyof Words['buttons'], style?: Button['style']): Button => ({
  action: `${verb}:${job.id}`,
  label: words.buttons[verb],
  ...defined({ style }),
});

const charged = (job: Job, words: Words): readonly Line[] => {
  if (job.credits === 0) return [];
  if (job.charge === 'returned') return [words.card.returned(job.credits)];
  return job.charge === 'spent' ? [words.card.spent(job.credits)] : [];
};

const waiting = ({ position, waitMs, outage }: JobStatus, words: Words): readonly Line[] => {
  if (outage !== undefined) return [words.card.outage[outage]];
  if (position === undefined) return [words.card.accepted];
  return [
    position === 1 ? words.card.next : words.card.position(position),
    ...(waitMs === undefined ? [] : [words.card.wait(roughly(waitMs))]),
  ];
};

/** The bar never shows 100 %: the service gives no percentage. */
const most = 0.99;

const busy = (job: Exclude<Job, FinalJob>, jobStatus: JobStatus, words: Words): View => {
  const buttons = [[button(job, words, 'cancel')]];
  const title = cardTitle(job, words);
  if (job.state === 'delivering') return { tone: 'busy', title, lines: [words.card.delivering], bar: most };
  if (job.state === 'submitting')
    return { tone: 'busy', title, lines: [words.card.sending], bar: 0, buttons };
  if (job.state !== 'running') return { tone: 'busy', title, lines: waiting(jobStatus, words), buttons };
  const { progress = 0, remainingMs, outage } = jobStatus;
  const left =
    remainingMs === undefined || remainingMs <= 0
      ? words.card.runningLong
      : words.card.running(roughly(remainingMs));
  return {
    tone: 'busy',
    title,
    lines: [left, ...(outage === undefined ? [] : [words.card.outage[outage]])],
    bar: Math.min(most, Math.max(0, job.shownProgress, progress)),
    buttons,
  };
};

const longestMs = 86_400_000;

const done = (job: DoneJob, words: Words, media?: Media): View => {
  const took = job.finishedAt - job.submittedAt;
  // No job runs for a day: the clock was changed.
  const isKnown = !job.untimed && took >= 0 && took < longestMs;
  return {
    tone: 'done',
    title: cardTitle(job, words),
    lines: [
      words.card.done(isKnown ? lengthOfTime(took) : undefined, job.credits),
      words.card.aiGenerated,
      ...(media === undefined ? [words.card.expired] : []),
    ],
    ...defined({ media }),
    buttons: [
      [
        button(job, words, 'again', 'primary'),
        ...(isVideo(job) ? [] : [button(job, words, 'other'), button(job, words, 'animate')]),
      ],
      [button(job, words, 'delete', 'danger'), button(job, words, 'report')],
    ],
  };
};

const ourWords: ReadonlySet<Failure['code']> = new Set([
  'photo-unavailable',
  'photo-invalid',
  'alias-gone',
  'alias-mismatch',
  'paused',
]);

/** Text from the service is quoted as such; our own details (a GIF, the name of an alias) are appended. */
const reasons = ({ code, detail }: Failure, words: Words): readonly Line[] => {
  if (!detail) return [words.failure[code]];
  return ourWords.has(code)
    ? [`${words.failure[code]} (${detail})`]
    : [words.failure[code], words.serviceSays(detail)];
};

type WithoutResult = Exclude<FinalJob, DoneJob>;

const endLines = (job: WithoutResult, words: Words): readonly Line[] => {
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
};

const ended = (job: WithoutResult, words: Words): View => ({
  tone: job.state === 'cancelled' ? 'info' : 'failed',
  title: cardTitle(job, words),
  lines: endLines(job, words),
  buttons: [[button(job, words, 'retry', 'primary')]],
});

export const drawCard = (job: Job, jobStatus: JobStatus, words: Words, media?: Media): View => {
  if (job.state === 'done') return done(job, words, media);
  if (job.state === 'failed' || job.state === 'cancelled' || job.state === 'uncertain')
    return ended(job, words);
  return busy(job, jobStatus, words);
};
