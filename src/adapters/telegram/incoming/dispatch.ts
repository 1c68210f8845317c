import type { Message, Update, User } from 'grammy/types';
import type { Clock } from '../../../base/clock.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import { createKeyedQueue } from '../../../base/keyed-queue.ts';
import type { Command } from '../../../command/command.ts';
import { createInHand } from '../../../command/desk/intake-limits.ts';
import type { Desk } from '../../../command/desk.ts';
import type { Reply } from '../../../command/reply.ts';
import type { Log } from '../../../log/log.ts';
import type { Words } from '../../../words/words.ts';
import type { Calls } from '../api/api.ts';
import type { Migrations } from '../api/chat-migrations.ts';
import { photosIn } from '../api/picture-refs.ts';
import { createReachable } from '../api/reachable.ts';
import type { Answers } from '../outgoing/answers.ts';
import type { Questions } from '../outgoing/questions.ts';
import { type Albums, createAlbums } from './albums.ts';
import { Stopped } from './intake.ts';
import { type ImagesNeeded, type IncomingMessage, type Me, readMessages, typedCommand } from './parse.ts';
import type { People } from './people.ts';
import { createPresses } from './presses.ts';
import { retryUntilDone } from './retry-until-done.ts';

type Received = {
  readonly update: number;
  readonly message: Message & { from?: User };
  readonly kept: boolean;
};

/** An album that lacked pictures when it was taken as complete, or one that had all it needed. */
type Closed = 'short' | 'full';

const albumMemoryMs = 3_600_000;

/** A group gets 20 answers a minute: whoever comes after more than this many would wait for minutes. */
const inHandLimits = { perPerson: 10, perChat: 30 };

/** From the declarations: how many pictures a command can use. */
export const imagesNeededBy =
  (commands: readonly Command[]): ImagesNeeded =>
  (name) => {
    if (name === 'start') return 0;
    const command = commands.find((each) => each.name === name);
    if (command === undefined) return undefined;
    const actions = [
      ...(command.action ? [command.action] : []),
      ...Object.values(command.subcommands ?? {}),
    ];
    const images = actions.map(
      (action) => Object.values(action.options).filter((option) => option.kind === 'image').length,
    );
    return Math.max(0, ...images);
  };

export interface Dispatch {
  /** Settles when the update has been answered, or needs no answer. */
  handle(update: Update, kept: boolean): Promise<void>;
  abandon(): void;
}

