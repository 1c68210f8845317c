import { z } from 'zod';
import type { PhotoRef } from '../../../command/photo.ts';
import type { CardRef, Place } from '../../../command/place.ts';

/** What stands inside the references that only this adapter reads. */

const card = z.object({
  chat: z.number().int(),
  message: z.number().int(),
  thread: z.number().int().optional(),
  /** What the message was when we last drew it: text can become media, media stays media. */
  media: z.boolean(),
});
export type Card = z.infer<typeof card>;

const photo = z.object({
  file_id: z.string().min(1).max(500),
  size: z.number().optional(),
});
export type Photo = z.infer<typeof photo>;

export const cardRef = (value: Card): CardRef => ({ platform: 'telegram', ref: JSON.stringify(value) });

export const readCard = (ref: CardRef): Card => card.parse(JSON.parse(ref.ref));

/**
 * Whether one may be what the other became. A card that was sent twice stands twice in one chat; in another chat it is the
 * card that moved with its group, under a new number.
 */
export const isSameCard = (a: Card, b: Card): boolean => a.chat !== b.chat || a.message === b.message;

export const isSameMessage = (a: Card, b: Card): boolean => a.chat === b.chat && a.message === b.message;

export const photoRef = (value: Photo, spoiler: boolean): PhotoRef => ({
  from: 'telegram',
  ref: JSON.stringify(value),
  ...(spoiler ? { spoiler } : {}),
});

export const readPhoto = (ref: { readonly ref: string }): Photo => photo.parse(JSON.parse(ref.ref));

/** Where messages go: a chat, and a topic of it. */
export interface Spot {
  readonly chat: number;
  readonly thread?: number | undefined;
}

export const spotOf = (place: Place): Spot => ({
  chat: Number(place.channel),
  ...(place.thread === undefined ? {} : { thread: Number(place.thread) }),
});

/** Telegram numbers people and private chats upwards, groups and channels downwards. */
export const isGroup = (chat: number): boolean => chat < 0;

/** Supergroups and channels are numbered from here downwards. */
const beforeSupergroups = -1_000_000_000_000;

/**
 * Where members of the chat find a message, or a topic by the message that it began with; private chats and small groups
 * have no such addresses.
 */
export const linkOf = ({ chat, message, thread }: Omit<Card, 'media'>): string | undefined => {
  if (chat >= beforeSupergroups) return undefined;
  const steps = [beforeSupergroups - chat, ...(thread === undefined ? [] : [thread]), message];
  return `https://t.me/c/${steps.join('/')}`;
};
