import type { Message, Update } from 'grammy/types';
import { defined } from '../../../base/defined.ts';
import { createKeyedQueue } from '../../../base/limits/keyed-queue.ts';
import { createEventLimiter } from '../../../command/desk/access/event-limiter.ts';
import { personKey, turnKey } from '../../../command/place.ts';
import type { Reply } from '../../../command/reply.ts';
import { headOf } from '../../../command/text/grammar.ts';
import type { TelegramParts } from '../api/api.ts';
import type { Migrations } from '../api/chat-migrations.ts';
import type { Answers } from '../outgoing/answers.ts';
import type { Ephemerals } from '../outgoing/ephemerals.ts';
import type { Questions } from '../outgoing/questions.ts';
import { type AlbumOptions, createAlbums, type Received } from './albums.ts';
import { type Claimed, Stopped } from './intake.ts';
import { createMemberships } from './memberships.ts';
import { createMessageReply, createWorking, type ReadMessage } from './message-reply.ts';
import { createNotes } from './notes.ts';
import { imagesNeededBy, openId, readMessages } from './parse.ts';
import type { People } from './people.ts';
import { createPresses } from './presses.ts';
import { createRetry } from './retry-until-done.ts';

/** A group gets 20 answers a minute: behind more than this, a person would wait for minutes. */
const INTAKE_LIMITS = { perPerson: 10, perChat: 30 };

