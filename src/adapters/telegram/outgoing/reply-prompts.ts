import { shorten } from '../../../command/shorten.ts';
import type { View } from '../../../command/view.ts';
import type { Words } from '../../../words/words.ts';
import type { Card, Spot } from '../api/refs.ts';
import type { Chat } from './chat.ts';
import { type Origin, replying, sharing } from './reply-origin.ts';

/** In a group a bot hears only answers to its own messages: the person's client is made to give one. */
export interface Prompts {
  send(origin: Origin, spot: Spot, view: View): Promise<Card>;
  /** For a question that has buttons of its own, which a message of this kind cannot have. */
  sendBeside(origin: Origin, spot: Spot): Promise<Card>;
}

export const createPrompts = (options: {
  readonly chat: Chat;
  readonly words: (locale: string) => Words;
}): Prompts => {
  const { chat, words } = options;

  const send: Prompts['send'] = async (origin, spot, view) => {
    const person = Number(origin.caller.id);
    const markup = { force_reply: true, selective: true } as const;
    // Selective means: whoever wrote the message that is answered to, or is named in the text.
    const named = origin.pressed !== undefined && Number.isSafeInteger(person);
    const mention = { id: person, name: shorten(origin.caller.name, 60) };
    const to = named ? { mention } : replying(origin);
    return (await chat.send(spot, view, { ...to, ...sharing(origin), markup })).card;
  };

  return {
    send,
    sendBeside: (origin, spot) =>
      send(origin, spot, { tone: 'ask', lines: [words(origin.caller.locale).telegram.answerHere] }),
  };
};
