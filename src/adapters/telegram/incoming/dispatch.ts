import type { Message, Update, User } from 'grammy/types';
import { createKeyedQueue } from '../../../base/limits/keyed-queue.ts';
import type { Members } from '../../../base/members/members.ts';
import type { Command } from '../../../command/command.ts';
import { createEventLimiter } from '../../../command/desk/access/event-limiter.ts';
import type { Reply } from '../../../command/reply.ts';
import type { AdapterOptions, Memberships } from '../../adapter.ts';
import type { Calls } from '../api/api.ts';
import type { Migrations } from '../api/chat-migrations.ts';
import { photosIn } from '../api/picture-refs.ts';
import { createReachable } from '../api/reachable.ts';
import type { Answers } from '../outgoing/answers.ts';
import type { Questions } from '../outgoing/questions.ts';
import { createAlbums } from './albums.ts';
import { Stopped } from './intake.ts';
import { createMemberships } from './memberships.ts';
import { type ImagesNeeded, type IncomingMessage, type Me, readMessages, typedCommand } from './parse.ts';
import type { People } from './people.ts';
import { createPresses } from './presses.ts';
import { retryUntilDone } from './retry-until-done.ts';

/** `line`: its text, with people's ids for their names. */
interface ReadMessage extends IncomingMessage {
  readonly line: () => Promise<string>;
}

type Received = {
  readonly update: number;
  readonly message: Message & { from?: User };
  readonly kept: boolean;
};

/** `short`: the album was closed with too few pictures for its command. */
type Closed = 'short' | 'full';

const CLOSED_ALBUM_MS = 3_600_000;

/** A group gets 20 answers a minute: behind more than this, a person would wait for minutes. */
const INTAKE_LIMITS = { perPerson: 10, perChat: 30 };

