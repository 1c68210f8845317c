/**
 * The page at `/removal`, where people outside the chat ask that a result is removed. It works without scripts, and answers the same
 * whether what they name exists or not: owners look for it (`src/app/requests`). `form.ts` is the form, `state.ts` what became of a
 * request. Begin with `createRemovalPage` below.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { type Clock, withTimeout } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { createFairBudget, withSlot } from '../base/limits/fair-budget.ts';
import type { Log } from '../log/log.ts';
import type { Crowded } from '../safety/requests/request-list.ts';
import { newRequestNumber, readRequestNumber, requestIdOf } from '../safety/requests/request-number.ts';
import {
  MOST_REQUEST_LETTERS,
  type PictureFingerprints,
  type RemovalRequest,
} from '../safety/requests/request-records.ts';
import { readMultipart } from '../sign-in/multipart.ts';
import { isOwnOrigin, policyWith, secureHeaders } from '../sign-in/security-headers.ts';
import { readSmallBody } from '../sign-in/small-body.ts';
import { createUploads } from '../sign-in/uploads.ts';
import { visitorAddressWithClaim } from '../sign-in/visitor.ts';
import type { Language } from '../words/language.ts';
import { createAddressLimit } from './address-limit.ts';
import {
  type FormProblem,
  formPage,
  formProblemOf,
  MOST_PICTURE_BYTES,
  NOTHING_TYPED,
  problemPage,
  readFilledForm,
} from './form.ts';
import { parseHttpLink } from './http-link.ts';
import { REMOVAL_PATH, type Speech, speechOf } from './layout.ts';
import { deletePage, sentencePage, statePage } from './state.ts';

/** The parts of the program from which the page is made. */
export interface RemovalPageDependencies {
  readonly requests: {
    /** Counts a form that was sent; says why no more are accepted now. */
    admit(from: string): Promise<Crowded | undefined>;
    add(id: string, request: RemovalRequest): Promise<Crowded | undefined>;
    find(id: string): Promise<RemovalRequest | undefined>;
    delete(id: string): Promise<void>;
  };
  /** The fingerprints of a picture; undefined if it is none that can be read. */
  readonly fingerprint: (
    picture: Uint8Array,
    signal: AbortSignal,
  ) => Promise<PictureFingerprints | undefined>;
  /** The language for browsers whose languages we do not speak. */
  readonly ownerLanguage: Language;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
}

/** Per address and minute. Accepted forms are bounded for all processes together (`src/safety/requests/request-list.ts`). */
const MOST_FORMS = 10;
const MOST_LOOKUPS = 60;
/** Of all addresses together, in this process: what is beyond that is not read, so that a flood costs little. */
const MOST_FORMS_IN_ALL = 100;
const MOST_NUMBER_BYTES = 1_024;
/** One picture, and the fields of the form. */
const UPLOADS = { mostOfOne: MOST_PICTURE_BYTES + 64 * 1024, mostInAll: 64 * 1024 * 1024 };
/** Pictures are looked at one after the other, and each visitor has a turn. */
const LOOKS = { total: 1, perPerson: 1 };
const LOOK_MS = 60_000;

const POLICY = policyWith("img-src 'self'");

/** The look of the console. */
const FILES = { 'style.css': 'text/css; charset=utf-8', 'icon.svg': 'image/svg+xml' };

const STATUS: Readonly<Partial<Record<FormProblem, 403 | 408 | 413 | 429 | 503>>> = {
  busy: 429,
  'busy-of-one': 429,
  full: 503,
  'full-of-one': 429,
  large: 413,
  slow: 408,
  elsewhere: 403,
  failed: 503,
};

/** Where a request comes from, by which it is bounded. A visitor cannot choose it (`visitorAddressWithClaim`). */
function sourceOf(context: Context): string {
  const { address, claimed = '' } = visitorAddressWithClaim(context);
  return createHash('sha256').update(`${address} ${claimed}`).digest('base64url').slice(0, 22);
}

/** Middleware that sets the headers of every answer, errors included. */
const headers: MiddlewareHandler = (context, next) =>
  secureHeaders(context, async () => {
    await next();
    const { headers: sent } = context.res;
    sent.set('content-security-policy', POLICY);
    if (!sent.has('cache-control')) sent.set('cache-control', 'no-store');
  });

