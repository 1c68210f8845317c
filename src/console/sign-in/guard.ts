import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import { announcedBytes, readBody } from '../../base/network/read-body.ts';
import { SESSION_MS, setPrivateCookie } from '../../sign-in/cookies.ts';
import { isOwnOrigin } from '../../sign-in/security-headers.ts';
import { readSmallBody } from '../../sign-in/small-body.ts';
import { visitorAddress } from '../../sign-in/visitor.ts';
import { bareLayout, CONSOLE_PATH, type ConsoleEnv } from '../frame/layout.ts';
import type { createFormSecrets } from './form-secrets.ts';
import type { OwnerSession, OwnerSessions, SignInOrigin } from './sessions.ts';
import { consoleAddress, type SignInNotice, signInPage } from './sign-in-page.ts';

/** Checks a password, with a rate limit on wrong ones (`src/sign-in`). */
export type TryPassword = (password: string, from: Context) => Promise<'right' | 'wrong' | 'wait'>;

/** Patterns of browsers in the order of trial, because later names are in the headers of other browsers, too. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

const MOST_READ = 500;

/** Reads the names of browser and system from the User-Agent header: `Firefox, Windows`; empty if both are unknown. */
export function browserName(header: string | undefined): string {
  const text = (header ?? '').slice(0, MOST_READ);
  const find = (list: readonly (readonly [RegExp, string])[]): string | undefined =>
    list.find(([pattern]) => pattern.test(text))?.[1];
  return [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined).join(', ');
}

const COOKIE = 'darkroom-owner';
const MOST_FORM_BYTES = 8_192;

/** Where a request comes from, for the list of sessions. */
export const originOf = (context: Context): SignInOrigin => ({
  browser: browserName(context.req.header('user-agent')),
  network: visitorAddress(context),
});

