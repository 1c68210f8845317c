import type { Clock } from '../../../base/clock.ts';

/**
 * Telegram sends an album as separate messages with one id, without saying how many or which is the last. It is
 * complete when nothing came for a while, when the longest wait is over, or when there is enough.
 */
const IDLE_MS = 2_500;
const LONGEST_MS = 10_000;
/** Telegram's limit for an album. */
const MOST_ITEMS = 10;
const MOST_ALBUMS = 1_000;
/** Many albums in one chat close only that chat's albums early. */
const MOST_PER_CHAT = 5;

interface Gathering<Item> {
  readonly chat: number;
  readonly items: Item[];
  readonly done: Promise<void>;
  readonly finish: () => void;
  readonly finishIfQuiet: () => void;
  readonly fail: (reason: Error) => void;
  readonly cancelLongest: () => void;
  cancelIdle: () => void;
}

export function createAlbums<Item>(options: {
  readonly clock: Clock;
  readonly enough: (items: readonly Item[]) => boolean;
  readonly complete: (album: string, items: readonly Item[]) => Promise<void>;
  /** Adds what has arrived elsewhere. */
  readonly look: () => Promise<void>;
}) {
  const { clock } = options;
  const gathering = new Map<string, Gathering<Item>>();

  const open = (chat: number, album: string): Gathering<Item> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const items: Item[] = [];
    const close = (): boolean => {
      const entry = gathering.get(album);
      if (entry === undefined || entry.items !== items) return false;
      gathering.delete(album);
      entry.cancelIdle();
      entry.cancelLongest();
      return true;
    };
    const finish = (): void => {
      if (close()) resolve(options.complete(album, items));
    };
    const look = async (): Promise<boolean> => {
      const { length } = items;
      await options.look().catch(() => undefined);
      return items.length > length;
    };
    const entry: Gathering<Item> = {
      chat,
      items,
      done: promise,
      finish,
      // If something came, it waits for more once again.
      finishIfQuiet: () => void look().then((isMore) => (isMore ? undefined : finish())),
      fail: (reason) => {
        if (close()) reject(reason);
      },
      cancelIdle: () => undefined,
      cancelLongest: clock.after(LONGEST_MS, () => void look().then(finish)),
    };
    gathering.set(album, entry);
    return entry;
  };

  return {
    /** Settles with the handling of the whole album. */
    add(chat: number, album: string, item: Item): Promise<void> {
      if (!gathering.has(album)) {
        // Too many at once: the oldest counts as complete.
        const [oldest, ...others] = [...gathering.values()].filter((each) => each.chat === chat);
        if (others.length + 1 >= MOST_PER_CHAT) oldest?.finish();
        if (gathering.size >= MOST_ALBUMS) gathering.values().next().value?.finish();
      }
      const entry = gathering.get(album) ?? open(chat, album);
      entry.items.push(item);
      entry.cancelIdle();
      if (entry.items.length >= MOST_ITEMS || options.enough(entry.items)) entry.finish();
      else entry.cancelIdle = clock.after(IDLE_MS, entry.finishIfQuiet);
      return entry.done;
    },
    /** Drops incomplete albums: Telegram or the store still has them. */
    abandon(reason: Error): void {
      for (const entry of [...gathering.values()]) entry.fail(reason);
    },
  };
}
