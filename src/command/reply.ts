import type { View } from './view.ts';

/** A missing option that is asked for. */
export interface Question {
  readonly option: string;
  readonly label: string;
  readonly kind: 'choice' | 'text' | 'reference' | 'image';
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly max?: number;
}

/**
 * The answer of a command or button, shown by the adapter. `replaces`: answers a button of a question, and may replace
 * that message. `answers`: the draft whose question was answered in writing; its message is no longer needed.
 */
export type Reply =
  /**
   * A message. `private`: only for the caller, in another chat if necessary; `in-place`: only for the caller if the
   * platform can do that in the same chat, else for everybody.
   */
  | {
      readonly kind: 'message';
      readonly view: View;
      readonly private?: boolean | 'in-place';
      readonly replaces?: boolean;
      readonly answers?: string;
    }
  /**
   * The card of an accepted job; the adapter then reports where it is (`desk.shown`). `again`: it may already be
   * visible, because sending was interrupted.
   */
  | {
      readonly kind: 'card';
      readonly again?: boolean;
      readonly job: string;
      readonly view: View;
      readonly private: boolean;
      readonly replaces?: boolean;
      readonly answers?: string;
    }
  /** Replaces the message whose button was pressed. */
  | { readonly kind: 'replace'; readonly view: View }
  /**
   * Removes the message whose button was pressed. `erased`: the card itself is already removed, so remove only a
   * message that certainly shows the same.
   */
  | { readonly kind: 'remove'; readonly note: string; readonly erased?: true }
  /**
   * A short note to the presser; messages are unchanged. `known`: the event was answered before, so only a press that
   * waits for an answer needs one. `notYours`: the button belongs to somebody else. `stale`: the question or list is
   * outdated, so the message may show this instead.
   */
  | {
      readonly kind: 'note';
      readonly text: string;
      readonly known?: true;
      readonly notYours?: true;
      readonly stale?: true;
    }
  /**
   * Something is missing. `view` asks the first question with buttons or a written answer; a platform with
   * forms may ask all `questions` at once. Answers come back through `desk.answer` with the draft's id.
   */
  | {
      readonly kind: 'ask';
      readonly draft: string;
      readonly questions: readonly [Question, ...Question[]];
      readonly view: View;
      readonly private: boolean;
      /** Only for the caller, if the platform can do that in the same chat. */
      readonly quiet?: true;
      readonly replaces?: boolean;
      readonly answers?: string;
    };

/** Information for the caller alone, if the platform can do that in the same chat. */
export function infoReply(view: Omit<View, 'tone'>): Reply {
  return { kind: 'message', private: 'in-place', view: { tone: 'info', ...view } };
}

/** A refusal: the question stays, to be answered differently. */
function isRefusal(reply: Reply): boolean {
  return reply.kind === 'message' && reply.view.tone === 'failed';
}

/** Whether this reply completes the question. */
export function isNextStep(reply: Reply): reply is Extract<Reply, { kind: 'card' | 'ask' | 'message' }> {
  return reply.kind === 'card' || reply.kind === 'ask' || (reply.kind === 'message' && !isRefusal(reply));
}
