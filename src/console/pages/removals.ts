import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Job } from '../../orchestrator/job/job.ts';
import type { Removal } from '../../safety/removal/removal-records.ts';
import type { JobMark } from '../../store/tables/job-search.ts';
import type { Words } from '../../words/words.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import {
  fill,
  fillText,
  type Html,
  hiddenField,
  inEnglish,
  outsideText,
  table,
  time,
} from '../frame/html.ts';
import type { ConsoleEnv } from '../frame/layout.ts';
import { UPLOAD_PATH } from '../sign-in/guard.ts';
import { addAction } from './confirm.ts';
import { communityLink, jobPath, REMOVALS_PATH } from './paths.ts';
import {
  addRequestPages,
  type PossibleResult,
  type RequestPagesDependencies,
  requestTables,
} from './removal-requests.ts';
import { answerPage, doneText, notFound } from './show.ts';

export interface RemovalsPageDependencies {
  readonly requests: RequestPagesDependencies;
  /** The latest ones first. */
  readonly list: () => Promise<readonly Removal[]>;
  readonly find: (job: string) => Promise<Removal | undefined>;
  /** Lets the photos pass again; writes the audit line. */
  readonly undo: (removal: Removal) => Promise<unknown>;
  readonly now: () => number;
  /** The job that a number or a link to a message names. */
  readonly findResult: (result: string) => Promise<Job | undefined>;
  /** Removes the result of a job; writes the audit line. */
  readonly remove: (job: string, reason: string) => Promise<unknown>;
  /** What a picture is searched by; undefined: it is no photo that can be read. */
  readonly markOf: (picture: Uint8Array) => Promise<string | undefined>;
  /** The results that are most alike, and where a further search begins; undefined: no such text came from `markOf`. */
  readonly findAlike: (
    mark: string,
    after?: JobMark,
  ) => Promise<{ readonly found: readonly PossibleResult[]; readonly next?: JobMark } | undefined>;
}

const LONGEST_TYPED = 200;

const canUndo = ({ open, undone, blocked }: Removal): boolean =>
  open === undefined && undone === undefined && (blocked === 'all' || blocked === 'some');

function photosText({ open, undone, blocked }: Removal, words: Words): string {
  const said = words.owner.console.removals;
  if (undone !== undefined) return said.undone;
  return open !== undefined || blocked === undefined ? said.running : said.blocked[blocked];
}

/** How many messages are still to be deleted, and what became of those that could not be. */
function messagesText({ remaining, blanked = 0, unreachable = 0, unknown = 0 }: Removal, words: Words): Html {
  const { removal: said } = words;
  const lines = [
    ...(blanked > 0 ? [said.blanked(blanked)] : []),
    ...(unreachable > 0 ? [said.unreachable(unreachable)] : []),
    ...(unknown > 0 ? [said.unknownPlaces(unknown)] : []),
  ];
  return html`${remaining}${lines.map((line) => html`<br><span class="quiet">${line}</span>`)}`;
}

function removalTable(list: readonly Removal[], token: string, ids: HiddenIds, words: Words): Html {
  const { removals: said, fields, sections } = words.owner.console;
  const button = ({ job }: Removal): Html =>
    html`<form method="post" action="${REMOVALS_PATH}/${job}/undo">${hiddenField('token', token)}<button>${said.undo}</button></form>`;
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
      outsideText(removal.job),
      inEnglish(removal.kind),
      communityLink(removal.community, ids),
      outsideText(removal.by.key),
      outsideText(removal.reason),
      photosText(removal, words),
      messagesText(removal, words),
      time(removal.until),
      canUndo(removal) ? button(removal) : '',
    ]),
    said.none,
  );
}

/** The form that removes a result; `job`: this one, else the one that is typed. */
function removeForm(token: string, words: Words, job?: string): Html {
  const { removals: said } = words.owner.console;
  const typed = (name: string, label: string) =>
    html`<label class="field"><span>${label}</span><input type="text" name="${name}" maxlength="${LONGEST_TYPED}" autocomplete="off"></label>`;
  return html`<form method="post" action="${REMOVALS_PATH}/remove" class="search">${hiddenField('token', token)}
${job === undefined ? typed('result', said.result) : hiddenField('result', job)}
${typed('reason', said.reason)}
<button class="main">${said.remove}</button></form>`;
}

function pictureForm(token: string, words: Words): Html {
  const { removals: said } = words.owner.console;
  return html`<form method="post" action="${UPLOAD_PATH}" enctype="multipart/form-data" class="search">${hiddenField('token', token)}
<label class="field"><span>${said.picture}</span><input type="file" name="picture" accept="image/jpeg,image/png,image/webp" required></label>
<button>${said.search}</button></form>
<p class="quiet">${said.pictureHint}</p>`;
}

