import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Finding } from '../adapter.ts';
import { DiscordFault } from './api/fault.ts';
import { inviteLink } from './api/invite.ts';
import { createRequests } from './api/requests.ts';

const application = z.object({
  id: z.string(),
  name: z.string(),
  bot: z.object({ username: z.string() }).optional(),
});
const guilds = z.array(z.unknown());
const PER_PAGE = 200;

/** Whether Discord accepts the token, and where the bot can be invited with exactly the permissions it needs. */
export async function checkDiscord(
  options: { readonly token: string; readonly apiUrl?: string | undefined },
  clock: Clock,
): Promise<readonly Finding[]> {
  const requests = createRequests({ ...options, clock });
  const get = (route: `/${string}`, query?: URLSearchParams) =>
    requests.asBot({
      doing: 'check the settings',
      method: 'GET',
      route,
      ...defined({ query }),
      totalTimeoutMs: 10_000,
    });
  try {
    const { id, name, bot } = application.parse(await get('/applications/@me'));
    const joined = guilds.parse(
      await get('/users/@me/guilds', new URLSearchParams({ limit: String(PER_PAGE) })),
    ).length;
    return [
      { name: 'Discord token', ok: true, detail: `accepted: ${bot?.username ?? name}` },
      {
        name: 'Discord servers',
        ok: joined > 0,
        detail: joined === PER_PAGE ? `in ${PER_PAGE} or more` : `in ${joined}`,
        cure: `Invite the bot: ${inviteLink(id)}`,
      },
      { name: 'Discord invite', ok: true, detail: inviteLink(id) },
    ];
  } catch (error) {
    const refused =
      requests.tokenFault() !== undefined || (error instanceof DiscordFault && error.code === 401);
    return [
      refused
        ? {
            name: 'Discord token',
            ok: false,
            detail: 'refused by Discord',
            cure: 'Copy it again from the Developer Portal (Bot, Reset Token) into DISCORD_TOKEN.',
          }
        : {
            name: 'Discord',
            ok: false,
            detail: error instanceof DiscordFault ? error.what : 'not reachable',
            cure: 'Check the network and DISCORD_API_URL, then try again.',
          },
    ];
  }
}
