import { shorten } from '../../../command/shorten.ts';
import type { View } from '../../../command/view.ts';
import type { Words } from '../../../words/words.ts';
import type { Card, Destination } from '../api/refs.ts';
import type { Chat } from './chat.ts';
import { type Origin, replying, sharing } from './reply-origin.ts';

/** In a group a bot receives only replies to its messages: `force_reply` opens one in the person's client. */
export function createPrompts({
  chat,
  words,
}: {
  readonly chat: Chat;
  readonly words: (locale: string) => Words;
}) {
  const send = async (origin: Origin, destination: Destination, view: View): Promise<Card> => {
    const person = Number(origin.caller.id);
    const markup = { force_reply: true, selective: true } as const;
    // Selective: for the author of the message replied to, and for people mentioned in the text.
    const named = origin.pressed !== undefined && Number.isSafeInteger(person);
    const mention = { id: person, name: shorten(origin.caller.name, 60) };
    const to = named ? { mention } : replying(origin);
    return (await chat.send(destination, view, { ...to, ...sharing(origin), markup })).card;
  };

  return {
    send,
    /** For a question with buttons, which a message with `force_reply` cannot have. */
    sendBeside: (origin: Origin, destination: Destination) =>
      send(origin, destination, { tone: 'ask', lines: [words(origin.caller.locale).telegram.answerHere] }),
  };
}
