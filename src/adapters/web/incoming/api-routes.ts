import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import { MOST_PHOTOS } from '../../../command/photo.ts';
import { readMultipart } from '../../../sign-in/multipart.ts';
import { readJsonBody } from '../../../sign-in/small-body.ts';
import type { Uploads } from '../../../sign-in/uploads.ts';
import { type Visitor, visitorAddress } from '../../../sign-in/visitor.ts';
import { LANGUAGES } from '../../../words/language.ts';
import { languageName, wordsFor } from '../../../words/words.ts';
import { commandsForPage } from '../outgoing/commands.ts';
import type { WebDependencies } from '../outgoing/dependencies.ts';
import { canSee, seenBy } from '../outgoing/message.ts';
import { offeredTiles } from '../outgoing/offered-filters.ts';
import { photoId } from '../outgoing/photos.ts';
import type { Streams } from '../outgoing/stream.ts';
import { callerFor, mayRemoveIn, placeIn, type Room, roomsOf } from '../visitors/people.ts';
import type { RequestSession } from '../visitors/request-session.ts';
import type { Sessions } from '../visitors/sessions.ts';
import {
  answerShape,
  completionShape,
  deletionShape,
  identityShape,
  MOST_TEXT,
  pressShape,
  readGiven,
  readMessage,
} from './parse.ts';
import type { UserAction, UserActions } from './user-actions.ts';

type Request = Context<RequestSession>;

const MOST_SUGGESTIONS = 12;

const roomIn = (context: Request, id: string): Room | undefined =>
  roomsOf(context.get('session').person).find((room) => room.id === id);

const visitorIn = (context: Request): Visitor => ({
  address: visitorAddress(context),
  session: context.get('session').key,
});

function actionIn(context: Request, room: Room, id: string): UserAction {
  const { person } = context.get('session');
  return { id, person, room, locale: context.get('locale'), visitor: visitorIn(context) };
}

/** Reads a request about a room of the person; undefined if it is malformed or the person is not in that room. */
async function readInRoom<T extends { readonly room: string }>(context: Request, schema: z.ZodType<T>) {
  const read = await readJsonBody(context.req.raw, schema);
  const room = read && roomIn(context, read.room);
  return read && room && { ...read, room };
}

const busy = (context: Request): Response => context.json({ error: 'busy' }, 503, { 'retry-after': '1' });

const SAMPLE_LABELS = { portrait: 'samplePortrait', group: 'sampleGroup' } as const;

