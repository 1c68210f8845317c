import type { Clock } from '../../../base/clock.ts';

/**
 * Telegram sends an album as separate messages with one id, without saying how many or which is the last. It is
 * complete when nothing came for a while, when the longest wait is over, or when there is enough.
 */
const idleMs = 2_500;
const longestMs = 10_000;
/** An album has at most ten; more with one id is somebody's game. */
const mostItems = 10;
const mostAlbums = 1_000;
/** Somebody who forwards many at once closes their own chat's albums early, and nobody else's. */
const mostOfChat = 5;

export interface Albums<Item> {
  /** Settles as the handling of the whole album does. */
  add(chat: number, album: string, item: Item): Promise<void>;
  /** Forgets what is not complete: Telegram, or our own store, still has it. */
  abandon(reason: Error): void;
}

interface Gathering<Item> {
  readonly chat: number;
  readonly items: Item[];
  readonly done: Promise<void>;
  readonly finish: () => void;
  readonly fail: (reason: Error) => void;
  readonly cancelLongest: () => void;
  cancelIdle: () => void;
}

export const createAlbums = <Item>(options: {
  readonly clock: Clock;
  readonly enough: (items: readonly Item[]) => boolean;
  readonly complete: (album: string, items: readonly Item[]) => Promise<void>;
}): Albums<Item> => {
  const { clock } = options;
  const gathering = new Map<string, Gathering<Item>>();

  const open = (chat: number, album: string): Gathering<Item> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const items: Item[] = [];
    const close = (): boolean => {
      const mine = gathering.get(album);
      if (mine === undefined || mine.items !== items) return false;
      gathering.delete(album);
      mine.cancelIdle();
      mine.cancelLongest();
      return true;
    };
    const finish = (): void => {
      if (close()) resolve(options.complete(album, items));
    };
    const mine: Gathering<Item> = {
      chat,
      items,
      done: promise,
      finish,
      fail: (reason) => {
        if (close()) reject(reason);
      },
      cancelIdle: () => undefined,
      cancelLongest: clock.after(longestMs, finish),
    };
    gathering.set(album, mine);
    return mine;
  };

  return {
    add(chat, album, item) {
      if (!gathering.has(album)) {
        // Too many at once: the oldest is complete as it is.
        const [oldest, ...others] = [...gathering.values()].filter((each) => each.chat === chat);
        if (others.length + 1 >= mostOfChat) oldest?.finish();
        if (gathering.size >= mostAlbums) gathering.values().next().value?.finish();
      }
      const mine = gathering.get(album) ?? open(chat, album);
      mine.items.push(item);
      mine.cancelIdle();
      if (mine.items.length >= mostItems || options.enough(mine.items)) mine.finish();
      else mine.cancelIdle = clock.after(idleMs, mine.finish);
      return mine.done;
    },
    abandon(reason) {
      for (const mine of [...gathering.values()]) mine.fail(reason);
    },
  };
};
