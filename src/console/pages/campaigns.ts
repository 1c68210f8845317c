import { Hono } from 'hono';
import { html } from 'hono/html';
import type { CampaignEntry } from '../../command/aliases-port.ts';
import { personKey } from '../../command/place.ts';
import type { Words } from '../../words/words.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { type Html, outsideText, table, time } from '../frame/html.ts';
import type { ConsoleEnv } from '../frame/layout.ts';
import type { CommunityData } from './community-data.ts';
import { communityLink } from './paths.ts';
import { answerPage } from './show.ts';

type Upcoming = readonly (CampaignEntry & { readonly community: string; readonly alias: string })[];

export function campaignTable(list: Upcoming, ids: HiddenIds, words: Words): Html {
  const { campaigns: said, sections, fields } = words.owner.console;
  return table(
    sections.campaigns,
    [fields.from, fields.until, fields.state, fields.community, said.alias, said.filter, said.by],
    list.map(({ from, until, state, community, alias, label, by }) => [
      time(from),
      until === undefined ? said.stays : time(until),
      html`<span class="state">${said.states[state]}</span>`,
      communityLink(community, ids),
      outsideText(alias),
      outsideText(label),
      outsideText(personKey(by)),
    ]),
    said.none,
  );
}

export function createCampaignsPage({ upcoming }: Pick<CommunityData, 'upcoming'>) {
  const app = new Hono<ConsoleEnv>();
  app.get('/', async (context) => {
    const { list, isAll } = await upcoming();
    const words = context.get('words');
    const { campaigns: said, sections } = words.owner.console;
    const body = html`<p>${said.intro}</p>
${campaignTable(list, context.get('ids'), words)}
${isAll ? '' : html`<p class="quiet">${said.part}</p>`}`;
    return answerPage(context, { title: sections.campaigns, section: 'campaigns', body });
  });
  return app;
}
