import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ConfigError,
  configFrom,
  mergeEnvFile,
  readConfig,
  readStoreConfig,
  readStoreKeys,
} from '../../../src/config/config.ts';
import { parseSettings } from '../../../src/config/parse.ts';
import { fileNameOf, secretNames, settingNames } from '../../../src/config/settings.ts';
import { platformSettings } from '../../fakes/platform-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'darkroom-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEY = Buffer.alloc(32, 7).toString('base64');
const OLD_KEY = Buffer.alloc(32, 8).toString('base64');
const DISCORD = { DISCORD_TOKEN: 'MTAw.fake.discord-token' };
const TELEGRAM = { TELEGRAM_TOKEN: '123456:AAfake-telegram_token' };
const SECRET = 'a-long_enough-webhook-secret';

/** Why settings are refused; undefined if they are accepted. */
function refusalOf(env: Record<string, string>): string | undefined {
  try {
    readConfig(env);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

/** Why these settings are refused, as they must be. */
const problem = (env: Record<string, string>): string =>
  refusalOf(env) ?? expect.fail(`accepted: ${JSON.stringify(env)}`);

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function makePipe(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

it('every setting of the table is read by the configuration', () => {
  const read = new Set<string | symbol>();
  const noting = <Values extends object>(values: Values): Values =>
    new Proxy(values, {
      get(target, name) {
        read.add(name);
        return Reflect.get(target, name);
      },
    });

  const values = parseSettings(platformSettings);
  configFrom(noting({ ...values, platforms: noting(values.platforms) }));

  expect(settingNames.filter((name) => !read.has(name))).toEqual([]);
});

describe('defaults', () => {
  it('an empty setting is treated as unset', () => {
    const empty = Object.fromEntries(settingNames.map((name) => [name, '  ']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it('a platform is turned on by its token, which turns the playground off', () => {
    const config = readConfig({ ...DISCORD, ...TELEGRAM });

    const cdnHosts = ['cdn.discordapp.com', 'media.discordapp.net'];
    expect(config.platforms).toEqual({
      discord: { token: DISCORD.DISCORD_TOKEN, apiUrl: 'https://discord.com/api', cdnHosts },
      telegram: { token: TELEGRAM.TELEGRAM_TOKEN, apiUrl: 'https://api.telegram.org' },
    });
    expect(config.playground.on).toBe(false);
  });

  it('the public key of Discord is read together with the token', () => {
    const { platforms } = readConfig({ ...DISCORD, DISCORD_PUBLIC_KEY: 'Ab'.repeat(32) });

    expect(platforms.discord).toMatchObject({ publicKey: 'Ab'.repeat(32) });
  });
});

describe('values', () => {
  const rows: readonly { name: string; given: string; path: string; value: unknown }[] = [
    {
      name: 'GENERATION_URL',
      given: 'https://service.example/base/',
      path: 'generation.url',
      value: 'https://service.example/base',
    },
    { name: 'GENERATION_API_KEY', given: 'the-key', path: 'generation.apiKey', value: 'the-key' },
    { name: 'GENERATION_API_KEY_HEADER', given: 'X-Key', path: 'generation.apiKeyHeader', value: 'X-Key' },
    { name: 'GENERATION_TOKEN', given: 'the-token', path: 'generation.token', value: 'the-token' },
    {
      name: 'GENERATION_ASSUMPTIONS',
      given: '{"v5":{"image":"photo"}}',
      path: 'generation.assumptions.v5.image',
      value: 'photo',
    },
    {
      name: 'DISCORD_TOKEN',
      given: DISCORD.DISCORD_TOKEN,
      path: 'platforms.discord.token',
      value: DISCORD.DISCORD_TOKEN,
    },
    {
      name: 'DISCORD_API_URL',
      given: 'http://a:4000/api/',
      path: 'platforms.discord.apiUrl',
      value: 'http://a:4000/api',
    },
    {
      name: 'DISCORD_CDN_HOSTS',
      given: 'CDN.b , [::1]:80',
      path: 'platforms.discord.cdnHosts',
      value: ['cdn.b', '[::1]:80'],
    },
    {
      name: 'TELEGRAM_TOKEN',
      given: TELEGRAM.TELEGRAM_TOKEN,
      path: 'platforms.telegram.token',
      value: TELEGRAM.TELEGRAM_TOKEN,
    },
    {
      name: 'TELEGRAM_API_URL',
      given: 'http://a:5000/',
      path: 'platforms.telegram.apiUrl',
      value: 'http://a:5000',
    },
    {
      name: 'TELEGRAM_WEBHOOK_URL',
      given: 'http://b:9000/hook',
      path: 'platforms.telegram.webhook.url',
      value: 'http://b:9000/hook',
    },
    {
      name: 'TELEGRAM_WEBHOOK_SECRET',
      given: SECRET,
      path: 'platforms.telegram.webhook.secret',
      value: SECRET,
    },
    { name: 'HTTP_HOST', given: '::1', path: 'http.host', value: '::1' },
    { name: 'HTTP_PORT', given: '0', path: 'http.port', value: 0 },
    { name: 'PLAYGROUND', given: 'ON', path: 'playground.on', value: true },
    {
      name: 'PLAYGROUND_PASSWORD',
      given: 'correct-horse',
      path: 'playground.password',
      value: 'correct-horse',
    },
    {
      name: 'STORE_URL',
      given: 'sqlite:/data/other.sqlite',
      path: 'store.url',
      value: 'sqlite:/data/other.sqlite',
    },
    {
      name: 'STORE_KEY',
      given: `${KEY}, ${OLD_KEY}`,
      path: 'store.keys',
      value: [Buffer.alloc(32, 7), Buffer.alloc(32, 8)],
    },
    {
      name: 'OWNERS',
      given: 'telegram:42,telegram:42',
      path: 'owners',
      value: [{ platform: 'telegram', id: '42' }],
    },
    { name: 'USER_CONCURRENT_JOBS', given: '3', path: 'user.concurrentJobs', value: 3 },
    { name: 'USER_WAITING_JOBS', given: '4', path: 'user.waitingJobs', value: 4 },
    { name: 'USER_JOBS_PER_MINUTE', given: '5', path: 'user.jobsPerMinute', value: 5 },
    { name: 'USER_DAILY_CREDITS', given: '6', path: 'user.dailyCredits', value: 6 },
    { name: 'USER_MAX_DAILY_CREDITS', given: '9', path: 'user.mostDailyCredits', value: 9 },
    { name: 'COMMUNITY_DAILY_CREDITS', given: '0', path: 'ceilings.community', value: 0 },
    { name: 'SERVICE_DAILY_CREDITS', given: '5000', path: 'ceilings.service', value: 5000 },
    { name: 'SERVICE_MONTHLY_CREDITS', given: '90000', path: 'ceilings.month', value: 90_000 },
    {
      name: 'CREDIT_PRICE',
      given: '0.04 eur',
      path: 'creditPrice',
      value: { amount: '0.04', currency: 'EUR' },
    },
    {
      name: 'VIDEO_CREDITS',
      given: 'performance:6, Simple : 2,advanced:1',
      path: 'generation.videoCredits.simple',
      value: 2,
    },
    { name: 'SERVICE_CONCURRENT_JOBS', given: '7', path: 'generation.concurrentJobs', value: 7 },
    { name: 'SERVICE_CALLS_PER_SECOND', given: '8', path: 'generation.callsPerSecond', value: 8 },
    { name: 'IMAGE_DEADLINE_MINUTES', given: '0.5', path: 'deadlines.imageMs', value: 30_000 },
    { name: 'VIDEO_DEADLINE_MINUTES', given: '2', path: 'deadlines.videoMs', value: 120_000 },
    { name: 'WAITING_DEADLINE_MINUTES', given: '1', path: 'deadlines.waitingMs', value: 60_000 },
    { name: 'IMAGE_LOOK_FLOOR_SECONDS', given: '0.05', path: 'floors.imageMs', value: 50 },
    { name: 'VIDEO_LOOK_FLOOR_SECONDS', given: '0.25', path: 'floors.videoMs', value: 250 },
    { name: 'FACE_CHECK', given: 'off', path: 'faceCheck', value: 'off' },
    { name: 'CONTENT_CHECK', given: 'ON', path: 'contentCheck', value: 'on' },
    { name: 'MINORS', given: 'refuse', path: 'minors', value: 'refuse' },
    { name: 'VISIBLE_MARK', given: 'on', path: 'visibleMark', value: true },
    { name: 'CONSENT', given: 'off', path: 'consent', value: 'off' },
    { name: 'LOG_LEVEL', given: 'debug', path: 'logLevel', value: 'debug' },
  ];

  const all = () => readConfig(Object.fromEntries(rows.map(({ name, given }) => [name, given])));

  it.each(rows)('the setting $name=$given is read: $path', ({ path, value }) => {
    expect(all()).toHaveProperty(path, value);
  });

  it('correct settings cause no warnings, and the secrets are known as such', () => {
    const { warnings, secrets } = all();
    expect(warnings).toEqual([]);

    const tokens = [DISCORD.DISCORD_TOKEN, TELEGRAM.TELEGRAM_TOKEN, SECRET];
    const known = ['the-key', 'the-token', ...tokens, 'correct-horse', KEY, OLD_KEY];
    expect(new Set(secrets)).toEqual(new Set(known));
  });

  it('assumptions are read from a file', () => {
    const path = file('assumptions.json', '{"a":1}');
    expect(readConfig({ GENERATION_ASSUMPTIONS: path }).generation.assumptions).toEqual({ a: 1 });
  });

  it.each([
    { what: 'a pipe, which nobody waits for', make: () => makePipe('assumptions'), words: 'it is no file' },
    { what: 'a folder', make: () => folder, words: 'it is a folder' },
    { what: 'a device without end', make: () => '/dev/zero', words: 'it is no file' },
    {
      what: 'a huge file',
      make: () => file('huge.json', ' '.repeat(1_000_001)),
      words: 'larger than 1000000 bytes',
    },
  ])('assumptions from $what are refused', ({ make, words }) => {
    const path = make();
    const message = problem({ GENERATION_ASSUMPTIONS: path });
    expect(message).toMatch(/^GENERATION_ASSUMPTIONS: [^\n]*Allowed: [^\n]*$/);
    expect(message).toContain(`${JSON.stringify(path)} cannot be read (`);
    expect(message).toContain(words);
  });
});

it('a default above the maximum is the maximum, because it is the owner’s own', () => {
  expect(readConfig({ USER_DAILY_CREDITS: '5000' }).user.mostDailyCredits).toBe(5000);
});

describe('a malformed setting', () => {
  it.each([
    { name: 'GENERATION_URL', given: 'service.example', allowed: 'http(s)' },
    { name: 'GENERATION_URL', given: 'https://service.example/?a=b', allowed: 'query' },
    { name: 'GENERATION_API_KEY_HEADER', given: 'X Key', allowed: 'HTTP header' },
    { name: 'GENERATION_ASSUMPTIONS', given: '/does/not/exist.json', allowed: 'JSON object' },
    { name: 'DISCORD_API_URL', given: 'https://discord.com/api/v10', allowed: 'ends in /api' },
    { name: 'DISCORD_CDN_HOSTS', given: 'cdn.example:70000', allowed: 'host:port' },
    { name: 'DISCORD_CDN_HOSTS', given: 'a.example,,b.example', allowed: 'an item of the list is empty' },
    { name: 'HTTP_HOST', given: 'http://x', allowed: 'host name' },
    { name: 'HTTP_PORT', given: '65536', allowed: '0 to 65535' },
    { name: 'HTTP_PORT', given: '-1', allowed: 'too small' },
    { name: 'PLAYGROUND', given: 'yes', allowed: 'on or off' },
    { name: 'OWNERS', given: '123', allowed: 'discord:ID' },
    { name: 'OWNERS', given: 'discord:me', allowed: 'discord:ID' },
    { name: 'OWNERS', given: 'discord:1,,telegram:2', allowed: 'an item of the list is empty' },
    { name: 'USER_CONCURRENT_JOBS', given: '0', allowed: '1 to 1000' },
    { name: 'USER_WAITING_JOBS', given: '1.5', allowed: '0 to 1000' },
    { name: 'USER_DAILY_CREDITS', given: '99999999999999999999', allowed: '0 to 1000000' },
    { name: 'CREDIT_PRICE', given: '0,04 EUR', allowed: 'not an amount and a currency' },
    { name: 'CREDIT_PRICE', given: '0.04', allowed: 'not an amount and a currency' },
    { name: 'CREDIT_PRICE', given: '0.04 XYQ', allowed: 'an unknown currency' },
    { name: 'VIDEO_CREDITS', given: 'simple:5,advanced:10', allowed: 'simple, advanced and performance' },
    {
      name: 'VIDEO_CREDITS',
      given: 'simple:-5,advanced:10,performance:20',
      allowed: 'whole numbers from 0 to 10000',
    },
    {
      name: 'VIDEO_CREDITS',
      given: 'simple:10001,advanced:10,performance:20',
      allowed: 'whole numbers from 0 to 10000',
    },
    {
      name: 'VIDEO_CREDITS',
      given: 'simple:5,simple:6,advanced:10,performance:1',
      allowed: 'simple, advanced and performance',
    },
    {
      name: 'VIDEO_CREDITS',
      given: 'simple:5,advanced:10,performance:1,turbo:2',
      allowed: 'simple, advanced and performance',
    },
    { name: 'IMAGE_DEADLINE_MINUTES', given: '0', allowed: '0.01 to 1440' },
    { name: 'VIDEO_LOOK_FLOOR_SECONDS', given: '5s', allowed: '0.01 to 600' },
    { name: 'DISCORD_PUBLIC_KEY', given: 'ab'.repeat(31), allowed: 'General Information, Public Key' },
    { name: 'LOG_LEVEL', given: 'loud', allowed: 'info' },
  ])(
    'the malformed setting $name=$given is reported with what was given and what is allowed',
    ({ name, given, allowed }) => {
      const message = problem({ [name]: given });
      expect(message).not.toContain('\n');
      expect(message).toMatch(new RegExp(`^${name}: `));
      expect(message).toContain(JSON.stringify(given));
      expect(message).toContain(allowed);
    },
  );

  it.each([
    { name: 'GENERATION_API_KEY', given: 'my secret key', wrong: 'spaces' },
    { name: 'GENERATION_TOKEN', given: 'tökén-secret', wrong: 'unusual' },
    { name: 'DISCORD_TOKEN', given: 'Bot MTAw.secret.token', wrong: 'word Bot' },
    { name: 'DISCORD_TOKEN', given: '123456:AAsecretTelegram', wrong: 'Telegram token' },
    { name: 'TELEGRAM_TOKEN', given: 'secret-without-colon', wrong: '123456:ABC-def' },
    { name: 'TELEGRAM_WEBHOOK_SECRET', given: 'secret with spaces', wrong: 'A-Z' },
    { name: 'PLAYGROUND_PASSWORD', given: 'secret7', wrong: 'too short' },
    { name: 'GENERATION_TOKEN', given: 'tok', wrong: 'too short' },
    { name: 'STORE_KEY', given: 'c2VjcmV0', wrong: 'decodes to 6 bytes instead of 32' },
    { name: 'STORE_KEY', given: 'not base64 secret!', wrong: 'base64' },
    {
      name: 'STORE_KEY',
      given: [KEY, KEY, OLD_KEY, `${KEY.slice(0, 42)}Y=`].join(','),
      wrong: 'more than two',
    },
    { name: 'STORE_URL', given: 'mysql://root:secret@db/x', wrong: 'sqlite:' },
    { name: 'STORE_URL', given: 'mysql://root:secret@db/x', wrong: 'a "mysql:" value' },
    { name: 'STORE_URL', given: 'postgres://root:50%secret@db/x', wrong: 'written as %25' },
  ])(
    'the malformed setting $name is a secret, so its length is shown and not its value',
    ({ name, given, wrong }) => {
      const message = problem({ [name]: given });
      expect(message).toContain(`${name}: `);
      expect(message).toContain(`${given.length} characters (not shown)`);
      expect(message).toContain(wrong);
      expect(message).not.toContain(given);
      expect(message.replace(name, '').toLowerCase()).not.toContain('secret');
    },
  );

  it('several malformed settings have one line each', () => {
    const lines = problem({ HTTP_PORT: 'x\ny', LOG_LEVEL: 'loud', STORE_KEY: 'short' }).split('\n');
    expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(['HTTP_PORT', 'LOG_LEVEL', 'STORE_KEY']);
  });

  it('a secret that was put into the wrong setting is not shown', () => {
    const misplaced = { HTTP_PORT: TELEGRAM.TELEGRAM_TOKEN, OWNERS: 'http://u:pa55word@host' };
    const message = problem({ ...TELEGRAM, ...misplaced });
    expect(message).not.toContain(TELEGRAM.TELEGRAM_TOKEN);
    expect(message).not.toContain('pa55word');
  });

  it.each([
    { what: 'a password', given: 'https://painter:pa55word@service.example' },
    { what: 'a user name', given: 'https://pa55word@service.example' },
  ])('an address of the service with $what is refused, and does not show it', ({ given }) => {
    const message = problem({ GENERATION_URL: given });
    expect(message).toMatch(/^GENERATION_URL: /);
    expect(message).toContain('contains a user name or password');
    expect(message).not.toContain('pa55word');
  });

  it('malformed settings throw only ConfigError, whatever is given', () => {
    fc.assert(
      fc.property(fc.constantFrom(...settingNames), fc.string(), (name, given) => {
        // Every other error is thrown by this, and ends the test.
        refusalOf({ [name]: given });
      }),
      { numRuns: 400 },
    );
  });

  it('a malformed secret of any length is not shown in its refusal', () => {
    const secret = fc.string({ minLength: 12 }).filter((given) => given.trim().length >= 12);
    fc.assert(
      fc.property(fc.constantFrom(...secretNames), secret, (name, given) => {
        expect(refusalOf({ [name]: given }) ?? '').not.toContain(given.trim());
      }),
      { numRuns: 400 },
    );
  });
});

describe('settings that need each other', () => {
  it('a webhook needs its secret, and an address that Telegram’s servers deliver to', () => {
    const at = (url: string) => ({ ...TELEGRAM, TELEGRAM_WEBHOOK_URL: url });
    expect(problem(at('https://bot.example'))).toMatch(/^TELEGRAM_WEBHOOK_SECRET: /);

    const secret = { TELEGRAM_WEBHOOK_SECRET: SECRET };
    expect(problem({ ...at('http://bot.example'), ...secret })).toContain('https');
    expect(problem({ ...at('https://bot.example:9000'), ...secret })).toContain('8443');
  });

  it('the playground beside a platform needs a password', () => {
    expect(problem({ ...DISCORD, PLAYGROUND: 'on' })).toMatch(/^PLAYGROUND_PASSWORD: /);

    const guarded = { ...DISCORD, PLAYGROUND: 'on', PLAYGROUND_PASSWORD: 'long-enough' };
    expect(readConfig(guarded).playground.on).toBe(true);
    expect(readConfig({ PLAYGROUND: 'off' }).playground.on).toBe(false);
  });

  it('the playground belongs to one process, so it is refused with a database', () => {
    const shared = {
      STORE_URL: 'postgres://bot@db.example/darkroom',
      GENERATION_URL: 'https://service.example',
      GENERATION_API_KEY: 'key-1234',
      GENERATION_TOKEN: 'token-1234',
    };
    expect(problem(shared)).toMatch(/^PLAYGROUND: on, because no platform is set, .*belongs to one process/);

    const on = { ...shared, ...DISCORD, PLAYGROUND: 'on', PLAYGROUND_PASSWORD: 'long-enough' };
    expect(problem(on)).toMatch(/^PLAYGROUND: on, but STORE_URL is a database/);
    expect(readConfig({ ...on, PLAYGROUND: 'off' }).playground.on).toBe(false);
  });

  it('somebody must be able to approve communities', () => {
    expect(problem({ ...DISCORD, COMMUNITIES: 'approved' })).toMatch(/^OWNERS: .*nobody could approve/);

    const owned = { ...DISCORD, COMMUNITIES: 'approved', OWNERS: 'discord:1' };
    expect(readConfig(owned).communities).toBe('approved');

    expect(readConfig({ ...owned, HTTP_HOST: '0.0.0.0' }).communities).toBe('approved');
  });

  it('communities can be approved in the playground by whoever is on this machine or has the password', () => {
    const open = { COMMUNITIES: 'approved', HTTP_HOST: '0.0.0.0' };

    expect(problem(open)).toMatch(/^PLAYGROUND_PASSWORD: .*nobody could approve/);
    expect(readConfig({ ...open, PLAYGROUND_PASSWORD: 'open-sesame' }).communities).toBe('approved');
    expect(readConfig({ COMMUNITIES: 'approved' }).communities).toBe('approved');
  });

  it('requests for removal are stored encrypted only, and somebody must be able to answer them', () => {
    expect(problem({ REMOVAL_PAGE: 'on' })).toMatch(/^STORE_KEY: missing, but REMOVAL_PAGE is on/);

    const page = { REMOVAL_PAGE: 'on', STORE_KEY: Buffer.alloc(32).toString('base64') };
    const warnings = (more: Readonly<Record<string, string>>) =>
      readConfig({ ...page, ...more }).warnings.filter((warning) => warning.startsWith('REMOVAL_PAGE'));
    expect(readConfig(page).removalPage).toBe('on');
    expect(readConfig({}).removalPage).toBe('off');
    expect(warnings({})).toEqual([]);
    expect(warnings(DISCORD)).toEqual([
      expect.stringContaining('there is no console'),
      expect.stringContaining('OWNERS is unset'),
    ]);
    expect(warnings({ ...DISCORD, PLAYGROUND_PASSWORD: 'open-sesame', OWNERS: 'discord:1' })).toEqual([]);
  });

  it.each([
    { what: 'the embedded service', service: {}, expected: false },
    {
      what: 'a real service',
      service: { GENERATION_URL: 'https://service.example', GENERATION_TOKEN: 'a-token' },
      expected: true,
    },
  ])('pictures of $what have the visible mark or not, as long as nothing is set', ({ service, expected }) => {
    expect(readConfig(service).visibleMark).toBe(expected);
    expect(readConfig({ ...service, VISIBLE_MARK: 'on' }).visibleMark).toBe(true);
    expect(readConfig({ ...service, VISIBLE_MARK: 'off' }).visibleMark).toBe(false);
  });

  it('a configured service needs a credential, and a missing one is explained', () => {
    const url = { GENERATION_URL: 'https://service.example' };
    expect(problem(url)).toMatch(/^GENERATION_API_KEY: /);
    expect(readConfig({ ...url, GENERATION_API_KEY: 'a-key' }).warnings).toEqual([
      expect.stringContaining('GENERATION_TOKEN is unset'),
    ]);
    expect(readConfig({ ...url, GENERATION_TOKEN: 'a-key' }).warnings).toEqual([
      expect.stringContaining('GENERATION_API_KEY is unset'),
    ]);
  });

  it.each([
    { env: { VIDEO_CREDITS: 'simple:0,advanced:10,performance:20' }, words: 'simple costs nothing' },
    { env: { VIDEO_CREDITS: 'simple:5,advanced:10,performance:9999' }, words: 'nobody can make one' },
    {
      env: {
        GENERATION_URL: 'https://service.example',
        GENERATION_API_KEY: 'a-key',
        GENERATION_TOKEN: 'a-token',
        VISIBLE_MARK: 'off',
      },
      words: 'VISIBLE_MARK is off',
    },
    { env: { GENERATION_API_KEY: 'a-key' }, words: 'GENERATION_URL is unset' },
    { env: { HTTP_HOST: '0.0.0.0' }, words: 'whoever reaches it' },
    { env: { DISCORD_PUBLIC_KEY: 'ab'.repeat(32) }, words: 'Discord is off' },
    { env: { TELEGRAM_WEBHOOK_SECRET: SECRET }, words: 'long polling' },
    {
      env: { TELEGRAM_WEBHOOK_URL: 'https://b.example', TELEGRAM_WEBHOOK_SECRET: SECRET },
      words: 'Telegram is off',
    },
    {
      env: { ...TELEGRAM, TELEGRAM_WEBHOOK_URL: 'https://b.example', TELEGRAM_WEBHOOK_SECRET: 'short' },
      words: 'guessed',
    },
  ])('a probable mistake in the settings is warned of: $env', ({ env, words }) => {
    expect(readConfig(env).warnings).toEqual([expect.stringContaining(words)]);
  });
});

describe('tools that work on the store alone', () => {
  const STORE_URL = 'postgres://keeper:sesame@db.example/darkroom';

  it('tools that work on the store alone need no generation service, and no PLAYGROUND=off with a database', () => {
    expect(problem({ STORE_URL })).toMatch(/^GENERATION_URL: missing.*\nPLAYGROUND: on/);
    expect(readStoreConfig({ STORE_URL })).toEqual({ url: STORE_URL, keys: [], secrets: expect.anything() });
  });

  it('tools that work on the store alone run whatever the other settings are, files of secrets included', () => {
    const others = { HTTP_PORT: 'none', GENERATION_TOKEN_FILE: join(folder, 'missing'), DISCORD_TOKEN: '' };
    expect(readStoreConfig({ ...others, STORE_URL }).url).toBe(STORE_URL);
    expect(readStoreKeys({ ...others, STORE_URL: 'nonsense', STORE_KEY: KEY }).keys).toHaveLength(1);
  });

  it('tools that work on the store alone read the key’s file, know secrets, and refuse wrong settings of their own', () => {
    const STORE_KEY_FILE = file('store-key', KEY);
    const { keys, secrets } = readStoreConfig({ STORE_URL, STORE_KEY_FILE });
    expect(keys.map((key) => Buffer.from(key).toString('base64'))).toEqual([KEY]);
    expect(secrets).toEqual(expect.arrayContaining([KEY, 'sesame']));
    expect(() => readStoreConfig({ STORE_URL: 'mysql://keeper:sesame@db' })).toThrow(/^STORE_URL: /);
    expect(() => readStoreConfig({ STORE_URL, STORE_KEY: 'short' })).toThrow(/^STORE_KEY: /);
  });
});

describe('.env', () => {
  it('.env has lower priority than the environment', () => {
    const path = file('both.env', '\ufeffHTTP_PORT=9000\nLOG_LEVEL="debug" # more words\n');
    const { env, warnings } = mergeEnvFile(path, { LOG_LEVEL: 'warn' });
    expect(warnings).toEqual([]);
    expect(readConfig(env)).toMatchObject({ http: { port: 9000 }, logLevel: 'warn' });
  });

  it('.env may be missing, but stops the start when it cannot be read', () => {
    expect(mergeEnvFile(join(folder, 'missing.env'), { A: 'b' })).toEqual({ env: { A: 'b' }, warnings: [] });
    expect(() => mergeEnvFile(folder, {})).toThrow(ConfigError);
  });

  it('.env is not waited for when it is a pipe', () => {
    const pipe = makePipe('pipe.env');
    expect(() => mergeEnvFile(pipe, {})).toThrow(
      new ConfigError(
        `${pipe}: cannot be read (it is no file). Make it a file that this user may read, or remove it.`,
      ),
    );
  });

  it.each([
    { wrong: 'DISCORD_TOKN', right: 'DISCORD_TOKEN' },
    { wrong: 'telegram_token', right: 'TELEGRAM_TOKEN' },
  ])('an unknown name in .env, $wrong, causes a warning with the nearest known one', ({ wrong, right }) => {
    const path = file('wrong.env', `${wrong}=hidden-value\nHTTP_PORT=1\n`);
    const { warnings } = mergeEnvFile(path, {});
    expect(warnings).toEqual([`${path}: ${wrong} is not a setting; did you mean ${right}?`]);
  });

  it('an invalid line in .env causes a warning with its number, never its content', () => {
    const quoted = 'GENERATION_ASSUMPTIONS="{\n}"';
    const lines = `# mine\n\nexport HTTP_PORT=1\n${quoted}\nDISCORD_TOKEN: hidden-value\n  # more\nhidden\n`;
    const path = file('lines.env', lines);
    const { warnings } = mergeEnvFile(path, {});

    expect(warnings).toEqual([
      `${path}: line 6 is not NAME=value and has no effect.`,
      `${path}: line 8 is not NAME=value and has no effect.`,
    ]);
  });
});

const VALUES: Readonly<Record<string, string>> = {
  GENERATION_API_KEY: 'the-generation-key',
  GENERATION_TOKEN: 'the-generation-token',
  ...Object.fromEntries(Object.entries(platformSettings).filter(([name]) => secretNames.includes(name))),
  PLAYGROUND_PASSWORD: 'correct-horse-battery',
  STORE_URL: 'postgres://keeper:sesame-open@db.example/darkroom',
  STORE_KEY: KEY,
};

describe('a secret in a file', () => {
  it('every secret can be read from a file, and is hidden in logs like any other', () => {
    expect(Object.keys(VALUES).sort()).toEqual(secretNames.toSorted());

    const given = { ...platformSettings, ...VALUES, GENERATION_URL: 'https://service.example' };
    const others = Object.fromEntries(Object.entries(given).filter(([name]) => !secretNames.includes(name)));
    const files = Object.entries(VALUES).map(([name, value]) => [fileNameOf(name), file(name, `${value}\n`)]);
    const config = readConfig({ ...others, ...Object.fromEntries(files) });

    expect(config).toEqual(readConfig({ ...others, ...VALUES }));
    for (const secret of Object.values(VALUES).filter((each) => !each.includes('://')))
      expect(config.secrets).toContain(secret);
    expect(config.secrets).toContain('sesame-open');
  });

  it.each([
    { what: 'without a newline', content: 'the-key' },
    { what: 'with a newline', content: 'the-key\n' },
    { what: 'with a newline of Windows', content: 'the-key\r\n' },
    { what: 'with a byte order mark', content: '\ufeffthe-key\n' },
  ])('a secret in a file is read $what', ({ content }) => {
    expect(readConfig({ GENERATION_API_KEY_FILE: file('ends', content) }).generation.apiKey).toBe('the-key');
  });

  it('a secret’s file is found by a relative path, and through links as orchestrators make them', () => {
    const path = file('linked', 'the-key\n');

    mkdirSync(join(folder, '..data'));
    symlinkSync(path, join(folder, '..data', 'key'));
    symlinkSync(join('..data', 'key'), join(folder, 'key'));

    expect(readConfig({ GENERATION_API_KEY_FILE: join(folder, 'key') }).generation.apiKey).toBe('the-key');

    const given = relative(process.cwd(), path);
    expect(readConfig({ GENERATION_API_KEY_FILE: given }).generation.apiKey).toBe('the-key');
  });

  it('a secret’s file counts as unset when its setting is empty, and so does the setting beside it', () => {
    expect(readConfig({ GENERATION_API_KEY_FILE: ' ' })).toEqual(readConfig({}));
    const env = { GENERATION_API_KEY: '', GENERATION_API_KEY_FILE: file('beside', 'the-key') };
    expect(readConfig(env).generation.apiKey).toBe('the-key');
  });

  it('a setting for a secret’s file is known in .env, and a misspelt one gets the nearest name', () => {
    const path = file('names.env', 'DISCORD_TOKEN_FILE=x\nDISCORD_TOKN_FILE=x\nDISCORD_PUBLIC_KEY_FILE=x\n');
    expect(mergeEnvFile(path, {}).warnings.toSorted()).toEqual([
      `${path}: DISCORD_PUBLIC_KEY_FILE is not a setting; did you mean DISCORD_PUBLIC_KEY?`,
      `${path}: DISCORD_TOKN_FILE is not a setting; did you mean DISCORD_TOKEN_FILE?`,
    ]);
  });
});

describe('a malformed file of a secret', () => {
  it('a secret that is given twice, in a file and in the setting, is refused', () => {
    const path = file('twice', 'from-the-file');
    const message = problem({ GENERATION_TOKEN: 'from-the-environment', GENERATION_TOKEN_FILE: path });
    expect(message).toMatch(/^GENERATION_TOKEN_FILE: .*GENERATION_TOKEN is given as well.*Allowed: /);
    expect(message).toContain(JSON.stringify(path));
    expect(message).not.toMatch(/from-the/);
  });

  const odd: readonly { what: string; make: () => string; words: string }[] = [
    { what: 'a missing file', make: () => join(folder, 'missing'), words: 'no such file' },
    { what: 'a folder', make: () => folder, words: 'a folder' },
    { what: 'a path through a file', make: () => join(file('plain', 'x'), 'more'), words: 'no such file' },
    { what: 'a device without end', make: () => '/dev/zero', words: 'no file' },
    { what: 'an empty file', make: () => file('empty', ''), words: 'empty' },
    { what: 'a file of a newline', make: () => file('newline', '\r\n'), words: 'empty' },
    { what: 'two lines', make: () => file('lines', 'one\ntwo\n'), words: 'more than one line' },
    {
      what: 'bytes that are no text',
      make: () => file('bytes', Uint8Array.of(0xff, 0xfe, 0x41)),
      words: 'no text',
    },
    { what: 'a text with a zero byte', make: () => file('zero', 'abc\0def'), words: 'no text' },
    { what: 'a huge file', make: () => file('huge', 'x'.repeat(70_000)), words: 'larger than 65536 bytes' },
    { what: 'a circle of links', make: () => join(folder, 'circle'), words: 'lead to no file' },
    { what: 'a path that is too long', make: () => `${folder}/${'x'.repeat(300)}`, words: 'too long' },
  ];

  it.each(odd)('a secret’s file that is $what is refused', ({ make, words }) => {
    rmSync(join(folder, 'circle'), { force: true });
    symlinkSync('circle', join(folder, 'circle'));
    const path = make();
    const message = problem({ GENERATION_API_KEY_FILE: path });

    expect(message).toMatch(/^GENERATION_API_KEY_FILE: [^\n]*Allowed: [^\n]*$/);
    expect(message).toContain(JSON.stringify(path));
    expect(message).toContain(words);
  });

  it('a secret’s file that is a pipe, which nobody waits for, or a socket is refused', async () => {
    const pipe = makePipe('pipe');
    expect(problem({ STORE_KEY_FILE: pipe })).toContain('no file');

    const socket = join(folder, 'socket');
    const server = createServer().listen(socket);
    await new Promise((done) => server.once('listening', done));
    expect(problem({ STORE_KEY_FILE: socket })).toContain('no file');

    await new Promise((done) => server.close(done));
  });

  it.skipIf(process.getuid?.() === 0)('a secret’s file that this user may not read is refused', () => {
    const path = file('private', 'the-key');
    chmodSync(path, 0o000);
    expect(problem({ GENERATION_API_KEY_FILE: path })).toContain('may not read');
  });

  it('a malformed secret in a file is refused with the name of the file, and is not shown', () => {
    const path = file('malformed', 'Bot MTAw.hidden.token\n');
    const message = problem({ DISCORD_TOKEN_FILE: path, HTTP_PORT: 'x', STORE_KEY_FILE: folder });
    const named = message.split('\n').map((line) => line.split(':')[0]);

    expect(named).toEqual(['STORE_KEY_FILE', 'DISCORD_TOKEN_FILE', 'HTTP_PORT']);
    expect(message).toContain('a value of 21 characters (not shown) is not valid (leave out the word Bot');
    expect(message).not.toContain('hidden');
  });

  it.each(Object.entries(VALUES))(
    'a %s that was put in a secret’s file by mistake is not shown',
    (name, value) => {
      const message = problem({ [fileNameOf(name)]: value });
      expect(message).toContain(`a path of ${value.length} characters (not shown`);
      expect(message).not.toContain(value);

      const slashed = `/${value.replaceAll(':', '/')}`;
      expect(problem({ [fileNameOf(name)]: slashed })).not.toContain(slashed);
    },
  );
});
