import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import type { Command } from '../../../command/command.ts';
import type { Desk } from '../../../command/desk.ts';
import { languages, type Words } from '../../../words/words.ts';
import type { Chat } from '../outgoing/chat.ts';
import { offer } from '../outgoing/commands.ts';
import { canSee, forPage } from '../outgoing/message.ts';
import type { Streams } from '../outgoing/stream.ts';
import { callerFor, moderates, people, personWith, placeIn, type Room, roomsOf } from '../visitors/people.ts';
import type { RequestSession } from '../visitors/request-session.ts';
import type { Session, Sessions } from '../visitors/sessions.ts';
import { type Visitor, visitorOf } from '../visitors/visitor.ts';
import { readMultipart } from './multipart.ts';
import {
  answered,
  completing,
  identity,
  mostPhotos,
  mostText,
  pressed,
  readGiven,
  readMessage,
  removing,
} from './parse.ts';
import type { Photos } from './photos.ts';
import { readSmallBody } from './small-body.ts';
import type { Uploads } from './uploads.ts';
import type { UserActions } from './user-actions.ts';

export interface ApiParts {
  readonly commands: readonly Command[];
  readonly desk: Desk;
  readonly words: (locale: string) => Words;
  readonly chat: Chat;
  readonly photos: Photos;
  readonly isKept: (id: string) => boolean;
  readonly userActions: UserActions;
  readonly uploads: Uploads;
  readonly sessions: Sessions;
  readonly streams: Streams;
  readonly samples: readonly { readonly name: string; readonly label: string }[];
  readonly stopped: () => boolean;
}

const mostSuggestions = 12;
const mostJsonBytes = 64 * 1024;

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Translated names of our own samples. */
const sampleLabel = (name: string, { page }: Words): string | undefined =>
  ({ portrait: page.samplePortrait, group: page.sampleGroup })[name];

/** A language's name in that language. */
const ownNameOf = (id: string): string =>
  (new Intl.DisplayNames([id], { type: 'language' }).of(id) ?? id).replace(/^./, (letter) =>
    letter.toLocaleUpperCase(id),
  );

const roomIn = (session: Session, id: string): Room | undefined =>
  roomsOf(session.person).find((room) => room.id === id);

const visitorIn = (context: Context<RequestSession>): Visitor => ({
  address: visitorOf(context),
  session: context.get('session').key,
});

