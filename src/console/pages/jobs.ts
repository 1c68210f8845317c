import { Hono } from 'hono';
import { html } from 'hono/html';
import { defined } from '../../base/defined.ts';
import { JOB_STATES } from '../../command/jobs-port.ts';
import { personKey } from '../../command/place.ts';
import { jobKinds } from '../../kinds/kinds.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import type { JobMark, JobQuery, JobSearch } from '../../store/tables/job-search.ts';
import type { Words } from '../../words/words.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { durationText, fillText, type Html, hiddenField, table, time } from '../frame/html.ts';
import type { ConsoleEnv } from '../frame/layout.ts';
import { jobBody, stateMark } from './job.ts';
import {
  communityLink,
  JOBS_PATH,
  jobPath,
  personLink,
  searchPath,
  typedCommunity,
  typedPerson,
} from './paths.ts';
import { answerPage, type ConsoleContext, notFound } from './show.ts';

export interface JobsPageDependencies {
  readonly get: (id: string) => Promise<Job | undefined>;
  readonly find: JobSearch['find'];
  /** Whether the store is encrypted, so that texts that people wrote are not shown. */
  readonly encrypts: boolean;
}

const PER_PAGE = 50;
const LONGEST_TYPED = 200;
const JOB_ID = /^[\w-]{1,64}$/;

/** Makes a query from the values of a search; values that cannot be valid are left out. */
const queryOf = (state: string, kind: string, community?: string, person?: string): JobQuery =>
  defined({
    state: JOB_STATES.find((each) => each === state),
    kind: jobKinds.find((each) => each === kind),
    community: community || undefined,
    person: person || undefined,
  });

/** Reads the query in a URL; `isDamaged` if a part of it cannot be read. */
function queryIn(context: ConsoleContext): { readonly query: JobQuery; readonly isDamaged: boolean } {
  const { find } = context.get('ids');
  const { state = '', kind = '', community = '', person = '' } = context.req.query();
  const query = queryOf(state, kind, find(community), find(person));
  const given = [state, kind, community, person].filter((each) => each !== '');
  return { query, isDamaged: given.length > Object.keys(query).length };
}

function markIn(context: ConsoleContext): JobMark | undefined {
  const [, createdAt, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(context.req.query('after') ?? '') ?? [];
  return seq === undefined ? undefined : { createdAt: Number(createdAt), seq: Number(seq) };
}

function searchForm(
  { state, kind, community = '', person = '' }: JobQuery,
  token: string,
  { states, owner }: Words,
): Html {
  const { jobs: said, fields } = owner.console;
  const choice = (
    name: string,
    label: string,
    all: readonly (readonly [value: string, text: string])[],
    chosen: string | undefined,
  ) => html`<label class="field"><span>${label}</span><select name="${name}"><option value="">${said.any}</option>
${all.map(([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`)}</select></label>`;
  const typed = (name: string, label: string, value: string, example: string) =>
    html`<label class="field"><span>${label}</span><input type="text" name="${name}" value="${value}" maxlength="${LONGEST_TYPED}"
placeholder="${example}" autocomplete="off" autocapitalize="off" spellcheck="false"></label>`;
  return html`<form method="post" action="${JOBS_PATH}" class="search" role="search">${hiddenField('token', token)}
${typed('id', said.id, '', '')}
${choice(
  'state',
  fields.state,
  JOB_STATES.map((each) => [each, states[each]]),
  state,
)}
${choice(
  'kind',
  said.kind,
  jobKinds.map((each) => [each, each]),
  kind,
)}
${typed('community', fields.community, community, 'discord:123')}
${typed('person', said.person, person, 'telegram:42')}
<button class="main">${said.search}</button><a class="button" href="${JOBS_PATH}">${said.all}</a></form>`;
}

export function jobTable(jobs: readonly Job[], ids: HiddenIds, words: Words): Html {
  const { jobs: said, sections, fields } = words.owner.console;
  const what = [said.accepted, fields.state, said.kind, fields.community, said.person];
  const columns = [...what, { number: said.took }, { number: said.credits }, said.job];
  const row = (job: Job) => [
    html`<a href="${jobPath(job.id)}">${time(job.createdAt)}</a>`,
    stateMark(job, words),
    job.request.kind,
    communityLink(job.place.community, ids),
    personLink(personKey(job.caller), ids),
    job.finishedAt === undefined ? '' : durationText(job.finishedAt - job.createdAt, words),
    job.credits,
    html`<a class="id" href="${jobPath(job.id)}">${job.id}</a>`,
  ];
  return table(sections.jobs, columns, jobs.map(row), said.none);
}

/** Makes the search of all jobs of the last 30 days, and a page for each. */
export function createJobsPages({ get, find, encrypts }: JobsPageDependencies) {
  const app = new Hono<ConsoleEnv>();

  app.get('/', async (context) => {
    const ids = context.get('ids');
    const { query, isDamaged } = queryIn(context);
    const { token } = context.get('viewer');
    const words = context.get('words');
    const { jobs: said, sections, frame, fields } = words.owner.console;
    if (isDamaged) {
      const body = html`<p class="problem" role="alert">${said.damaged}</p>
${searchForm(query, token, words)}`;
      return answerPage(context, { title: sections.jobs, section: 'jobs', body }, 400);
    }
    const { jobs, next } = await find(query, PER_PAGE, markIn(context));
    const note = next !== undefined && jobs.length < PER_PAGE ? html`<p class="quiet">${said.part}</p>` : '';
    const older =
      next === undefined
        ? ''
        : html`<a class="button" rel="next" href="${searchPath(query, ids, next)}">${said.older}</a>`;
    const first =
      context.req.query('after') === undefined
        ? ''
        : html`<a class="button" href="${searchPath(query, ids)}">${fields.latest}</a>`;
    const body = html`${searchForm(query, token, words)}${jobTable(jobs, ids, words)}${note}
<nav class="pages" aria-label="${frame.pages}">${first}${older}</nav>`;
    return answerPage(context, { title: sections.jobs, section: 'jobs', body });
  });

  /**
   * A search is sent as a form and redirected to a URL in which ids of people and communities are encrypted, because proxies
   * log URLs.
   */
  app.post('/', (context) => {
    const form = context.get('form');
    const typed = (name: string): string => (form.get(name) ?? '').trim().slice(0, LONGEST_TYPED);
    const id = typed('id');
    if (id !== '') return context.redirect(jobPath(JOB_ID.test(id) ? id : '-'), 303);
    const community = typedCommunity(typed('community'));
    const person = typedPerson(typed('person'));
    const query = queryOf(typed('state'), typed('kind'), community, person);
    return context.redirect(searchPath(query, context.get('ids')), 303);
  });

  app.get('/:id', async (context) => {
    const id = context.req.param('id');
    const job = JOB_ID.test(id) ? await get(id) : undefined;
    // The job of a person whose data is being deleted is kept only until its card says so, and is not shown.
    if (job === undefined || job.forget) return notFound(context, 'job');
    const words = context.get('words');
    const body = jobBody(job, encrypts, context.get('price'), context.get('ids'), words);
    return answerPage(context, {
      title: fillText(words.owner.console.jobs.title, { id }),
      section: 'jobs',
      body,
    });
  });
  return app;
}
