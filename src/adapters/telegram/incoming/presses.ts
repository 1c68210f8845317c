import type { CallbackQuery } from 'grammy/types';
import type { Clock } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import type { Desk } from '../../../command/desk.ts';
import type { Caller } from '../../../command/place.ts';
import type { Reply } from '../../../command/reply.ts';
import type { Log } from '../../../log/log.ts';
import type { Words } from '../../../words/words.ts';
import type { Calls } from '../api/api.ts';
import { type Card, cardRef } from '../api/refs.ts';
import type { Answers } from '../outgoing/answers.ts';
import { cutTo } from '../outgoing/render.ts';
import { createClicker } from './clicker.ts';
import { placeOf } from './parse.ts';

/** Telegram shows a spinner on the button until it is answered, and forgets the press after a few seconds. */
const patienceMs = 1_500;
const noteLimit = 200;
/** Longer ones vanish before they can be read: they get a window with a button. */
const readableNote = 60;

/** The command that the pressed message answers to: what follows answers to it as well. */
const commandOf = (message: NonNullable<CallbackQuery['message']>): number | undefined =>
  'reply_to_message' in message ? message.reply_to_message?.message_id : undefined;

/**
 * Whether the pressed button stands in the message. Telegram passes on what a client says was pressed: a made-up press must
 * not change somebody else's message. Of a message that is too old Telegram shows nothing.
 */
const buttonIn = (
  message: NonNullable<CallbackQuery['message']>,
  data: string,
): 'there' | 'missing' | 'unknown' => {
  if (message.date === 0) return 'unknown';
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
  return buttons.some((each) => 'callback_data' in each && each.callback_data === data) ? 'there' : 'missing';
};

/** `begin`: one press of one button, ready to be tried several times. `answer`: only a note to the one who pressed. */
export const createPresses = (options: {
  readonly call: Calls;
  readonly clock: Clock;
  readonly desk: Desk;
  readonly answers: Answers;
  readonly log: Log;
  readonly words: (locale: string) => Words;
}) => {
  const { call, clock, desk, answers } = options;
  const presser = createClicker(options);

  const answer = async (query: string, text?: string): Promise<void> => {
    const note =
      text === undefined
        ? {}
        : {
            text: cutTo(text, noteLimit),
            show_alert: text.length > readableNote,
          };
    // Too late or lost, the press itself counts all the same.
    await call('answerCallbackQuery', (raw, signal) =>
      raw.answerCallbackQuery({ callback_query_id: query, ...note }, signal),
    ).catch(() => undefined);
  };

  const begin = (update: number, query: CallbackQuery): (() => Promise<void>) => {
    let answered = false;
    const acknowledge = async (text?: string): Promise<void> => {
      if (answered) return;
      answered = true;
      await answer(query.id, text);
    };
    let reply: Reply | undefined;
    let shown = false;
    return async () => {
      if (shown) return;
      const words = options.words(query.from.language_code ?? 'en');
      const { message, data } = query;
      if (message === undefined || data === undefined) return await acknowledge(words.telegram.oldMessage);
      const cancel = clock.after(patienceMs, () => void acknowledge());
      try {
        const { caller, forChannel } = await presser(query);
        const topic =
          'is_topic_message' in message && message.is_topic_message ? message.message_thread_id : undefined;
        const place = placeOf(message.chat, query.from.id, topic);
        const button = buttonIn(message, data);
        const pressed: Card = {
          chat: message.chat.id,
          message: message.message_id,
          ...defined({ thread: topic }),
          media: 'photo' in message || 'video' in message || 'document' in message,
        };
        const pressAs = (caller: Caller): Promise<Reply> =>
          desk
            .press({
              event: `telegram:${update}`,
              caller,
              place,
              action: data.slice(0, 64),
              ...(button === 'there' ? { pressed: cardRef(pressed) } : {}),
            })
            .catch((error: unknown): Reply => {
              options.log.error({ err: error, update }, 'handling a button failed');
              return { kind: 'note', text: words.somethingBroke };
            });
        reply ??= await pressAs(caller);
        if (forChannel && reply.kind === 'note' && reply.notYours) {
          const channel = await forChannel();
          reply = channel ? await pressAs(channel) : { ...reply, text: words.telegram.asChannel };
        }
        // A private chat is the presser's own; of a job whose record has gone the desk has judged the place.
        const judged = place.direct || (reply.kind === 'remove' && reply.erased === undefined);
        const mayChange = button === 'there' || (button === 'unknown' && judged);
        if (reply.kind === 'replace' && !mayChange) reply = { kind: 'note', text: words.press.stale };
        if (reply.kind === 'note') {
          if (answered) await answers.show(reply, { caller, place });
          else await acknowledge(reply.text);
        } else {
          const done = acknowledge(reply.kind === 'remove' ? reply.note : undefined);
          const own = mayChange ? { pressed } : {};
          await answers.show(reply, { caller, place, ...own, replyTo: commandOf(message) });
          await done;
        }
        shown = true;
      } finally {
        cancel();
      }
    };
  };

  return { begin, answer };
};