/** What happened, to the desk; what the desk says, into the chat. */
export const createDispatch = (options: {
  readonly me: () => Me;
  readonly commands: readonly Command[];
  readonly call: Calls;
  readonly clock: Clock;
  readonly desk: Desk;
  readonly answers: Answers;
  readonly migrations: Migrations;
  readonly questions: Questions;
  readonly people: People;
  readonly state: KeyValue;
  readonly log: Log;
  readonly words: (locale: string) => Words;
  readonly stop: AbortSignal;
}): Dispatch => {
  const { desk, answers, clock, state, questions, people } = options;
  const serially = createKeyedQueue();
  const imagesNeeded = imagesNeededBy(options.commands);
  const press = createPresses(options);
  const persistence = { ...options, reachable: createReachable(options) };
  const messagesInHand = createInHand(clock, inHandLimits, 'chat');
  const pressesInHand = createInHand(clock, inHandLimits, 'person');

  const tellDesk = async (incoming: IncomingMessage, event: string): Promise<Reply | undefined> => {
    const words = options.words(incoming.caller.locale);
    const refuse = (why: string): Reply => ({ kind: 'message', view: { tone: 'failed', lines: [why] } });
    // What follows /start came out of a link that anyone could have made.
    const text = /^\/start(\s|$)/.test(incoming.text) ? '/help' : incoming.text;
    const { caller, place, photos } = incoming;
    try {
      if (incoming.tooLarge) return (await desk.turnAway(incoming)) ?? refuse(words.telegram.tooLarge);
      if (incoming.otherKind) return refuse(words.failure['photo-invalid']);
      if (place.direct && !text.startsWith('/')) {
        const elsewhere = await questions.place(caller);
        const reply = elsewhere && (await desk.text({ event, caller, place: elsewhere, text, photos }));
        // Asked for more, or told what was wrong, they answer here once more.
        const isOver = reply?.kind !== 'ask' && !(reply?.kind === 'message' && reply.view.tone === 'failed');
        if (reply && isOver) await questions.placeOver(caller);
        if (reply) return reply;
      }
      const reply = await desk.text({ event, caller, place, text, photos });
      // Somebody who speaks to a bot alone means the bot.
      if (reply === undefined && place.direct && text !== '')
        return { kind: 'message', view: { tone: 'info', lines: [words.notes.hint] } };
      return reply;
    } catch (error) {
      options.log.error({ err: error, event }, 'handling a command failed');
      return refuse(words.somethingBroke);
    }
  };

  const answer = async (incoming: IncomingMessage, event: string, kept: boolean): Promise<void> => {
    const { caller, place } = incoming;
    const origin = { caller, place, replyTo: incoming.message };
    const admission = messagesInHand.enter({ person: caller.id, chat: place.channel }, kept);
    if ('refused' in admission) {
      if (!admission.tell) return;
      const why = options.words(caller.locale).busy[admission.refused];
      // Not worth trying again: the next one that is refused is told again.
      return await answers
        .show({ kind: 'message', view: { tone: 'failed', lines: [why] } }, { ...origin, rare: true })
        .catch(() => undefined);
    }
    let reply: Reply | undefined;
    const attempt = async (): Promise<void> => {
      reply ??= await tellDesk(incoming, event);
      if (reply !== undefined) await answers.show(reply, origin);
    };
    await serially(`${place.channel}:${caller.id}`, () => retryUntilDone(attempt, persistence)).finally(
      admission.leave,
    );
  };

  /** `toUs`: what came before shows that this is said to us. */
  const read = (items: readonly Received[], toUs = false): IncomingMessage | undefined => {
    const messages = items.map(({ message }) => message).toSorted((a, b) => a.message_id - b.message_id);
    const incoming = readMessages(messages, options.me(), imagesNeeded, toUs);
    const source = messages.find((message) => message.message_id === incoming?.message);
    if (incoming === undefined || source === undefined) return undefined;
    if (source.from) people.meet(source.from);
    const name = /^\/(\w+)/.exec(incoming.text)?.[1];
    const command = options.commands.find((each) => each.name === name);
    return { ...incoming, text: people.resolve(incoming.text, source, command) };
  };

  const handle = async (items: readonly Received[], incoming: IncomingMessage | undefined): Promise<void> => {
    // The lowest number: the same whichever of them Telegram delivers again, and in which order.
    if (incoming === undefined) return;
    const event = `telegram:${Math.min(...items.map(({ update }) => update))}`;
    await answer(
      incoming,
      event,
      items.some(({ kept }) => kept),
    );
  };

  const commandIn = (items: readonly Received[]) =>
    items.map(({ message }) => typedCommand(message.caption ?? '', options.me())).find(Boolean);

  const isEnough = (items: readonly Received[]): boolean => {
    const typed = commandIn(items);
    if (typed === undefined) return false;
    // Videos and other files lie in albums, too: only pictures count.
    const pictures = items.filter(({ message }) => photosIn(message).photos.length > 0).length;
    return typed === 'other' || pictures >= (imagesNeeded(typed.name) ?? 0);
  };

  /** One that comes after its album was closed can still be the picture that was then asked for. */
  const handleLateAlbumPart = async (items: readonly Received[], closed: Closed): Promise<void> => {
    if (closed === 'short') for (const item of items) await handle([item], read([item], true));
  };

  const memoryOf = (album: string): string => `telegram:album:${album}`;
  /** Albums that are being answered: it can take long, and what comes of them meanwhile is late, not another album. */
  const closing = new Map<string, { readonly done: Promise<void>; readonly as: Closed }>();
  const close = async (
    album: string,
    items: readonly Received[],
    incoming: IncomingMessage | undefined,
    as: Closed,
  ): Promise<void> => {
    const closed = await state.get<Closed>(memoryOf(album));
    if (closed !== undefined) return await handleLateAlbumPart(items, closed);
    await handle(items, incoming);
    // Only now: before this point a crash must find the album as new as it was.
    await state.set(memoryOf(album), as, albumMemoryMs);
  };
  const albums: Albums<Received> = createAlbums({
    clock,
    enough: isEnough,
    complete(album, items) {
      const incoming = read(items);
      const as = incoming === undefined || isEnough(items) ? 'full' : 'short';
      const done = close(album, items, incoming, as).finally(() => closing.delete(album));
      closing.set(album, { done, as });
      return done;
    },
  });

  const handleAlbumPart = async (received: Received, group: string): Promise<void> => {
    const album = `${received.message.chat.id}:${group}`;
    const closed = await state.get<Closed>(memoryOf(album));
    if (closed !== undefined) return await handleLateAlbumPart([received], closed);
    const underway = closing.get(album);
    if (underway === undefined) return await albums.add(received.message.chat.id, album, received);
    // Nothing that comes late is of use to it: it does not stay in hand until the album is answered.
    if (underway.as === 'full') return;
    await underway.done;
    return await handleAlbumPart(received, group);
  };

  return {
    async handle(update, kept) {
      const { message, callback_query: query } = update;
      if (query) {
        // Apart from what the same person writes: a press is answered at once, whatever else is slow.
        const person = String(query.from.id);
        const chat = String(query.message?.chat.id ?? query.chat_instance);
        const admission = pressesInHand.enter({ person, chat }, kept);
        if ('refused' in admission) {
          const why = options.words(query.from.language_code ?? 'en').busy[admission.refused];
          return admission.tell ? await press.answer(query.id, why) : undefined;
        }
        const work = press.begin(update.update_id, query);
        return await serially(`press:${chat}:${person}`, () => retryUntilDone(work, persistence)).finally(
          admission.leave,
        );
      }
      if (message === undefined) return;
      if (message.migrate_to_chat_id !== undefined)
        return await options.migrations.record(message.chat.id, message.migrate_to_chat_id);
      if (message.migrate_from_chat_id !== undefined)
        return await options.migrations.record(message.migrate_from_chat_id, message.chat.id);
      const received: Received = { update: update.update_id, message, kept };
      if (message.media_group_id !== undefined)
        return await handleAlbumPart(received, message.media_group_id);
      await handle([received], read([received]));
    },
    abandon: () => albums.abandon(new Stopped()),
  };
};
