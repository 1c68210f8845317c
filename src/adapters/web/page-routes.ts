import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { visitorOf } from './guard.ts';
import type { Login } from './login.ts';
import { readPage, type ServedFile } from './page-files.ts';
import type { Visits } from './visit.ts';

const problems = {
  wrong: 'That is not the password.',
  wait: 'Too many tries. Wait a minute.',
};

/** The page itself, and the door in front of it where there is a password. */
export const createPageRoutes = (parts: {
  readonly visits: Visits;
  readonly login: Login | undefined;
}): Hono => {
  const { visits, login } = parts;
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

  const door = (
    context: Context,
    problem: keyof typeof problems | undefined,
    status: 200 | 401 | 429,
  ): Response =>
    context.html(
      file('login.html').text.replace('<!-- problem -->', problem === undefined ? '' : problems[problem]),
      status,
      { 'cache-control': 'no-store' },
    );

  app.get('/', async (context) => {
    if ((await visits.find(context)) === undefined) {
      if (login !== undefined) return door(context, undefined, 200);
      await visits.begin(context);
    }
    return serve(context, file('index.html'));
  });

  app.get('/page/:name', (context) => {
    const found = files.get(context.req.param('name'));
    return found === undefined ? context.notFound() : serve(context, found);
  });

  app.post('/login', bodyLimit({ maxSize: 4_096 }), async (context) => {
    if (login === undefined) return context.redirect('/', 303);
    const { password } = await context.req.parseBody();
    const verdict = login.try(typeof password === 'string' ? password : '', visitorOf(context));
    if (verdict === 'wrong') return door(context, verdict, 401);
    if (verdict === 'wait') return door(context, verdict, 429);
    await visits.begin(context);
    return context.redirect('/', 303);
  });

  return app;
};
