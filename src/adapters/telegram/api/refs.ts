import type { Document, Message } from 'grammy/types';
import { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import type { Caller, CardRef, Place } from '../../../command/place.ts';

/** The content of references, which only this adapter reads. */

const common = {
  chat: z.number().int(),
  thread: z.number().int().optional(),
  /** Whether it was media when last drawn: text can become media, media stays media. */
  media: z.boolean(),
};
const message = z.object({ ...common, message: z.number().int() });
const ephemeral = z.object({ ...common, receiver: z.number().int(), ephemeral: z.number().int() });
/** As it is stored. */
export const cardShape = z.union([message, ephemeral]);

/** A message that everybody in the chat sees. */
export type MessageCard = z.infer<typeof message>;
/**
 * A message in a group that one person sees, until their app or Telegram forgets it: never the card of a job. Its id is of this
 * chat and person, and may be that of another message later.
 */
export type EphemeralCard = z.infer<typeof ephemeral>;
export type Card = MessageCard | EphemeralCard;

export const isEphemeral = (card: Card): card is EphemeralCard => 'ephemeral' in card;

const photo = z.object({ file_id: z.string().min(1).max(500), size: z.number().optional() });
export type Photo = z.infer<typeof photo>;

export const cardRef = (value: MessageCard): CardRef => ({
  platform: 'telegram',
  ref: JSON.stringify(value),
});

export const readCard = (ref: CardRef): MessageCard => message.parse(JSON.parse(ref.ref));

/**
 * Whether both may be the same card. In one chat, two ids are two messages; in another chat it is the card that moved with
 * its group and got a new id.
 */
export const isSameCard = (a: MessageCard, b: MessageCard): boolean =>
  a.chat !== b.chat || a.message === b.message;

/** Unique among the messages that exist. */
export function messageKey(card: Card): string {
  const parts = isEphemeral(card) ? [card.receiver, card.ephemeral] : [card.message];
  return [card.chat, ...parts].join(':');
}

export const isSameMessage = (a: Card, b: Card): boolean => messageKey(a) === messageKey(b);

/** To whom an answer in a group is shown alone, and why that is allowed. */
export interface Ephemeral {
  readonly receiver: number;
  /** The person's message or press that is answered. Bots that are administrators need none. */
  readonly trigger?: { readonly message?: number; readonly press?: string };
  /** Until then Telegram allows it. */
  readonly until: number;
}

export const readPhoto = (ref: { readonly ref: string }): Photo => photo.parse(JSON.parse(ref.ref));

/** Telegram's limit for downloads by bots; ours for photos is the same. */
export const MOST_DOWNLOAD_BYTES = 20 * 1024 * 1024;

type Carrier = Pick<Message, 'photo' | 'document' | 'has_media_spoiler'>;

export interface Pictures {
  readonly photos: readonly PhotoRef[];
  /** There was a picture, but it is too large for a bot to download. */
  readonly tooLarge: boolean;
}

const UNKNOWN_TYPE = 'application/octet-stream';
const IMAGE_NAME = /\.(jpe?g|png|webp|heic|heif|avif|tiff?|bmp|gif)$/i;

/** Hints only: the type is read from its first bytes later. */
function looksLikeImage({ mime_type: type, file_name: name }: Document): boolean {
  const kind = type ?? UNKNOWN_TYPE;
  return kind.startsWith('image/') || (kind === UNKNOWN_TYPE && IMAGE_NAME.test(name ?? ''));
}

/** The picture that a message carries, in its largest size. */
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

/** A chat, and a topic in it. */
export interface Destination {
  readonly chat: number;
  readonly thread?: number | undefined;
}

export const destinationOf = ({ channel, thread }: Place): Destination => ({
  chat: Number(channel),
  thread: thread === undefined ? undefined : Number(thread),
});

/** A person's id, which is that of their private chat, too. Anonymous administrators and channels have none. */
export function personOf({ id }: Caller): number | undefined {
  const person = /^\d+$/.test(id) ? Number(id) : Number.NaN;
  return Number.isSafeInteger(person) ? person : undefined;
}

/** Ids of people and private chats are positive, those of groups and channels negative. */
export const isGroup = (chat: number): boolean => chat < 0;

/** Ids of supergroups and channels are below this. */
const SUPERGROUP_OFFSET = -1_000_000_000_000;

/** A supergroup never becomes another chat, so that no group can follow itself in a circle. */
export const canBecome = (from: number, to: number): boolean =>
  isGroup(from) && from > SUPERGROUP_OFFSET && to < SUPERGROUP_OFFSET;

/**
 * A link to a message, or to a topic by its first message, for members of the chat; private chats and basic groups have
 * none.
 */
export function linkOf({ chat, message, thread }: Omit<MessageCard, 'media'>): string | undefined {
  if (chat >= SUPERGROUP_OFFSET) return undefined;
  const steps = [SUPERGROUP_OFFSET - chat, ...(thread === undefined ? [] : [thread]), message];
  return `https://t.me/c/${steps.join('/')}`;
}
