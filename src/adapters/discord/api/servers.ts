import { Routes } from 'discord.js';
import { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import type { Adapter, CommunityInfo } from '../../adapter.ts';
import type { Requests } from './requests.ts';

/** Discord's limits. */
const PAGE = 200;
const MOST_PAGES = 1_000;
const TIMEOUT_MS = 5_000;

const server = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  name: z.string().optional(),
  approximate_member_count: z.number().int().nonnegative().optional(),
});

const infoOf = ({ name, approximate_member_count: members }: z.infer<typeof server>): CommunityInfo =>
  defined({ name, members });

/** The servers that the bot is in, asked by REST: the gateway would describe each of them with all its channels. */
export function createServers(requests: Requests): Required<Pick<Adapter, 'communities' | 'communityInfo'>> {
  return {
    async communities() {
      const all: (CommunityInfo & { readonly community: string })[] = [];
      for (let after = '0', page = 0; page < MOST_PAGES; page += 1) {
        const query = new URLSearchParams({ limit: String(PAGE), after, with_counts: 'true' });
        const route = Routes.userGuilds();
        const answer = await requests.asBot({ doing: 'list the servers', method: 'GET', route, query });
        const found = z.array(server).parse(answer);
        all.push(...found.map((each) => ({ community: `discord:${each.id}`, ...infoOf(each) })));
        const last = found.at(-1);
        if (last === undefined || found.length < PAGE) return all;
        after = last.id;
      }
      throw new Error('Discord lists more servers than there can be.');
    },
    async communityInfo({ community }) {
      const id = /^discord:(\d+)$/.exec(community)?.[1];
      if (id === undefined) return undefined;
      const answer = await requests.asBot({
        doing: 'read a server',
        method: 'GET',
        route: Routes.guild(id),
        query: new URLSearchParams({ with_counts: 'true' }),
        totalTimeoutMs: TIMEOUT_MS,
      });
      return infoOf(server.parse(answer));
    },
  };
}
