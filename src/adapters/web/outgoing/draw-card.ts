import { randomUUID } from 'node:crypto';
import type { CardRef } from '../../../command/place.ts';
import type { View } from '../../../command/view.ts';
import type { Drawn } from '../../adapter.ts';
import type { Room } from '../visitors/people.ts';
import type { Answers } from './answers.ts';
import type { Chat } from './chat.ts';
import type { Content } from './content.ts';
import type { MediaStore } from './media.ts';
import { cardAt, type Message, mediaIn, spotOf } from './message.ts';

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
  return {
    async draw(card: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<Drawn> {
      await parts.open();
      const spot = spotOf(card);
      if (spot !== undefined) await chat.refresh(spot.room);
      if (spot === undefined || chat.get(spot) === undefined) return { state: 'gone' };
      const shown = await content.of(spot.id, view);
      const durability = importance === 'final' ? 'durable' : 'lossy';
      const drawn = await chat.change(
        spot,
        ({ ask: _asked, previews: _previews, ...message }) => ({ ...message, ...shown }),
        durability,
      );
      if (drawn !== undefined) return outcome(drawn);
      // The message was removed while its result was being stored.
      const id = mediaIn(shown);
      if (id !== undefined) await media.drop(id);
      return { state: 'gone' };
    },
    async removeMessage(card: CardRef): Promise<void> {
      await parts.open();
      const spot = spotOf(card);
      if (spot === undefined) return;
      await chat.refresh(spot.room);
      await chat.remove(spot);
    },
    /** With the same id, it is the same message. */
    async post(room: Room | undefined, view: View, id = `bot.${randomUUID()}`): Promise<Drawn> {
      await parts.open();
      if (room === undefined) return { state: 'gone' };
      return outcome(await answers.post(view, { room: room.id, id }));
    },
  };
}
