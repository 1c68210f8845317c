import { Hono } from 'hono';
import { html } from 'hono/html';
import type { OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import type { Words } from '../../words/words.ts';
import {
  durationText,
  fill,
  fillText,
  type Html,
  inEnglish,
  outsideText,
  table,
  timeText,
} from '../frame/html.ts';
import { CONSOLE_PATH, type ConsoleEnv } from '../frame/layout.ts';
import { answerPage } from './show.ts';

/** The state of the program at this moment. */
export interface ProgramState {
  readonly at: number;
  readonly running: number;
  readonly waiting: number;
  /**
   * The processes that share the store; empty if there is only this one. `minutes`: since the start; undefined for a dead
   * process.
   */
  readonly members: readonly {
    readonly name: string;
    readonly version: string;
    readonly minutes: number | undefined;
    readonly load: string;
    readonly holds: string;
  }[];
  /** The reasons why calls to the two groups of endpoints are suspended, if they are. */
  readonly outages: OrchestratorStats['outages'];
  /** Why the store cannot be used, in the words of the log. */
  readonly storeTrouble: string | undefined;
  /** When the store was last backed up; undefined: nobody uses it but the playground, and it never was. */
  readonly backup: { readonly at: number | undefined; readonly isLate: boolean } | undefined;
  readonly platforms: readonly { readonly name: string; readonly trouble: string | undefined }[];
  /** The failed calls to the service in the last hour. */
  readonly errors: readonly { readonly what: string; readonly count: number }[];
}

const EVERY_SECONDS = 10;

const count = (value: number, name: string): Html => html`<li><b>${value}</b><span>${name}</span></li>`;

const condition = (name: string, how: Html | string, isWell: boolean): Html =>
  html`<li class="word ${isWell ? 'good' : 'bad'}"><b>${how}</b><span>${name}</span></li>`;

function backupText(backedUpAt: number | undefined, now: number, words: Words): string {
  const { now: said } = words.owner.console;
  if (backedUpAt === undefined) return said.noBackup;
  return fillText(said.backupAgo, { time: durationText(Math.max(0, now - backedUpAt), words) });
}

function processes(members: ProgramState['members'], words: Words): Html | '' {
  if (members.length === 0) return '';
  const { now: said, frame } = words.owner.console;
  const columns = [said.process, said.version, said.up, said.doing, said.holds];
  const rows = members.map(({ name, version, minutes, load, holds }) => [
    outsideText(name),
    outsideText(version),
    minutes === undefined ? said.dead : `${minutes} min`,
    outsideText(load),
    outsideText(holds),
  ]);
  return html`<h2>${said.processes}</h2>${table(said.processes, columns, rows, frame.nothing)}`;
}

/** Makes the first page: the state of the program at this moment. */
export function createNowPage(present: () => Promise<ProgramState>) {
  const app = new Hono<ConsoleEnv>();
  app.get('/', async (context) => {
    const { at, running, waiting, members, outages, storeTrouble, backup, platforms, errors } =
      await present();
    const words = context.get('words');
    const { now: said, outages: troubles, frame, sections } = words.owner.console;
    const service = (use: keyof ProgramState['outages']): Html => {
      const outage = outages[use];
      const how =
        outage === undefined ? said.working : fillText(troubles.suspended, { why: troubles[outage] });
      return condition(troubles[use], how, outage === undefined);
    };
    const part = (name: string, well: string, ill: string, trouble: string | undefined): Html =>
      trouble === undefined
        ? condition(name, well, true)
        : condition(name, html`${ill}: ${inEnglish(trouble)}`, false);
    const seconds = EVERY_SECONDS;
    const isRepeated = context.req.query('every') === String(seconds);
    const body = html`<ul class="tiles">${count(running, said.running)}${count(waiting, said.waiting)}
${service('key')}${service('token')}${part(troubles.store, said.working, troubles.notUsable, storeTrouble)}
${backup === undefined ? '' : condition(said.backup, backupText(backup.at, at, words), !backup.isLate)}
${platforms.map(({ name, trouble }) => part(name, said.connected, troubles.notWorking, trouble))}</ul>
<p class="quiet">${fillText(said.asOf, { time: timeText(at, 'second') })} ${
      isRepeated
        ? html`${fillText(said.again, { seconds })} <a href="${CONSOLE_PATH}">${said.stop}</a>`
        : html`<a href="${CONSOLE_PATH}?every=${seconds}">${fillText(said.loadAgain, { seconds })}</a>`
    } ${fill(said.machines, { metrics: html`<a href="/metrics">/metrics</a>` })}</p>
${processes(members, words)}
<h2>${said.errors}</h2>${table(
      said.errors,
      [said.call, { number: said.count }],
      errors.map((row) => [outsideText(row.what), row.count]),
      frame.none,
    )}`;
    const again = isRepeated ? seconds : undefined;
    return answerPage(context, { title: sections[''], section: '', body, again });
  });
  return app;
}