/** Reads the password from an `Authorization: Basic` header, for scripts; the user name does not matter. */
function passwordIn(header: string | undefined): string | undefined {
  const given = /^Basic ([A-Za-z0-9+/=]{1,2000})$/.exec(header ?? '')?.[1];
  if (given === undefined) return undefined;
  const text = Buffer.from(given, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

function isEmbedded(context: Context): boolean {
  const site = context.req.header('sec-fetch-site') ?? 'none';
  return site !== 'none' && site !== 'same-origin' && context.req.header('sec-fetch-mode') !== 'navigate';
}

/** The address that takes a file. */
export const UPLOAD_PATH = `${CONSOLE_PATH}/removals/picture`;
/** As large as photos are, and the form around one. */
const MOST_UPLOAD_BYTES = 21 * 1024 * 1024;

/** Reads a form with a file, one at a time. Throws an HTTPException if it is too large, no such form, or another one is being read. */
function createReadUpload() {
  let isReading = false;
  return async ({ req: { raw } }: Context): Promise<{ form: URLSearchParams; upload?: Uint8Array }> => {
    if (isReading) throw new HTTPException(429, { message: 'another file is being received' });
    isReading = true;
    try {
      const limits = { maxBytes: MOST_UPLOAD_BYTES, announced: announcedBytes(raw.headers) };
      const body = await readBody(raw.body, limits).catch(() => undefined);
      if (body === 'too-large') throw new HTTPException(413, { message: 'too large' });
      const type = raw.headers.get('content-type') ?? '';
      const sent = body && (await new Response(body, { headers: { 'content-type': type } }).formData());
      if (sent === undefined) throw new HTTPException(400, { message: 'incomplete request' });
      const form = new URLSearchParams();
      let upload: Uint8Array | undefined;
      for (const [name, value] of sent)
        if (typeof value === 'string') form.append(name, value);
        else upload = new Uint8Array(await value.arrayBuffer());
      return { form, ...(upload && { upload }) };
    } catch (error) {
      if (error instanceof HTTPException) throw error;
      throw new HTTPException(400, { message: 'no form with a file' });
    } finally {
      isReading = false;
    }
  };
}

const readForm = async (context: Context): Promise<URLSearchParams> =>
  new URLSearchParams(await readSmallBody(context.req.raw, MOST_FORM_BYTES));

function refuse(context: Context<ConsoleEnv>, why: 'otherSite' | 'outdated'): Response | Promise<Response> {
  const words = context.get('words');
  const { failed: said } = words.owner.console;
  const body = html`<p>${said[why]}</p><p><a href="${CONSOLE_PATH}">${said.open}</a></p>`;
  return context.html(bareLayout(said.notDone, body, words), 403);
}

/** Answers with the sign-in page, which leads to `next` afterwards. */
export function askToSignIn(
  context: Context<ConsoleEnv>,
  notice: SignInNotice | undefined,
  next: string,
): Response | Promise<Response> {
  if (notice === 'wait') context.header('retry-after', '5');
  return context.html(signInPage(notice, next, context.get('words')), notice === 'wait' ? 429 : 401);
}

function addressOf(url: string | undefined): string {
  const found = URL.parse(url ?? '');
  return consoleAddress(found === null ? undefined : `${found.pathname}${found.search}`);
}

/**
 * Middleware against other sites: they may link here, but must neither guess passwords through a visitor's browser nor send
 * forms.
 */
export const ownSiteOnly = createMiddleware<ConsoleEnv>(async (context, next) => {
  if (isEmbedded(context)) return context.text(context.get('words').owner.console.failed.embedded, 403);
  const { method } = context.req;
  if (method !== 'GET' && method !== 'HEAD' && !isOwnOrigin(context)) return refuse(context, 'otherSite');
  return next();
});

/** Makes the guard, which refuses visitors who are not signed in, and forms that are not from a page of theirs. */
export function createGuard(
  secrets: ReturnType<typeof createFormSecrets>,
  /** How a password is checked; undefined if none is needed. */
  password: { readonly try: TryPassword; readonly sessions: OwnerSessions } | undefined,
) {
  const readUpload = createReadUpload();
  const begin = async (context: Context, cookie: string): Promise<void> =>
    setPrivateCookie(context, COOKIE, cookie, SESSION_MS / 1000, CONSOLE_PATH);

  /** Finds the visitor's session and cookie; a response if they are not signed in. */
  const enter = async (
    context: Context<ConsoleEnv>,
  ): Promise<{ cookie: string; session?: OwnerSession } | Response> => {
    const { issueCookie, isIssuedCookie } = await secrets();
    const given = getCookie(context, COOKIE);
    if (password === undefined) {
      const cookie = given !== undefined && isIssuedCookie(given) ? given : issueCookie();
      if (cookie !== given) await begin(context, cookie);
      return { cookie };
    }
    const session = await password.sessions.find(given, originOf(context));
    if (session !== undefined && given !== undefined) return { cookie: given, session };
    const typed = passwordIn(context.req.header('authorization'));
    const verdict = typed === undefined ? undefined : await password.try(typed, context);
    // Scripts with the password can read pages, but a form needs the cookie of a session.
    const isForm = context.req.method === 'POST';
    if (verdict === 'right' && !isForm) return { cookie: '' };
    // The session of a form has ended, so signing in leads back to the page with that form.
    if (isForm && given !== undefined && typed === undefined)
      return askToSignIn(context, 'ended', addressOf(context.req.header('referer')));
    return askToSignIn(context, verdict === 'right' ? undefined : verdict, addressOf(context.req.url));
  };

  return {
    begin,
    isSignedIn: async (context: Context): Promise<boolean> =>
      (await password?.sessions.find(getCookie(context, COOKIE), originOf(context))) !== undefined,
    guard: createMiddleware<ConsoleEnv>(async (context, next) => {
      const entered = await enter(context);
      if (entered instanceof Response) return entered;
      const { cookie, session } = entered;
      const { tokenFor, isToken, ids } = await secrets();
      const isForm = context.req.method === 'POST';
      const isUpload = isForm && context.req.path === UPLOAD_PATH;
      const { form, upload } = isUpload
        ? await readUpload(context)
        : { form: isForm ? await readForm(context) : new URLSearchParams(), upload: undefined };
      if (isForm && !isToken(cookie, form.get('token') ?? '')) return refuse(context, 'outdated');
      context.set('viewer', { token: tokenFor(cookie), isSignedIn: session !== undefined });
      context.set('session', session);
      context.set('ids', ids);
      context.set('form', form);
      context.set('upload', upload);
      return next();
    }),
    /** Reads the sign-in form; the password is left out if the form is far too long. */
    async typedPassword(context: Context): Promise<{ password?: string; next: string }> {
      try {
        const form = await readForm(context);
        return { password: form.get('password') ?? '', next: consoleAddress(form.get('next') ?? '') };
      } catch (error) {
        if (error instanceof HTTPException && error.status === 413) return { next: CONSOLE_PATH };
        throw error;
      }
    },
  };
}
