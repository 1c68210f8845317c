import { randomUUID } from 'node:crypto';
import type { CardRef } from '../../../command/place.ts';
import type { View } from '../../../command/view.ts';
import type { Drawn } from '../../adapter.ts';
import type { Room } from '../visitors/people.ts';
import type { Answers } from './answers.ts';
import type { Chat } from './chat.ts';
import type { Content } from './content.ts';
import type { MediaStore } from './media.ts';
import { cardAt, type Message, mediaIn, type Spot, spotOf } from './message.ts';

/** A picture can be the photo of the next job; a video cannot. */
function outcome(message: Message): Drawn {
  const id = mediaIn(message);
  const isVideo = message.view?.media?.kind === 'video';
  return {
    state: 'drawn',
    card: cardAt(message),
    ...(id === undefined || isVideo ? {} : { result: { from: 'web', ref: id } }),
  };
}

/** Updates of cards, and messages that answer nothing. All are safe to repeat. */
export function createDrawing(parts: {
  readonly chat: Chat;
  readonly media: MediaStore;
  readonly content: Content;
  readonly answers: Answers;
  /** Resolves when the stored chat is loaded. */
  readonly open: () => Promise<unknown>;
}) {
  const { chat, media, content, answers } = parts;
  /** Another process may have made it a moment ago. */
  const isThere = async (spot: Spot): Promise<boolean> => {
    if (chat.get(spot) === undefined) await chat.refresh(spot.room);
    return chat.get(spot) !== undefined;
  };
  return {
    async draw(card: CardRef, view: View): Promise<Drawn> {
      await parts.open();
      const spot = spotOf(card);
      if (spot === undefined || !(await isThere(spot))) return { state: 'gone' };
      const shown = await content.of(spot.id, view);
      // Progress is stored, too, for the pages of other processes: once in some seconds for each card.
      const drawn = await chat.change(spot, ({ ask: _asked, previews: _previews, ...message }) => ({
        ...message,
        ...shown,
      }));
      if (drawn !== undefined) return outcome(drawn);
      // The message was removed while its result was being stored.
      const id = mediaIn(shown);
      if (id !== undefined) await media.drop(id);
      return { state: 'gone' };
    },
    async removeMessage(card: CardRef): Promise<void> {
      await parts.open();
      const spot = spotOf(card);
      if (spot !== undefined && (await isThere(spot))) await chat.remove(spot);
    },
    /** With the same id, it is the same message. */
    async post(room: Room | undefined, view: View, id = `bot.${randomUUID()}`): Promise<Drawn> {
      await parts.open();
      if (room === undefined) return { state: 'gone' };
      return outcome(await answers.post(view, { room: room.id, id }));
    },
  };
}
