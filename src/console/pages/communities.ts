import { Hono } from 'hono';
import { html } from 'hono/html';
import {
  type Pause,
  SIMPLE_SETTINGS,
  type SpecialSetting,
  settingIn,
  simpleSettings,
} from '../../command/community-settings.ts';
import type { Price } from '../../words/money.ts';
import type { Words } from '../../words/words.ts';
import { creditsText } from '../charts/credits-text.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import {
  type Fact,
  factList,
  fillText,
  type Html,
  hiddenField,
  outsideText,
  table,
  time,
} from '../frame/html.ts';
import { CONSOLE_PATH, type ConsoleEnv } from '../frame/layout.ts';
import { campaignTable } from './campaigns.ts';
import { communityAt, communityForms, createCommunityActions, doneTexts } from './community-actions.ts';
import type { CommunityData, CommunityDetails } from './community-data.ts';
import { jobTable } from './jobs.ts';
import { communityLink, communityPath, searchPath, typedCommunity } from './paths.ts';
import { answerPage, doneText } from './show.ts';

type Said = Words['owner']['console']['communities'];

type Row = Awaited<ReturnType<CommunityData['page']>>['list'][number];
type Waiting = NonNullable<CommunityData['waiting']>;

const PATH = `${CONSOLE_PATH}/communities`;
const LONGEST_TYPED = 80;

function stateOf({ pause, isApproved }: Row, said: Said): Html {
  const wrong = [
    ...(isApproved === false ? [said.notApproved] : []),
    ...(pause === undefined ? [] : [said.paused]),
  ];
  if (wrong.length === 0) return html`<span class="state done">${said.open}</span>`;
  return html`${wrong.map((each) => html`<span class="state failed">${each}</span> `)}`;
}

function pausedBy({ byOwner, lost }: Pause, said: Said): string {
  if (byOwner) return said.byOwner;
  return lost ? said.byDamage : said.byModerator;
}

function ofCeiling(
  credits: number,
  ceiling: number | undefined,
  price: Price | undefined,
  words: Words,
): string {
  const text = (amount: number): string => creditsText(amount, price, words);
  return ceiling === undefined
    ? text(credits)
    : fillText(words.owner.console.frame.of, { part: text(credits), all: text(ceiling) });
}

/** Reads the position in the waiting list from the address of a page: the last entry of the page before. */
function readLast(text: string | undefined): Parameters<Waiting>[0] {
  const [, since, community] = /^([\d.]{1,20}) (.+)$/.exec(text ?? '') ?? [];
  return community === undefined ? undefined : { community, since: Number(since) };
}

function waitingTable(
  { list, count, next }: Awaited<ReturnType<Waiting>>,
  isFirst: boolean,
  ids: HiddenIds,
  { owner }: Words,
): Html {
  const { communities: said, frame, fields } = owner.console;
  const rows = list.map(({ community, name, since }) => [
    communityLink(community, ids),
    outsideText(name ?? ''),
    time(since),
  ]);
  const last = next && ids.hide(`${next.since} ${next.community}`);
  return html`<h2>${said.waiting}</h2>${table(
    said.waiting,
    [fields.community, said.name, said.askedFirst],
    rows,
    frame.none,
  )}<nav class="pages" aria-label="${said.waitingPages}">${count > rows.length ? html`<span class="quiet">${said.waitingInAll(count)}</span>` : ''}
${isFirst ? '' : html`<a class="button" href="${PATH}">${fields.latest}</a>`}
${last === undefined ? '' : html`<a class="button" rel="next" href="${PATH}?waiting=${last}">${said.earlier}</a>`}</nav><h2>${said.all}</h2>`;
}

/** Lists a community's settings. The compiler demands a line here for each new setting. */
function settingFacts(found: CommunityDetails, words: Words): readonly Fact[] {
  const { communities: said, frame } = words.owner.console;
  const { pause, settings } = found;
  const source = said.allowanceBy[found.allowanceBy];
  const shown = {
    paused: [
      [said.pausedBy, pause && pausedBy(pause, said)],
      [said.reason, pause?.reason ? outsideText(pause.reason) : undefined],
    ],
    credits: [[said.creditsADay, fillText(said.allowance, { credits: found.allowance, source })]],
    // This is shown as the source of the credits above.
    creditsByOwner: [],
    allowances: [[said.allowances, settings.allowances?.length ?? 0]],
    simple: simpleSettings.map((name): Fact => {
      const row = SIMPLE_SETTINGS[name];
      return [row.name[words.language], outsideText(row.text(settingIn(settings, name), words))];
    }),
    log: [[said.logChannel, settings.log === undefined ? frame.no : frame.yes]],
    channels: [[said.channels, settings.channels?.length ?? said.everyChannel]],
    blocked: [[said.blocked, settings.blocked.length]],
    bannedWords: [[said.bannedWords, settings.bannedWords.length]],
  } satisfies Readonly<Record<SpecialSetting | 'simple', readonly Fact[]>>;
  return Object.values<readonly Fact[]>(shown).flat();
}

