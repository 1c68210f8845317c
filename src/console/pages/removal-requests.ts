import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Job } from '../../orchestrator/job/job.ts';
import { ANSWERED_WITHIN_MS } from '../../safety/requests/request-list.ts';
import {
  MOST_REQUEST_LETTERS,
  type RemovalRequest,
  type StoredRequest,
} from '../../safety/requests/request-records.ts';
import type { Words } from '../../words/words.ts';
import {
  durationText,
  factList,
  fill,
  fillText,
  type Html,
  hiddenField,
  outsideText,
  table,
  time,
  timeText,
} from '../frame/html.ts';
import type { ConsoleEnv } from '../frame/layout.ts';
import { addAction, type Confirmation } from './confirm.ts';
import { communityLink, jobPath, REMOVALS_PATH } from './paths.ts';
import { answerPage, type ConsoleContext, doneText, notFound } from './show.ts';

/** A result that may be meant, and why. */
export interface PossibleResult {
  readonly job: Job;
  readonly as: keyof Words['owner']['console']['requests']['as'];
  readonly distance: number;
}

export interface RequestPagesDependencies {
  /** Those that are open, the oldest first, and the latest that were decided. */
  readonly all: () => Promise<{
    readonly open: readonly StoredRequest[];
    readonly closed: readonly StoredRequest[];
  }>;
  readonly find: (id: string) => Promise<RemovalRequest | undefined>;
  readonly candidates: (request: RemovalRequest) => Promise<readonly PossibleResult[]>;
  /** Removes a result that a request means, and writes the audit line; false: there is none. */
  readonly remove: (id: string, job: string) => Promise<boolean>;
  readonly refuse: (id: string, reason: string) => Promise<unknown>;
  readonly foundNothing: (id: string) => Promise<unknown>;
}

/** The name of the checkboxes, and the address that answers the chosen requests. */
const CHOSEN = 'chosen';
const ANSWER = `${REMOVALS_PATH}/answer`;
/** The address of the question has the ids of all that were chosen. */
const MOST_CHOSEN = 50;

const requestPath = (id: string): string => `${REMOVALS_PATH}/requests/${id}`;

function leftOf({ at }: RemovalRequest, now: number, words: Words): string {
  const leftMs = at + ANSWERED_WITHIN_MS - now;
  return leftMs > 0 ? durationText(leftMs, words) : words.owner.console.requests.over;
}

const givenIn = ({ link, picture }: RemovalRequest, { requests: said }: Words['owner']['console']): string =>
  [...(link === undefined ? [] : [said.link]), ...(picture === undefined ? [] : [said.picture])].join(', ');

/** The requests that are open, and those that were decided. */
export function requestTables(
  { open, closed }: Awaited<ReturnType<RequestPagesDependencies['all']>>,
  now: number,
  token: string,
  words: Words,
): Html {
  const { requests: said, fields } = words.owner.console;
  const box = ({ id, at }: StoredRequest): Html =>
    html`<input type="checkbox" name="${CHOSEN}" value="${id}" aria-label="${said.choose}: ${timeText(at)}">`;
  const link = ({ id }: StoredRequest): Html => html`<a href="${requestPath(id)}">${said.open}</a>`;
  const openTable = table(
    said.title,
    [said.choose, fields.since, said.left, fields.what, said.about, ''],
    open.map((request) => [
      box(request),
      time(request.at),
      leftOf(request, now, words),
      givenIn(request, words.owner.console),
      outsideText(request.about),
      link(request),
    ]),
    said.none,
  );
  const closedTable = table(
    said.closed,
    [fields.since, said.decision, words.owner.console.removals.by, said.about, ''],
    closed.map((request) => [
      time(request.at),
      request.decided === undefined ? '' : said.states[request.decided.what],
      outsideText(request.decided?.by ?? ''),
      outsideText(request.about),
      link(request),
    ]),
    said.closedNone,
  );
  return html`<h2>${said.title}</h2>
<p>${said.intro}</p>
${open.length === 0 ? openTable : html`<form method="post" action="${ANSWER}">${hiddenField('token', token)}${openTable}<p><button>${said.nothingChosen}</button></p></form>`}
${closed.length === 0 ? '' : html`<details><summary>${said.closed}</summary>${closedTable}</details>`}`;
}

function candidateTable(id: string, list: readonly PossibleResult[], context: ConsoleContext): Html {
  const words = context.get('words');
  const { requests: said, fields, removals } = words.owner.console;
  const { token } = context.get('viewer');
  const button = (job: string): Html =>
    html`<form method="post" action="${requestPath(id)}/remove/${job}">${hiddenField('token', token)}<button>${said.remove}</button></form>`;
  return table(
    said.near,
    [removals.number, fields.community, fields.since, said.nearness, ''],
    list.map(({ job, as, distance }) => [
      html`<a class="id" href="${jobPath(job.id)}">${job.id}</a>`,
      communityLink(job.place.community, context.get('ids')),
      time(job.createdAt),
      fillText(said.as[as], { bits: distance }),
      button(job.id),
    ]),
    said.nearNone,
  );
}

