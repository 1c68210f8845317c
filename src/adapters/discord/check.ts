import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { type Finding, failedFinding } from '../connection.ts';
import { createApi } from './rest/api.ts';
import {
  INTERACTIONS_PATH,
  inviteLink,
  isSameKey,
  readApplication,
  WRONG_PUBLIC_KEY,
} from './rest/application.ts';
import { DiscordFault } from './rest/fault.ts';

const guilds = z.array(z.unknown());
const PER_PAGE = 200;

/** Checks whether interactions arrive: Discord sends them to an address if one is set, else over the gateway. */
function checkInteractions(
  publicKey: string | undefined,
  { verify_key: key, interactions_endpoint_url: url }: Awaited<ReturnType<typeof readApplication>>,
): Finding {
  const name = 'Discord interactions';
  const hasUrl = typeof url === 'string';
  if (publicKey === undefined && !hasUrl) return { name, ok: true, detail: 'over the gateway' };
  if (publicKey === undefined) {
    const cure = 'Set DISCORD_PUBLIC_KEY, or clear the Interactions Endpoint URL in the developer portal.';
    return failedFinding(name, `Discord sends them to ${url}`, 'address without key', cure);
  }
  if (!isSameKey(publicKey, key))
    return failedFinding(name, 'DISCORD_PUBLIC_KEY is wrong', 'wrong key', WRONG_PUBLIC_KEY);
  if (hasUrl) return { name, ok: true, detail: `by HTTP: ${url}` };
  const cure = `Set the Interactions Endpoint URL in the developer portal to the public https address that leads to ${INTERACTIONS_PATH}, while Darkroom is running.`;
  return failedFinding(name, 'by HTTP, but Discord has no address', 'no address', cure);
}

/** Checks whether the public key belongs to the token's application, and how interactions arrive with that key. */
export async function checkDiscordKey(
  options: { readonly token: string; readonly publicKey: string; readonly apiUrl?: string | undefined },
  clock: Clock,
): Promise<readonly Finding[]> {
  const name = 'Discord public key';
  try {
    const application = await readApplication(createApi(options, clock).api);
    if (!isSameKey(options.publicKey, application.verify_key))
      return [failedFinding(name, 'not that of this application', 'wrong key', WRONG_PUBLIC_KEY)];
    return [
      { name, ok: true, detail: 'that of this application' },
      checkInteractions(options.publicKey, application),
    ];
  } catch {
    return [failedFinding(name, 'not checked', 'not reachable', 'Discord does not answer. Try again.')];
  }
}

/**
 * Checks whether Discord accepts the token, and gives the link that invites the bot with exactly the permissions it needs.
 */
export async function checkDiscord(
  options: {
    readonly token: string;
    readonly apiUrl?: string | undefined;
    readonly publicKey?: string | undefined;
  },
  clock: Clock,
): Promise<readonly Finding[]> {
  const { api } = createApi(options, clock);
  try {
    const application = await readApplication(api);
    const { id, name, bot } = application;
    const joined = guilds.parse(
      await api.within({ totalTimeoutMs: 10_000 }).users.getGuilds({ limit: PER_PAGE }),
    ).length;
    return [
      { name: 'Discord token', ok: true, detail: `accepted: ${bot?.username ?? name}` },
      checkInteractions(options.publicKey, application),
      {
        name: 'Discord servers',
        ok: joined > 0,
        reason: 'none',
        detail: joined === PER_PAGE ? `in ${PER_PAGE} or more` : `in ${joined}`,
        cure: `Invite the bot: ${inviteLink(id)}`,
      },
      { name: 'Discord invite', ok: true, detail: inviteLink(id) },
    ];
  } catch (error) {
    const fault = error instanceof DiscordFault ? error : undefined;
    const tokenCure = 'Copy it again from the Developer Portal (Bot, Reset Token) into DISCORD_TOKEN.';
    if (api.tokenFault() !== undefined || fault?.code === 401)
      return [failedFinding('Discord token', 'refused by Discord', 'refused', tokenCure)];
    const detail = fault === undefined ? 'not reachable' : fault.what;
    const reason = fault === undefined ? 'not reachable' : `${fault.kind} ${fault.code}`;
    return [
      failedFinding('Discord', detail, reason, 'Check the network and DISCORD_API_URL, then try again.'),
    ];
  }
}
