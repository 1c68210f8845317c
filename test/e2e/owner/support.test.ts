import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressOf } from '../../../src/store/postgres/database/address.ts';
import { openDatabase } from '../../../src/store/postgres/database/database.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import { openStore } from '../../../src/store/sqlite/store.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { answer, createHostileService, type HostileService } from '../../fakes/hostile-service.ts';
import { createTestDatabase, postgresUrl } from '../../fakes/postgres.ts';
import { createFakeTelegram, type FakeTelegram } from '../../fakes/telegram/telegram.ts';
import { COMPILED, createDataFolder, freePort, startProgram } from '../program.ts';
import { photoOf } from '../stage/pictures.ts';

/** `npm run support`, where everything that people, platforms, services and settings can contain has the word zorblax in it. */

const WORD = 'zorblax';
const OWNER = '4711081547110815';
const photo = await photoOf('#c84020');
const program = new URL('../../../src/owner/support/main.ts', import.meta.url).pathname;

let opened: AsyncDisposableStack;
let folder: string;
let telegram: FakeTelegram;
let service: HostileService;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  const made = createDataFolder();
  opened.defer(made.remove);
  folder = made.path;
  telegram = await createFakeTelegram({ flood: 'off' });
  opened.defer(telegram.stop);
  service = await createHostileService();
  opened.defer(service.close);
  const words = {
    error: { code: WORD, message: `${WORD} said no` },
    error_code: WORD,
    message: WORD,
    detail: WORD,
  };
  service.script.run = () => answer(422, words);
  service.script.other = () => answer(500, words);
});
afterEach(() => opened.disposeAsync());

const settings = (more: Readonly<Record<string, string>>) => ({
  GENERATION_URL: `${service.url}/${WORD}`,
  GENERATION_API_KEY: `${WORD}-generation-key`,
  GENERATION_API_KEY_HEADER: `X-${WORD}`,
  GENERATION_TOKEN: `${WORD}-generation-token`,
  DISCORD_CDN_HOSTS: `${WORD}.example`,
  TELEGRAM_TOKEN: telegram.token,
  TELEGRAM_API_URL: telegram.url,
  PLAYGROUND: 'on',
  PLAYGROUND_PASSWORD: `${WORD}-password`,
  STORE_KEY: Buffer.from(`${WORD}-of-32-bytes-0123456789-abcd`.slice(0, 32).padEnd(32, 'x')).toString(
    'base64',
  ),
  OWNERS: `telegram:${OWNER}`,
  CONSENT: 'off',
  USER_DAILY_CREDITS: '77',
  ...more,
});

async function support(env: Readonly<Record<string, string>>, ...args: string[]) {
  const before = new Set(readdirSync(folder));
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  const [made] = readdirSync(folder).filter((name) => !before.has(name) && name.endsWith('.json'));
  const text = made === undefined ? '' : readFileSync(join(folder, made), 'utf8');
  return { code, output, made, text };
}

/** In every form in which it could have got there. */
function expectNothingOf(text: string, secrets: readonly string[]): void {
  const lower = text.toLowerCase();
  for (const secret of [WORD, OWNER, ...secrets]) {
    const bytes = Buffer.from(secret);
    const inside = [0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .slice(shift + 1, -4),
    );
    for (const form of [secret, encodeURIComponent(secret), bytes.toString('hex')])
      expect(lower, secret).not.toContain(form.toLowerCase());
    for (const form of [
      bytes.toString('base64'),
      bytes.toString('base64url'),
      ...inside.filter((each) => each.length > 5),
    ])
      expect(text, secret).not.toContain(form);
  }
}

/** Records that only a damaged or hostile store has. */
async function plant(store: Store): Promise<void> {
  const now = Date.now();
  const times = { first: now, last: now, count: 1 };
  await store.keyv('troubles').set('latest', [
    { level: 'warn', text: `a line about ${WORD}`, ...times },
    {
      level: 'error',
      places: [`src/../${WORD}.ts:1`, `src/${WORD}.ts:1`, 'src/app.ts:1'],
      error: {
        name: WORD,
        code: WORD.toUpperCase(),
        kind: WORD,
        frames: [`src/${WORD}.ts:1`, 'src/run.ts:1'],
      },
      ...times,
    },
  ]);
  await store.figures.add({
    writer: 'test',
    number: 1,
    at: now,
    additions: [
      {
        scale: 'day',
        at: now,
        sums: {
          done: { 'face-swap-v6': 3, [WORD]: 1 },
          credits: { [`telegram:${WORD}`]: 7 },
          reasons: { [WORD]: 1 },
        },
      },
    ],
  });
  await store.audit.append({
    at: now,
    community: `telegram:${WORD}`,
    actor: WORD,
    action: WORD,
    detail: { WORD },
  });
  await store.keyv('settings').set(`telegram:${WORD}`, WORD);
  await store.close();
}

async function useIt(): Promise<readonly string[]> {
  const ann = telegram.person(`Ann ${WORD}`, { username: WORD });
  const group = telegram.group(`Club ${WORD}`, { administrators: [ann] });
  ann.says(group, `/settings banword ${WORD}ish`);
  await telegram.until(() => telegram.fromBot(group).length > 0, 'the word to be blocked');
  const sent = ann.says(
    group,
    `/faceswap prompt="a castle of ${WORD.slice(0, 4)} and ${WORD}" gender=female`,
    { photo },
  );
  await telegram.until(() => telegram.fromBot(group).length > 1, 'an answer');
  ann.says(ann.chat, '/faceswap prompt="a quiet lake" gender=female ratio=square', { photo });
  await telegram.until(
    () => service.asked.some((path) => path.includes('run')) && telegram.fromBot(ann.chat).length > 0,
    'a job that fails',
  );
  const files = (sent.photo as { file_id: string }[] | undefined)?.map(({ file_id: id }) => id) ?? [];
  return [String(group.id), ...files.filter((id) => id.length > 5)];
}

