import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { type Clock, waitAtMost } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import { createFairBudget, withSlot } from '../../../base/limits/fair-budget.ts';
import type { Changes } from '../outgoing/changes.ts';
import type { Chat } from '../outgoing/chat.ts';
import { canSee, type Message } from '../outgoing/message.ts';
import type { OfferedFilters } from '../outgoing/offered-filters.ts';
import { type Person, roomsOf } from '../visitors/people.ts';
import type { RequestSession } from '../visitors/request-session.ts';
import { visitorOf } from '../visitors/visitor.ts';
import { serveMedia } from './serve-media.ts';

export interface PreviewParts {
  readonly chat: Chat;
  readonly offeredFilters: OfferedFilters;
  readonly changes: Changes;
  readonly clock: Clock;
  readonly preview: (url: string) => Promise<Uint8Array | undefined>;
}

/** Longer waits would hold the few connections that a browser has for everything. */
const WAIT_MS = 300;
/** Waiting: addresses take turns. */
const AT_ONCE = { total: 120, perPerson: 30 };
const MOST_REPLACED = 50;
/** Also after the service has replaced it. */
const CACHED_SECONDS = 3_600;

/** The pictures of tiles, only for people who can see a message with that tile, or to whom it is offered. */
export function createPreviewRoutes({
  chat,
  offeredFilters,
  changes,
  clock,
  preview,
}: PreviewParts): Hono<RequestSession> {
  const app = new Hono<RequestSession>();
  const slots = createFairBudget(AT_ONCE);
  /** A page that does not know yet that a message has changed asks for the previews of before. */
  const replaced: Pick<Message, 'room' | 'only' | 'previews'>[] = [];
  changes.listen(({ before }) => {
    if (before?.previews === undefined) return;
    const { room, only, previews } = before;
    replaced.unshift({ room, previews, ...defined({ only }) });
    replaced.splice(MOST_REPLACED);
  });

  const addressFor = (person: Person, id: string): string | undefined =>
    [...roomsOf(person).flatMap((room) => chat.all(room.id)), ...replaced].find(
      (message) => Object.hasOwn(message.previews ?? {}, id) && canSee(person, message),
    )?.previews?.[id];

  const offeredAddress = async (person: Person, id: string): Promise<string | undefined> => {
    for (const room of roomsOf(person)) {
      const url = await offeredFilters.addressOf(person, room, id);
      if (url !== undefined) return url;
    }
    return undefined;
  };

  app.get('/:id', async (context) => {
    const { person } = context.get('session');
    const id = context.req.param('id');
    const url = addressFor(person, id) ?? (await offeredAddress(person, id));
    if (url === undefined) return context.json({ error: 'not found' }, 404);
    const { signal } = context.req.raw;
    const read = () => waitAtMost(clock, WAIT_MS, preview(url));
    const bytes = await withSlot(slots, visitorOf(context), read, signal).catch(() => undefined);
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
