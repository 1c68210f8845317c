import { html } from 'hono/html';
import { type Fact, factList, fill, type Html, outsideText, time } from '../console/frame/html.ts';
import { ANSWERED_WITHIN_MS } from '../safety/requests/request-list.ts';
import { MOST_REQUEST_LETTERS, type RemovalRequest } from '../safety/requests/request-records.ts';
import { publicPage, REMOVAL_PATH, type Speech } from './layout.ts';

const utc = (at: number): Html => html`${time(at)} UTC`;

/** What became of a request. Nothing of what was sent is repeated, because whoever has the number can read this. */
export function statePage(
  number: string,
  { at, decided }: RemovalRequest,
  now: number,
  speech: Speech,
): Html {
  const said = speech.words.removalPage;
  const path = `${REMOVAL_PATH}/${number}`;
  const state = decided?.what ?? (now > at + ANSWERED_WITHIN_MS ? 'late' : 'open');
  const facts: readonly Fact[] = [
    [said.number, html`<span class="id">${number}</span>`],
    [said.received, utc(at)],
    [said.decided, decided && utc(decided.at)],
  ];
  const { title, text } = said.states[state];
  const reason =
    decided?.reason === undefined || decided.reason === ''
      ? ''
      : html`<h2>${said.reason}</h2>
<blockquote class="card">${outsideText(decided.reason, MOST_REQUEST_LETTERS.reason)}</blockquote>`;
  return publicPage(
    said.stateTitle,
    html`<p class="${decided?.what === 'removed' ? 'done' : 'card'}" role="status"><strong>${title}</strong><br>${fill(text, { until: utc(at + ANSWERED_WITHIN_MS) })}</p>
${reason}
${factList(facts)}
<p>${decided === undefined ? said.keep : said.again}</p>
<p class="pages"><a class="button" href="${REMOVAL_PATH}${speech.query}">${said.another}</a>
<a class="button" href="${path}/delete${speech.query}">${said.deleteIt}</a></p>`,
    speech,
    path,
  );
}

/** Asks before a request is deleted. */
export function deletePage(number: string, speech: Speech): Html {
  const said = speech.words.removalPage;
  const path = `${REMOVAL_PATH}/${number}`;
  return publicPage(
    said.deleteIt,
    html`<p>${said.deleteWhat}</p>
<form method="post" action="${path}/delete${speech.query}" class="pages">
<button class="main">${said.deleteIt}</button><a class="button" href="${path}${speech.query}">${said.cancel}</a></form>`,
    speech,
    `${path}/delete`,
  );
}

/** A page with one sentence. */
export function sentencePage(title: string, text: string, speech: Speech): Html {
  const said = speech.words.removalPage;
  return publicPage(
    title,
    html`<p>${text}</p>
<p><a href="${REMOVAL_PATH}${speech.query}">${said.back}</a></p>`,
    speech,
    REMOVAL_PATH,
  );
}
