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
  ephemeral_message_id?: number;
};

/** The file of a message; of a photo, the largest size. */
export const fileIn = (message: StoredMessage): { file_id: string } | undefined => {
  const photos = message.photo as { file_id: string }[] | undefined;
  return photos?.at(-1) ?? ((message.video ?? message.document) as { file_id: string } | undefined);
};

/** An action of somebody in a group, which a bot may answer to them alone for a while. */
interface Trigger {
  readonly by: number;
  readonly at: number;
}

/** What a restricted member still may do. */
export interface Restriction {
  readonly is_member: boolean;
  readonly can_send_messages: boolean;
}

/** Somebody’s standing in a chat. */
export interface Member {
  status: string;
  is_anonymous: boolean;
  restricted?: Restriction;
}

/** A chat and everything in it. */
export interface Room {
  chat: Chat;
  readonly messages: Map<number, StoredMessage>;
  /** Status of everybody who is or was in it. */
  readonly members: Map<number, Member>;
  readonly topics: Set<number>;
  /** Messages that one person alone sees, by receiver and id. */
  readonly ephemerals: Map<string, Trigger & { readonly message: StoredMessage }>;
  botIsAdministrator: boolean;
  /** The id of the supergroup that this group became. */
  migratedTo?: number;
  /** The refusal of messages to a chat that was deleted, or that threw the bot out, or whose person blocked it. */
  closed?: string;
  nextMessage: number;
}

/** A file that was sent. */
export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly unique: string;
}

type NewMessage = Omit<StoredMessage, 'message_id' | 'date' | 'chat'>;

/** A Telegram with no chats yet. */
export const createWorld = (clock: Clock, bot: User & { username: string }) => {
  const rooms = new Map<number, Room>();
  const files = new Map<string, StoredFile>();
  const listeners = new Set<() => void>();
  return {
    clock,
    bot,
    files,
    /** Ids of files that no longer exist. */
    lost: new Set<string>(),
    people: new Map<number, User>(),
    /** False: the server ignores that a message is for one person. */
    knowsEphemerals: true,
    /** People who began a private chat with the bot, which a bot cannot do. */
    started: new Set<number>(),
    /** Presses that were not answered yet, by id. */
    presses: new Map<string, Trigger>(),
    room: (chat: number): Room | undefined => rooms.get(chat),
    /** The id of the public chat with this name; 0: there is none. */
    named(name: string): number {
      for (const [id, { chat }] of rooms)
        if ('username' in chat && chat.username?.toLowerCase() === name.toLowerCase()) return id;
      return 0;
    },
    open(chat: Chat): Room {
      const room: Room = {
        chat,
        messages: new Map(),
        members: new Map(),
        topics: new Set(),
        ephemerals: new Map(),
        botIsAdministrator: false,
        nextMessage: 1,
      };
      rooms.set(chat.id, room);
      return room;
    },
    write(room: Room, message: NewMessage): StoredMessage {
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
    /** A message for one person, or from one person for the bot. */
    whisper(room: Room, receiver: User, message: NewMessage, by: number): StoredMessage {
      // Telegram uses the id of a message that is gone again.
      let id = 1;
      while (room.ephemerals.has(`${receiver.id}:${id}`)) id += 1;
      const stored = {
        ...message,
        message_id: 0,
        ephemeral_message_id: id,
        receiver_user: receiver,
        date: Math.floor(clock.now() / 1000),
        chat: room.chat,
      } as StoredMessage;
      room.ephemerals.set(`${receiver.id}:${id}`, { message: stored, by, at: clock.now() });
      return stored;
    },
    store(bytes: Uint8Array, folder: string, extension: string): string {
      const number = files.size + 1;
      const id = `file-${number}-${'x'.repeat(40)}`;
      files.set(id, { bytes, path: `${folder}/file_${number}.${extension}`, unique: `u${number}` });
      return id;
    },
    /** Wakes everybody who waits for something to happen. */
    changed(): void {
      for (const listener of [...listeners]) listener();
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Everything that the fake Telegram knows. */
export type World = ReturnType<typeof createWorld>;
