import { Hono } from 'hono';
import { html } from 'hono/html';
import { PLATFORMS } from '../../adapters/profiles.ts';
import type { Pause } from '../../command/community-gate.ts';
import {
  type CommunitySettings,
  SIMPLE_SETTINGS,
  settingIn,
  simpleSettings,
} from '../../command/community-settings.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import { wordsFor } from '../../words/words.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { foreign, type Html } from '../frame/html.ts';
import { ROOT } from '../frame/layout.ts';
import { facts, table } from '../frame/table.ts';
import { time } from '../frame/times.ts';
import type { ConsoleEnv } from '../sign-in/guard.ts';
import { type Campaigns, campaignTable } from './campaigns.ts';
import {
  type CommunityActs,
  communityForms,
  createCommunityActions,
  doneTexts,
} from './community-actions.ts';
import { jobTable, searchPath } from './jobs.ts';
import { communityPath, typedCommunity } from './paths.ts';
import { doneText, notFound, show } from './show.ts';

/** A community in the list. */
export interface CommunityRow {
  readonly id: string;
  readonly pause: Pause | undefined;
  /** Undefined: no community needs it. */
  readonly isApproved: boolean | undefined;
  /** Of one person, a day. */
  readonly allowance: number;
  /** Of all its people, today. */
  readonly credits: number;
}

export interface CommunityDetails extends CommunityRow {
  readonly allowanceBy: keyof typeof ALLOWANCE_BY;
  readonly people: number;
  readonly jobs: number;
  readonly settings: CommunitySettings;
  readonly campaigns: Campaigns;
  readonly latestJobs: readonly Job[];
  /** The latest lines of its audit trail. */
  readonly trail: readonly { readonly at: number; readonly who: string; readonly what: string }[];
}

interface WaitingCommunity {
  readonly community: string;
  readonly name?: string;
  readonly since: number;
}

export interface CommunitiesParts {
  readonly page: (
    after: string | undefined,
  ) => Promise<{ readonly list: readonly CommunityRow[]; readonly next?: string }>;
  readonly details: (community: string) => Promise<CommunityDetails>;
  /** Undefined: no community needs approval. */
  readonly waiting:
    | ((after: WaitingCommunity | undefined) => Promise<{
        readonly list: readonly WaitingCommunity[];
        readonly count: number;
        readonly next?: WaitingCommunity;
      }>)
    | undefined;
  readonly acts: CommunityActs;
  /** The most that all people of a community can use a day. */
  readonly ceiling: number | undefined;
}

const ALLOWANCE_BY = {
  default: 'default',
  owner: 'set by an owner: only owners can change it',
  moderator: 'set by a moderator',
};

const words = wordsFor('en');
const PATH = `${ROOT}/communities`;
const COMMUNITY_ID = new RegExp(`^(?:${PLATFORMS.join('|')}):[\\w:-]{1,60}$`);
const LONGEST_TYPED = 80;

function stateOf({ pause, isApproved }: CommunityRow): Html {
  const wrong = [
    ...(isApproved === false ? ['not approved'] : []),
    ...(pause === undefined ? [] : ['paused']),
  ];
  if (wrong.length === 0) return html`<span class="state done">open</span>`;
  return html`${wrong.map((each) => html`<span class="state failed">${each}</span> `)}`;
}

function pausedBy({ byOwner, lost }: Pause): string {
  if (byOwner) return 'an owner: only owners can resume it';
  return `${lost ? 'Darkroom, because its settings were damaged' : 'a moderator'}: moderators can resume it`;
}

function ofCeiling(credits: number, ceiling: number | undefined): string {
  return ceiling === undefined ? String(credits) : `${credits} of ${ceiling}`;
}

/** The last one of a page, in the address of the next. */
function readLast(text: string | undefined): WaitingCommunity | undefined {
  const [, since, community] = /^([\d.]{1,20}) (.+)$/.exec(text ?? '') ?? [];
  return community === undefined ? undefined : { community, since: Number(since) };
}

function waitingTable(
  { list, count, next }: Awaited<ReturnType<NonNullable<CommunitiesParts['waiting']>>>,
  isFirst: boolean,
  ids: HiddenIds,
): Html {
  const rows = list.map(({ community, name, since }) => [
    html`<a href="${communityPath(community, ids)}">${foreign(community)}</a>`,
    foreign(name ?? ''),
    time(since),
  ]);
  const last = next && ids.hide(`${next.since} ${next.community}`);
  return html`<h2>Waiting for approval</h2>${table(
    'Waiting for approval',
    [{ name: 'Community' }, { name: 'Name' }, { name: 'Asked first' }],
    rows,
    'None.',
  )}<nav class="pages" aria-label="Pages of those that wait">${count > rows.length ? html`<span class="quiet">${count} in all, the latest first.</span>` : ''}
${isFirst ? '' : html`<a class="button" href="${PATH}">Latest</a>`}
${last === undefined ? '' : html`<a class="button" rel="next" href="${PATH}?waiting=${last}">Earlier</a>`}</nav><h2>All</h2>`;
}