function answerForms(id: string, token: string, { requests: said }: Words['owner']['console']): Html {
  return html`<div class="actions">
<form method="post" action="${requestPath(id)}/nothing" class="card">${hiddenField('token', token)}
<p>${said.nothingWhat}</p><p><button>${said.nothing}</button></p></form>
<form method="post" action="${requestPath(id)}/refuse" class="card">${hiddenField('token', token)}
<label class="field"><span>${said.refuseReason}</span>
<input type="text" name="reason" maxlength="${MOST_REQUEST_LETTERS.reason}" required autocomplete="off"></label>
<p><button>${said.refuse}</button></p></form></div>`;
}

/** Adds the page of one request, and what an owner can do about it. */
export function addRequestPages(
  app: Hono<ConsoleEnv>,
  requests: RequestPagesDependencies,
  now: () => number,
): void {
  const { find, candidates, remove, refuse, foundNothing } = requests;

  app.get('/requests/:id', async (context) => {
    const id = context.req.param('id');
    const request = await find(id);
    if (request === undefined) return notFound(context);
    const words = context.get('words');
    const { requests: said, fields } = words.owner.console;
    const { decided, link, picture, contact, about } = request;
    const facts = factList([
      [fields.since, time(request.at)],
      [said.left, decided === undefined ? leftOf(request, now(), words) : undefined],
      [
        said.decision,
        decided && html`${said.states[decided.what]}, ${time(decided.at)}, ${outsideText(decided.by)}`,
      ],
      [
        words.owner.console.removals.reason,
        decided?.reason && outsideText(decided.reason, MOST_REQUEST_LETTERS.reason),
      ],
      [said.link, link && outsideText(link, MOST_REQUEST_LETTERS.link)],
      [said.picture, picture && said.withPicture],
      [said.contact, outsideText(contact, MOST_REQUEST_LETTERS.contact)],
      [said.about, outsideText(about, MOST_REQUEST_LETTERS.about)],
    ]);
    const near = await candidates(request);
    const body = html`${facts}
<h2>${said.near}</h2>
${candidateTable(id, near, context)}
${near.length === 0 ? '' : html`<p class="quiet">${said.nearHint}</p>`}
${decided === undefined ? answerForms(id, context.get('viewer').token, words.owner.console) : ''}`;
    return answerPage(context, {
      title: said.one,
      section: 'removals',
      done: doneText(context, said.done),
      body,
    });
  });

  /** Adds a decision about a request that is open. */
  const addDecision = (
    path: string,
    names: readonly string[],
    confirm: (
      id: string,
      fields: Readonly<Record<string, string>>,
      words: Words,
    ) => Omit<Confirmation, 'section' | 'back'> | undefined,
  ): void =>
    addAction(app, `/requests/:id/${path}`, names, async (context, fields) => {
      const id = context.req.param('id') ?? '';
      const request = await find(id);
      const asked =
        request?.decided === undefined && request !== undefined
          ? confirm(id, fields, context.get('words'))
          : undefined;
      if (asked === undefined)
        return context.redirect(request === undefined ? REMOVALS_PATH : requestPath(id), 303);
      return { section: 'removals', back: requestPath(id), ...asked };
    });

  addDecision(
    'nothing',
    [],
    (
      id,
      _,
      {
        owner: {
          console: { requests: said },
        },
      },
    ) => ({
      title: said.nothingTitle,
      what: html`${said.nothingWhat}`,
      button: said.nothing,
      act: () => foundNothing(id),
      done: 'nothing',
    }),
  );
  addDecision(
    'refuse',
    ['reason'],
    (
      id,
      { reason = '' },
      {
        owner: {
          console: { requests: said },
        },
      },
    ) => {
      if (reason === '') return undefined;
      return {
        title: said.refuseTitle,
        what: fill(said.refuseWhat, { reason: outsideText(reason, MOST_REQUEST_LETTERS.reason) }),
        button: said.refuse,
        act: () => refuse(id, reason),
        done: 'refused',
      };
    },
  );
  const answerChosen = async (context: ConsoleContext, chosen: string): Promise<Confirmation | Response> => {
    const ids = new Set(chosen.split(' ').slice(0, MOST_CHOSEN));
    const open: string[] = [];
    for (const id of ids) {
      const request = await find(id);
      if (request !== undefined && request.decided === undefined) open.push(id);
    }
    if (open.length === 0) return context.redirect(REMOVALS_PATH, 303);
    const { requests: said } = context.get('words').owner.console;
    return {
      section: 'removals',
      title: said.nothingTitle,
      what: fill(said.nothingChosenWhat, { count: open.length }),
      button: said.nothing,
      back: REMOVALS_PATH,
      async act() {
        for (const id of open) await foundNothing(id);
      },
      done: 'answered',
    };
  };
  addAction(app, '/answer', [], (context, fields) => answerChosen(context, fields[CHOSEN] ?? ''), CHOSEN);
  addAction(app, '/requests/:id/remove/:job', [], async (context) => {
    const id = context.req.param('id') ?? '';
    const job = context.req.param('job') ?? '';
    if ((await find(id)) === undefined) return notFound(context);
    const { requests: said } = context.get('words').owner.console;
    let isRemoved = false;
    return {
      section: 'removals',
      title: said.removeTitle,
      what: fill(said.removeWhat, { job: outsideText(job) }),
      button: said.remove,
      back: requestPath(id),
      async act() {
        isRemoved = await remove(id, job);
      },
      done: () => (isRemoved ? 'removed' : 'none'),
    };
  });
}
