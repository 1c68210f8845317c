import type { Config } from '../../config/config.ts';
import { fileOf } from '../../store/store.ts';
import { hasConsole } from './has-console.ts';

export interface Running {
  /** Where a browser on this machine finds it. */
  readonly url: string;
  readonly service: { readonly url: string; readonly embedded: boolean };
  /** The link that invites the bot with exactly the permissions it needs. */
  readonly invite?: string | undefined;
}

/** Printed at the start: what runs, where, and the next step. Contains no secret. */
export function banner(config: Config, { url, service, invite }: Running): string {
  const lines = [
    'Darkroom is running.',
    '',
    ...(config.playground.on ? [`  Playground   ${url}`] : []),
    ...(hasConsole(config) ? [`  Owner        ${url}/owner`] : []),
    `  Health       ${url}/healthz  ${url}/readyz  ${url}/metrics`,
    `  Service      ${service.embedded ? `embedded at ${service.url}, with its own credentials` : service.url}`,
    `  Store        ${shownStore(config.store.url)}${config.store.keys.length > 0 ? ', encrypted' : ''}`,
    `  Discord      ${config.discord ? 'on' : 'off'}${config.discord?.publicKey ? `, interactions at ${url}/discord/interactions` : ''}`,
    `  Telegram     ${config.telegram ? 'on' : 'off'}`,
    ...(invite === undefined ? [] : ['', `Invite the bot to your server: ${invite}`]),
  ];
  if (!config.discord && !config.telegram) {
    lines.push(
      '',
      'To go live, put these into a file named .env and start again (or run: npm run setup):',
      '  DISCORD_TOKEN=…       from https://discord.com/developers/applications, Bot, Reset Token',
      '  TELEGRAM_TOKEN=…      from @BotFather on Telegram, /newbot',
      ...(service.embedded
        ? ['  GENERATION_URL=…      with GENERATION_API_KEY and GENERATION_TOKEN: a real generation service']
        : []),
    );
  }
  return `${lines.join('\n')}\n`;
}

function shownStore(url: string): string {
  const path = fileOf(url);
  if (path !== undefined) return path;
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}
