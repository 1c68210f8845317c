import { defined } from '../../base/defined.ts';
import { hostList, matching, optionalSetting, parsed, webAddress, withDefault } from '../../base/setting.ts';
import { defineConnection } from '../connection.ts';

const token = parsed('nobody', "the bot's token as the developer portal shows it", (text) => {
  if (/^bot\s/i.test(text)) throw new RangeError('leave out the word Bot in front');
  if (/^\d+:/.test(text)) throw new RangeError('looks like a Telegram token');
  if (!/^[\w.~+/=-]{8,200}$/.test(text)) throw new RangeError('not 8 to 200 characters of a token');
  return text;
});

const publicKey = matching(
  'owner',
  'the 64 hexadecimal digits that the developer portal shows under General Information, Public Key; leave it out to use the gateway',
  /^[0-9a-f]{64}$/i,
  'not 64 hexadecimal digits',
);

/** Discord's settings, checks and setup questions, and how its adapter is opened. */
export const discord = defineConnection({
  settings: {
    DISCORD_TOKEN: optionalSetting(
      token,
      'bot token from the Discord developer portal',
      'unset: Discord off',
    ),
    DISCORD_PUBLIC_KEY: optionalSetting(
      publicKey,
      'public key of the Discord application: interactions then come as signed POSTs to `/discord/interactions`, and no gateway connection is made',
      'unset: gateway',
    ),
    DISCORD_API_URL: withDefault(
      webAddress('/api'),
      'https://discord.com/api',
      "Discord's REST root; the gateway address comes from it",
    ),
    DISCORD_CDN_HOSTS: withDefault(
      hostList,
      'cdn.discordapp.com,media.discordapp.net',
      'the only hosts from which attachments are fetched',
    ),
  },
  tokenFrom: 'https://discord.com/developers/applications, Bot, Reset Token',
  ownIdFrom:
    'in Discord, User Settings, Advanced, switch Developer Mode on; then right-click your own name and choose Copy User ID',
  read({ DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl, DISCORD_CDN_HOSTS: cdnHosts, ...values }) {
    const publicKey = defined({ publicKey: values.DISCORD_PUBLIC_KEY });
    return token === undefined ? undefined : { token, apiUrl, cdnHosts, ...publicKey };
  },
  *warnings(values) {
    if (values.DISCORD_PUBLIC_KEY !== undefined && values.DISCORD_TOKEN === undefined)
      yield 'DISCORD_PUBLIC_KEY is set, but DISCORD_TOKEN is not: Discord is off.';
  },
  check: async (config, clock) => (await import('./check.ts')).checkDiscord(config, clock),
  open: async (config, parts) => (await import('./adapter.ts')).connect(config, parts),
  setup: [
    {
      setting: 'DISCORD_TOKEN',
      about: 'discord.com/developers/applications, Bot, Reset Token; Enter to skip',
      check: async ({ DISCORD_TOKEN = '', DISCORD_API_URL }, clock) =>
        (await import('./check.ts')).checkDiscord({ token: DISCORD_TOKEN, apiUrl: DISCORD_API_URL }, clock),
    },
    {
      setting: 'DISCORD_PUBLIC_KEY',
      about:
        'General Information, Public Key, if Discord shall post interactions to this machine; Enter for the gateway',
      check: async ({ DISCORD_TOKEN = '', DISCORD_PUBLIC_KEY = '', DISCORD_API_URL }, clock) =>
        (await import('./check.ts')).checkDiscordKey(
          { token: DISCORD_TOKEN, publicKey: DISCORD_PUBLIC_KEY, apiUrl: DISCORD_API_URL },
          clock,
        ),
    },
  ],
  banner: ({ publicKey }, url) =>
    publicKey === undefined ? '' : `, interactions at ${url}/discord/interactions`,
});
