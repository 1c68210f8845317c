import type { Message, User } from 'grammy/types';
import { takesAlbums } from '../../../command/option.ts';
import { MOST_PHOTOS } from '../../../command/photo.ts';
import type { AdapterOptions } from '../../adapter.ts';
import { photosIn } from '../api/picture-refs.ts';
import { createAlbums } from './albums.ts';
import type { ReadMessage } from './message-reply.ts';
import { type ImagesNeeded, type Me, typedCommand } from './parse.ts';

export interface Received {
  readonly update: number;
  readonly message: Message & { from?: User };
  readonly kept: boolean;
}

/** `short`: the album was closed with too few pictures for its command. */
type Closed = 'short' | 'full';

const CLOSED_ALBUM_MS = 3_600_000;

export interface AlbumPartsOptions extends Pick<AdapterOptions, 'clock' | 'state' | 'commands'> {
  readonly me: () => Me;
  readonly imagesNeeded: ImagesNeeded;
  /** Begins with updates that other processes have received meanwhile. */
  readonly look: () => Promise<void>;
  /** `toUs`: known to be for the bot. */
  readonly read: (items: readonly Received[], toUs?: boolean) => ReadMessage | undefined;
  readonly handle: (items: readonly Received[], incoming: ReadMessage | undefined) => Promise<void>;
}

/** Pictures of albums: each album is handled once, whenever its pictures come. */
export function createAlbumParts(options: AlbumPartsOptions) {
  const { clock, state, me, imagesNeeded, read, handle } = options;

  const commandIn = (items: readonly Received[]) =>
    items.map(({ message }) => typedCommand(message.caption ?? '', me())).find(Boolean);

  /** `most`: as many as the command can use, of which each may make a job. */
  const isEnough = (items: readonly Received[], most: boolean): boolean => {
    const typed = commandIn(items);
    if (typed === undefined || typed === 'other') return typed === 'other';
    // Albums can contain videos and files: only pictures count.
    const pictures = items.filter(({ message }) => photosIn(message).photos.length > 0).length;
    const action = options.commands.find(({ name }) => name === typed.name)?.action;
    if (action !== undefined && takesAlbums(action)) return pictures >= (most ? MOST_PHOTOS : 1);
    return pictures >= (imagesNeeded(typed.name) ?? 0);
  };

  /** A late picture can be the one that the bot has asked for meanwhile. */
  const handleLate = async (items: readonly Received[], closed: Closed): Promise<void> => {
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
    if (closed !== undefined) return await handleLate(items, closed);
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
    enough: (items) => isEnough(items, true),
    complete(album, items) {
      const incoming = read(items);
      const as = incoming === undefined || isEnough(items, false) ? 'full' : 'short';
      const done = close(album, items, incoming, as).finally(() => closing.delete(album));
      closing.set(album, { done, as });
      return done;
    },
  });

  const add = async (received: Received, group: string): Promise<void> => {
    const album = `${received.message.chat.id}:${group}`;
    const closed = await closedAs(album);
    if (closed !== undefined) return await handleLate([received], closed);
    const underway = closing.get(album);
    if (underway === undefined) return await albums.add(received.message.chat.id, album, received);
    // A complete album needs no more pictures, so this one does not wait for it.
    if (underway.as === 'full') return;
    await underway.done;
    return await add(received, group);
  };

  return { add, abandon: albums.abandon };
}
