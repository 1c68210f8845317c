import { shorten } from '../../command/shorten.ts';
import type { View } from '../../command/view.ts';
import { keepLatest } from '../../keep-latest.ts';
import type { Words } from '../../words/words.ts';
import type { Chat } from './chat.ts';
import { type Origin, replying } from './origin.ts';
import type { Card, Spot } from './refs.ts';

/** In a group a bot hears only answers to its own messages: the person's client is made to give one. */
export interface Prompts {
  send(origin: Origin, spot: Spot, view: View): Promise<Card>;
  /** For a question that has buttons of its own, which a message of this kind cannot have. */
  sendBeside(question: Card, origin: Origin, spot: Spot): Promise<void>;
  /** A button answered the question: what was sent beside it goes. */
  clear(question: Card, locale: string): void;
}

const mostBesides = 1_000;
const idOf = ({ chat, message }: Card): string => `${chat}:${message}`;

export const createPrompts = (options: {
  readonly chat: Chat;
  readonly words: (locale: string) => Words;
}): Prompts => {
  const { chat, words } = options;
  const besides = new Map<string, Card>();

  const send: Prompts['send'] = async (origin, spot, view) => {
    const person = Number(origin.caller.id);
    const markup = { force_reply: true, selective: true } as const;
    // Selective means: whoever wrote the message that is answered to, or is named in the text.
    const named = origin.pressed !== undefined && Number.isSafeInteger(person);
    const mention = { id: person, name: shorten(origin.caller.name, 60) };
    const to = named ? { mention } : replying(origin);
    return (await chat.send(spot, view, { ...to, markup })).card;
  };

  return {
    send,
    async sendBeside(question, origin, spot) {
      const line = words(origin.caller.locale).telegram.answerHere;
      besides.set(idOf(question), await send(origin, spot, { tone: 'ask', lines: [line] }));
      keepLatest(besides, mostBesides);
    },
    clear(question, locale) {
      const beside = besides.get(idOf(question));
      if (beside === undefined) return;
      besides.delete(idOf(question));
      // A courtesy: nothing waits for it.
      void chat.remove(beside, words(locale).telegram.removed).catch(() => undefined);
    },
  };
};
