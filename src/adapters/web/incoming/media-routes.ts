import { Hono } from 'hono';
import type { Chat } from '../outgoing/chat.ts';
import type { MediaStore } from '../outgoing/media.ts';
import { canSee, type Message, mediaIn } from '../outgoing/message.ts';
import { type Person, roomsOf } from '../visitors/people.ts';
import type { RequestSession } from '../visitors/request-session.ts';
import type { Photos } from './photos.ts';
import { serveMedia } from './serve-media.ts';

export interface Sample {
  /** The file name without extension. */
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Pictures and videos, only for people who can see a message that shows them. */
export function createMediaRoutes(parts: {
  readonly chat: Chat;
  readonly photos: Photos;
  readonly media: MediaStore;
  readonly samples: readonly Sample[];
}): Hono<RequestSession> {
  const app = new Hono<RequestSession>();

  const shows = (message: Message, id: string): boolean =>
    mediaIn(message) === id || (message.photos ?? []).includes(id);
  const seenBy = (person: Person, id: string): boolean =>
    roomsOf(person).some((room) =>
      parts.chat.all(room.id).some((message) => shows(message, id) && canSee(person, message)),
    );

  app.get('/media/:id', async (context) => {
    const id = context.req.param('id');
    if (!seenBy(context.get('session').person, id)) return context.json({ error: 'not found' }, 404);
    const found = parts.photos.get(id) ?? (await parts.media.read(id));
    if (found === undefined) return context.json({ error: 'no longer available' }, 410);
    return serveMedia(found, id, {
      range: context.req.header('range'),
      none: context.req.header('if-none-match'),
    });
  });

  app.get('/samples/:name', (context) => {
    const sample = parts.samples.find(({ name }) => name === context.req.param('name'));
    if (sample === undefined) return context.json({ error: 'not found' }, 404);
    const asked = { range: undefined, none: context.req.header('if-none-match') };
    return serveMedia(sample, `sample-${sample.name}`, asked);
  });

  return app;
}