/** Makes the routes of the page's API, which serve requests with a session only. */
export function createApiRoutes(
  parts: Pick<WebDependencies, 'commands' | 'desk' | 'samples' | 'chat' | 'content' | 'photos' | 'isKept'> & {
    readonly sessions: Sessions;
    readonly streams: Streams;
    readonly userActions: UserActions;
    readonly uploads: Uploads;
    readonly stopped: () => boolean;
  },
): Hono<RequestSession> {
  const { chat, photos, userActions, sessions, streams } = parts;
  const app = new Hono<RequestSession>();
  const wordsIn = (context: Request) => wordsFor(context.get('locale'));

  app.use(async (context, next) => {
    await next();
    if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store');
  });
  app.use(async (context, next) => {
    const isBusy = context.req.method === 'POST' && userActions.isBusy(visitorIn(context));
    return parts.stopped() || isBusy ? busy(context) : next();
  });

  // The answer tells the page who the visitor is, and all that it offers them.
  app.get('/session', (context) => {
    const { person } = context.get('session');
    const locale = context.get('locale');
    const own = wordsIn(context);
    return context.json({
      person,
      people: sessions.people,
      rooms: roomsOf(person).map((room) => ({
        ...room,
        name: room.of === undefined ? room.name : own.page.directChat,
        moderator: mayRemoveIn(person, room),
      })),
      labels: own.page,
      locale,
      languages: LANGUAGES.map((id) => ({ id, name: languageName(id) })),
      commands: commandsForPage(parts.commands, own),
      samples: parts.samples.map(({ name }) => ({ name, label: own.page[SAMPLE_LABELS[name]] })),
      mostPhotos: MOST_PHOTOS,
      mostText: MOST_TEXT,
    });
  });

  app.post('/session', async (context) => {
    const wanted = await readJsonBody(context.req.raw, identityShape);
    const person = sessions.people.find(({ id }) => id === wanted?.person);
    const locale = LANGUAGES.find((each) => each === wanted?.locale);
    if (person === undefined && locale === undefined) return context.json({ error: 'unknown' }, 400);
    const session = context.get('session');
    await sessions.change(session, defined({ person, locale }), visitorAddress(context));
    streams.restart(session);
    return context.json({ ok: true });
  });

  app.get('/events', (context) => {
    // Hono would answer a HEAD request with this handler, and open a stream that has no reader and never ends.
    if (context.req.method === 'HEAD') return context.body(null, 405);
    const last = context.req.header('last-event-id') ?? context.req.query('last');
    return streams.open(context.get('session'), last, visitorAddress(context));
  });

  app.get('/messages', (context) => {
    const { person } = context.get('session');
    const room = roomIn(context, context.req.query('room') ?? '');
    if (room === undefined) return context.json({ error: 'unknown room' }, 404);
    return context.json({ messages: seenBy(person, chat.all(room.id), parts.isKept) });
  });

  const receiveMessage = async (context: Request, bytes: Uint8Array): Promise<Response> => {
    const words = wordsIn(context).web;
    const form = readMultipart(context.req.header('content-type') ?? '', bytes);
    const message = typeof form === 'string' ? form : readMessage(form);
    if (message === 'malformed') return context.json({ error: 'malformed' }, 400);
    if (message === 'too-many') return context.json({ error: words.tooMany(MOST_PHOTOS) }, 413);
    if (message === 'too-large') return context.json({ error: words.tooLarge }, 413);
    const { id, text } = message;
    const room = roomIn(context, message.room);
    if (room === undefined) return context.json({ error: 'unknown room' }, 404);
    const userAction = actionIn(context, room, id);
    const sent = message.photos.map(
      (photo, index) => [photoId(userAction.person.id, id, index), new Uint8Array(photo)] as const,
    );
    await photos.put(sent, visitorAddress(context));
    await userActions.receive({ ...userAction, text, photos: sent.map(([ref]) => ref) });
    return context.json({ ok: true }, 202);
  };
  app.post('/messages', async (context) => {
    const received = await parts.uploads.receive(context.req.raw, visitorIn(context), (bytes) =>
      receiveMessage(context, bytes),
    );
    if (received === 'busy') return busy(context);
    if (received === 'slow') return context.json({ error: 'incomplete message' }, 408);
    if (received === 'too-large') return context.json({ error: wordsIn(context).web.tooMuch }, 413);
    return received;
  });

  app.post('/press', async (context) => {
    const press = await readInRoom(context, pressShape);
    if (press === undefined) return context.json({ error: 'malformed' }, 400);
    const message = chat.get({ room: press.room.id, id: press.message });
    if (message === undefined || !canSee(context.get('session').person, message))
      return context.json({ note: wordsIn(context).press.stale });
    const note = await userActions.press({ ...press, ...actionIn(context, press.room, press.id) });
    return context.json(defined({ note }));
  });

  app.post('/answer', async (context) => {
    const answer = await readInRoom(context, answerShape);
    if (answer === undefined) return context.json({ error: 'malformed' }, 400);
    await userActions.answer({ ...answer, ...actionIn(context, answer.room, answer.id) });
    return context.json({ ok: true });
  });

  app.get('/filters', async (context) => {
    const room = roomIn(context, context.req.query('room') ?? '');
    if (room === undefined) return context.json({ error: 'unknown room' }, 404);
    const { person } = context.get('session');
    return context.json({ tiles: await offeredTiles(parts, person, room, context.get('locale')) });
  });

  app.get('/complete', async (context) => {
    const { given = '{}', ...query } = context.req.query();
    const asked = completionShape.safeParse(query);
    const room = asked.success ? roomIn(context, asked.data.room) : undefined;
    if (!asked.success || room === undefined) return context.json({ error: 'malformed' }, 400);
    const caller = callerFor(context.get('session').person, context.get('locale'));
    const suggestions = await parts.desk.complete(
      { ...asked.data, caller, place: placeIn(room), given: readGiven(given) },
      MOST_SUGGESTIONS,
    );
    return context.json({ suggestions });
  });

  // Moderators can remove every message that they see, other people only their own.
  app.post('/remove', async (context) => {
    const { person } = context.get('session');
    const wanted = await readInRoom(context, deletionShape);
    const message = wanted && chat.get({ room: wanted.room.id, id: wanted.message });
    if (wanted === undefined || message === undefined || !canSee(person, message))
      return context.json({ error: 'unknown message' }, 404);
    const may = message.from === person.id || message.only === person.id || mayRemoveIn(person, wanted.room);
    if (!may) return context.json({ error: 'not yours' }, 403);
    await chat.remove(message);
    return context.json({ ok: true });
  });

  return app;
}
