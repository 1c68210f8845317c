import { z } from 'zod';
import type { PhotoRef } from '../../../command/photo.ts';
import type { CardRef, Place } from '../../../command/place.ts';

/** The content of references, which only this adapter reads. */

const card = z.object({
  chat: z.number().int(),
  message: z.number().int(),
  thread: z.number().int().optional(),
  /** Whether it was media when last drawn: text can become media, media stays media. */
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
 * Whether both may be the same card. In one chat, two ids are two messages; in another chat it is the card that moved with
 * its group and got a new id.
 */
export const isSameCard = (a: Card, b: Card): boolean => a.chat !== b.chat || a.message === b.message;

export const isSameMessage = (a: Card, b: Card): boolean => a.chat === b.chat && a.message === b.message;

export const photoRef = (value: Photo, spoiler: boolean): PhotoRef => ({
  from: 'telegram',
  ref: JSON.stringify(value),
  ...(spoiler ? { spoiler } : {}),
});

export const readPhoto = (ref: { readonly ref: string }): Photo => photo.parse(JSON.parse(ref.ref));

/** A chat, and a topic in it. */
export interface Destination {
  readonly chat: number;
  readonly thread?: number | undefined;
}

export const destinationOf = (place: Place): Destination => ({
  chat: Number(place.channel),
  ...(place.thread === undefined ? {} : { thread: Number(place.thread) }),
});

/** Ids of people and private chats are positive, those of groups and channels negative. */
export const isGroup = (chat: number): boolean => chat < 0;

/** Ids of supergroups and channels are below this. */
const supergroupOffset = -1_000_000_000_000;

/**
 * A link to a message, or to a topic by its first message, for members of the chat; private chats and basic groups have
 * none.
 */
export const linkOf = ({ chat, message, thread }: Omit<Card, 'media'>): string | undefined => {
  if (chat >= supergroupOffset) return undefined;
  const steps = [supergroupOffset - chat, ...(thread === undefined ? [] : [thread]), message];
  return `https://t.me/c/${steps.join('/')}`;
};
