import type { Message } from 'grammy/types';
import { defined } from '../../../base/defined.ts';
import { createKeyedQueue } from '../../../base/limits/keyed-queue.ts';
import { createEventLimiter } from '../../../command/desk/access/event-limiter.ts';
import { personKey, turnKey } from '../../../command/place.ts';
import type { Reply } from '../../../command/reply.ts';
import { headOf } from '../../../command/text/grammar.ts';
import { wordsFor } from '../../../words/words.ts';
import type { TelegramDependencies } from '../api/options.ts';
import type { Answers } from '../outgoing/answers.ts';
import type { Ephemerals } from '../outgoing/ephemerals.ts';
import type { Questions } from '../outgoing/questions.ts';
import type { Ways } from '../outgoing/ways.ts';
import type { MessageContext } from './context.ts';
import { EVENT_LIMITS } from './event-limits.ts';
import { createMessageReply, createWorking, type ReadMessage } from './message-reply.ts';
import type { People } from './people.ts';
import { type ImagesNeeded, readMessages, replyableId } from './read-message.ts';
import type { RetryUntilDone } from './retry-until-done.ts';
import type { SenderNotes } from './sender-notes.ts';
import { createStopIfTakenOver } from './stop-if-taken-over.ts';

/** Handles messages and albums: passes them to the desk and shows its replies. */
export function createMessages(
  options: TelegramDependencies & {
    readonly answers: Answers;
    readonly ephemerals: Ephemerals;
    readonly imagesNeeded: ImagesNeeded;
    readonly notes: SenderNotes;
    readonly people: People;
    readonly questions: Questions;
    readonly retryUntilDone: RetryUntilDone;
    readonly ways: Ways;
  },
) {
  const { answers, clock, desk, imagesNeeded, notes, people, retryUntilDone } = options;
  const serially = createKeyedQueue();
  const replyTo = createMessageReply(options);
  const beginWorking = createWorking(options);
  const limiter = createEventLimiter(clock, EVENT_LIMITS, 'chat');
  const ownershipOf = createStopIfTakenOver(options.members);

  /** Asks the desk within the event limits, shows its reply, and returns the reply that was shown. */
  const passToDesk = async (
    read: ReadMessage,
    event: string,
    items: readonly MessageContext[],
  ): Promise<Reply | undefined> => {
    const { place, ephemeral } = read;
    const origin = { place, replyTo: replyableId(read.source), ...defined({ ephemeral }) };
    const who = { person: personKey(read.caller), turn: turnKey(read.caller), chat: place.channel };
    const isRetaken = items.some(({ claim }) => claim.isRetaken);
    const isNew = items.every(({ claim }) => claim.isNew);
    const admission = limiter.enter(who, isRetaken);
    if ('refused' in admission) {
      if (!admission.tell) return undefined;
      const { caller } = await desk.inLanguage(read);
      const why = wordsFor(caller.locale).busy[admission.refused];
      // A failure is ignored, because the next refusal is answered again.
      await answers
        .show(
          { kind: 'message', audience: 'everyone', view: { tone: 'failed', lines: [why] } },
          { ...origin, caller, rare: true },
        )
        .catch(() => undefined);
      return undefined;
    }
    let reply: Reply | undefined;
    const assertOwn = ownershipOf(items);
    const working = beginWorking({ ...origin, caller: read.caller }, event, !isNew, assertOwn);
    if (ephemeral !== undefined) working.announceSoon();
    const attempt = async (): Promise<void> => {
      const incoming = await desk.inLanguage(read);
      reply ??= await replyTo(incoming, event, isNew, working.say);
      assertOwn();
      const shown = await working.shown();
      if (reply !== undefined)
        await answers.show(reply, { ...origin, caller: incoming.caller, working: shown });
      await working.forget();
    };
    await serially(`${place.channel}:${read.caller.id}`, () => retryUntilDone(attempt)).finally(() => {
      working.cancel();
      admission.leave();
    });
    return reply;
  };

  const messages = {
    /** Reads a message, or all messages of an album. `toUs`: the message is known to be for the bot. */
    read(items: readonly MessageContext[], toUs = false): ReadMessage | undefined {
      const order = ({ message_id: id, ephemeral_message_id: alone }: Message): number => alone ?? id;
      const sorted = items.toSorted((a, b) => order(a.message) - order(b.message));
      const [first] = sorted;
      if (first === undefined) return undefined;
      const messages = sorted.map(({ message }) => message);
      const content = readMessages(messages, first.me, imagesNeeded, toUs);
      if (content === undefined) return undefined;
      const { text, source } = content;
      const name = headOf(text)?.name;
      const command = options.commands.find((each) => each.name === name);
      const line = () => people.resolve(text, source, command);
      return { ...content, caller: first.caller, place: first.place, line };
    },
    /** Handles messages as one event. `incoming` is undefined if they are not for the bot. */
    async handle(items: readonly MessageContext[], incoming: ReadMessage | undefined): Promise<void> {
      if (incoming === undefined) return;
      // The event has the lowest id, which stays the same if Telegram delivers the messages again in any order.
      const updates = items.map(({ update }) => update.update_id);
      let shown: Reply | undefined;
      try {
        shown = await passToDesk(incoming, `telegram:${Math.min(...updates)}`, items);
      } finally {
        await notes.message(updates, incoming, shown);
      }
    },
    /** Handles a message that is not part of an album. */
    answer: (ctx: MessageContext): Promise<void> => messages.handle([ctx], messages.read([ctx])),
  };
  return messages;
}

export type Messages = ReturnType<typeof createMessages>;
