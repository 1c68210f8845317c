import { randomBytes } from 'node:crypto';
import { accessSync, constants, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Finding, SetupQuestion } from '../../adapters/connection.ts';
import { connectionOf } from '../../adapters/connections.ts';
import { systemClock } from '../../base/clock.ts';
import { ConfigError, mergeEnvFile, readConfig, readEnvFileText } from '../../config/config.ts';
import { fileNameOf, secretNames } from '../../config/settings.ts';
import { factsOf, isIdOf, PLATFORMS, type Platform } from '../../platforms/platforms.ts';
import { checkService, NOT_SET_DETAIL } from '../doctor/service-check.ts';
import { ownersWith, withSettings } from './env-text.ts';

/** Asks questions on the terminal. Secrets are not echoed; after the end of input every answer is empty. */
function createSetupQuestions() {
  const { stdin: input, stdout: output } = process;
  let silent = false;
  const screen = new Writable({
    write(chunk, _encoding, done) {
      if (!silent) output.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input, output: screen, terminal: input.isTTY });
  // The lines are iterated, because `question()` would drop lines that arrive before their question.
  const lines = reader[Symbol.asyncIterator]();

  return {
    async ask(question: string, isSecret = false): Promise<string> {
      output.write(question);
      silent = isSecret;
      try {
        const { done, value } = await lines.next();
        return done ? '' : value.trim();
      } finally {
        silent = false;
        if (isSecret) output.write('\n');
      }
    },
    close: (): void => reader.close(),
  };
}

/**
 * `npm run setup` asks for the tokens and checks each with its platform, asks who the owner is, offers to make a key for the
 * store, and writes `.env`, which only this user can read.
 */

const file = '.env';
function stop(line: string): never {
  console.error(line);
  process.exit(1);
}

function orStop<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return stop(error.message);
  }
}

const { env } = orStop(() => mergeEnvFile(file, process.env));
try {
  accessSync('.', constants.W_OK);
} catch {
  stop(`${file}: this user may not write in this folder. Make it writable, or run the setup elsewhere.`);
}
const questions = createSetupQuestions();
const settings: Record<string, string> = {};

function report(findings: readonly Finding[]): boolean {
  for (const { name, ok, detail, cure } of findings) {
    console.log(`  ${ok ? '✔' : '✖'} ${name}: ${detail}${ok || cure === undefined ? '' : `\n      ${cure}`}`);
  }
  // The first finding is about the token itself, which is kept even if another check failed.
  return findings[0]?.ok ?? false;
}

/** Asks each question of a platform until the answer is accepted; an empty answer skips the rest of the platform. */
async function askPlatform(setup: readonly SetupQuestion[]): Promise<void> {
  for (const { setting, about, check } of setup) {
    for (;;) {
      const answer = await questions.ask(`${setting} (${about}): `, secretNames.includes(setting));
      if (answer === '') return;
      if (!report(await check({ ...env, ...settings, [setting]: answer }, systemClock))) continue;
      settings[setting] = answer;
      break;
    }
  }
}

const settingOf = (name: string): string => settings[name] ?? env[name]?.trim() ?? '';

/** Asks who owns the bot, on a platform that is on and of which nobody is in OWNERS yet. */
async function askOwner(platform: Platform): Promise<void> {
  const connection = connectionOf(platform);
  const [token = ''] = Object.keys(connection?.settings ?? {});
  const isOn = settingOf(token) !== '' || settingOf(fileNameOf(token)) !== '';
  if (connection === undefined || !isOn || settingOf('OWNERS').includes(`${platform}:`)) return;

  const { title } = factsOf(platform);
  console.log('  Owners may do everything, and the bot writes to them when something is wrong.');
  for (;;) {
    const answer = await questions.ask(
      `OWNERS (your own id on ${title}: ${connection.ownIdFrom}; Enter to skip): `,
    );
    if (answer === '') return;
    // The setting itself has the platform in front of the id.
    const id = answer.replace(`${platform}:`, '');
    if (isIdOf(platform, 'owner', id)) {
      settings.OWNERS = ownersWith(settingOf('OWNERS'), platform, id);
      return;
    }
    console.log(`  ✖ ${title}: that is not an id. An id is a number, not a name.`);
  }
}

/** Offers to make a key for the store, where none is set. */
async function askStoreKey(): Promise<void> {
  if (settingOf('STORE_KEY') !== '' || settingOf(fileNameOf('STORE_KEY')) !== '') return;
  const answer = await questions.ask(
    'STORE_KEY (encrypts everything personal in the store, and lets people save faces; y makes one, Enter to skip): ',
  );
  if (!/^y(es)?$/i.test(answer)) return;
  settings.STORE_KEY = randomBytes(32).toString('base64');
  console.log(
    `  ✔ Store key: made. Keep a copy of ${file} in another place: if the key is lost, the store is lost, and so are its backups.`,
  );
}

/** Checks the service with its own settings only, because the setup does not report problems with others. */
async function tryService(given: Readonly<Record<string, string>>): Promise<boolean> {
  const replaced = Object.keys(given).map(fileNameOf);
  const before = Object.entries(env).filter(
    ([name]) => name.startsWith('GENERATION_') && !replaced.includes(name),
  );
  try {
    const { generation } = readConfig({ ...Object.fromEntries(before), ...given });
    // One of the two credentials is enough to start with; the doctor reports the missing one.
    const findings = (await checkService({ generation, faceCheck: 'off', contentCheck: 'off' })).filter(
      ({ detail }) => detail !== NOT_SET_DETAIL,
    );
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
    const key = await questions.ask('GENERATION_API_KEY (pictures and catalogs; Enter to skip): ', true);
    const token = await questions.ask('GENERATION_TOKEN (videos and aliases; Enter to skip): ', true);
    const given = {
      GENERATION_URL: url,
      ...(key && { GENERATION_API_KEY: key }),
      ...(token && { GENERATION_TOKEN: token }),
    };
    if (!(await tryService(given))) continue;
    Object.assign(settings, given);
    return;
  }
}

console.log(
  'Darkroom setup. Tokens and keys are not shown as you type; they are kept in .env on this machine only.\n',
);
for (const platform of PLATFORMS) {
  await askPlatform(connectionOf(platform)?.setup ?? []);
  await askOwner(platform);
}
await askService();
await askStoreKey();
questions.close();

if (Object.keys(settings).length === 0) console.log(`\nNothing was entered: ${file} is unchanged.`);
else {
  const before = orStop(() => readEnvFileText(file)) ?? '';
  // The text is written to another file and renamed, so that a crash leaves either the old file or the new one.
  writeFileSync(`${file}.new`, withSettings(before, settings), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  const twice = Object.keys(settings)
    .map(fileNameOf)
    .filter((name) => process.env[name]?.trim());
  if (twice.length > 0)
    console.log(`\nUnset ${twice.join(', ')} in the environment: a secret is given once.`);
  console.log(`\nWrote ${file} (${Object.keys(settings).join(', ')}). Now: npm run doctor, then npm start`);
}
