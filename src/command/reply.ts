import type { PhotoRef } from './photo.ts';
import type { CardRef } from './place.ts';
import type { Line, View } from './view.ts';

/** A missing option that is asked for. */
export interface Question {
  readonly option: string;
  readonly label: string;
  readonly kind: 'choice' | 'text' | 'reference' | 'image';
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly max?: number;
  /** Several photos at once are possible. */
  readonly album?: true;
}

interface Following {
  /** Answers a button of a question, and may replace that message. */
  readonly replaces?: boolean;
  /** The draft whose question was answered in writing; its message is no longer needed. */
  readonly answers?: string;
}

export interface JobCard {
  readonly job: string;
  readonly view: View;
  readonly private: boolean;
  readonly again?: boolean;
}

/** The answer of a command or button, shown by the adapter. */
export type Reply =
  /**
   * A message. `private`: only for the caller, in another chat if necessary; `in-place`: only for the caller if the
   * platform can do that in the same chat, else for everybody.
   */
  | (Following & {
      readonly kind: 'message';
      readonly view: View;
      readonly private?: boolean | 'in-place';
      /** Shows a job, so it must not be a message that may vanish. */
      readonly lasting?: true;
    })
  /**
   * The card of an accepted job; the adapter then reports where it is (`desk.shown`). `again`: it may already be
   * visible, because sending was interrupted. `others`: those of an album, each a message of its own. `isShown`: only those
   * are to be shown, because this one is visible.
   */
  | (Following &
      JobCard & {
        readonly kind: 'card';
        readonly others?: readonly JobCard[];
        readonly isShown?: true;
      })
  /**
   * Replaces the message whose button was pressed. `moderated`: for a moderator of this place, so also where it cannot be seen
   * whether the message has the button.
   */
  | { readonly kind: 'replace'; readonly view: View; readonly moderated?: true }
  /**
   * Removes the message whose button was pressed. `erased`: the card itself is already removed, so remove only a
   * message that certainly shows the same.
   */
  | { readonly kind: 'remove'; readonly note: string; readonly erased?: true }
  /**
   * A short note to the presser; messages are unchanged. `known`: the event was answered before (`chat`: another person in
   * the chat was; `card`: its job's card is shown), so only a press that waits for an answer needs one. `notYours`: the button is another person's. `stale`:
   * the question or list is outdated, so the message may show this instead. `everybody`: it concerns the whole chat.
   */
  | {
      readonly kind: 'note';
      readonly text: string;
      readonly known?: true | 'chat' | 'card';
      readonly notYours?: true;
      readonly stale?: true;
      readonly everybody?: true;
    }
  /**
   * Something is missing. `view` asks the first question with buttons or a written answer; a platform with
   * forms may ask all `questions` at once. Answers come back through `desk.answer` with the draft's id.
   */
  | (Following & {
      readonly kind: 'ask';
      readonly draft: string;
      readonly questions: readonly [Question, ...Question[]];
      readonly view: View;
      readonly private: boolean;
      /** Only for the caller, if the platform can do that in the same chat. */
      readonly quiet?: true;
    });

/** What is shown while the answer takes long. */
export type Meanwhile = Extract<Reply, { kind: 'message' }>;

/** The cards that are to be shown, each a message of its own. */
export function cardsOf(reply: Extract<Reply, { kind: 'card' }>): readonly JobCard[] {
  const { others = [], isShown } = reply;
  return isShown ? others : [reply, ...others];
}

/** Information for the caller alone, if the platform can do that in the same chat. */
export const infoReply = (view: Omit<View, 'tone'>): Reply => ({
  kind: 'message',
  private: 'in-place',
  view: { tone: 'info', ...view },
});

export const note = (text: string): Reply => ({ kind: 'note', text });

/** Why nothing was done, for the caller alone in the same way. */
export const refusal = (...lines: readonly Line[]): Reply => ({
  kind: 'message',
  private: 'in-place',
  view: { tone: 'failed', lines },
});

/** Whether this reply completes the question. After a refusal it stays, to be answered differently. */
export function isNextStep(reply: Reply): reply is Extract<Reply, { kind: 'card' | 'ask' | 'message' }> {
  if (reply.kind === 'message') return reply.view.tone !== 'failed';
  return reply.kind === 'card' || reply.kind === 'ask';
}

/** The question is answered, so the next message may replace it. */
export const inPlace = (reply: Reply): Reply => (isNextStep(reply) ? { ...reply, replaces: true } : reply);

/**
 * The answer after this was shown meanwhile, whose place it takes, also if it is a refusal. What the person knows already is shown
 * nowhere: another press of the same button has been answered in that place.
 */
export function afterMeanwhile(reply: Reply, shown: Meanwhile | undefined): Reply {
  if (shown === undefined) return reply;
  const where = shown.replaces ? { replaces: true } : {};
  if (reply.kind === 'note' && reply.known === undefined) return { ...refusal(reply.text), ...where };
  return 'private' in reply || reply.kind === 'message' ? { ...reply, ...where } : reply;
}

/**
 * The outcome of an edit. `gone`: the message or our access to it no longer exists, so do not retry. `messageRemains`: the
 * message exists but may not show this. `later`: the platform asks us to wait; cosmetic edits may be dropped.
 * `unsent`: it certainly did not arrive. `refused`: the platform will never take this content; `reason`: for the log.
 */
export type Drawn =
  | { readonly state: 'drawn'; readonly card?: CardRef; readonly result?: PhotoRef }
  | { readonly state: 'gone'; readonly messageRemains?: true }
  | { readonly state: 'later'; readonly afterMs: number; readonly unsent?: true }
  | { readonly state: 'refused'; readonly reason: string };