/** Makes the list of communities with settings or with jobs in the last 30 days, and a page for each. */
export function createCommunityPages({ page, details, waiting, acts, ceiling }: CommunityData) {
  const app = new Hono<ConsoleEnv>();
  const list = (rows: readonly Row[], ids: HiddenIds, price: Price | undefined, words: Words): Html => {
    const { communities: said, sections, fields } = words.owner.console;
    return table(
      sections.communities,
      [fields.community, fields.state, { number: said.creditsADay }, { number: said.creditsToday }],
      rows.map((row) => [
        communityLink(row.id, ids),
        stateOf(row, said),
        row.allowance,
        ofCeiling(row.credits, ceiling, price, words),
      ]),
      said.none,
    );
  };

  app.get('/', async (context) => {
    const ids = context.get('ids');
    const after = ids.find(context.req.query('after') ?? '');
    const last = readLast(ids.find(context.req.query('waiting') ?? ''));
    const [found, asked] = await Promise.all([
      page(after),
      after === undefined ? waiting?.(last) : undefined,
    ]);
    const words = context.get('words');
    const { communities: said, sections, frame, fields } = words.owner.console;
    const body = html`<form method="post" action="${PATH}" class="search" role="search">
${hiddenField('token', context.get('viewer').token)}
<label class="field"><span>${fields.community}</span><input type="text" name="community" placeholder="telegram:-100123" maxlength="${LONGEST_TYPED}" required
autocomplete="off" autocapitalize="off" spellcheck="false"></label><button class="main">${said.openOne}</button></form>
${asked === undefined ? '' : waitingTable(asked, last === undefined, ids, words)}${list(found.list, ids, context.get('price'), words)}
<nav class="pages" aria-label="${frame.pages}">${after === undefined ? '' : html`<a class="button" href="${PATH}">${said.first}</a>`}
${found.next === undefined ? '' : html`<a class="button" rel="next" href="${PATH}?after=${ids.hide(found.next)}">${said.more}</a>`}</nav>`;
    return answerPage(context, { title: sections.communities, section: 'communities', body });
  });

  app.post('/', (context) => {
    const id = typedCommunity((context.get('form').get('community') ?? '').slice(0, LONGEST_TYPED));
    // If there is no such community, the page at this address says so.
    return context.redirect(communityPath(id, context.get('ids')), 303);
  });

  app.get('/:hidden', async (context) => {
    const found = await communityAt(context, details);
    if (found instanceof Response) return found;
    const { id } = found;
    const ids = context.get('ids');
    const words = context.get('words');
    const { communities: said, sections, frame, fields } = words.owner.console;
    const body = html`${factList([
      [fields.state, stateOf(found, said)],
      [said.creditsToday, ofCeiling(found.credits, ceiling, context.get('price'), words)],
      [said.jobsToday, found.jobs],
      [said.peopleToday, found.people],
      ...settingFacts(found, words),
    ])}
<h2>${said.change}</h2>${communityForms(found, communityPath(id, ids), context.get('viewer').token, words)}
<h2>${sections.campaigns}</h2>${campaignTable(found.campaigns, ids, words)}
<h2>${said.latestJobs}</h2>${jobTable(found.latestJobs, ids, words)}
<p><a href="${searchPath({ community: id }, ids)}">${said.allJobs}</a></p>
<h2>${said.trail}</h2>${table(
      said.trail,
      [said.at, said.who, fields.what],
      found.trail.map(({ at, who, what }) => [time(at), outsideText(who), outsideText(what)]),
      frame.nothing,
    )}`;
    const done = doneText(context, doneTexts(found, words));
    return answerPage(context, { title: id, section: 'communities', done, body });
  });

  app.route('/', createCommunityActions({ acts, details, waiting }));
  return app;
}
