import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { createFairBudget, withSlot } from '../../../base/fair-budget.ts';
import type { Chat } from '../outgoing/chat.ts';
import { canSee } from '../outgoing/message.ts';
import { type Person, roomsOf } from '../visitors/people.ts';
import type { RequestSession } from '../visitors/request-session.ts';
import { visitorOf } from '../visitors/visitor.ts';
import { serveMedia } from './serve-media.ts';

export interface PreviewParts {
  readonly chat: Chat;
  readonly preview: (url: string) => Promise<Uint8Array | undefined>;
}

/** A slow one is waited for: addresses take turns. */
const AT_ONCE = { total: 120, perPerson: 30 };
/** Also after the service has replaced it. */
const CACHED_SECONDS = 3_600;

/** The pictures of tiles, only for people who can see a message with that tile. */
export function createPreviewRoutes({ chat, preview }: PreviewParts): Hono<RequestSession> {
  const app = new Hono<RequestSession>();
  const slots = createFairBudget(AT_ONCE);

  const addressFor = (person: Person, id: string): string | undefined => {
    for (const room of roomsOf(person))
      for (const message of chat.all(room.id)) {
        const { previews = {} } = message;
        if (Object.hasOwn(previews, id) && canSee(person, message)) return previews[id];
      }
    return undefined;
  };

  app.get('/:id', async (context) => {
    const url = addressFor(context.get('session').person, context.req.param('id'));
    if (url === undefined) return context.json({ error: 'not found' }, 404);
    const { signal } = context.req.raw;
    const bytes = await withSlot(slots, visitorOf(context), () => preview(url), signal).catch(
      () => undefined,
    );
    // Not an error, which browsers would log: the page asks again.
    if (bytes === undefined) return context.body(null, 204);
    const tag = createHash('sha256').update(bytes).digest('base64url');
    const none = context.req.header('if-none-match');
    const served = serveMedia({ bytes, type: 'image/jpeg' }, tag, { range: undefined, none });
    served.headers.set('cache-control', `private, max-age=${CACHED_SECONDS}`);
    return served;
  });

  return app;
}
