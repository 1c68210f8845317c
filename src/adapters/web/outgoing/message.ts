import { z } from 'zod';
import { parseJson } from '../../../base/parse-json.ts';
import type { CardRef } from '../../../command/place.ts';
import type { Question } from '../../../command/reply.ts';
import { directRoom, type Person, roomsOf } from '../visitors/people.ts';
import type { ShownView } from './render.ts';

const text = z.string().exactOptional();
const isObject = (value: unknown): boolean => z.looseObject({}).safeParse(value).success;

/** One message of a room. Plain data, stored and sent to the page as it is. */
export const messageShape = z.object({
  id: z.string(),
  room: z.string(),
  /** Its position in the room. */
  order: z.number(),
  at: z.number().min(0).max(8.64e15),
  /** A person's id, or `bot`. */
  from: z.string(),
  /** The one person who sees it. */
  only: text,
  /** What a person wrote, and ids of its photos. */
  text,
  photos: z.array(z.string()).readonly().exactOptional(),
  /** Set while it is unanswered: the language of the answer. */
  pending: text,
  /** What the bot shows. */
  view: z.custom<ShownView>(isObject).exactOptional(),
  /** The addresses of the pictures of its tiles, by id; the page gets only the ids. */
  previews: z.record(z.string(), z.string()).exactOptional(),
  /** A question that can be answered in writing. */
  ask: z.custom<{ readonly draft: string; readonly question: Question }>(isObject).exactOptional(),
});
export type Message = Readonly<z.infer<typeof messageShape>>;

export const canSee = (person: Person, { room, only }: Pick<Message, 'room' | 'only'>): boolean =>
  (only === undefined || only === person.id) && roomsOf(person).some(({ id }) => id === room);

/** What a person can see of a room, for the page. */
export const seenBy = (person: Person, messages: readonly Message[], isKept: IsKept) =>
  messages.filter((message) => canSee(person, message)).map((message) => forPage(message, isKept));

/** The id of the bot's answer, derived from the person and the action. */
export const answerId = (person: Person, userAction: string): string => `bot.${person.id}.${userAction}`;

export const isAnswerTo = (person: Person, { id }: Pick<Message, 'id'>): boolean =>
  id.startsWith(answerId(person, ''));

/** What a person wrote, answers to it, and messages only they can see. */
export const isAbout = (person: Person, message: Message): boolean =>
  [message.from, message.only].includes(person.id) ||
  message.room === directRoom(person).id ||
  isAnswerTo(person, message);

export function holdsButton({ view }: Pick<Message, 'view'>, action: string): boolean {
  const all = [...(view?.buttons?.flat() ?? []), ...(view?.tiles ?? [])];
  return all.some((each) => each.action === action);
}

/** The id of a message's media, if any. */
export const mediaIn = ({ view }: Pick<Message, 'view'>): string | undefined =>
  view?.media === undefined || view.media.kind === 'link' ? undefined : view.media.id;

/** Whether the photo or media with this id can still be shown. */
export type IsKept = (id: string) => boolean;

/** A message for the page, with the ids of what can no longer be shown. */
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

const spot = z.object({ room: z.string(), id: z.string() });
export type Spot = z.infer<typeof spot>;

export const cardAt = ({ room, id }: Spot): CardRef => ({
  platform: 'web',
  ref: JSON.stringify({ room, id }),
});

export const spotOf = ({ ref }: CardRef): Spot | undefined => spot.safeParse(parseJson(ref)).data;
