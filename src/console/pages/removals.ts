import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Removal } from '../../safety/removal/removal-records.ts';
import type { Words } from '../../words/words.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { fill, foreign, type Html, hiddenField, inEnglish, table, time } from '../frame/html.ts';
import type { ConsoleEnv } from '../frame/layout.ts';
import { addAction } from './confirm.ts';
import { communityLink, REMOVALS } from './paths.ts';
import { addRequestPages, type RequestPagesDependencies, requestTables } from './removal-requests.ts';
import { doneText, notFound, show } from './show.ts';

export interface RemovalsPageDependencies {
  readonly requests: RequestPagesDependencies;
  /** The latest ones first. */
  readonly list: () => Promise<readonly Removal[]>;
  readonly find: (job: string) => Promise<Removal | undefined>;
  /** Lets the photos pass again; writes the audit line. */
  readonly undo: (removal: Removal) => Promise<unknown>;
  readonly now: () => number;
}

const canUndo = ({ open, undone, blocked }: Removal): boolean =>
  open === undefined && undone === undefined && (blocked === 'all' || blocked === 'some');

function photosText({ open, undone, blocked }: Removal, words: Words): string {
  const said = words.owner.console.removals;
  if (undone !== undefined) return said.undone;
  return open !== undefined || blocked === undefined ? said.running : said.blocked[blocked];
}

function removalTable(list: readonly Removal[], token: string, ids: HiddenIds, words: Words): Html {
  const { removals: said, fields, sections } = words.owner.console;
  const button = ({ job }: Removal): Html =>
    html`<form method="post" action="${REMOVALS}/${job}/undo">${hiddenField('token', token)}<button>${said.undo}</button></form>`;
  return table(
    sections.removals,
    [
      fields.since,
      said.number,
      said.kind,
      fields.community,
      said.by,
      said.reason,
      said.photos,
      said.left,
      fields.until,
      '',
    ],
    list.map((removal) => [
      time(removal.at),
      foreign(removal.job),
      inEnglish(removal.kind),
      communityLink(removal.community, ids),
      foreign(removal.by.key),
      foreign(removal.reason),
      photosText(removal, words),
      String(removal.remaining),
      time(removal.until),
      canUndo(removal) ? button(removal) : '',
    ]),
    said.none,
  );
}

/**
 * Requests for removal, and results that were removed: what, when, by whom, why and until when. An owner can let their photos pass
 * again.
 */
export function createRemovalsPage({ list, find, undo, requests, now }: RemovalsPageDependencies) {
  const app = new Hono<ConsoleEnv>();
  app.get('/', async (context) => {
    const words = context.get('words');
    const { removals: said, sections } = words.owner.console;
    const { token } = context.get('viewer');
    const body = html`${requestTables(await requests.all(), now(), words)}
<h2>${sections.removals}</h2>
<p>${said.intro}</p>
${removalTable(await list(), token, context.get('ids'), words)}`;
    const done = doneText(context, { undone: said.done });
    return show(context, { title: sections.removals, section: 'removals', done, body });
  });
  addRequestPages(app, requests, now);
  addAction(app, '/:job/undo', [], async (context) => {
    const removal = await find(context.req.param('job') ?? '');
    if (removal === undefined || !canUndo(removal)) return notFound(context);
    const { removals: said } = context.get('words').owner.console;
    return {
      section: 'removals',
      title: said.undo,
      what: fill(said.what, { job: foreign(removal.job) }),
      button: said.undo,
      back: REMOVALS,
      act: () => undo(removal),
      done: 'undone',
    };
  });
  return app;
}
