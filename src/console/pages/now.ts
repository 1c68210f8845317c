import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Html } from '../frame/html.ts';
import { foreign } from '../frame/html.ts';
import { ROOT } from '../frame/layout.ts';
import { table } from '../frame/table.ts';
import { timeText } from '../frame/times.ts';
import type { ConsoleEnv } from '../sign-in/guard.ts';
import { show } from './show.ts';

/** How the program is at this moment. */
export interface Present {
  readonly at: number;
  readonly running: number;
  readonly waiting: number;
  /** The processes that share the store; none: there is only this one. `minutes`: since its start; undefined: it is dead. */
  readonly members: readonly {
    readonly name: string;
    readonly version: string;
    readonly minutes: number | undefined;
    readonly load: string;
    readonly holds: string;
  }[];
  /** The two groups of endpoints, and why calls to one are suspended. */
  readonly service: readonly { readonly name: string; readonly trouble: string | undefined }[];
  readonly platforms: readonly { readonly name: string; readonly trouble: string | undefined }[];
  /** Calls to the service that failed in the last hour. */
  readonly errors: readonly { readonly what: string; readonly count: number }[];
}

const EVERY_SECONDS = 10;

function count(value: number, name: string): Html {
  return html`<li><b>${value}</b><span>${name}</span></li>`;
}

function condition(name: string, how: string, isWell: boolean): Html {
  return html`<li class="word ${isWell ? 'good' : 'bad'}"><b>${how}</b><span>${name}</span></li>`;
}

function processes(members: Present['members']): Html | '' {
  if (members.length === 0) return '';
  const columns = ['Process', 'Version', 'Up', 'Doing', 'Holds'].map((name) => ({ name }));
  const rows = members.map(({ name, version, minutes, load, holds }) => [
    foreign(name),
    foreign(version),
    minutes === undefined ? 'dead' : `${minutes} min`,
    foreign(load),
    foreign(holds),
  ]);
  return html`<h2>Processes</h2>${table('Processes', columns, rows)}`;
}

export function createNowPage(present: () => Promise<Present>) {
  const app = new Hono<ConsoleEnv>();
  app.get('/', async (context) => {
    const { at, running, waiting, members, service, platforms, errors } = await present();
    const isRepeated = context.req.query('every') === String(EVERY_SECONDS);
    const body = html`<ul class="tiles">${count(running, 'running')}${count(waiting, 'waiting')}
${service.map(({ name, trouble }) => condition(name, trouble ?? 'working', trouble === undefined))}
${platforms.map(({ name, trouble }) => condition(name, trouble ?? 'connected', trouble === undefined))}</ul>
<p class="quiet">As of ${timeText(at, 'second')}. ${
      isRepeated
        ? html`Loaded again every ${EVERY_SECONDS} seconds. <a href="${ROOT}">Stop</a>`
        : html`<a href="${ROOT}?every=${EVERY_SECONDS}">Load again every ${EVERY_SECONDS} seconds</a>`
    } The same for machines: <a href="/metrics">/metrics</a></p>
${processes(members)}
<h2>Failed calls to the service in the last hour</h2>${table(
      'Failed calls to the service',
      [{ name: 'Call' }, { name: 'Count', isNumber: true }],
      errors.map((row) => [foreign(row.what), row.count]),
      'None.',
    )}`;
    return show(context, {
      title: 'Now',
      section: '',
      body,
      ...(isRepeated ? { again: EVERY_SECONDS } : {}),
    });
  });
  return app;
}
