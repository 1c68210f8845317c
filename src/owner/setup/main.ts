import { accessSync, constants, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Finding } from '../../adapters/adapter.ts';
import { checkDiscord, checkDiscordKey } from '../../adapters/discord/check.ts';
import { checkTelegram } from '../../adapters/telegram/check.ts';
import { systemClock } from '../../base/clock.ts';
import { ConfigError, loadEnvFile, readConfig } from '../../config/config.ts';
import { fileNameOf } from '../../config/settings.ts';
import { checkService, notSet } from '../doctor/service-check.ts';
import { createQuestions } from './ask.ts';
import { withSettings } from './env-text.ts';

/** `npm run setup`: asks for the tokens, checks each with its platform, writes `.env`, readable by this user only. */

const file = '.env';
function stop(line: string): never {
  console.error(line);
  process.exit(1);
}

const env = (() => {
  try {
    return loadEnvFile(file, process.env).env;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return stop(error.message);
  }
})();
try {
  accessSync('.', constants.W_OK);
} catch {
  stop(`${file}: this user may not write in this folder. Make it writable, or run the setup elsewhere.`);
}
const questions = createQuestions(process.stdin, process.stdout);
const settings: Record<string, string> = {};

function report(findings: readonly Finding[]): boolean {
  for (const { name, ok, detail, cure } of findings) {
    console.log(`  ${ok ? '✔' : '✖'} ${name}: ${detail}${ok || cure === undefined ? '' : `\n      ${cure}`}`);
  }
  // Keep a token that works, even if another check failed.
  return findings[0]?.ok ?? false;
}

/** Asks until the platform accepts it; an empty answer leaves it out. */
async function askToken(
  name: string,
  where: string,
  check: (token: string) => Promise<readonly Finding[]>,
): Promise<string | undefined> {
  for (;;) {
    const token = await questions.askSecret(`${name} (${where}; Enter to skip): `);
    if (token === '') return undefined;
    if (!report(await check(token))) continue;
    settings[name] = token;
    return token;
  }
}

/** Asks until it is the key of the token's application; an empty answer means the gateway. */
async function askPublicKey(token: string): Promise<void> {
  for (;;) {
    const publicKey = await questions.ask(
      'DISCORD_PUBLIC_KEY (General Information, Public Key, if Discord shall post interactions to this machine; Enter for the gateway): ',
    );
    if (publicKey === '') return;
    if (!report(await checkDiscordKey({ token, publicKey, apiUrl: apiUrl('DISCORD_API_URL') }, systemClock)))
      continue;
    settings.DISCORD_PUBLIC_KEY = publicKey;
    return;
  }
}

/** Uses only the settings of the service: problems with others are not for the setup. */
async function tryService(given: Readonly<Record<string, string>>): Promise<boolean> {
  const replaced = Object.keys(given).map(fileNameOf);
  const before = Object.entries(env).filter(
    ([name]) => name.startsWith('GENERATION_') && !replaced.includes(name),
  );
  try {
    const { generation } = readConfig({ ...Object.fromEntries(before), ...given });
    // One of the two is enough to start with; the doctor reports the other.
    const findings = (await checkService({ generation })).filter(({ detail }) => detail !== notSet);
    report(findings);
    return findings.every(({ ok }) => ok);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.log(`  ✖ ${error.message}`);
    return false;
  }
}

async function askService(): Promise<void> {
  for (;;) {
    const url = await questions.ask('GENERATION_URL (Enter for the embedded service): ');
    if (url === '') return;
    const key = await questions.askSecret('GENERATION_API_KEY (pictures and catalogs; Enter to skip): ');
    const token = await questions.askSecret('GENERATION_TOKEN (videos and aliases; Enter to skip): ');
    const given = {
      GENERATION_URL: url,
      ...(key === '' ? {} : { GENERATION_API_KEY: key }),
      ...(token === '' ? {} : { GENERATION_TOKEN: token }),
    };
    if (!(await tryService(given))) continue;
    Object.assign(settings, given);
    return;
  }
}

function apiUrl(name: string) {
  return env[name] || undefined;
}

console.log(
  'Darkroom setup. Tokens and keys are not shown as you type; they are kept in .env on this machine only.\n',
);
const discordToken = await askToken(
  'DISCORD_TOKEN',
  'discord.com/developers/applications, Bot, Reset Token',
  (token) => checkDiscord({ token, apiUrl: apiUrl('DISCORD_API_URL') }, systemClock),
);
if (discordToken !== undefined) await askPublicKey(discordToken);
await askToken('TELEGRAM_TOKEN', '@BotFather, /newbot', (token) =>
  checkTelegram({ token, apiUrl: apiUrl('TELEGRAM_API_URL') }, systemClock),
);
await askService();
questions.close();

function read(): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

if (Object.keys(settings).length === 0) console.log(`\nNothing was entered: ${file} is unchanged.`);
else {
  // Written beside it and moved into place: a crash leaves the old file or the new one.
  writeFileSync(`${file}.new`, withSettings(read(), settings), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  const twice = Object.keys(settings)
    .map(fileNameOf)
    .filter((name) => process.env[name]?.trim());
  if (twice.length > 0)
    console.log(`\nUnset ${twice.join(', ')} in the environment: a secret is given once.`);
  console.log(`\nWrote ${file} (${Object.keys(settings).join(', ')}). Now: npm run doctor, then npm start`);
}