async function checkBoth(url: string, open: () => Promise<Store> | Store): Promise<void> {
  const HTTP_PORT = String(await freePort());
  const env = settings({ STORE_URL: url, HTTP_PORT });
  writeFileSync(join(folder, '.env'), `${WORD.toUpperCase()}_SETTING=${WORD}\n`);
  await (await startProgram(folder, env)).stop();
  await plant(await open());

  const running = await startProgram(folder, env);
  opened.defer(async () => void (await running.stop()));
  const secrets = [...(await useIt()), telegram.token, url, env.STORE_KEY, folder, '127.0.0.1'];
  // Saved at the end, so that nobody has to wait here.
  expect(await running.stop()).toBe(0);
  const again = await startProgram(folder, env);
  const live = await support(env);
  expect(live.code, live.output).toBe(0);
  expect(await again.stop()).toBe(0);
  const stopped = await support(env);
  expect(stopped.code, stopped.output).toBe(0);

  for (const { text, made } of [live, stopped]) {
    expectNothingOf(text, secrets);
    expect(statSync(join(folder, made ?? '')).mode & 0o777).toBe(0o600);
    const found = JSON.parse(text);
    expect(found.settings.set).toEqual(
      expect.arrayContaining([
        { name: 'OWNERS', given: 'yes' },
        { name: 'USER_DAILY_CREDITS', given: 'yes', value: '77' },
      ]),
    );
    expect(found.settings.malformed).toEqual([]);
    expect(found.settingWarnings).toBe(1);
    expect(found.checks).toEqual(
      expect.arrayContaining([
        { name: 'Store', status: 'ok' },
        { name: 'Generation API key', status: 'failed', reason: 'unavailable' },
        { name: 'Telegram token', status: 'ok' },
      ]),
    );
    expect(found.store).toMatchObject({
      kind: url.startsWith('sqlite:') ? 'sqlite' : 'postgres',
      encrypts: true,
      rows: { jobs: expect.any(Number), damaged: expect.any(Number) },
      figuresOf30Days: { 'done/face-swap-v6': 3 },
    });
    expect(found.store.bytes).toBeGreaterThan(10_000);
    expect(found.store.migrations).toBeGreaterThan(5);
    expect(Object.keys(found.store.jobsByState)).toContain('failed');
    const places = found.troubles.map((each: { places: readonly string[] }) => each.places[0]);
    expect(places).toContainEqual(expect.stringMatching(/^src\/app\/notices\/list-notices\.ts:\d+$/));
    expect(found.troubles).toContainEqual(
      expect.objectContaining({
        places: ['src/app.ts:1'],
        error: { name: '(not shown)', frames: ['src/run.ts:1'] },
      }),
    );
  }
  expect(JSON.parse(live.text).running).toMatchObject({
    answers: true,
    uptimeSeconds: expect.any(Number),
    checks: expect.arrayContaining([
      { name: 'store', ok: true },
      { name: 'service', ok: false },
    ]),
  });
  expect(JSON.parse(stopped.text).running).toEqual({ answers: false });
}

describe('the support file has no secrets, nobody and no address in it, running or stopped,', () => {
  it('with SQLite', async () => {
    const path = join(folder, `data/${WORD}.sqlite`);
    const keys = () => [Buffer.from(settings({}).STORE_KEY, 'base64')];
    await checkBoth(`sqlite:${path}`, () => openStore({ path, keys: keys() }));
  });

  it.skipIf(postgresUrl === undefined)('with PostgreSQL', async () => {
    const database = await createTestDatabase();
    opened.use(database);
    const open = async () => {
      const connected = openDatabase(addressOf(database.url));
      const keys = [Buffer.from(settings({}).STORE_KEY, 'base64')];
      return openPostgresStore(connected, { keys, memberId: () => 'test' });
    };
    await checkBoth(database.url, open);
  });
});

it('has what ended the program, without its words', async () => {
  const crash = join(folder, 'crash.mjs');
  writeFileSync(
    crash,
    `process.on('SIGALRM', () => setImmediate(() => { throw new TypeError('${WORD} of ${OWNER}\\n    at x (/src/run.ts:1:1)'); }));`,
  );
  const env = { STORE_KEY: randomBytes(32).toString('base64') };
  const running = await startProgram(folder, { ...env, NODE_OPTIONS: `--import=${crash}` });
  process.kill(running.pid, 'SIGALRM');
  expect(await running.ended).toBe(1);
  const { text, code, output } = await support(env);
  expect(code, output).toBe(0);
  expectNothingOf(text, []);
  expect(JSON.parse(text).troubles).toMatchObject([
    {
      level: 'fatal',
      places: [expect.stringMatching(/^src\/run\.ts:\d+$/)],
      error: { name: 'TypeError', frames: [] },
      count: 1,
    },
  ]);
});

it('is written also where the settings are malformed or the store cannot be read', async () => {
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
  expect(found.set).toContainEqual({ name: 'USER_DAILY_CREDITS', given: 'yes', isMalformed: true });

  const path = join(folder, 'data', 'darkroom.sqlite');
  (await openStore({ path, keys: [randomBytes(32)] })).close();
  const locked = await support({ LOG_LEVEL: 'warn' }, '--out', 'locked.json');
  expect(JSON.parse(locked.text)).toMatchObject({
    checks: expect.arrayContaining([{ name: 'Store', status: 'failed', reason: 'StoreKeyError' }]),
    store: { kind: 'sqlite' },
    troubles: [],
  });
});

it('overwrites nothing, and refuses arguments that it does not know', async () => {
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
