import type { PhotoRef } from './photo.ts';
import type { CardRef, Place } from './place.ts';
import type { Line, View } from './view.ts';

/** A missing option that is asked for. */
export interface Question {
  readonly option: string;
  readonly label: string;
  readonly kind: 'choice' | 'text' | 'reference' | 'image';
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly max?: number;
  /** The option takes several photos at once. */
  readonly album?: true;
  /** It need not be answered: a platform with forms offers it there. */
  readonly optional?: true;
}

/**
 * Who sees an answer. `caller`: only the caller, in another chat if necessary. `caller-in-place`: only the caller if the platform can
 * do that in the same chat, else everybody there.
 */
export type Audience = 'everyone' | 'caller' | 'caller-in-place';

/** Who sees a job. It is never shown to everybody only because the platform cannot do better. */
export type JobAudience = Exclude<Audience, 'caller-in-place'>;

/** Who sees a job: its caller alone if it is private. */
export const jobAudience = (isPrivate: boolean): JobAudience => (isPrivate ? 'caller' : 'everyone');

interface Following {
  /** Answers a button of a question, and may replace that message. */
  readonly replaces?: boolean;
  /** The draft whose question was answered in writing; its message is no longer needed. */
  readonly answers?: string;
}

/** The card of a job, and who sees it. */
export interface JobCard {
  readonly job: string;
  readonly view: View;
  readonly audience: JobAudience;
  /** The card may already be visible, because sending was interrupted. */
  readonly again?: true;
}

interface Pressed {
  /**
   * The message changes even if it is so old that the platform no longer tells which buttons it has: the desk has checked that the
   * presser may change messages of this place. Otherwise only a message changes that certainly has the pressed button.
   */
  readonly evenIfOld?: true;
}

/** A short note to the caller or presser; messages are unchanged. */
interface Text {
  readonly text: string;
}

/**
 * A message about a job beside its card, which must not vanish by itself. If its view has the result, in whatever form, the desk notes it
 * before it is sent and the adapter says where it is (`desk.resultShown`), so that it is deleted when the result is removed: whoever answers
 * with a result only names its job.
 */
export interface ResultReply extends Following {
  readonly kind: 'result';
  readonly job: string;
  readonly view: View;
  readonly audience: JobAudience;
  /** The event that is answered, and where it happened; set by the desk. */
  readonly asked?: { readonly event: string; readonly place: Place };
}

/** The answer of a command or button, shown by the adapter. */
export type Reply =
  | (Following & { readonly kind: 'message'; readonly view: View; readonly audience: Audience })
  | ResultReply
  /**
   * The card of an accepted job; the adapter then reports where it is (`desk.cardShown`). `others`: the further cards of an album, each a
   * message of its own.
   */
  | (Following & JobCard & { readonly kind: 'card'; readonly others?: readonly JobCard[] })
  /** The cards of an album that are not visible yet; its first one is, and stays as it is. */
  | (Following & { readonly kind: 'further-cards'; readonly cards: readonly JobCard[] })
  /** Replaces the message whose button was pressed. */
  | (Pressed & { readonly kind: 'replace'; readonly view: View })
  /** Removes the message whose button was pressed. */
  | (Pressed & { readonly kind: 'remove'; readonly note: string })
  | (Text & { readonly kind: 'note' })
  /** The pressed button belongs to another person. */
  | (Text & { readonly kind: 'not-yours' })
  /** The question or list is outdated, so its message may show this instead. */
  | (Text & { readonly kind: 'stale' })
  /** The note concerns everybody in the chat. */
  | (Text & { readonly kind: 'chat-note' })
  /** Somebody in the chat has got this `chat-note` before: only who is answered alone needs it. */
  | (Text & { readonly kind: 'chat-told-before' })
  /** The caller was answered before: only a press needs this. */
  | (Text & { readonly kind: 'told-before' })
  /** The answer is the card of a job, which is visible: only a press needs this. */
  | (Text & { readonly kind: 'card-shown-before' })
  /**
   * Something is missing. `view` asks the first question with buttons or a written answer; a platform with
   * forms may ask all `questions` at once. Answers come back through `desk.answer` with the draft's id.
   */
  | (Following & {
      readonly kind: 'ask';
      readonly draft: string;
      readonly questions: readonly [Question, ...Question[]];
      readonly view: View;
      readonly audience: Audience;
    });

