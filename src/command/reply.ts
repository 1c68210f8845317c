import type { View } from './view.ts';

/** One thing that is still to be asked before a command can run. */
export interface Question {
  readonly option: string;
  readonly label: string;
  readonly kind: 'choice' | 'text' | 'reference' | 'image';
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly max?: number;
}

/**
 * What a command or a button answers with. The adapter shows it; nothing else speaks to the person. `replaces`: it
 * answers a button of a message that only asked something, and may take that message's place. `answers`: the draft whose
 * question was answered in writing; the message that asked is over.
 */
export type Reply =
  /**
   * A message. `private`: for the caller's eyes alone, wherever that takes it; `in-place`: for theirs alone where the
   * platform can show it so in the same chat, and for everybody there otherwise.
   */
  | {
      readonly kind: 'message';
      readonly view: View;
      readonly private?: boolean | 'in-place';
      readonly replaces?: boolean;
      readonly answers?: string;
    }
  /**
   * The card of an accepted job: once it is shown, the adapter reports where (`desk.shown`). `again`: it may be
   * visible already, because something came in between.
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
   * Removes the message whose button was pressed. `erased`: the card itself has been taken out of the chat already, so that
   * only a message that certainly shows the same is meant.
   */
  | { readonly kind: 'remove'; readonly note: string; readonly erased?: true }
  /**
   * A short note to the one who pressed; the messages stay as they are. `known`: the event was answered before, as its
   * message shows, so only a press that waits for an answer needs one. `notYours`: the button is somebody else's. `stale`: what
   * the message asked or listed is over, so it may show this instead.
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
      /** Nothing for others: the caller alone sees it where the platform can show it so in the same chat. */
      readonly quiet?: true;
      readonly replaces?: boolean;
      readonly answers?: string;
    };

/** It cannot go on like this: the question stays, to be answered otherwise or later. */
const isRefusal = (reply: Reply): boolean => reply.kind === 'message' && reply.view.tone === 'failed';

/** Whether what was asked has been answered with this. */
export const isNextStep = (reply: Reply): reply is Extract<Reply, { kind: 'card' | 'ask' | 'message' }> =>
  reply.kind === 'card' || reply.kind === 'ask' || (reply.kind === 'message' && !isRefusal(reply));
