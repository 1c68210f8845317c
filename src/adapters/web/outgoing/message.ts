import { z } from 'zod';
import { parseJson } from '../../../base/parse-json.ts';
import type { CardRef } from '../../../command/place.ts';
import type { Question } from '../../../command/reply.ts';
import { directRoom, type Person, roomsOf } from '../visitors/people.ts';
import type { ShownView } from './render.ts';

const text = z.string().exactOptional();
const isObject = (value: unknown): boolean => z.looseObject({}).safeParse(value).success;

/** The shape of one message of a room: plain data, stored and sent to the page as it is. */
export const messageShape = z.object({
  id: z.string(),
  room: z.string(),
  /** The position of the message in the room. */
  order: z.number(),
  at: z.number().min(0).max(8.64e15),
  /** A person's id, or `bot`. */
  from: z.string(),
  /** The id of the only person who sees the message; if absent, everybody in the room does. */
  only: text,
  /** The text that a person wrote; `photos` has the ids of their photos. */
  text,
  photos: z.array(z.string()).readonly().exactOptional(),
  /** The language of the answer, while the message is unanswered. */
  pending: text,
  /** The content of a message of the bot. */
  view: z.custom<ShownView>(isObject).exactOptional(),
  /** The addresses of the pictures of tiles, by id; the page gets only the ids. */
  previews: z.record(z.string(), z.string()).exactOptional(),
  /** The question of the message, if it can be answered in writing. */
  ask: z.custom<{ readonly draft: string; readonly question: Question }>(isObject).exactOptional(),
});
export type Message = Readonly<z.infer<typeof messageShape>>;

export const canSee = (person: Person, { room, only }: Pick<Message, 'room' | 'only'>): boolean =>
  (only === undefined || only === person.id) && roomsOf(person).some(({ id }) => id === room);

/** The messages of a room that a person can see, as the page gets them. */
export const seenBy = (person: Person, messages: readonly Message[], isKept: IsKept) =>
  messages.filter((message) => canSee(person, message)).map((message) => forPage(message, isKept));

/** Derives the id of the bot's answer from the person and the id of their action. */
export const answerId = (person: Person, userAction: string): string => `bot.${person.id}.${userAction}`;

export const isAnswerTo = (person: Person, { id }: Pick<Message, 'id'>): boolean =>
  id.startsWith(answerId(person, ''));

/** Whether a message belongs to a person's data: they wrote it, it answers them, or only they can see it. */
export const isAbout = (person: Person, message: Message): boolean =>
  [message.from, message.only].includes(person.id) ||
  message.room === directRoom(person).id ||
  isAnswerTo(person, message);

/** Whether the message has a button or tile with this action. */
export function offersAction({ view }: Pick<Message, 'view'>, action: string): boolean {
  const all = [...(view?.buttons?.flat() ?? []), ...(view?.tiles ?? [])];
  return all.some((each) => each.action === action);
}

/** The id of a message's media, if it has any. */
export const mediaIn = ({ view }: Pick<Message, 'view'>): string | undefined =>
  view?.media === undefined || view.media.kind === 'link' ? undefined : view.media.id;

/** Tells whether the photo or media with this id can still be shown. */
export type IsKept = (id: string) => boolean;

/** Makes the message that the page gets, with the ids of photos and media that can no longer be shown. */
export function forPage(
  stored: Message,
  isKept: IsKept,
): Omit<Message, 'previews'> & { readonly lost?: readonly string[] } {
  const { previews: _previews, ...message } = stored;
  const media = mediaIn(message);
  const lost = [...(message.photos ?? []), ...(media === undefined ? [] : [media])].filter(
    (id) => !isKept(id),
  );
  return lost.length === 0 ? message : { ...message, lost };
}

/** The position of a message: its room and id, which is the content of a card reference. */
const spot = z.object({ room: z.string(), id: z.string() });
export type Spot = z.infer<typeof spot>;

export const cardAt = ({ room, id }: Spot): CardRef => ({
  platform: 'web',
  ref: JSON.stringify({ room, id }),
});

export const spotOf = ({ ref }: CardRef): Spot | undefined => spot.safeParse(parseJson(ref)).data;
