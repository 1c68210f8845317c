import { html } from 'hono/html';
import { textsOf } from '../../command/kinds.ts';
import { personKey } from '../../command/place.ts';
import type { Job, StateChange } from '../../orchestrator/job/job.ts';
import type { JobQuery } from '../../store/records/jobs/job-search.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { foreign, type Html } from '../frame/html.ts';
import { facts, table } from '../frame/table.ts';
import { duration, time } from '../frame/times.ts';
import { communityPath, jobPath } from './paths.ts';

export function stateMark({ state }: Pick<Job, 'state'>): Html {
  return html`<span class="state ${state}">${state}</span>`;
}

/** Of a job from before states were noted, what else is known. */
function historyOf(job: Job): readonly StateChange[] {
  const { history, createdAt, submittedAt, finishedAt, state } = job;
  if (history !== undefined) return history;
  return [
    { state: 'opening', at: createdAt },
    ...(submittedAt === undefined ? [] : [{ state: 'submitting' as const, at: submittedAt }]),
    ...(finishedAt === undefined ? [] : [{ state, at: finishedAt }]),
  ];
}

function history(job: Job): Html {
  const all = historyOf(job);
  const rows = all.map((change, index) => {
    const next = all[index + 1];
    return [
      time(change.at, 'second'),
      stateMark(change),
      next === undefined ? '' : duration(Math.max(0, next.at - change.at)),
    ];
  });
  const note =
    job.history === undefined
      ? html`<p class="quiet">This job was accepted before states were noted; only some of them are known.</p>`
      : '';
  return html`<h2>States</h2>${table('States', [{ name: 'Since' }, { name: 'State' }, { name: 'For', isNumber: true }], rows)}${note}`;
}

/** `encrypts`: what people wrote, and what the service answered to it, is not shown. */
export function jobBody(
  job: Job,
  encrypts: boolean,
  ids: HiddenIds,
  searchPath: (query: JobQuery, ids: HiddenIds) => string,
): Html {
  const { caller, place, failure, finishedAt, createdAt, againOf } = job;
  const person = personKey(caller);
  const prompt = encrypts ? undefined : textsOf(job.request)[0];
  return html`${facts([
    ['State', stateMark(job)],
    ['Kind', job.request.kind],
    ['Label', encrypts ? undefined : foreign(job.label)],
    ['Community', html`<a href="${communityPath(place.community, ids)}">${foreign(place.community)}</a>`],
    ['Person', html`<a href="${searchPath({ person }, ids)}">${foreign(person)}</a> ${foreign(caller.name)}`],
    ['Private', job.private ? 'yes' : 'no'],
    ['Credits', `${job.credits} (${job.charge}, ${job.day})`],
    ['Accepted', time(createdAt, 'second')],
    ['Ended', finishedAt === undefined ? undefined : time(finishedAt, 'second')],
    ['Took', finishedAt === undefined ? undefined : duration(finishedAt - createdAt)],
    ['Status calls', job.submittedAt === undefined ? undefined : job.looks],
    ['Failure', failure?.code],
    ['Detail', failure?.detail === undefined || encrypts ? undefined : foreign(failure.detail)],
    ['Id at the service', job.serviceId === undefined ? undefined : foreign(job.serviceId)],
    [
      'Made again from',
      againOf === undefined ? undefined : html`<a class="id" href="${jobPath(againOf)}">${againOf}</a>`,
    ],
    ['Prompt', prompt === undefined ? undefined : foreign(prompt)],
  ])}
${encrypts ? html`<p class="quiet">Prompts and labels are not shown, because the store is encrypted (STORE_KEY).</p>` : ''}
${history(job)}`;
}