const markText = ({ createdAt, seq }: JobMark): string => `${createdAt}-${seq}`;

function markIn(text = ''): JobMark | undefined {
  const [, createdAt, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return seq === undefined ? undefined : { createdAt: Number(createdAt), seq: Number(seq) };
}

/** Removes results that an owner names, or finds by a picture. */
function addRemoving(
  app: Hono<ConsoleEnv>,
  { findResult, remove, markOf, findAlike }: RemovalsPageDependencies,
): void {
  addAction(app, '/remove', ['result', 'reason'], async (context, { result = '', reason = '' }) => {
    const words = context.get('words');
    const { removals: said } = words.owner.console;
    const job = result === '' ? undefined : await findResult(result);
    if (job === undefined) return notFound(context, 'job');
    const what = fill(said.removeWhat, {
      job: outsideText(job.id),
      kind: inEnglish(job.request.kind),
      community: communityLink(job.place.community, context.get('ids')),
    });
    return {
      section: 'removals',
      title: said.remove,
      what,
      button: said.remove,
      back: REMOVALS_PATH,
      act: () => remove(job.id, reason),
      done: 'removed',
    };
  });
  app.post('/picture', async (context) => {
    const upload = context.get('upload');
    const mark = upload && (await markOf(upload));
    if (mark === undefined) {
      const { removals: said, sections } = context.get('words').owner.console;
      const body = html`<p role="alert">${said.noPicture}</p><p><a href="${REMOVALS_PATH}">${sections.removals}</a></p>`;
      return answerPage(context, { title: said.search, section: 'removals', body }, 400);
    }
    return context.redirect(`${UPLOAD_PATH}?with=${context.get('ids').hide(mark)}`, 303);
  });
  app.get('/picture', async (context) => {
    const words = context.get('words');
    const { removals: said, requests: requestWords, fields } = words.owner.console;
    const hidden = context.req.query('with') ?? '';
    const mark = context.get('ids').find(hidden);
    const alike = mark === undefined ? undefined : await findAlike(mark, markIn(context.req.query('after')));
    if (alike === undefined) return notFound(context);
    const { token } = context.get('viewer');
    const ids = context.get('ids');
    const rows = alike.found.map(({ job, as, distance }) => [
      time(job.createdAt),
      html`<a href="${jobPath(job.id)}">${outsideText(job.id)}</a>`,
      inEnglish(job.request.kind),
      communityLink(job.place.community, ids),
      fillText(requestWords.as[as], { bits: distance }),
      removeForm(token, words, job.id),
    ]);
    const columns = [fields.since, said.number, said.kind, fields.community, said.difference, ''];
    const next =
      alike.next === undefined
        ? ''
        : html`<p><a class="button" href="${UPLOAD_PATH}?with=${hidden}&after=${markText(alike.next)}">${said.further}</a></p>`;
    const body = html`<p>${said.alike}</p>
${table(said.search, columns, rows, said.noneAlike)}
${next}`;
    return answerPage(context, { title: said.search, section: 'removals', body });
  });
}

/**
 * Requests for removal, and results that were removed: what, when, by whom, why and until when. An owner can let their photos pass
 * again, and remove a result by a link, by the number of its job, or by the picture itself.
 */
export function createRemovalsPage(parts: RemovalsPageDependencies) {
  const { list, find, undo, requests, now } = parts;
  const app = new Hono<ConsoleEnv>();
  addRemoving(app, parts);
  app.get('/', async (context) => {
    const words = context.get('words');
    const { removals: said, requests: answered, sections } = words.owner.console;
    const { token } = context.get('viewer');
    const body = html`${requestTables(await requests.all(), now(), token, words)}
<h2>${sections.removals}</h2>
${removeForm(token, words)}
${pictureForm(token, words)}
<p>${said.intro}</p>
${removalTable(await list(), token, context.get('ids'), words)}`;
    const done = doneText(context, {
      undone: said.done,
      removed: said.removed,
      answered: answered.nothingChosenDone,
    });
    return answerPage(context, { title: sections.removals, section: 'removals', done, body });
  });
  addRequestPages(app, requests, now);
  addAction(app, '/:job/undo', [], async (context) => {
    const removal = await find(context.req.param('job') ?? '');
    if (removal === undefined || !canUndo(removal)) return notFound(context);
    const { removals: said } = context.get('words').owner.console;
    return {
      section: 'removals',
      title: said.undo,
      what: fill(said.what, { job: outsideText(removal.job) }),
      button: said.undo,
      back: REMOVALS_PATH,
      act: () => undo(removal),
      done: 'undone',
    };
  });
  return app;
}
