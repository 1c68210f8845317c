import { Hono } from 'hono';
import { defined } from '../../../base/defined.ts';
import { MOST_PHOTOS } from '../../../command/photo.ts';
import { LANGUAGES, languageName, type Words } from '../../../words/words.ts';
import type { AdapterOptions } from '../../adapter.ts';
import { offer } from '../outgoing/commands.ts';
import type { Streams } from '../outgoing/stream.ts';
import { mayRemoveIn, roomsOf } from '../visitors/people.ts';
import type { RequestSession } from '../visitors/request-session.ts';
import type { Sessions } from '../visitors/sessions.ts';
import { visitorOf } from '../visitors/visitor.ts';
import { identity, MOST_TEXT } from './parse.ts';
import { readJsonBody } from './small-body.ts';

export interface SessionParts extends Pick<AdapterOptions, 'commands' | 'words'> {
  readonly sessions: Sessions;
  readonly streams: Streams;
  readonly samples: readonly { readonly name: string; readonly label: string }[];
}

/** Translated names of our own samples. */
function sampleLabel(name: string, { page }: Words): string | undefined {
  return { portrait: page.samplePortrait, group: page.sampleGroup }[name];
}

/** Who the visitor is, and everything that the page offers them. */
export function createSessionRoutes({ commands, words, sessions, streams, samples }: SessionParts) {
  const app = new Hono<RequestSession>();

  app.get('/', (context) => {
    const { person } = context.get('session');
    const locale = context.get('locale');
    const own = words(locale);
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
      commands: offer(commands, own),
      samples: samples.map(({ name, label }) => ({ name, label: sampleLabel(name, own) ?? label })),
      mostPhotos: MOST_PHOTOS,
      mostText: MOST_TEXT,
    });
  });

  app.post('/', async (context) => {
    const wanted = await readJsonBody(context.req.raw, identity);
    const person = sessions.people.find(({ id }) => id === wanted?.person);
    const locale = LANGUAGES.find((each) => each === wanted?.locale);
    if (person === undefined && locale === undefined) return context.json({ error: 'unknown' }, 400);
    const session = context.get('session');
    await sessions.change(session, defined({ person, locale }), visitorOf(context));
    streams.restart(session);
    return context.json({ ok: true });
  });

  return app;
}
