import type { Document, Message } from 'grammy/types';
import { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import type { Caller, CardRef, Place } from '../../../command/place.ts';

/** The content of references to cards and photos, which only this adapter reads. */

const common = {
  chat: z.number().int(),
  thread: z.number().int().optional(),
  /** Whether the message had media when it was last drawn: a text can get media, but cannot lose it again. */
  media: z.boolean(),
};
const message = z.object({ ...common, message: z.number().int() });
const ephemeral = z.object({ ...common, receiver: z.number().int(), ephemeral: z.number().int() });
/** The shape of a stored card, for the validation of records. */
export const cardShape = z.union([message, ephemeral]);

/** A message of the bot that everybody in the chat sees. */
export type MessageCard = z.infer<typeof message>;
/**
 * A message in a group that one person alone sees, until their app or Telegram forgets it; never the card of a job. Its id
 * is unique only for this chat and person, and another message may get it later.
 */
export type EphemeralCard = z.infer<typeof ephemeral>;
export type Card = MessageCard | EphemeralCard;

export const isEphemeral = (card: Card): card is EphemeralCard => 'ephemeral' in card;

const photo = z.object({ file_id: z.string().min(1).max(500), size: z.number().optional() });
export type PhotoFile = z.infer<typeof photo>;

export const cardRef = (value: MessageCard): CardRef => ({
  platform: 'telegram',
  ref: JSON.stringify(value),
});

export const readCard = (ref: CardRef): MessageCard => message.parse(JSON.parse(ref.ref));

/**
 * Whether both may be the same card. In one chat, two ids mean two messages; in two chats, one may be the card that moved
 * with its group and got a new id.
 */
export const isSameCard = (a: MessageCard, b: MessageCard): boolean =>
  a.chat !== b.chat || a.message === b.message;

/** A key that is unique among the messages that exist. */
export function messageKey(card: Card): string {
  const parts = isEphemeral(card) ? [card.receiver, card.ephemeral] : [card.message];
  return [card.chat, ...parts].join(':');
}

export const isSameMessage = (a: Card, b: Card): boolean => messageKey(a) === messageKey(b);

/** The person to whom an answer in a group is shown ephemerally, and what allows that. */
export interface Ephemeral {
  readonly receiver: number;
  /** The person's message or press that is answered; a bot that is an administrator needs none. */
  readonly trigger?: { readonly message?: number; readonly press?: string };
  /** Until when Telegram allows the ephemeral message. */
  readonly until: number;
}

export const readPhoto = (ref: { readonly ref: string }): PhotoFile => photo.parse(JSON.parse(ref.ref));

/** Telegram's limit for downloads by bots, which equals our own limit for photos. */
export const MOST_DOWNLOAD_BYTES = 20 * 1024 * 1024;

type Carrier = Pick<Message, 'photo' | 'document' | 'has_media_spoiler'>;

/** The photos that were found in a message. */
export interface Pictures {
  readonly photos: readonly PhotoRef[];
  /** Whether a picture was left out because it is too large for a bot to download. */
  readonly tooLarge: boolean;
}

const UNKNOWN_TYPE = 'application/octet-stream';
const IMAGE_NAME = /\.(jpe?g|png|webp|heic|heif|avif|tiff?|bmp|gif)$/i;

/** Whether the file may be an image, by type and name; its first bytes are checked when it is fetched. */
function looksLikeImage({ mime_type: type, file_name: name }: Document): boolean {
  const kind = type ?? UNKNOWN_TYPE;
  return kind.startsWith('image/') || (kind === UNKNOWN_TYPE && IMAGE_NAME.test(name ?? ''));
}

/** Reads the picture of a message, in its largest size. */
export function photosIn(message: Carrier): Pictures {
  const spoiler = message.has_media_spoiler === true;
  const sizes = [...(message.photo ?? [])].sort((a, b) => b.width * b.height - a.width * a.height);
  const file =
    sizes[0] ?? (message.document && looksLikeImage(message.document) ? message.document : undefined);
  if (file === undefined) return { photos: [], tooLarge: false };
  if ((file.file_size ?? 0) > MOST_DOWNLOAD_BYTES) return { photos: [], tooLarge: true };
  const ref = JSON.stringify({ file_id: file.file_id, ...defined({ size: file.file_size }) });
  return { photos: [{ from: 'telegram', ref, ...(spoiler ? { spoiler } : {}) }], tooLarge: false };
}

/** A chat to send to, and a topic in it. */
export interface Destination {
  readonly chat: number;
  readonly thread?: number | undefined;
}

export const destinationOf = ({ channel, thread }: Place): Destination => ({
  chat: Number(channel),
  thread: thread === undefined ? undefined : Number(thread),
});

/**
 * A person's id at Telegram, which is the id of their private chat, too; undefined for anonymous administrators and
 * channels.
 */
export function personOf({ id }: Caller): number | undefined {
  const person = /^\d+$/.test(id) ? Number(id) : Number.NaN;
  return Number.isSafeInteger(person) ? person : undefined;
}

/** Whether the id is a group's or channel's: these are negative, and those of people and private chats positive. */
export const isGroup = (chat: number): boolean => chat < 0;

/** The ids of supergroups and channels are below this number. */
const SUPERGROUP_OFFSET = -1_000_000_000_000;

/** Whether one id can be the successor of another. A supergroup never becomes another chat, so migrations form no cycle. */
export const canMigrateTo = (from: number, to: number): boolean =>
  isGroup(from) && from > SUPERGROUP_OFFSET && to < SUPERGROUP_OFFSET;

/**
 * Makes a link for members of the chat to a message, or to a topic by its first message; undefined in private chats and
 * basic groups, which have no links.
 */
export function linkOf({ chat, message, thread }: Omit<MessageCard, 'media'>): string | undefined {
  if (chat >= SUPERGROUP_OFFSET) return undefined;
  const steps = [SUPERGROUP_OFFSET - chat, ...(thread === undefined ? [] : [thread]), message];
  return `https://t.me/c/${steps.join('/')}`;
}
