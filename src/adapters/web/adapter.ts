import { Hono } from 'hono';
import { createRepeat, waitAtMost } from '../../base/clock.ts';
import { UserError } from '../../command/errors.ts';
import { ownPageOnly, secureHeaders } from '../../sign-in/security-headers.ts';
import { createUploads } from '../../sign-in/uploads.ts';
import { wordsFor } from '../../words/words.ts';
import { type Adapter, type MediaLimits, PhotoGone } from '../adapter.ts';
import { createApiRoutes } from './incoming/api-routes.ts';
import { createMediaRoutes } from './incoming/media-routes.ts';
import { createPageRoutes } from './incoming/page-routes.ts';
import { createUserActions } from './incoming/user-actions.ts';
import { createAnswers } from './outgoing/answers.ts';
import { createChat } from './outgoing/chat.ts';
import { createStoredContent } from './outgoing/content.ts';
import type { WebDependencies, WebOptions } from './outgoing/dependencies.ts';
import { createMediaStore } from './outgoing/media.ts';
import { answerId, isAbout, mediaIn } from './outgoing/message.ts';
import { createPlaygroundPhotos } from './outgoing/photos.ts';
import { createStreams } from './outgoing/stream.ts';
import { directRoom, moderates, personWith, rooms, roomsOf, roomWith } from './visitors/people.ts';
import { requireSession } from './visitors/request-session.ts';
import { createSessions } from './visitors/sessions.ts';

/** The adapter of the playground, which also serves its page. */
export interface WebAdapter extends Adapter {
  /** The HTTP routes of the playground, to be mounted at `/`. */
  readonly routes: Hono;
}

const LIMITS: MediaLimits = {
  imageBytes: 32 * 1024 * 1024,
  fileBytes: 64 * 1024 * 1024,
  videoBytes: 64 * 1024 * 1024,
};

/** A message whose answer could not be shown is answered again after this time. */
const UNANSWERED_MS = 60_000;

/** How long `stop` waits for actions in progress. */
const LONGEST_STOP_MS = 8_000;

/**
 * Makes the playground: `incoming/` has its routes and handles what people do, `outgoing/` stores the chat and streams it to
 * open pages, `visitors/` has the people and the sessions of browsers, and `page/` is the page itself.
 */
export function createWebAdapter(options: WebOptions): WebAdapter {
  const { state, clock } = options;
  const log = options.log.child({ platform: 'web' });
  let running = false;

  const photos = createPlaygroundPhotos(clock);
  const media = createMediaStore(state);
  const chat = createChat({
    state,
    clock,
    dropped: (message, by) => {
      const id = mediaIn(message);
      if (id === undefined || (by !== undefined && mediaIn(by) === id)) return;
      media.drop(id).catch((error: unknown) => log.warn({ err: error }, 'a result could not be deleted'));
    },
  });
  const content = createStoredContent({ state, media, photos });
  const sessions = createSessions(state, options);
  let opening: Promise<unknown> | undefined;
  /** Loads the stored chat once. Drawing waits for it, too, because running jobs may draw before `start` has ended. */
  const open = (): Promise<unknown> => {
    opening ??= Promise.all([media.load(), chat.load(), content.load(), sessions.load()]).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const isKept: WebDependencies['isKept'] = (id) => photos.get(id) !== undefined || media.has(id);
  const parts: WebDependencies = { ...options, log, photos, media, content, chat, isKept, open };
  const answers = createAnswers(parts);
  const userActions = createUserActions(parts, answers);
  const streams = createStreams(parts);
  const resuming = createRepeat(clock, UNANSWERED_MS, () => userActions.resume(UNANSWERED_MS));

  const routes = new Hono();
  // The middleware is set on our own paths only, because other parts of the server have rules of their own.
  for (const path of ['/', '/page/*', '/login', '/api/*', '/media/*', '/samples/*'])
    routes.use(path, secureHeaders, ownPageOnly);
  // The server listens before `start`, so requests wait for the secret of the cookies, without which each would seem forged.
  for (const path of ['/', '/api/*', '/media/*', '/samples/*'])
    routes.use(path, async (_context, next) => {
      await open();
      return next();
    });
  routes.route('/', createPageRoutes({ ...options, sessions }));
  for (const path of ['/api/*', '/media/*', '/samples/*']) routes.use(path, requireSession(sessions));
  routes.route(
    '/api',
    createApiRoutes({
      ...parts,
      userActions,
      uploads: createUploads(clock),
      sessions,
      streams,
      stopped: () => !running,
    }),
  );
  routes.route('/', createMediaRoutes(parts));

  return {
    platform: 'web',
    keepsChat: true,
    sharesOnce: true,
    routes,
    async start() {
      await open();
      running = true;
      userActions.resume(0);
      resuming.start();
    },
    async stop() {
      running = false;
      void resuming.stop();
      await waitAtMost(clock, LONGEST_STOP_MS, userActions.idle());
      photos.stop();
      streams.close();
    },
    draw: answers.draw,
    removeMessage: answers.removeMessage,
    say(to, view, share) {
      const sharer = share && personWith(share.caller.id);
      const id = share && sharer && answerId(sharer, `share-${share.job}`);
      if ('place' in to) return answers.say(roomWith(to.place.channel), view, id);
      const person = personWith(to.caller.id);
      return answers.say(person && directRoom(person), view);
    },
    async forget({ id }) {
      await open();
      photos.erase(id);
      const person = personWith(id);
      const all = rooms.flatMap((room) => chat.all(room.id));
      for (const message of all) {
        if (person === undefined || !isAbout(person, message)) continue;
        await chat.remove(message);
      }
    },
    async photo({ ref }, maxBytes, _signal, reserve) {
      await open();
      const found = photos.get(ref) ?? (await media.read(ref));
      if (found === undefined) throw new PhotoGone('the photo is not in memory any more');
      await reserve?.(found.bytes.byteLength);
      if (found.bytes.byteLength > maxBytes) throw new UserError(wordsFor('en').web.tooLarge, 'limit');
      return found.bytes;
    },
    limits: () => LIMITS,
    async isModerator(caller, place) {
      const person = personWith(caller.id);
      const room = roomWith(place.channel);
      if (person === undefined || room === undefined || place.direct) return false;
      return place.community === `web:${room.id}` && moderates(person, room);
    },
    async communityInfo({ channel }) {
      const room = roomWith(channel);
      const members = sessions.people.filter((person) => roomsOf(person).some(({ id }) => id === channel));
      return room && { name: room.name, members: members.length };
    },
    personName: async (id) => personWith(id)?.name,
    trouble: () => (running ? undefined : 'the playground is not running'),
  };
}
