import { z } from 'zod';
import type { CardRef } from '../../../command/place.ts';
import type { Question } from '../../../command/reply.ts';
import { directRoom, type Person, roomsOf } from '../visitors/people.ts';
import type { ShownView } from './render.ts';

/** One message of a room. Plain data, stored and sent to the page as it is. */
export interface Message {
  readonly id: string;
  readonly room: string;
  /** Its position in the room. */
  readonly order: number;
  readonly at: number;
  /** A person's id, or `bot`. */
  readonly from: string;
  /** The one person who sees it. */
  readonly only?: string;
  /** What a person wrote, and ids of its photos. */
  readonly text?: string;
  readonly photos?: readonly string[];
  /** The process that has received its photos, where several share the store. */
  readonly process?: string;
  /** Set while it is unanswered: the language of the answer. */
  readonly pending?: string;
  /** What the bot shows. */
  readonly view?: ShownView;
  /** The addresses of the pictures of its tiles, by id; the page gets only the ids. */
  readonly previews?: Readonly<Record<string, string>>;
  /** A question that can be answered in writing. */
  readonly ask?: { readonly draft: string; readonly question: Question };
}

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

/** Whether a photo or media of this message can still be shown. */
export type IsKept = (id: string, message: Message) => boolean;

/** A message for the page, with the ids of what can no longer be shown. */
export function forPage(
  stored: Message,
  isKept: IsKept,
): Omit<Message, 'previews'> & { readonly lost?: readonly string[] } {
  const { previews: _previews, ...message } = stored;
  const media = mediaIn(message);
  const lost = [...(message.photos ?? []), ...(media === undefined ? [] : [media])].filter(
    (id) => !isKept(id, message),
  );
  return lost.length === 0 ? message : { ...message, lost };
}

const spot = z.object({ room: z.string(), id: z.string() });
export type Spot = z.infer<typeof spot>;

export const cardAt = ({ room, id }: Spot): CardRef => ({
  platform: 'web',
  ref: JSON.stringify({ room, id }),
});

export function spotOf(card: CardRef): Spot | undefined {
  try {
    return spot.parse(JSON.parse(card.ref));
  } catch {
    return undefined;
  }
}
