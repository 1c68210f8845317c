import { Hono } from 'hono';
import { html } from 'hono/html';
import { foreign } from '../frame/html.ts';
import { ROOT } from '../frame/layout.ts';
import { table } from '../frame/table.ts';
import { time } from '../frame/times.ts';
import type { ConsoleEnv } from '../sign-in/guard.ts';
import type { OwnerSession, Sessions } from '../sign-in/sessions.ts';
import { allEndedPath } from '../sign-in/sign-in-page.ts';
import { addAction } from './confirm.ts';
import { doneText, notFound, show } from './show.ts';

export interface SessionsParts {
  /** Undefined: no password is needed. */
  readonly sessions: Pick<Sessions, 'list' | 'end' | 'endAll'> | undefined;
  /** Writes an audit line, then acts. */
  readonly audited: (
    action: string,
    detail: Readonly<Record<string, string>>,
    work: () => Promise<void>,
  ) => Promise<void>;
}

const PATH = `${ROOT}/sessions`;
const DONE = { ended: 'The session was ended.' };

/** Where the owner is signed in. */
export function createSessionsPage({ sessions, audited }: SessionsParts) {
  const app = new Hono<ConsoleEnv>();

  app.get('/', async (context) => {
    if (sessions === undefined) {
      const body = html`<p>There is no password (PLAYGROUND_PASSWORD), so nobody has to sign in: the console can be
opened on this machine only.</p>`;
      return show(context, { title: 'Sessions', section: 'sessions', body });
    }
    const { token } = context.get('viewer');
    const own = context.get('session')?.key;
    const row = ({ key, since, seen, browser, network }: OwnerSession) => [
      html`${foreign(browser)}${key === own ? ' (this one)' : ''}`,
      foreign(network),
      time(since),
      time(seen),
      html`<form method="post" action="${PATH}/end"><input type="hidden" name="token" value="${token}">
<input type="hidden" name="session" value="${key}"><button aria-label="End the session of ${browser} since ${new Date(since).toISOString().slice(0, 16)}">End</button></form>`,
    ];
    const columns = ['Browser', 'Address', 'Since', 'Last seen', 'End'].map((name) => ({ name }));
    const body = html`<p>Who is signed in to the console. A session ends after 14 days, here, and when the password changes.</p>
${table('Sessions', columns, (await sessions.list()).map(row))}
<form method="post" action="${PATH}/end-all" class="pages"><input type="hidden" name="token" value="${token}"><button>End all sessions</button></form>`;
    return show(context, { title: 'Sessions', section: 'sessions', ...doneText(context, DONE), body });
  });

  if (sessions === undefined) return app;

  addAction(app, '/end', ['session'], async (context, { session: key = '' }) => {
    const found = (await sessions.list()).find((each) => each.key === key);
    if (found === undefined) return notFound(context, 'session');
    const { browser, network, since } = found;
    return {
      section: 'sessions',
      title: 'End this session?',
      what: html`${foreign(browser)} at ${foreign(network)}, signed in since ${time(since)}, has to sign in again.`,
      button: 'End it',
      back: PATH,
      act: () => audited('console.session.end', { browser, network }, () => sessions.end(key)),
      done: 'ended',
    };
  });

  addAction(app, '/end-all', [], async () => ({
    section: 'sessions',
    title: 'End all sessions?',
    what: html`Everybody who is signed in to the console, you included, has to sign in again.`,
    button: 'End all',
    back: PATH,
    afterwards: allEndedPath(PATH),
    act: () => audited('console.session.end-all', {}, sessions.endAll),
  }));

  return app;
}
