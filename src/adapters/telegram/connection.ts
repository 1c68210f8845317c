import { matching, optionalSetting, webAddress, withDefault } from '../../base/setting.ts';
import { defineConnection } from '../connection.ts';

const API_URL = 'https://api.telegram.org';
/** The only ports to which Telegram's own servers deliver updates. */
const WEBHOOK_PORTS = ['', '443', '80', '88', '8443'];

const token = matching(
  'nobody',
  "the bot's token as @BotFather shows it",
  /^\d{1,20}:[A-Za-z0-9_-]{1,100}$/,
  'does not look like 123456:ABC-def',
);
const SECRET = '1 to 256 of the characters A-Z a-z 0-9 _ -';
const secret = matching(
  'nobody',
  SECRET,
  /^[A-Za-z0-9_-]{1,256}$/,
  'not 1 to 256 characters of A-Z a-z 0-9 _ -',
);

/** Telegram's settings, checks and setup questions, and how its adapter is opened. */
export const telegram = defineConnection({
  settings: {
    TELEGRAM_TOKEN: optionalSetting(token, 'bot token from @BotFather', 'unset: Telegram off'),
    TELEGRAM_API_URL: withDefault(
      webAddress(),
      API_URL,
      'Bot API root (also for a self-hosted Bot API server)',
    ),
    TELEGRAM_WEBHOOK_URL: optionalSetting(
      webAddress(),
      'public URL to which Telegram sends updates; needs `TELEGRAM_WEBHOOK_SECRET`',
      'unset: long polling',
    ),
    TELEGRAM_WEBHOOK_SECRET: optionalSetting(secret, 'proves that a webhook call comes from Telegram'),
  },
  tokenFrom: '@BotFather on Telegram, /newbot',
  ownIdFrom: 'on Telegram, write anything to @userinfobot; the number behind Id is yours',
  read(values) {
    const { TELEGRAM_TOKEN: token, TELEGRAM_API_URL: apiUrl } = values;
    const { TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: secret } = values;
    if (token === undefined) return undefined;
    const webhook = url !== undefined && secret !== undefined ? { webhook: { url, secret } } : {};
    return { token, apiUrl, ...webhook };
  },
  *problems(values) {
    if (values.TELEGRAM_WEBHOOK_URL === undefined) return;
    if (values.TELEGRAM_WEBHOOK_SECRET === undefined)
      yield `TELEGRAM_WEBHOOK_SECRET: missing, but TELEGRAM_WEBHOOK_URL is set. Allowed: ${SECRET} (openssl rand -hex 32).`;
    // A self-hosted Bot API server delivers to plain http and to any port.
    if (values.TELEGRAM_API_URL !== API_URL) return;
    const url = new URL(values.TELEGRAM_WEBHOOK_URL);
    const given = JSON.stringify(url.href);
    if (url.protocol !== 'https:')
      yield `TELEGRAM_WEBHOOK_URL: ${given} is not valid (not https). Allowed: an https address that Telegram can reach.`;
    if (!WEBHOOK_PORTS.includes(url.port))
      yield `TELEGRAM_WEBHOOK_URL: ${given} is not valid (port ${url.port}). Allowed: the ports 443, 80, 88 and 8443.`;
  },
  *warnings(values) {
    if (values.TELEGRAM_WEBHOOK_URL !== undefined && values.TELEGRAM_TOKEN === undefined)
      yield 'TELEGRAM_WEBHOOK_URL is set, but TELEGRAM_TOKEN is not: Telegram is off.';
    if (values.TELEGRAM_WEBHOOK_SECRET !== undefined && values.TELEGRAM_WEBHOOK_URL === undefined)
      yield 'TELEGRAM_WEBHOOK_SECRET is set, but TELEGRAM_WEBHOOK_URL is not: updates come by long polling.';
    const short = values.TELEGRAM_WEBHOOK_SECRET?.length ?? 256;
    if (short < 16)
      yield `TELEGRAM_WEBHOOK_SECRET has ${short} characters and can be guessed. Use 32 or more (openssl rand -hex 32).`;
  },
  check: async (config, clock) => (await import('./check.ts')).checkTelegram(config, clock),
  open: async (config, parts) => (await import('./adapter.ts')).connect(config, parts),
  setup: [
    {
      setting: 'TELEGRAM_TOKEN',
      about: '@BotFather, /newbot; Enter to skip',
      check: async ({ TELEGRAM_TOKEN = '', TELEGRAM_API_URL }, clock) =>
        (await import('./check.ts')).checkTelegram(
          { token: TELEGRAM_TOKEN, apiUrl: TELEGRAM_API_URL },
          clock,
        ),
    },
  ],
});
