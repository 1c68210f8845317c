import { takesAlbums } from '../../../command/option.ts';
import { MOST_PHOTOS } from '../../../command/photo.ts';
import type { TelegramDependencies } from '../api/options.ts';
import { photosIn } from '../api/refs.ts';
import type { AlbumContext, MessageContext } from './context.ts';
import type { ReadMessage } from './message-reply.ts';
import type { Messages } from './messages.ts';
import { type ImagesNeeded, typedCommand } from './read-message.ts';

/**
 * An album counts as complete after this time without a new message. Telegram sends the pictures of an album as separate
 * messages with one id, and tells neither how many they are nor which is the last.
 */
const IDLE_MS = 2_500;
/** An album counts as complete this long after its first message, even if more pictures keep coming. */
const LONGEST_MS = 10_000;
/** Telegram's limit for an album. */
const MOST_ITEMS = 10;
const MOST_ALBUMS = 1_000;
/** The limit for one chat, so that many albums there close only that chat's albums early. */
const MOST_PER_CHAT = 5;
const CLOSED_ALBUM_MS = 3_600_000;

/** How an album was closed; `short`: with too few pictures for its command. */
type Closed = 'short' | 'full';

interface AlbumOptions
  extends Pick<TelegramDependencies, 'clock' | 'commands' | 'inbox' | 'state'>,
    Pick<Messages, 'read' | 'handle'> {
  readonly imagesNeeded: ImagesNeeded;
  /** Claims updates that other processes have stored meanwhile. */
  readonly look: () => Promise<void>;
}

/** An album whose messages are being gathered. */
interface Gathering {
  readonly album: string;
  readonly chat: number;
  readonly items: MessageContext[];
  readonly done: PromiseWithResolvers<void>;
  cancelIdle(): void;
  cancelLongest(): void;
}

/** Gathers the messages of albums, so that each album is handled once, whenever its pictures arrive. */
export function createAlbums(options: AlbumOptions) {
  const { clock, inbox, state, imagesNeeded, read, handle } = options;
  const gathering = new Map<string, Gathering>();
  /** Albums that are being answered; a picture that arrives meanwhile is late, and begins no new album. */
  const closing = new Map<string, { readonly done: Promise<void>; readonly as: Closed }>();
  /** Reads of `albumKey` in progress, by messages that are about to join an album. */
  const joining = new Set<Promise<unknown>>();
  const albumKey = (album: string): string => `telegram:album:${album}`;

  /** Whether the album has the pictures that its command needs; with `most`, as many as the command can use. */
  const isEnough = (items: readonly MessageContext[], most: boolean): boolean => {
    const typed = items.map(({ message, me }) => typedCommand(message.caption ?? '', me)).find(Boolean);
    if (typed === undefined || typed === 'other') return typed === 'other';
    // Only pictures count, because albums can contain videos and files, too.
    const pictures = items.filter(({ message }) => photosIn(message).photos.length > 0).length;
    const action = options.commands.find(({ name }) => name === typed.name)?.action;
    if (action !== undefined && takesAlbums(action)) return pictures >= (most ? MOST_PHOTOS : 1);
    return pictures >= (imagesNeeded(typed.name) ?? 0);
  };

  /**
   * Handles pictures that arrive after their album was closed: after a short one, a picture may be the one that the bot has
   * asked for.
   */
  const handleLate = async (items: readonly MessageContext[], closed: Closed): Promise<void> => {
    if (closed === 'short') for (const item of items) await handle([item], read([item], true));
  };

  const close = async (
    album: string,
    items: readonly MessageContext[],
    incoming: ReadMessage | undefined,
    as: Closed,
  ): Promise<void> => {
    const closed = await state.get<Closed>(albumKey(album));
    if (closed !== undefined) return await handleLate(items, closed);
    await handle(items, incoming);
    // The album is noted as closed after its handling: after a crash in between it is handled again.
    await state.set(albumKey(album), as, CLOSED_ALBUM_MS);
    // The key of a private album contains the id of its person, who may have deleted their data meanwhile.
    const updates = items.map(({ update }) => update.update_id);
    const isPrivate = items.some(({ chat }) => chat.type === 'private');
    if (isPrivate && !(await inbox.areOpen(updates))) await state.delete(albumKey(album));
  };
  /**
   * Answers a complete album. `closing` is set before anything is awaited, so that pictures that arrive meanwhile find it
   * there.
   */
  const complete = async (album: string, items: readonly MessageContext[]): Promise<void> => {
    const incoming = read(items);
    const as = incoming === undefined || isEnough(items, false) ? 'full' : 'short';
    const done = close(album, items, incoming, as).finally(() => closing.delete(album));
    closing.set(album, { done, as });
    return await done;
  };

  /** Stops gathering an album; false if it was closed before. */
  const end = (entry: Gathering): boolean => {
    if (gathering.get(entry.album) !== entry) return false;
    gathering.delete(entry.album);
    entry.cancelIdle();
    entry.cancelLongest();
    return true;
  };
  const finish = (entry: Gathering): void => {
    if (end(entry)) entry.done.resolve(complete(entry.album, entry.items));
  };
  /**
   * Adds pictures that other processes have received, then closes the album; with `isQuiet` only if no picture was added.
   */
  const lookAndFinish = async (entry: Gathering, isQuiet: boolean): Promise<void> => {
    const { length } = entry.items;
    await options.look().catch(() => undefined);
    await Promise.allSettled(joining);
    if (!isQuiet || entry.items.length === length) finish(entry);
  };

  const open = (chat: number, album: string): Gathering => {
    // If there are too many albums at once, the oldest one counts as complete.
    const [oldest, ...others] = [...gathering.values()].filter((each) => each.chat === chat);
    if (oldest !== undefined && others.length + 1 >= MOST_PER_CHAT) finish(oldest);
    const [first] = gathering.values();
    if (first !== undefined && gathering.size >= MOST_ALBUMS) finish(first);
    const entry: Gathering = {
      album,
      chat,
      items: [],
      done: Promise.withResolvers(),
      cancelIdle: () => undefined,
      cancelLongest: clock.after(LONGEST_MS, () => void lookAndFinish(entry, false)),
    };
    gathering.set(album, entry);
    return entry;
  };

  /** Adds a message to its album; settles when the whole album was handled. */
  const gather = (received: MessageContext, album: string): Promise<void> => {
    const entry = gathering.get(album) ?? open(received.message.chat.id, album);
    entry.items.push(received);
    entry.cancelIdle();
    if (entry.items.length >= MOST_ITEMS || isEnough(entry.items, true)) finish(entry);
    else entry.cancelIdle = clock.after(IDLE_MS, () => void lookAndFinish(entry, true));
    return entry.done.promise;
  };

  const add = async (received: AlbumContext): Promise<void> => {
    const album = `${received.chat.id}:${received.message.media_group_id}`;
    const reading = state.get<Closed>(albumKey(album));
    joining.add(reading);
    const over = (): void => void joining.delete(reading);
    reading.then(over, over);
    const closed = await reading;
    if (closed !== undefined) return await handleLate([received], closed);
    const underway = closing.get(album);
    if (underway === undefined) return await gather(received, album);
    // A complete album needs no more pictures, so this one does not wait for it.
    if (underway.as === 'full') return;
    await underway.done;
    return await add(received);
  };

  return {
    add,
    /** Drops incomplete albums, whose updates are still in the inbox. */
    abandon(reason: Error): void {
      for (const entry of [...gathering.values()]) if (end(entry)) entry.done.reject(reason);
    },
  };
}