/** Passes updates to the desk and shows its replies. */
export function createDispatch(
  options: TelegramParts &
    Pick<AlbumOptions, 'me' | 'look'> & {
      readonly questions: Questions;
      readonly answers: Answers;
      readonly ephemerals: Ephemerals;
      readonly migrations: Migrations;
      readonly people: People;
    },
) {
  const { answers, clock, desk, ephemerals, members, people } = options;
  const serially = createKeyedQueue();
  const imagesNeeded = imagesNeededBy(options.commands);
  const replyTo = createMessageReply(options);
  const notes = createNotes(options);
  const press = createPresses(options);
  const membership = createMemberships(options);
  const beginWorking = createWorking(options);
  const retryUntilDone = createRetry(options);
  const messageIntake = createEventLimiter(clock, INTAKE_LIMITS, 'chat');
  const pressIntake = createEventLimiter(clock, INTAKE_LIMITS, 'person');

  /** The returned function throws if others may handle them by now, because this process was taken for dead. */
  const createOwnership = (claimed: readonly Claimed[]) => (): void => {
    const isLost = claimed.some(({ member }) => member !== members.id());
    if (isLost || !members.isAlive()) throw new Stopped();
  };

  const answer = async (read: ReadMessage, event: string, items: readonly Received[]): Promise<void> => {
    const { place, ephemeral } = read;
    const origin = { place, replyTo: openId(read.source), ...defined({ ephemeral }) };
    const who = { person: personKey(read.caller), turn: turnKey(read.caller), chat: place.channel };
    const isRetaken = items.some((each) => each.isRetaken);
    const isNew = items.every((each) => each.isNew);
    const admission = messageIntake.enter(who, isRetaken);
    if ('refused' in admission) {
      if (!admission.tell) return;
      const { caller } = await desk.inLanguage(read);
      const why = options.words(caller.locale).busy[admission.refused];
      // Not retried: the next refusal is answered again.
      return await answers
        .show({ kind: 'message', view: { tone: 'failed', lines: [why] } }, { ...origin, caller, rare: true })
        .catch(() => undefined);
    }
    let reply: Reply | undefined;
    const assertOwn = createOwnership(items);
    const working = ephemeral && beginWorking({ ...read, ephemeral }, event, assertOwn);
    const attempt = async (): Promise<void> => {
      const incoming = await desk.inLanguage(read);
      reply ??= await replyTo(incoming, event, isNew);
      assertOwn();
      const shown = await working?.shown();
      if (reply !== undefined)
        await answers.show(reply, { ...origin, caller: incoming.caller, working: shown });
      await working?.over();
    };
    await serially(`${place.channel}:${read.caller.id}`, () => retryUntilDone(attempt)).finally(() => {
      working?.cancel();
      admission.leave();
    });
  };

  const read: AlbumOptions['read'] = (items, toUs = false) => {
    const order = ({ message_id: id, ephemeral_message_id: alone }: Message): number => alone ?? id;
    const messages = items.map(({ message }) => message).toSorted((a, b) => order(a) - order(b));
    const incoming = readMessages(messages, options.me(), imagesNeeded, toUs);
    if (incoming === undefined) return undefined;
    const { source } = incoming;
    const name = headOf(incoming.text)?.name;
    const command = options.commands.find((each) => each.name === name);
    return { ...incoming, line: () => people.resolve(incoming.text, source, command) };
  };

  const handle: AlbumOptions['handle'] = async (items, incoming) => {
    // The lowest id stays the same if Telegram delivers them again, in any order.
    if (incoming === undefined) return;
    const updates = items.map(({ update }) => update);
    await answer(incoming, `telegram:${Math.min(...updates)}`, items).finally(() =>
      notes.message(updates, incoming),
    );
  };

  const albums = createAlbums({ ...options, imagesNeeded, read, handle });

  /** Groups whose records are being moved, by their new id. */
  const moves = new Map<number, Promise<void>>();
  const follow = (from: number, to: number): Promise<void> => {
    const record = (): Promise<void> => options.migrations.record(from, to);
    const done = retryUntilDone(record).finally(() => {
      if (moves.get(to) === done) moves.delete(to);
    });
    moves.set(to, done);
    return done;
  };

  return {
    /** Whether there may be something to do. */
    concerns({ message, callback_query: query, my_chat_member: member }: Update): boolean {
      if (message === undefined) return (query ?? member) !== undefined;
      const { media_group_id: group, migrate_to_chat_id: to, migrate_from_chat_id: from, chat } = message;
      if (chat.type === 'private' || (group ?? to ?? from) !== undefined) return true;
      return readMessages([message], options.me(), imagesNeeded) !== undefined;
    },
    /** Resolves when the update was answered, or needs no answer. */
    async handle(update: Update, claim: Claimed): Promise<void> {
      const { message, callback_query: query, my_chat_member: member } = update;
      const isNews = (message?.migrate_to_chat_id ?? message?.migrate_from_chat_id) !== undefined;
      const move = isNews ? undefined : moves.get((message ?? query?.message ?? member)?.chat.id ?? 0);
      // Before that the group would be a stranger's: without its approval, blocks and settings.
      if (move !== undefined) await move.catch(() => undefined);
      if (member) {
        ephemerals.tryAgainIn(member.chat.id);
        const work = (): Promise<void> => retryUntilDone(() => membership(member));
        return await serially(`member:${member.chat.id}`, work);
      }
      if (query) {
        // Presses have their own queue: slow messages of the same person do not delay them.
        const person = String(query.from.id);
        const chat = String(query.message?.chat.id ?? query.chat_instance);
        const admission = pressIntake.enter({ person, chat }, claim.isRetaken);
        if ('refused' in admission) {
          const why = options.words(query.from.language_code ?? '').busy[admission.refused];
          return admission.tell ? await press.answer(query.id, why) : undefined;
        }
        const work = press.begin(update.update_id, query, createOwnership([claim]));
        await serially(`press:${chat}:${person}`, () => retryUntilDone(work)).finally(() => {
          admission.leave();
          return notes.press(update.update_id, query);
        });
        return;
      }
      if (message === undefined) return;
      const { migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
      if (to !== undefined || from !== undefined)
        return await follow(from ?? message.chat.id, to ?? message.chat.id);
      const received: Received = { ...claim, update: update.update_id, message };
      if (message.media_group_id !== undefined) return await albums.add(received, message.media_group_id);
      await handle([received], read([received]));
    },
    abandon: (): void => albums.abandon(new Stopped()),
  };
}