/** How many pictures each declared command can use. */
export function imagesNeededBy(commands: readonly Command[]): ImagesNeeded {
  return (name) => {
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
}

/** Passes updates to the desk and shows its replies. */
export function createDispatch(
  options: AdapterOptions & {
    readonly me: () => Me;
    readonly call: Calls;
    readonly answers: Answers;
    readonly migrations: Migrations;
    readonly questions: Questions;
    readonly people: People;
    readonly stop: AbortSignal;
    readonly memberships?: Memberships | undefined;
    readonly members: Members;
    /** Begins with updates that other processes have received meanwhile. */
    readonly look: () => Promise<void>;
  },
) {
  const { desk, answers, clock, members, state, questions, people } = options;
  const serially = createKeyedQueue();
  const imagesNeeded = imagesNeededBy(options.commands);
  const press = createPresses(options);
  const membership = options.memberships && createMemberships(options.memberships);
  const retryOptions = { ...options, reachable: createReachable(options) };
  const messageIntake = createEventLimiter(clock, INTAKE_LIMITS, 'chat');
  const pressIntake = createEventLimiter(clock, INTAKE_LIMITS, 'person');

  /** The returned function throws if others may handle the update by now, because this process was taken for dead. */
  const createOwnership = (): (() => void) => {
    const member = members.id();
    return () => {
      if (!members.isAlive() || members.id() !== member) throw new Stopped();
    };
  };

  const runDesk = async (incoming: ReadMessage, event: string): Promise<Reply | undefined> => {
    const words = options.words(incoming.caller.locale);
    const refuse = (why: string): Reply => ({ kind: 'message', view: { tone: 'failed', lines: [why] } });
    const { caller, place, photos } = incoming;
    try {
      // The text after /start comes from a link that anybody could have made.
      const text = /^\/start(\s|$)/.test(incoming.text) ? '/help' : await incoming.line();
      if (incoming.tooLarge) return (await desk.turnAway(incoming)) ?? refuse(words.telegram.tooLarge);
      if (incoming.otherKind)
        return (await desk.turnAway(incoming)) ?? refuse(words.failure['photo-invalid']);
      if (place.direct && !text.startsWith('/')) {
        const elsewhere = await questions.place(caller);
        const reply = elsewhere && (await desk.text({ event, caller, place: elsewhere, text, photos }));
        // After a further question or an error they answer here again.
        const isOver = reply?.kind !== 'ask' && !(reply?.kind === 'message' && reply.view.tone === 'failed');
        if (reply && isOver) await questions.placeOver(caller);
        if (reply) return reply;
      }
      const reply = await desk.text({ event, caller, place, text, photos });
      // In a private chat every message is for the bot.
      if (reply === undefined && place.direct && text !== '')
        return { kind: 'message', view: { tone: 'info', lines: [words.notes.hint] } };
      return reply;
    } catch (error) {
      options.log.error({ err: error, event }, 'handling a command failed');
      return refuse(words.somethingBroke);
    }
  };

  const answer = async (incoming: ReadMessage, event: string, kept: boolean): Promise<void> => {
    const { caller, place } = incoming;
    const origin = { caller, place, replyTo: incoming.message };
    const admission = messageIntake.enter({ person: caller.id, chat: place.channel }, kept);
    if ('refused' in admission) {
      if (!admission.tell) return;
      const why = options.words(caller.locale).busy[admission.refused];
      // Not retried: the next refusal is answered again.
      return await answers
        .show({ kind: 'message', view: { tone: 'failed', lines: [why] } }, { ...origin, rare: true })
        .catch(() => undefined);
    }
    let reply: Reply | undefined;
    const assertOwn = createOwnership();
    const attempt = async (): Promise<void> => {
      reply ??= await runDesk(incoming, event);
      assertOwn();
      if (reply !== undefined) await answers.show(reply, origin);
    };
    await serially(`${place.channel}:${caller.id}`, () => retryUntilDone(attempt, retryOptions)).finally(
      admission.leave,
    );
  };

  /** `toUs`: known to be for the bot. */
  const read = (items: readonly Received[], toUs = false): ReadMessage | undefined => {
    const messages = items.map(({ message }) => message).toSorted((a, b) => a.message_id - b.message_id);
    const incoming = readMessages(messages, options.me(), imagesNeeded, toUs);
    const source = messages.find((message) => message.message_id === incoming?.message);
    if (incoming === undefined || source === undefined) return undefined;
    if (source.from) people.meet(source.from);
    const name = /^\/(\w+)/.exec(incoming.text)?.[1];
    const command = options.commands.find((each) => each.name === name);
    return { ...incoming, line: () => people.resolve(incoming.text, source, command) };
  };

  const handle = async (items: readonly Received[], incoming: ReadMessage | undefined): Promise<void> => {
    // The lowest id stays the same if Telegram delivers them again, in any order.
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
    // Albums can contain videos and files: only pictures count.
    const pictures = items.filter(({ message }) => photosIn(message).photos.length > 0).length;
    return typed === 'other' || pictures >= (imagesNeeded(typed.name) ?? 0);
  };

  /** A late picture can be the one that the bot has asked for meanwhile. */
  const handleLateAlbumPart = async (items: readonly Received[], closed: Closed): Promise<void> => {
    if (closed === 'short') for (const item of items) await handle([item], read([item], true));
  };

  const albumKey = (album: string): string => `telegram:album:${album}`;
  /** Albums being answered: their pictures that arrive meanwhile are late, not a new album. */
  const closing = new Map<string, { readonly done: Promise<void>; readonly as: Closed }>();
  const close = async (
    album: string,
    items: readonly Received[],
    incoming: ReadMessage | undefined,
    as: Closed,
  ): Promise<void> => {
    const closed = await state.get<Closed>(albumKey(album));
    if (closed !== undefined) return await handleLateAlbumPart(items, closed);
    await handle(items, incoming);
    // Only now: after a crash before this point the album is handled again.
    await state.set(albumKey(album), as, CLOSED_ALBUM_MS);
  };
  /** Reads of `albumKey` by pictures that are about to join an album. */
  const joining = new Set<Promise<unknown>>();
  const closedAs = (album: string): Promise<Closed | undefined> => {
    const read = state.get<Closed>(albumKey(album));
    joining.add(read);
    const over = (): void => void joining.delete(read);
    read.then(over, over);
    return read;
  };
  const albums = createAlbums<Received>({
    clock,
    async look() {
      await options.look();
      await Promise.allSettled(joining);
    },
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
    const closed = await closedAs(album);
    if (closed !== undefined) return await handleLateAlbumPart([received], closed);
    const underway = closing.get(album);
    if (underway === undefined) return await albums.add(received.message.chat.id, album, received);
    // A complete album needs no more pictures, so this one does not wait for it.
    if (underway.as === 'full') return;
    await underway.done;
    return await handleAlbumPart(received, group);
  };

  /** Groups whose records are being moved, by their new id. */
  const moves = new Map<number, Promise<void>>();
  const follow = (from: number, to: number): Promise<void> => {
    const record = (): Promise<void> => options.migrations.record(from, to);
    const done = retryUntilDone(record, retryOptions).finally(() => {
      if (moves.get(to) === done) moves.delete(to);
    });
    moves.set(to, done);
    return done;
  };

  return {
    /** Whether there may be something to do. */
    concerns({ update_id: update, message, callback_query: query, my_chat_member: member }: Update): boolean {
      if (message === undefined) return (query ?? member) !== undefined;
      const { media_group_id: group, migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
      return (group ?? to ?? from) !== undefined || read([{ update, message, kept: false }]) !== undefined;
    },
    /** Resolves when the update was answered, or needs no answer. */
    async handle(update: Update, kept: boolean): Promise<void> {
      const { message, callback_query: query, my_chat_member: member } = update;
      const isNews = (message?.migrate_to_chat_id ?? message?.migrate_from_chat_id) !== undefined;
      const move = isNews ? undefined : moves.get((message ?? query?.message ?? member)?.chat.id ?? 0);
      // Before that the group would be a stranger's: without its approval, blocks and settings.
      if (move !== undefined) await move.catch(() => undefined);
      if (member && membership) {
        const work = (): Promise<void> => retryUntilDone(() => membership(member), retryOptions);
        return await serially(`member:${member.chat.id}`, work);
      }
      if (query) {
        // Presses have their own queue: slow messages of the same person do not delay them.
        const person = String(query.from.id);
        const chat = String(query.message?.chat.id ?? query.chat_instance);
        const admission = pressIntake.enter({ person, chat }, kept);
        if ('refused' in admission) {
          const why = options.words(query.from.language_code ?? 'en').busy[admission.refused];
          return admission.tell ? await press.answer(query.id, why) : undefined;
        }
        const work = press.begin(update.update_id, query, createOwnership());
        return await serially(`press:${chat}:${person}`, () => retryUntilDone(work, retryOptions)).finally(
          admission.leave,
        );
      }
      if (message === undefined) return;
      const { migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
      if (to !== undefined || from !== undefined)
        return await follow(from ?? message.chat.id, to ?? message.chat.id);
      const received: Received = { update: update.update_id, message, kept };
      if (message.media_group_id !== undefined)
        return await handleAlbumPart(received, message.media_group_id);
      await handle([received], read([received]));
    },
    abandon: (): void => albums.abandon(new Stopped()),
  };
}