/** Makes the routes of the page, to be mounted at `REMOVAL_PATH`. */
export function createRemovalPage(parts: RemovalPageDependencies): Hono {
  const { requests, clock, log } = parts;
  const uploads = createUploads(clock, UPLOADS);
  const looks = createFairBudget(LOOKS);
  const maySend = createAddressLimit(clock, MOST_FORMS);
  const mayLookUp = createAddressLimit(clock, MOST_LOOKUPS);
  const mayAnybodySend = createAddressLimit(clock, MOST_FORMS_IN_ALL);
  const speech = (context: Context): Speech => speechOf(context, parts.ownerLanguage);
  const refuse = (context: Context, problem: FormProblem) =>
    context.html(problemPage(problem, speech(context)), STATUS[problem] ?? 400);

  /** Undefined if it cannot be read as a picture, `busy` if that took too long. */
  const look = async (
    picture: Uint8Array,
    from: string,
  ): Promise<PictureFingerprints | 'busy' | undefined> => {
    let isOver = false;
    try {
      return await withTimeout(clock, LOOK_MS, (signal) => {
        signal.addEventListener('abort', () => {
          isOver = true;
        });
        return withSlot(looks, from, () => parts.fingerprint(picture, signal), signal);
      });
    } catch (error) {
      if (isOver) return 'busy';
      throw error;
    }
  };

  const accept = async (context: Context, body: Uint8Array, from: string) => {
    const form = readMultipart(context.req.header('content-type') ?? '', body);
    if (typeof form === 'string') return refuse(context, 'malformed');
    const filled = readFilledForm(form);
    const said = speech(context);
    const again = (problem: FormProblem) =>
      context.html(formPage(filled, problem, said), STATUS[problem] ?? 400);
    const problem = formProblemOf(filled) ?? (await requests.admit(from));
    if (problem !== undefined) return again(problem);
    const picture = filled.picture && (await look(filled.picture, from));
    if (picture === 'busy') return again('busy');
    if (filled.picture !== undefined && picture === undefined) return again('picture');
    const { contact, about } = filled;
    const link =
      filled.link === '' ? undefined : parseHttpLink(filled.link)?.slice(0, MOST_REQUEST_LETTERS.link);
    const number = newRequestNumber();
    const request = { at: clock.now(), from, contact, about, ...defined({ link, picture }) };
    const crowded = await requests.add(requestIdOf(number), request);
    // Sending the form again would make a second request, so it leads to another page.
    return crowded === undefined
      ? context.redirect(`${REMOVAL_PATH}/${number}${said.query}`, 303)
      : again(crowded);
  };

  /** The request with the number in the address. Undefined, too, if there are too many questions. */
  const asked = async (context: Context) => {
    const number = readRequestNumber(context.req.param('number') ?? '');
    const request = number && (await requests.find(requestIdOf(number)));
    return number === undefined || !request ? undefined : { number, request };
  };
  const unknown = (context: Context) => {
    const said = speech(context).words.removalPage;
    return context.html(sentencePage(said.unknownTitle, said.unknown, speech(context)), 404);
  };

  const app = new Hono();
  app.use(headers);
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    // The path has the number of a request, which no log may have.
    log.error({ err: error }, 'the page for requests of removal could not answer');
    return refuse(context, 'failed');
  });
  for (const [name, type] of Object.entries(FILES)) {
    const text = readFileSync(new URL(`../console/page/${name}`, import.meta.url), 'utf8');
    app.get(`/${name}`, (context) => context.body(text, 200, { 'content-type': type }));
  }
  app.use(async (context, next) => {
    const { method } = context.req;
    const isForm = method !== 'GET' && method !== 'HEAD';
    if (isForm && !isOwnOrigin(context)) return refuse(context, 'elsewhere');
    const from = sourceOf(context);
    if (!(isForm ? maySend(from) : mayLookUp(from))) return refuse(context, 'busy-of-one');
    return next();
  });

  app.get('/', (context) => context.html(formPage(NOTHING_TYPED, undefined, speech(context))));
  app.post('/', async (context) => {
    if (!mayAnybodySend('')) return refuse(context, 'busy');
    const from = sourceOf(context);
    const answer = await uploads.receive(context.req.raw, { address: from, session: '' }, (body) =>
      accept(context, body, from),
    );
    if (typeof answer !== 'string') return answer;
    return refuse(context, answer === 'too-large' ? 'large' : answer);
  });
  app.post('/find', async (context) => {
    const typed = new URLSearchParams(await readSmallBody(context.req.raw, MOST_NUMBER_BYTES)).get('number');
    const number = readRequestNumber(typed ?? '');
    return number === undefined
      ? unknown(context)
      : context.redirect(`${REMOVAL_PATH}/${number}${speech(context).query}`, 303);
  });

  app.get('/:number', async (context) => {
    const found = await asked(context);
    if (found === undefined) return unknown(context);
    // The address is the requester's secret: no other page learns it.
    context.header('referrer-policy', 'no-referrer');
    return context.html(statePage(found.number, found.request, clock.now(), speech(context)));
  });
  app.get('/:number/delete', async (context) => {
    const found = await asked(context);
    return found === undefined ? unknown(context) : context.html(deletePage(found.number, speech(context)));
  });
  app.post('/:number/delete', async (context) => {
    const found = await asked(context);
    if (found === undefined) return unknown(context);
    await requests.delete(requestIdOf(found.number));
    const said = speech(context).words.removalPage;
    return context.html(sentencePage(said.deletedTitle, said.deleted, speech(context)));
  });
  app.all('*', unknown);
  return app;
}
