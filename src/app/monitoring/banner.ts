import { connectionOf } from '../../adapters/connections.ts';
import { type Config, hasActivePlatform, hasConsole } from '../../config/config.ts';
import { factsOf, PLATFORMS } from '../../platforms/platforms.ts';
import { fileOf } from '../../store/store.ts';

/** The running program, for the banner and the log. */
export interface Running {
  /** Where a browser on this machine finds it. */
  readonly url: string;
  readonly service: { readonly url: string; readonly embedded: boolean };
  /** Links that invite the bot with exactly the permissions it needs. */
  readonly invites: readonly string[];
}

const connections = PLATFORMS.flatMap((platform) => {
  const connection = connectionOf(platform);
  if (connection === undefined) return [];
  return {
    ...connection,
    platform,
    title: factsOf(platform).title,
    token: Object.keys(connection.settings)[0],
  };
});

/** Printed at the start: what runs, where, and the next step. Contains no secret. */
export function banner(config: Config, { url, service, invites }: Running): string {
  const lines = [
    'Darkroom is running.',
    '',
    ...(config.playground.on ? [`  Playground   ${url}`] : []),
    ...(hasConsole(config) ? [`  Owner        ${url}/owner`] : []),
    `  Health       ${url}/healthz  ${url}/readyz  ${url}/metrics`,
    `  Service      ${service.embedded ? `embedded at ${service.url}, with its own credentials` : service.url}`,
    `  Store        ${shownStore(config.store.url)}${config.store.keys.length > 0 ? ', encrypted' : ''}`,
    ...connections.map(({ platform, title, banner }) => {
      const settings = config.platforms[platform];
      const state = settings === undefined ? 'off' : `on${banner?.(settings, url) ?? ''}`;
      return `  ${title.padEnd(12)} ${state}`;
    }),
    ...invites.flatMap((invite) => ['', `Invite the bot to your server: ${invite}`]),
  ];
  if (!hasActivePlatform(config)) {
    lines.push(
      '',
      'To go live, put these into a file named .env and start again (or run: npm run setup):',
      ...connections.map(({ token, tokenFrom }) => `  ${`${token}=…`.padEnd(21)} from ${tokenFrom}`),
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
