import { Hono } from 'hono';
import { html } from 'hono/html';
import { personKey } from '../../command/place.ts';
import type { CampaignEntry } from '../../command/ports.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { foreign, type Html } from '../frame/html.ts';
import { table } from '../frame/table.ts';
import { time } from '../frame/times.ts';
import type { ConsoleEnv } from '../sign-in/guard.ts';
import { communityPath } from './paths.ts';
import { show } from './show.ts';

export type Campaigns = readonly (CampaignEntry & { readonly community: string; readonly alias: string })[];

export interface CampaignsParts {
  /** Those whose next step is soonest, and whether there are more. */
  readonly upcoming: () => Promise<{ readonly list: Campaigns; readonly isAll: boolean }>;
}

export function campaignTable(list: Campaigns, ids: HiddenIds): Html {
  return table(
    'Campaigns',
    ['From', 'Until', 'State', 'Community', 'Alias', 'Filter', 'By'].map((name) => ({ name })),
    list.map(({ from, until, state, community, alias, label, by }) => [
      time(from),
      until === undefined ? 'it stays' : time(until),
      html`<span class="state">${state}</span>`,
      html`<a href="${communityPath(community, ids)}">${foreign(community)}</a>`,
      foreign(alias),
      foreign(label),
      foreign(personKey(by)),
    ]),
    'None is scheduled.',
  );
}

export function createCampaignsPage({ upcoming }: CampaignsParts) {
  const app = new Hono<ConsoleEnv>();
  app.get('/', async (context) => {
    const { list, isAll } = await upcoming();
    const body = html`<p>What is running or scheduled with /alias schedule, the next to begin or end first.</p>
${campaignTable(list, context.get('ids'))}
${isAll ? '' : html`<p class="quiet">Only those of the communities that are next.</p>`}`;
    return show(context, { title: 'Campaigns', section: 'campaigns', body });
  });
  return app;
}
