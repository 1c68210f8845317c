import { OAuth2Scopes, PermissionFlagsBits } from 'discord.js';
import { z } from 'zod';
import type { DiscordApi } from './api.ts';

const application = z.object({
  id: z.string(),
  name: z.string(),
  bot: z.object({ username: z.string() }).optional(),
  /** The public key that signatures are checked with. */
  verify_key: z.string().optional(),
  /** Where Discord posts interactions; null: they come over the gateway. */
  interactions_endpoint_url: z.string().nullish(),
});

/** The application that the bot's token belongs to. */
export const readApplication = async (api: DiscordApi) =>
  application.parse(await api.within({ totalTimeoutMs: 10_000 }).applications.getCurrent());

export const INTERACTIONS_PATH = '/discord/interactions';

export const WRONG_PUBLIC_KEY =
  "DISCORD_PUBLIC_KEY is not the key of this bot's application (copy it from the developer portal: General Information, Public Key)";

/** A fake or an old server may not send its key: then nothing is known to be wrong. */
export const isSameKey = (configured: string, verifyKey = configured): boolean =>
  configured.toLowerCase() === verifyKey.toLowerCase();

/** The bot shows and edits cards with pictures, also in threads. */
const permissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory;

/** The page for people, which has no constant in discord.js: `OAuth2Routes.authorizationURL` is the API's address of it. */
export function inviteLink(applicationId: string): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(' '),
    permissions: String(permissions),
  });
  return `https://discord.com/oauth2/authorize?${query}`;
}

/** A bot's token begins with the id of its application, in base64. */
export function applicationOf(token: string): string | undefined {
  const id = Buffer.from(token.split('.', 1)[0] ?? '', 'base64').toString('latin1');
  return /^\d{15,20}$/.test(id) ? id : undefined;
}