/** Communities with jobs in the last 30 days or with settings, and one page for each. */
export function createCommunityPages({ page, details, waiting, acts, ceiling }: CommunitiesParts) {
  const app = new Hono<ConsoleEnv>();
  const list = (rows: readonly CommunityRow[], ids: HiddenIds): Html =>
    table(
      'Communities',
      [
        { name: 'Community' },
        { name: 'State' },
        { name: 'Credits a person a day', isNumber: true },
        { name: 'Credits today', isNumber: true },
      ],
      rows.map((row) => [
        html`<a href="${communityPath(row.id, ids)}">${foreign(row.id)}</a>`,
        stateOf(row),
        row.allowance,
        ofCeiling(row.credits, ceiling),
      ]),
      'None yet: there are neither jobs nor settings.',
    );

  app.get('/', async (context) => {
    const ids = context.get('ids');
    const after = ids.find(context.req.query('after') ?? '');
    const found = await page(after);
    const last = readLast(ids.find(context.req.query('waiting') ?? ''));
    const asked = after === undefined ? await waiting?.(last) : undefined;
    const body = html`<form method="post" action="${PATH}" class="search" role="search">
<input type="hidden" name="token" value="${context.get('viewer').token}">
<label class="field"><span>Community</span><input type="text" name="community" placeholder="telegram:-100123" maxlength="${LONGEST_TYPED}" required
autocomplete="off" autocapitalize="off" spellcheck="false"></label><button class="main">Open</button></form>
${asked === undefined ? '' : waitingTable(asked, last === undefined, ids)}${list(found.list, ids)}
<nav class="pages" aria-label="Pages">${after === undefined ? '' : html`<a class="button" href="${PATH}">First</a>`}
${found.next === undefined ? '' : html`<a class="button" rel="next" href="${PATH}?after=${ids.hide(found.next)}">More</a>`}</nav>`;
    return show(context, { title: 'Communities', section: 'communities', body });
  });

  app.post('/', (context) => {
    const id = typedCommunity((context.get('form').get('community') ?? '').slice(0, LONGEST_TYPED));
    // The page that it leads to says if there is none.
    return context.redirect(communityPath(id, context.get('ids')), 303);
  });

  app.get('/:hidden', async (context) => {
    const ids = context.get('ids');
    const id = ids.find(context.req.param('hidden'));
    if (id === undefined || !COMMUNITY_ID.test(id)) return notFound(context, 'community');
    const found = await details(id);
    // It has another id now.
    if (found.id !== id) return context.redirect(communityPath(found.id, ids), 303);
    const { token } = context.get('viewer');
    const body = html`${facts([
      ['State', stateOf(found)],
      ['Paused by', found.pause && pausedBy(found.pause)],
      ['Reason of the pause', found.pause?.reason ? foreign(found.pause.reason) : undefined],
      ['Credits a person a day', `${found.allowance} (${ALLOWANCE_BY[found.allowanceBy]})`],
      ['Credits today', ofCeiling(found.credits, ceiling)],
      ['Jobs today', found.jobs],
      ['People today', found.people],
      ...simpleSettings.map((name) => {
        const { words: wordsOf, text } = SIMPLE_SETTINGS[name];
        return [wordsOf(words).name, foreign(text(settingIn(found.settings, name), words))] as const;
      }),
      ['Log channel', found.settings.log === undefined ? 'no' : 'yes'],
      ['Blocked people', found.settings.blocked.length],
    ])}
<h2>Change</h2>${communityForms(found, communityPath(id, ids), token)}
<h2>Campaigns</h2>${campaignTable(found.campaigns, ids)}
<h2>Latest jobs</h2>${jobTable(found.latestJobs, ids)}
<p><a href="${searchPath({ community: id }, ids)}">All its jobs</a></p>
<h2>Audit trail</h2>${table(
      'Audit trail',
      [{ name: 'At' }, { name: 'Who' }, { name: 'What' }],
      found.trail.map(({ at, who, what }) => [time(at), foreign(who), foreign(what)]),
    )}`;
    return show(context, { title: id, section: 'communities', ...doneText(context, doneTexts(found)), body });
  });

  app.route('/', createCommunityActions(acts, details, COMMUNITY_ID));
  return app;
}
