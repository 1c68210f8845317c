import { OAuth2Scopes, PermissionFlagsBits } from 'discord.js';
import { z } from 'zod';
import type { DiscordApi } from './api.ts';

const application = z.object({
  id: z.string(),
  name: z.string(),
  bot: z.object({ username: z.string() }).optional(),
  /** The public key that verifies the signatures of interactions. */
  verify_key: z.string().optional(),
  /** The address to which Discord posts interactions; null if they are sent over the gateway. */
  interactions_endpoint_url: z.string().nullish(),
});

/** Fetches the application that the bot's token belongs to. */
export const readApplication = async (api: DiscordApi) =>
  application.parse(await api.within({ totalTimeoutMs: 10_000 }).applications.getCurrent());

export const INTERACTIONS_PATH = '/discord/interactions';

export const WRONG_PUBLIC_KEY =
  "DISCORD_PUBLIC_KEY is not the key of this bot's application (copy it from the developer portal: General Information, Public Key)";

/** Whether the configured key is the application's. A server that sends no key (a proxy, a fake) is taken to agree. */
export const isSameKey = (configured: string, verifyKey = configured): boolean =>
  configured.toLowerCase() === verifyKey.toLowerCase();

/** The permissions that an invitation asks for: the bot shows and edits cards with pictures, in channels and threads. */
const permissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory;

/**
 * The link that invites the bot. discord.js has no constant for this page; `OAuth2Routes.authorizationURL` is the API's
 * address.
 */
export function inviteLink(applicationId: string): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(' '),
    permissions: String(permissions),
  });
  return `https://discord.com/oauth2/authorize?${query}`;
}

/** Reads the application's id from the bot's token, which begins with that id in base64. */
export function applicationOf(token: string): string | undefined {
  const id = Buffer.from(token.split('.', 1)[0] ?? '', 'base64').toString('latin1');
  return /^\d{15,20}$/.test(id) ? id : undefined;
}
