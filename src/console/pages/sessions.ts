import { Hono } from 'hono';
import { html } from 'hono/html';
import { fill, fillText, hiddenField, outsideText, table, time, timeText } from '../frame/html.ts';
import { CONSOLE_PATH, type ConsoleEnv } from '../frame/layout.ts';
import type { OwnerSession, OwnerSessions } from '../sign-in/sessions.ts';
import { allEndedPath } from '../sign-in/sign-in-page.ts';
import { addAction } from './confirm.ts';
import { answerPage, doneText, notFound } from './show.ts';

/** The parts of the program that the page of sessions uses. */
export interface SessionsPageDependencies {
  /** The owner's sessions; undefined if no password is needed. */
  readonly sessions: Pick<OwnerSessions, 'list' | 'end' | 'endAll'> | undefined;
  /** Writes an audit line, then does the work. */
  readonly audited: (
    action: string,
    detail: Readonly<Record<string, string>>,
    work: () => Promise<void>,
  ) => Promise<void>;
}

const PATH = `${CONSOLE_PATH}/sessions`;

/** Makes the page that lists the owner's sessions and can end them. */
export function createSessionsPage({ sessions, audited }: SessionsPageDependencies) {
  const app = new Hono<ConsoleEnv>();

  app.get('/', async (context) => {
    const { sessions: said, sections, frame, fields } = context.get('words').owner.console;
    const title = sections.sessions;
    if (sessions === undefined)
      return answerPage(context, { title, section: 'sessions', body: html`<p>${said.noPassword}</p>` });
    const { token } = context.get('viewer');
    const own = context.get('session')?.key;
    const row = ({ key, since, seen, browser, network }: OwnerSession) => {
      const name = browser === '' ? said.unknown : browser;
      return [
        key === own ? fill(said.own, { browser: outsideText(name) }) : outsideText(name),
        outsideText(network),
        time(since),
        time(seen),
        html`<form method="post" action="${PATH}/end">${hiddenField('token', token)}
${hiddenField('session', key)}<button aria-label="${fillText(said.endOne, { browser: name, since: timeText(since) })}">${said.end}</button></form>`,
      ];
    };
    const columns = [said.browser, said.address, fields.since, said.seen, said.end];
    const body = html`<p>${said.intro}</p>
${table(title, columns, (await sessions.list()).map(row), frame.nothing)}
<form method="post" action="${PATH}/end-all" class="pages">${hiddenField('token', token)}<button>${said.endAll}</button></form>`;
    const done = doneText(context, { ended: said.ended });
    return answerPage(context, { title, section: 'sessions', done, body });
  });

  if (sessions === undefined) return app;

  addAction(app, '/end', ['session'], async (context, { session: key = '' }) => {
    const found = (await sessions.list()).find((each) => each.key === key);
    if (found === undefined) return notFound(context, 'session');
    const { browser, network, since } = found;
    const { sessions: said } = context.get('words').owner.console;
    const name = outsideText(browser === '' ? said.unknown : browser);
    return {
      section: 'sessions',
      title: said.askOne,
      what: fill(said.whatOne, { browser: name, address: outsideText(network), since: time(since) }),
      button: said.doOne,
      back: PATH,
      act: () => audited('console.session.end', { browser, network }, () => sessions.end(key)),
      done: 'ended',
    };
  });

  addAction(app, '/end-all', [], async (context) => {
    const { sessions: said } = context.get('words').owner.console;
    return {
      section: 'sessions',
      title: said.askAll,
      what: html`${said.whatAll}`,
      button: said.doAll,
      back: PATH,
      afterwards: allEndedPath(PATH),
      act: () => audited('console.session.end-all', {}, sessions.endAll),
    };
  });

  return app;
}
