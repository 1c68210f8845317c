import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { SignIn } from '../../../sign-in/sign-in.ts';
import { readSmallBody } from '../../../sign-in/small-body.ts';
import { LANGUAGES } from '../../../words/language.ts';
import { wordsFor } from '../../../words/words.ts';
import { beginSession, localeOf, sessionIn } from '../visitors/request-session.ts';
import type { Sessions } from '../visitors/sessions.ts';

const FOLDER = new URL('../page/', import.meta.url);

/** The content types of the page's files; a file with another ending is not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface ServedFile {
  readonly text: string;
  readonly type: string;
  readonly tag: string;
}

function servedFile(name: string, text: string): ServedFile {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { text, type: TYPES[extname(name)] ?? 'text/plain', tag };
}

/** Reads the files of the page into memory. */
export function readPage(): ReadonlyMap<string, ServedFile> {
  const names = readdirSync(FOLDER).filter((name) => Object.hasOwn(TYPES, extname(name)));
  return new Map(names.map((name) => [name, servedFile(name, readFileSync(new URL(name, FOLDER), 'utf8'))]));
}

const PROBLEMS = { wrong: 'wrongPassword', wait: 'waitPassword', long: 'longPassword' } as const;

const MOST_LOGIN_BYTES = 4_096;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Fills the language and the `{{name}}` placeholders into a page; the texts are escaped. */
function filled(page: string, locale: string, texts: Readonly<Record<string, string>>): string {
  return page
    .replace('<html lang="en">', `<html lang="${locale}">`)
    .replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) =>
      (texts[name] ?? '').replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter),
    );
}

/** Makes the routes of the page and its files, and of the sign-in page if there is a password. */
export function createPageRoutes(parts: {
  readonly sessions: Sessions;
  readonly signIn?: SignIn | undefined;
}): Hono {
  const { sessions, signIn } = parts;
  const files = readPage();
  const app = new Hono();

  const file = (name: string): ServedFile => {
    const found = files.get(name);
    if (found === undefined) throw new Error(`the page has no file ${name}`);
    return found;
  };

  const serve = (context: Context, { text, type, tag }: ServedFile): Response => {
    const headers = { 'content-type': type, 'cache-control': 'no-cache', etag: tag };
    if (context.req.header('if-none-match') === tag) return context.body(null, 304, headers);
    return context.body(text, 200, headers);
  };

  const ask = (
    context: Context,
    problem: keyof typeof PROBLEMS | undefined,
    status: 200 | 401 | 413 | 429,
  ): Response => {
    const locale = localeOf(context, undefined);
    const { page } = wordsFor(locale);
    const text = filled(file('login.html').text, locale, {
      password: page.password,
      enter: page.enter,
      problem: problem === undefined ? '' : page[PROBLEMS[problem]],
    });
    if (problem === 'wait') context.header('retry-after', '5');
    return context.html(text, status, { 'cache-control': 'no-store' });
  };

  const pageIn = (locale: string): ServedFile => {
    const labels = JSON.stringify(wordsFor(locale).page);
    return servedFile('index.html', filled(file('index.html').text, locale, { labels }));
  };
  const pages = new Map<string, ServedFile>(LANGUAGES.map((id) => [id, pageIn(id)]));

  app.get('/', async (context) => {
    const session = await sessionIn(context, sessions);
    if (session === undefined) {
      if (signIn !== undefined) return ask(context, undefined, 200);
      await beginSession(context, sessions, false);
    }
    context.header('vary', 'accept-language, cookie');
    return serve(context, pages.get(localeOf(context, session)) ?? pageIn('en'));
  });

  app.get('/page/:name', (context) => {
    const found = files.get(context.req.param('name'));
    return found === undefined ? context.notFound() : serve(context, found);
  });

  app.post('/login', async (context) => {
    if (signIn === undefined) return context.redirect('/', 303);
    const body = await readSmallBody(context.req.raw, MOST_LOGIN_BYTES).catch((error: unknown) => {
      if (error instanceof HTTPException && error.status === 413) return undefined;
      throw error;
    });
    if (body === undefined) return ask(context, 'long', 413);
    const typed = new URLSearchParams(body).get('password') ?? '';
    const verdict = await signIn.try(typed, context);
    if (verdict === 'wrong') return ask(context, verdict, 401);
    if (verdict === 'wait') return ask(context, verdict, 429);
    await beginSession(context, sessions, true);
    return context.redirect('/', 303);
  });

  return app;
}