/** The replies of these kinds. */
export type ReplyOf<Kind extends Reply['kind']> = Extract<Reply, { kind: Kind }>;

/** A reply that is a short note; its kind says why. */
export type Note = Extract<Reply, Text>;

/** A message that is shown while the answer takes long, until the answer takes its place. */
export type Meanwhile = ReplyOf<'message'>;

/** Whether a reply shows cards of jobs. */
export const hasCards = (reply: Reply): reply is ReplyOf<'card' | 'further-cards'> =>
  reply.kind === 'card' || reply.kind === 'further-cards';

/** The cards that are to be shown, each a message of its own. */
export const cardsOf = (reply: ReplyOf<'card' | 'further-cards'>): readonly JobCard[] =>
  reply.kind === 'card' ? [reply, ...(reply.others ?? [])] : reply.cards;

/**
 * Information for the caller alone where the platform can do that in the same chat. Where it cannot, such as after a press in
 * a Telegram group, everybody there sees it: what must stay private is a reply with `audience: 'caller'`.
 */
export const infoReply = (view: Omit<View, 'tone'>): Reply => ({
  kind: 'message',
  audience: 'caller-in-place',
  view: { tone: 'info', ...view },
});

/** A short note to the caller. */
export const note = (text: string): Reply => ({ kind: 'note', text });

/** The reason why nothing was done, for the caller alone if the platform can do that in the same chat. */
export const refusal = (...lines: readonly Line[]): Reply => ({
  kind: 'message',
  audience: 'caller-in-place',
  view: { tone: 'failed', lines },
});

/** Whether a reply is a short note. */
export const isNote = (reply: Reply): reply is Note => 'text' in reply;

/** Whether a reply only repeats what the caller, or their chat, was shown before. */
export const isRepetition = ({ kind }: Reply): boolean =>
  kind === 'told-before' || kind === 'chat-told-before' || kind === 'card-shown-before';

/** A reply whose message can take the place of a question. */
type NextStep = ReplyOf<'message' | 'result' | 'card' | 'further-cards' | 'ask'>;

/** Whether a reply says why something was not done. */
export const isRefusal = (reply: Reply): boolean =>
  (reply.kind === 'message' || reply.kind === 'result') && reply.view.tone === 'failed';

/** Whether this reply completes the question. After a refusal the question stays, to be answered differently. */
export function completesQuestion(reply: Reply): reply is NextStep {
  switch (reply.kind) {
    case 'message':
    case 'result':
      return !isRefusal(reply);
    case 'card':
    case 'further-cards':
    case 'ask':
      return true;
    default:
      return false;
  }
}

/** Lets a reply replace the question that was answered. */
export const inPlace = (reply: Reply): Reply =>
  completesQuestion(reply) ? { ...reply, replaces: true } : reply;

/**
 * The answer takes the place of the message that was shown meanwhile, even if it is a refusal. A reply that repeats something is shown
 * nowhere: another press of the same button has been answered in that place.
 */
export function inPlaceOfMeanwhile(reply: Reply, shown: Meanwhile | undefined): Reply {
  if (shown === undefined) return reply;
  const where = shown.replaces ? { replaces: true } : {};
  if (isNote(reply)) return isRepetition(reply) ? reply : { ...refusal(reply.text), ...where };
  return 'audience' in reply ? { ...reply, ...where } : reply;
}

/**
 * The outcome of an edit. `gone`: the message or our access to it no longer exists, so do not retry. `messageRemains`: the
 * message exists but may not show this. `later`: the platform asks us to wait; cosmetic edits may be dropped.
 * `unsent`: it certainly did not arrive. `refused`: the platform will never take this content; `reason`: for the log.
 */
export type DrawOutcome =
  | { readonly state: 'drawn'; readonly card?: CardRef; readonly result?: PhotoRef }
  | { readonly state: 'gone'; readonly messageRemains?: true }
  | { readonly state: 'later'; readonly afterMs: number; readonly unsent?: true }
  | { readonly state: 'refused'; readonly reason: string };
