// @module-tag slow
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { answer, createHostileService } from '../../fakes/hostile-service.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { createDataFolder, NO_LOOKS } from '../program.ts';
import { startTool } from './run-tool.ts';

/** `npm run support`, where everything that platforms, services and settings can contain has the word zorblax in it. */

const WORD = 'zorblax';
const OWNER = '4711081547110815';

let opened: AsyncDisposableStack;
let folder: string;
beforeEach(() => {
  opened = new AsyncDisposableStack();
  const made = createDataFolder();
  opened.defer(made.remove);
  folder = made.path;
});
afterEach(() => opened.disposeAsync());

async function support(env: Readonly<Record<string, string>>, ...args: string[]) {
  const before = new Set(readdirSync(folder));
  const { code, output } = await startTool('owner/support', folder, { args, env }).ended;
  const [made] = readdirSync(folder).filter((name) => !before.has(name) && name.endsWith('.json'));
  const text = made === undefined ? '' : readFileSync(join(folder, made), 'utf8');
  return { code, output, made, text };
}

/** Looks for the secrets in every form in which they could have got into the text. */
function expectNothingOf(text: string, secrets: readonly string[]): void {
  const lower = text.toLowerCase();
  for (const secret of [WORD, OWNER, ...secrets]) {
    const bytes = Buffer.from(secret);
    for (const form of [secret, encodeURIComponent(secret), bytes.toString('hex')])
      expect(lower, secret).not.toContain(form.toLowerCase());
    for (const form of [bytes.toString('base64'), bytes.toString('base64url')])
      expect(text, secret).not.toContain(form.replace(/.=*$/, ''));
  }
}

const STORE_KEY = Buffer.from(`${WORD}-of-32-bytes-0123456789-abcdef`.slice(0, 32)).toString('base64');

it.each([
  {
    what: 'a store',
    urlOf: () => `sqlite:${join(folder, `data/${WORD}.sqlite`)}`,
    playground: 'on',
    store: { status: 'ok' },
  },
  {
    what: 'a database that cannot be reached',
    urlOf: () => `postgres://${WORD}:${WORD}@127.0.0.1:9/${WORD}`,
    playground: 'off',
    store: { status: 'failed', reason: 'ECONNREFUSED' },
  },
])(
  'the file of npm run support has no secrets, nobody and no address in it, with $what',
  async ({ urlOf, playground, store }) => {
    const telegram = await createFakeTelegram({ flood: 'off' });
    opened.defer(telegram.stop);
    const service = await createHostileService();
    opened.defer(service.close);
    const words = { error: { code: WORD, message: `${WORD} said no` }, error_code: WORD, detail: WORD };
    service.script.other = () => answer(500, words);
    const url = urlOf();
    writeFileSync(join(folder, '.env'), `${WORD.toUpperCase()}_SETTING=${WORD}\nUSER_DAILY_CREDITS=471107\n`);
    writeFileSync(join(folder, 'token'), `${WORD}-generation-token`);
    const { code, output, text, made } = await support({
      GENERATION_URL: `${service.url}/${WORD}`,
      GENERATION_API_KEY: `${WORD}-generation-key`,
      GENERATION_TOKEN_FILE: join(folder, 'token'),
      DISCORD_CDN_HOSTS: `${WORD}.example`,
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
      PLAYGROUND: playground,
      ...NO_LOOKS,
      PLAYGROUND_PASSWORD: `${WORD}-password`,
      STORE_KEY,
      STORE_URL: url,
      OWNERS: `telegram:${OWNER}`,
    });

    expect(code, output).toBe(0);
    expectNothingOf(text, [telegram.token, url, STORE_KEY, folder, '127.0.0.1', '471107']);
    expect(statSync(join(folder, made ?? '')).mode & 0o777).toBe(0o600);

    const found = JSON.parse(text);
    expect(found.settings.set).toEqual(
      expect.arrayContaining(['OWNERS', 'USER_DAILY_CREDITS', 'GENERATION_TOKEN_FILE', 'STORE_KEY']),
    );
    expect(found.settings.malformed).toEqual([]);
    expect(found.checks).toEqual(
      expect.arrayContaining([
        { name: 'Store', ...store },
        { name: 'Generation API key', status: 'failed', reason: 'unavailable' },
        { name: 'Telegram token', status: 'ok' },
      ]),
    );
  },
);

it('the file of npm run support is written also where the settings are malformed or the store cannot be read', async () => {
  const malformed = await support({
    HTTP_PORT: WORD,
    USER_DAILY_CREDITS: WORD,
    STORE_KEY: WORD,
    OWNERS: WORD,
  });
  expect(malformed.code, malformed.output).toBe(0);
  expectNothingOf(malformed.text, []);

  const { settings: found } = JSON.parse(malformed.text);
  expect(found.malformed.toSorted()).toEqual(['HTTP_PORT', 'OWNERS', 'STORE_KEY', 'USER_DAILY_CREDITS']);
  expect(found.set.toSorted()).toEqual(found.malformed.toSorted());

  const path = join(folder, 'data', 'darkroom.sqlite');
  (await openSqliteStore({ path, keys: [randomBytes(32)] })).close();
  const locked = await support({ LOG_LEVEL: 'warn', ...NO_LOOKS }, '--out', 'locked.json');

  expect(JSON.parse(locked.text)).toMatchObject({
    checks: expect.arrayContaining([{ name: 'Store', status: 'failed', reason: 'StoreKeyError' }]),
  });
});

it('npm run support overwrites nothing, and refuses arguments that it does not know', async () => {
  writeFileSync(join(folder, 'mine.json'), 'mine');
  const taken = await support({}, '--out', 'mine.json');

  expect(taken).toMatchObject({
    code: 2,
    output: '--out: mine.json exists already, and is not overwritten. Name another file.\n',
  });
  expect(readFileSync(join(folder, 'mine.json'), 'utf8')).toBe('mine');
  expect(await support({}, '--out', 'nowhere/mine.json')).toMatchObject({ code: 2, made: undefined });
  expect(existsSync(join(folder, 'nowhere'))).toBe(false);

  const unknown = await support({}, '--all');
  expect(unknown).toMatchObject({
    code: 2,
    output: 'Usage: npm run support [-- --out FILE]\n',
    made: undefined,
  });
});