/** The page's API. Every request has a session. */
export const createApiRoutes = (parts: ApiParts): Hono<RequestSession> => {
  const { chat, photos, userActions, sessions, streams } = parts;
  const app = new Hono<RequestSession>();

  const body = async <T>(context: Context, schema: z.ZodType<T>): Promise<T | undefined> => {
    const text = await readSmallBody(context.req.raw, mostJsonBytes);
    const read = schema.safeParse(readJson(text));
    return read.success ? read.data : undefined;
  };

  app.use(async (context, next) => {
    await next();
    if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store');
  });
  app.use(async (context, next) => {
    if (parts.stopped() || (context.req.method === 'POST' && userActions.isBusy(visitorIn(context))))
      return context.json({ error: 'busy' }, 503, { 'retry-after': '1' });
    return next();
  });

  app.get('/session', (context) => {
    const { person } = context.get('session');
    const locale = context.get('locale');
    const words = parts.words(locale);
    return context.json({
      person,
      people,
      rooms: roomsOf(person).map((room) => ({
        ...room,
        name: room.of === undefined ? room.name : words.page.directChat,
        moderator: moderates(person, room),
      })),
      labels: words.page,
      locale,
      languages: Object.keys(languages).map((id) => ({ id, name: ownNameOf(id) })),
      commands: offer(parts.commands, words),
      samples: parts.samples.map(({ name, label }) => ({ name, label: sampleLabel(name, words) ?? label })),
      mostPhotos,
      mostText,
    });
  });

  app.post('/session', async (context) => {
    const wanted = await body(context, identity);
    const person = wanted?.person === undefined ? undefined : personWith(wanted.person);
    const locale =
      wanted?.locale !== undefined && Object.hasOwn(languages, wanted.locale) ? wanted.locale : undefined;
    if (person === undefined && locale === undefined) return context.json({ error: 'unknown' }, 400);
    const changes = {
      ...defined({ person, locale }),
    };
    await sessions.change(context.get('session'), changes, visitorOf(context));
    streams.restart(context.get('session'));
    return context.json({ ok: true });
  });

  app.get('/events', (context) => {
    // A HEAD request would open a stream that nobody reads or ends.
    if (context.req.method === 'HEAD') return context.body(null, 405);
    const last = context.req.header('last-event-id') ?? context.req.query('last');
    return streams.open(context.get('session'), last, visitorOf(context));
  });

  app.get('/messages', (context) => {
    const { person } = context.get('session');
    const room = roomIn(context.get('session'), context.req.query('room') ?? '');
    if (room === undefined) return context.json({ error: 'unknown room' }, 404);
    const messages = chat
      .all(room.id)
      .filter((message) => canSee(person, message))
      .map((message) => forPage(message, parts.isKept));
    return context.json({ messages });
  });

  const receiveMessage = async (context: Context<RequestSession>, bytes: Uint8Array): Promise<Response> => {
    const session = context.get('session');
    const words = parts.words(context.get('locale')).web;
    const form = readMultipart(context.req.header('content-type') ?? '', bytes);
    const message = typeof form === 'string' ? form : readMessage(form);
    if (message === 'malformed') return context.json({ error: 'malformed' }, 400);
    if (message === 'too-many') return context.json({ error: words.tooMany(mostPhotos) }, 413);
    if (message === 'too-large') return context.json({ error: words.tooLarge }, 413);
    const room = roomIn(session, message.room);
    if (room === undefined) return context.json({ error: 'unknown room' }, 404);
    const { person } = session;
    const visitor = visitorIn(context);
    const refs: string[] = [];
    for (const [index, photo] of message.photos.entries()) {
      const ref = `photo.${person.id}.${message.id}.${index}`;
      photos.put(ref, new Uint8Array(photo), visitor.address);
      refs.push(ref);
    }
    const { id, text } = message;
    await userActions.receive({
      id,
      person,
      room,
      visitor,
      locale: context.get('locale'),
      text,
      photos: refs,
    });
    return context.json({ ok: true }, 202);
  };
  app.post('/messages', async (context) => {
    const received = await parts.uploads.receive(context.req.raw, visitorIn(context), (bytes) =>
      receiveMessage(context, bytes),
    );
    if (received === 'busy') return context.json({ error: 'busy' }, 503, { 'retry-after': '1' });
    if (received === 'slow') return context.json({ error: 'incomplete message' }, 408);
    if (received === 'too-large')
      return context.json({ error: parts.words(context.get('locale')).web.tooMuch }, 413);
    return received;
  });

  app.post('/press', async (context) => {
    const session = context.get('session');
    const press = await body(context, pressed);
    const room = press && roomIn(session, press.room);
    if (press === undefined || room === undefined) return context.json({ error: 'malformed' }, 400);
    const message = chat.get({ room: room.id, id: press.message });
    if (message === undefined || !canSee(session.person, message))
      return context.json({ note: parts.words(context.get('locale')).press.stale });
    const { person } = session;
    const note = await userActions.press({
      ...press,
      person,
      room,
      visitor: visitorIn(context),
      locale: context.get('locale'),
    });
    return context.json(note === undefined ? {} : { note });
  });

  app.post('/answer', async (context) => {
    const session = context.get('session');
    const answer = await body(context, answered);
    const room = answer && roomIn(session, answer.room);
    if (answer === undefined || room === undefined) return context.json({ error: 'malformed' }, 400);
    const { person } = session;
    const visitor = visitorIn(context);
    await userActions.answer({ ...answer, person, room, visitor, locale: context.get('locale') });
    return context.json({ ok: true });
  });

  app.get('/complete', (context) => {
    const { given = '{}', ...query } = context.req.query();
    const asked = completing.safeParse(query);
    const room = asked.success ? roomIn(context.get('session'), asked.data.room) : undefined;
    if (!asked.success || room === undefined) return context.json({ error: 'malformed' }, 400);
    const { command, subcommand, option, typed } = asked.data;
    const suggestions = parts.desk.complete(
      {
        caller: callerFor(context.get('session').person, context.get('locale')),
        place: placeIn(room),
        command,
        ...defined({ subcommand }),
        option,
        typed,
        given: readGiven(given),
      },
      mostSuggestions,
    );
    return context.json({ suggestions });
  });

  // Moderators can remove every message, others their own.
  app.post('/remove', async (context) => {
    const { person } = context.get('session');
    const wanted = await body(context, removing);
    const room = wanted && roomIn(context.get('session'), wanted.room);
    const spot = wanted && { room: wanted.room, id: wanted.message };
    const message = spot && chat.get(spot);
    if (room === undefined || message === undefined || !canSee(person, message))
      return context.json({ error: 'unknown message' }, 404);
    const may = message.from === person.id || message.only === person.id || moderates(person, room);
    if (!may) return context.json({ error: 'not yours' }, 403);
    await chat.remove(message);
    return context.json({ ok: true });
  });

  return app;
};
