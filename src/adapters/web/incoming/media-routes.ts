import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { waitAtMost } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import { createFairBudget, withSlot } from '../../../base/limits/fair-budget.ts';
import { visitorAddress } from '../../../sign-in/visitor.ts';
import type { WebDependencies } from '../outgoing/dependencies.ts';
import { canSee, type Message, mediaIn } from '../outgoing/message.ts';
import { offeredAddress } from '../outgoing/offered-filters.ts';
import { type Person, roomsOf } from '../visitors/people.ts';
import type { RequestSession } from '../visitors/request-session.ts';
import { serveMedia } from './serve-media.ts';

const JPEG = 'image/jpeg';

/** How long a request waits for a preview; longer waits would block the few connections that a browser opens. */
const WAIT_MS = 300;
/** How many requests may wait for previews, in all and from one address. */
const AT_ONCE = { total: 120, perPerson: 30 };
const MOST_REPLACED = 50;
/** How long browsers cache a preview, even if the service replaces it meanwhile. */
const CACHED_SECONDS = 3_600;

/**
 * Makes the routes for pictures and videos. They are served only to people who can see a message that shows them; previews
 * of filters also to people to whom the filters are offered.
 */
export function createMediaRoutes(
  parts: Pick<
    WebDependencies,
    'chat' | 'photos' | 'media' | 'samples' | 'desk' | 'content' | 'clock' | 'preview'
  >,
): Hono<RequestSession> {
  const { chat, photos, media, clock } = parts;
  const app = new Hono<RequestSession>();
  const shows = (message: Message, id: string): boolean =>
    mediaIn(message) === id || (message.photos ?? []).includes(id);
  const messagesFor = (person: Person): readonly Message[] =>
    roomsOf(person)
      .flatMap((room) => chat.all(room.id))
      .filter((message) => canSee(person, message));

  app.get('/media/:id', async (context) => {
    const id = context.req.param('id');
    if (!messagesFor(context.get('session').person).some((message) => shows(message, id)))
      return context.json({ error: 'not found' }, 404);
    const found = photos.get(id) ?? (await media.read(id));
    if (found === undefined) return context.json({ error: 'no longer available' }, 410);
    return serveMedia(found, id, context.req.header('if-none-match'), context.req.header('range'));
  });

  app.get('/samples/:name', (context) => {
    const sample = parts.samples.find(({ name }) => name === context.req.param('name'));
    if (sample === undefined) return context.json({ error: 'not found' }, 404);
    const { name, bytes } = sample;
    return serveMedia({ bytes, type: JPEG }, `sample-${name}`, context.req.header('if-none-match'));
  });

  const slots = createFairBudget(AT_ONCE);
  /** The latest messages that were changed: a page that does not know of the change yet asks for the previews of before. */
  const replaced: Pick<Message, 'room' | 'only' | 'previews'>[] = [];
  chat.changes.listen(({ before }) => {
    if (before?.previews === undefined) return;
    const { room, only, previews } = before;
    replaced.unshift({ room, previews, ...defined({ only }) });
    replaced.splice(MOST_REPLACED);
  });

  const shownAddress = (person: Person, id: string): string | undefined =>
    [...messagesFor(person), ...replaced.filter((before) => canSee(person, before))].find(
      ({ previews = {} }) => Object.hasOwn(previews, id),
    )?.previews?.[id];

  app.get('/api/preview/:id', async (context) => {
    const { person } = context.get('session');
    const id = context.req.param('id');
    const url = shownAddress(person, id) ?? (await offeredAddress(parts, person, id));
    if (url === undefined) return context.json({ error: 'not found' }, 404);
    const { signal } = context.req.raw;
    const read = () => waitAtMost(clock, WAIT_MS, parts.preview(url));
    const bytes = await withSlot(slots, visitorAddress(context), read, signal).catch(() => undefined);
    // The status is no error, which browsers would log; the page asks again later.
    if (bytes === undefined) return context.body(null, 204);
    const tag = createHash('sha256').update(bytes).digest('base64url');
    const served = serveMedia({ bytes, type: JPEG }, tag, context.req.header('if-none-match'));
    served.headers.set('cache-control', `private, max-age=${CACHED_SECONDS}`);
    return served;
  });

  return app;
}
