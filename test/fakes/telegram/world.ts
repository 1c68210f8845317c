import type { Chat, InlineKeyboardMarkup, MessageEntity, User } from 'grammy/types';
import type { Clock } from '../../../src/base/clock.ts';

/** A message as the fake keeps it: Telegram's own form, loosely, since it is built by hand. */
export type StoredMessage = Record<string, unknown> & {
  message_id: number;
  chat: Chat;
  date: number;
  from?: User;
  text?: string;
  caption?: string;
  entities?: MessageEntity[];
  caption_entities?: MessageEntity[];
  reply_markup?: InlineKeyboardMarkup;
  message_thread_id?: number;
};

export interface Restriction {
  readonly is_member: boolean;
  readonly can_send_messages: boolean;
}

export interface Room {
  chat: Chat;
  readonly messages: Map<number, StoredMessage>;
  /** Status of everybody who is or was in it. */
  readonly members: Map<number, { status: string; is_anonymous: boolean; restricted?: Restriction }>;
  readonly topics: Set<number>;
  /** Where it went when it became a supergroup. */
  migratedTo?: number;
  /** Nobody writes to it any more: deleted, or the bot was thrown out, or blocked. */
  closed?: string;
  nextMessage: number;
}

export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly unique: string;
}

export interface World {
  readonly clock: Clock;
  readonly bot: User & { username: string };
  readonly rooms: Map<number, Room>;
  readonly files: Map<string, StoredFile>;
  /** Ids of files that no longer exist. */
  readonly lost: Set<string>;
  readonly people: Map<number, User>;
  /** People who began a private chat: a bot cannot. */
  readonly started: Set<number>;
  room(chat: number): Room | undefined;
  open(chat: Chat): Room;
  write(room: Room, message: Omit<StoredMessage, 'message_id' | 'date' | 'chat'>): StoredMessage;
  store(bytes: Uint8Array, folder: string, extension: string): string;
  /** Wakes everybody who waits for something to happen. */
  changed(): void;
  onChange(listener: () => void): () => void;
}

export const createWorld = (clock: Clock, bot: World['bot']): World => {
  const rooms = new Map<number, Room>();
  const files = new Map<string, StoredFile>();
  const listeners = new Set<() => void>();
  const world: World = {
    clock,
    bot,
    rooms,
    files,
    lost: new Set(),
    people: new Map(),
    started: new Set(),
    room: (chat) => rooms.get(chat),
    open(chat) {
      const room: Room = { chat, messages: new Map(), members: new Map(), topics: new Set(), nextMessage: 1 };
      rooms.set(chat.id, room);
      return room;
    },
    write(room, message) {
      const stored = {
        ...message,
        message_id: room.nextMessage,
        date: Math.floor(clock.now() / 1000),
        chat: room.chat,
      } as StoredMessage;
      room.nextMessage += 1;
      room.messages.set(stored.message_id, stored);
      return stored;
    },
    store(bytes, folder, extension) {
      const number = files.size + 1;
      const id = `file-${number}-${'x'.repeat(40)}`;
      files.set(id, { bytes, path: `${folder}/file_${number}.${extension}`, unique: `u${number}` });
      return id;
    },
    changed: () => {
      for (const listener of [...listeners]) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return world;
};
