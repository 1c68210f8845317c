// @module-tag slow
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCuttingProxy } from '../../fakes/cutting-proxy.ts';
import { createTestDatabase } from '../../fakes/postgres.ts';
import { createFakeTelegram, type FakeTelegram } from '../../fakes/telegram/telegram.ts';
import { listen } from '../../listen.ts';
import { createDataFolder, startProgram } from '../program.ts';

/** Mistakes that only the owner can put right stop the start with one line that says how, and without a stack. */

const folder = createDataFolder();
const taken = createServer();
let telegram: FakeTelegram;
let port = '';

/** A program with `CONTENT_CHECK` as by default, because `off` is warned of, and the lines of the start are what is tested here. */
const start = (path: string, env: Readonly<Record<string, string>>) =>
  startProgram(path, { CONTENT_CHECK: 'on', ...env });

beforeAll(async () => {
  telegram = await createFakeTelegram();
  ({ port } = new URL(await listen(taken)));
});
afterAll(async () => {
  await telegram.stop();
  taken.close();
  folder.remove();
});

it('a database that goes away during the start, for long, ends it with one line', {
  tags: ['postgres'],
}, async () => {
  await using database = await createTestDatabase();
  const settings = { GENERATION_URL: telegram.url, GENERATION_API_KEY: 'the-key', PLAYGROUND: 'off' };
  const first = await start(folder.path, { ...settings, STORE_URL: database.url });

  await first.stop();
  // The first that is read when the parts are connected.
  const proxy = await startCuttingProxy(database.url, 'durations');
  const failure = await start(folder.path, { ...settings, STORE_URL: proxy.url }).catch(String);

  expect(failure).toContain('ended with 1');
  expect(failure).not.toContain('"level":"fatal"');
  expect(String(failure).trim().split('\n').at(-1)).toMatch(
    /^The store was lost during the start \(STORE_URL\): /,
  );
});

it('secrets come from files; one that cannot be read stops the start with one line', async () => {
  const own = createDataFolder();
  writeFileSync(join(own.path, 'token'), `${telegram.token}\r\n`);
  writeFileSync(join(own.path, 'key'), `${randomBytes(32).toString('base64')}\n`);
  writeFileSync(join(own.path, '.env'), 'TELEGRAM_TOKEN_FILE=token\nSTORE_KEY_FILE=./key\n');
  const env = { TELEGRAM_API_URL: telegram.url };
  const program = await start(own.path, env);

  expect(telegram.calls.some(({ method }) => method === 'getMe')).toBe(true);
  expect(await program.stop()).toBe(0);
  expect(program.output()).not.toContain(telegram.token);
  expect(program.output()).not.toMatch(/"level":"warn"/);

  const other = { ...env, STORE_KEY_FILE: '', STORE_KEY: randomBytes(32).toString('base64') };
  expect(await start(own.path, other).catch(String)).toMatch(
    /ended with 1:\nSTORE_KEY is not the key that this store was encrypted with\.\n$/,
  );

  rmSync(join(own.path, 'key'));
  const failure = await start(own.path, env).catch((error: unknown) => String(error));
  const lines = String(failure).trim().split('\n');

  expect(lines[0]).toContain('ended with 1');
  expect(lines[1]).toMatch(/^STORE_KEY_FILE: "\.\/key" is not valid \(there is no such file\)\. Allowed: /);
  expect(lines).toHaveLength(2);

  own.remove();
});

const wrongToken = '987654321:AAwrong-token-of-nobody-0123456789abc';

interface Trouble {
  readonly trouble: string;
  readonly env: () => Record<string, string>;
  readonly line: () => string;
}

it.each<Trouble>([
  {
    trouble: 'the port is taken',
    env: () => ({ HTTP_PORT: port }),
    line: () =>
      `Cannot listen on 127.0.0.1 port ${port}: the port is already in use. Stop the other program, or set HTTP_PORT to another port (0 picks a free one).`,
  },
  {
    trouble: 'Telegram does not know the token',
    env: () => ({ TELEGRAM_TOKEN: wrongToken, TELEGRAM_API_URL: telegram.url }),
    line: () => 'Telegram: TELEGRAM_TOKEN is not accepted. Get a valid one from @BotFather.',
  },
  {
    trouble: 'the store cannot be made',
    env: () => ({ STORE_URL: 'sqlite:/dev/null/d.sqlite' }),
    line: () => 'The store /dev/null/d.sqlite cannot be opened (STORE_URL): ',
  },
  {
    trouble: 'assumptions are wrong',
    env: () => ({ GENERATION_ASSUMPTIONS: '{"nope":1}' }),
    line: () => 'GENERATION_ASSUMPTIONS: wrong: ',
  },
  {
    trouble: 'the file of the embedded service cannot be opened',
    env: () => {
      mkdirSync(join(folder.path, 'odd/generation-service/generation-service.sqlite'), { recursive: true });
      return { STORE_URL: 'sqlite:odd/d.sqlite' };
    },
    line: () =>
      'The embedded generation service cannot open its file odd/generation-service/generation-service.sqlite',
  },
])('a start stops with one line and its cure when $trouble', async ({ env, line }) => {
  const failure = await start(folder.path, env()).catch((error: unknown) => String(error));
  const lines = String(failure).trim().split('\n');

  expect(lines[0]).toContain('ended with 1');
  expect(lines[1]).toContain(line());
  expect(lines).toHaveLength(2);
});
