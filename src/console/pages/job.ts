import { html } from 'hono/html';
import { personKey } from '../../command/place.ts';
import { textsOf } from '../../command/request.ts';
import type { Job, StateChange } from '../../orchestrator/job/job.ts';
import type { Price } from '../../words/money.ts';
import type { Words } from '../../words/words.ts';
import { creditsText } from '../charts/credits-text.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { durationText, factList, fillText, type Html, outsideText, table, time } from '../frame/html.ts';
import { communityLink, jobPath, personLink } from './paths.ts';

export const stateMark = ({ state }: Pick<Job, 'state'>, { states }: Words): Html =>
  html`<span class="state ${state}">${states[state]}</span>`;

/** The states of a job with their times. For a job from before states were noted, they are derived from its other fields. */
function historyOf(job: Job): readonly StateChange[] {
  const { history, createdAt, submittedAt, finishedAt, state } = job;
  if (history !== undefined) return history;
  return [
    { state: 'opening', at: createdAt },
    ...(submittedAt === undefined ? [] : [{ state: 'submitting' as const, at: submittedAt }]),
    ...(finishedAt === undefined ? [] : [{ state, at: finishedAt }]),
  ];
}

function history(job: Job, words: Words): Html {
  const { jobs: said, frame, fields } = words.owner.console;
  const all = historyOf(job);
  const rows = all.map((change, index) => {
    const next = all[index + 1];
    return [
      time(change.at, 'second'),
      stateMark(change, words),
      next === undefined ? '' : durationText(Math.max(0, next.at - change.at), words),
    ];
  });
  const note = job.history === undefined ? html`<p class="quiet">${said.noHistory}</p>` : '';
  const columns = [fields.since, fields.state, { number: fields.lasted }];
  return html`<h2>${said.states}</h2>${table(said.states, columns, rows, frame.nothing)}${note}`;
}

/** Shows all of a job. With `encrypts`, texts that people wrote, and the service's answers to them, are left out. */
export function jobBody(
  job: Job,
  encrypts: boolean,
  price: Price | undefined,
  ids: HiddenIds,
  words: Words,
): Html {
  const { jobs: said, frame, fields } = words.owner.console;
  const { caller, place, failure, finishedAt, createdAt, againOf } = job;
  /** Shows a text from outside, unless the store is encrypted. */
  const written = (text: string | undefined): Html | undefined =>
    text === undefined || encrypts ? undefined : outsideText(text);
  return html`${factList([
    [fields.state, stateMark(job, words)],
    [said.kind, job.request.kind],
    [said.label, written(job.label)],
    [fields.community, communityLink(place.community, ids)],
    [said.person, html`${personLink(personKey(caller), ids)} ${outsideText(caller.name)}`],
    [said.private, job.private ? frame.yes : frame.no],
    [
      said.credits,
      fillText(said.charged, {
        credits: creditsText(job.credits, price, words),
        charge: said.charge[job.charge],
        day: job.day,
      }),
    ],
    [said.accepted, time(createdAt, 'second')],
    [said.ended, finishedAt === undefined ? undefined : time(finishedAt, 'second')],
    [said.took, finishedAt === undefined ? undefined : durationText(finishedAt - createdAt, words)],
    [said.statusCalls, job.submittedAt === undefined ? undefined : job.looks],
    [said.failure, failure?.code],
    [said.detail, written(failure?.detail)],
    [said.serviceId, job.serviceId === undefined ? undefined : outsideText(job.serviceId)],
    [said.againOf, againOf && html`<a class="id" href="${jobPath(againOf)}">${againOf}</a>`],
    [said.prompt, written(textsOf(job.request)[0])],
  ])}
${encrypts ? html`<p class="quiet">${said.encrypted}</p>` : ''}
${history(job, words)}`;
}
