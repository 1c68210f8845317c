// @module-tag slow
// @module-tag longest
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { secretNames } from '../../../src/config/settings.ts';
import { type Check, examine } from '../../../src/owner/doctor/diagnose.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';
import { platformSettings } from '../../fakes/platform-settings.ts';
import { createGenerationService, type GenerationService } from '../../fakes/service/service.ts';
import { createFakeTelegram, type FakeTelegram } from '../../fakes/telegram/telegram.ts';
import { listen } from '../../listen.ts';
import { folderForEach } from '../../temp-folder.ts';
import { NO_LOOKS } from '../program.ts';
import { ends, type Ran, startTool } from './run-tool.ts';

/** The owner's tools as they are run: `npm run doctor`, `setup` and `audit`, in a folder of their own. */

const inFolder = folderForEach();
let service: GenerationService;
let telegram: FakeTelegram;
let discord: FakeDiscord;

beforeAll(async () => {
  [service, telegram, discord] = await Promise.all([
    createGenerationService(),
    createFakeTelegram(),
    createFakeDiscord(),
  ]);
});
afterAll(() => Promise.all([service.close(), telegram.stop(), discord.stop()]));

const run = (
  tool: 'doctor' | 'setup' | 'audit',
  { env = {}, ...more }: { env?: Record<string, string>; input?: string; args?: string[] } = {},
): Promise<Ran> => startTool(`owner/${tool}`, inFolder(), { ...more, env: { ...NO_LOOKS, ...env } }).ended;
const textIn = (name: string): string => readFileSync(inFolder(name), 'utf8');

const everything = () => ({
  GENERATION_URL: service.url,
  GENERATION_API_KEY: service.apiKey,
  GENERATION_TOKEN: service.token,
  DISCORD_TOKEN: discord.token,
  DISCORD_API_URL: discord.api,
  TELEGRAM_TOKEN: telegram.token,
  TELEGRAM_API_URL: telegram.url,
  OWNERS: 'discord:5',
  SERVICE_DAILY_CREDITS: '1000',
  ...NO_LOOKS,
});

const expectNoSecrets = (output: string): void => {
  for (const secret of [service.apiKey, service.token, discord.token, telegram.token])
    expect(output).not.toContain(secret);
};

describe('the doctor', () => {
  it('the doctor finds nothing wrong without any setting, also when nobody reads its output', async () => {
    expect(await run('doctor', { env: { CONTENT_CHECK: 'on' } })).toMatchObject(
      ends(0, '\n\nAll checks passed.\n'),
    );
    expect(readdirSync(inFolder())).toEqual([]);

    const unread = startTool('owner/doctor', inFolder());
    unread.child.stdout.destroy();

    expect(await unread.ended).toMatchObject({ code: 0, output: '' });
  });

  it('the doctor checks everything that is set, and shows the invite link but no secret', async () => {
    const { output, code } = await run('doctor', { env: everything() });
    expect(output).toMatch(/✔ Generation API key: accepted/);
    expect(output).toMatch(/✔ Generation token: accepted/);
    expect(output).toMatch(/✔ Discord token: accepted/);
    expect(output).toMatch(/✔ Discord invite: https:\/\/discord\.com\/oauth2\/authorize\?client_id=\d+/);
    expect(output).toMatch(/✔ Telegram token: accepted: @darkroom_test_bot/);
    expectNoSecrets(output);
    expect(code).toBe(0);
  });

  it.each([
    { setting: 'GENERATION_API_KEY', value: 'wrong-key-0000', found: '✖ Generation API key: refused' },
    { setting: 'GENERATION_TOKEN', value: 'wrong-token-0000', found: '✖ Generation token: refused' },
    { setting: 'DISCORD_TOKEN', value: 'wrong.discord.token', found: '✖ Discord token: refused' },
    {
      setting: 'TELEGRAM_TOKEN',
      value: '987654321:AAwrong-token-of-nobody-0123456789abc',
      found: '✖ Telegram token: refused',
    },
    { setting: 'STORE_URL', value: 'sqlite:/dev/null/d.sqlite', found: '✖ Store: ' },
    { setting: 'GENERATION_URL', value: 'http://127.0.0.1:9', found: '✖ Generation API key: ' },
    {
      setting: 'GENERATION_ASSUMPTIONS',
      value: '{"fields":{"nope":{}}}',
      found: '✖ Generation assumptions: ',
    },
  ])(
    'the doctor says that $setting is wrong and how to mend it, shows no secret, and fails with its exit code',
    async ({ setting, value, found }) => {
      const { output, code } = await run('doctor', { env: { ...everything(), [setting]: value } });
      const lines = output.split('\n');
      const at = lines.findIndex((line) => line.startsWith(found));

      expect(at, output).toBeGreaterThanOrEqual(0);
      expect(lines[at + 1], 'how to mend it').toMatch(/^ {4}\S/);
      if (/KEY|TOKEN/.test(setting)) expect(output).not.toContain(value);
      expectNoSecrets(output);
      expect(code).toBe(1);
    },
  );

  it('the doctor says that no database listens, and shows no password of its address', async () => {
    const STORE_URL = 'postgres://keeper:sesame%21open@127.0.0.1:1/darkroom';

    const { output, code } = await run('doctor', { env: { ...everything(), STORE_URL } });

    expect(output).toMatch(/✖ Store: The store postgres:.* nothing listens there/);
    expect(output).not.toMatch(/sesame(%21|!)open/);
    expect(code).toBe(1);
  });

  it('the doctor compares DISCORD_PUBLIC_KEY with the application, and tells where interactions go', async () => {
    const line = async (publicKey: string | undefined, url: string | null) => {
      discord.world.endpointUrl = url;
      const key = publicKey === undefined ? {} : { DISCORD_PUBLIC_KEY: publicKey };
      for await (const { name, status, found, cure } of examine(readConfig({ ...everything(), ...key })))
        if (name === 'Discord interactions') return `${status === 'ok' ? '✔' : '✖'} ${found}\n${cure}`;
      return undefined;
    };
    const url = 'https://bot.example/discord/interactions';
    const { publicKey } = discord.http;

    expect(await line(undefined, null)).toContain('✔ over the gateway');
    expect(await line(undefined, url)).toMatch(/✖ .* sends them to https:.*\nSet DISCORD_PUBLIC_KEY/);
    expect(await line(publicKey, url)).toContain(`✔ by HTTP: ${url}`);
    expect(await line(publicKey, null)).toMatch(/✖ .*no address\nSet the Interactions Endpoint URL/);
    expect(await line('ab'.repeat(32), url)).toMatch(/✖ .*is wrong\n.*Public Key/);

    discord.world.endpointUrl = null;
  });

  it('the doctor warns where a platform is connected and the bot has nobody to write to, and says how to find the own id', async () => {
    const ownersWith = async (env: Readonly<Record<string, string>>) => {
      for await (const check of examine(readConfig({ ...everything(), ...env })))
        if (check.name === 'Owners') return check;
      return undefined;
    };

    expect(await ownersWith({ OWNERS: 'discord:5,telegram:42' })).toEqual({
      name: 'Owners',
      status: 'ok',
      found: '2 people get the messages to owners',
    });
    expect(await ownersWith({ OWNERS: '' })).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('nobody to write to when something is wrong'),
      cure: expect.stringMatching(/OWNERS=discord:ID .*Copy User ID.*OWNERS=telegram:ID .*@userinfobot/),
    });
    expect(await ownersWith({ OWNERS: 'telegram:42', TELEGRAM_TOKEN: '' })).toMatchObject({
      status: 'warning',
      found: expect.stringMatching(/^OWNERS has nobody on Discord: /),
    });
    // The playground alone needs no owner.
    expect(await ownersWith({ OWNERS: '', TELEGRAM_TOKEN: '', DISCORD_TOKEN: '' })).toBeUndefined();
  });

  it('the doctor warns where nothing limits what everybody together can spend at a service, and names the setting', async () => {
    const spendingWith = async (env: Readonly<Record<string, string>>) => {
      for await (const check of examine(readConfig({ ...everything(), ...env })))
        if (check.name === 'Spending') return check;
      return undefined;
    };

    expect(await spendingWith({ SERVICE_DAILY_CREDITS: '500' })).toEqual({
      name: 'Spending',
      status: 'ok',
      found: 'everybody together can use 500 credits a day (SERVICE_DAILY_CREDITS)',
    });
    expect(await spendingWith({ SERVICE_DAILY_CREDITS: '', SERVICE_MONTHLY_CREDITS: '9000' })).toMatchObject({
      status: 'ok',
      found: 'everybody together can use 9000 credits a month (SERVICE_MONTHLY_CREDITS)',
    });
    expect(await spendingWith({ SERVICE_DAILY_CREDITS: '', USER_DAILY_CREDITS: '30' })).toMatchObject({
      status: 'warning',
      found: expect.stringMatching(/nothing limits.*30 credits.*everybody who finds the bot can add it/),
      cure: expect.stringContaining('Set SERVICE_DAILY_CREDITS'),
    });
    // The embedded service costs nothing.
    expect(await spendingWith({ SERVICE_DAILY_CREDITS: '', GENERATION_URL: '' })).toBeUndefined();

    const env = { ...everything(), SERVICE_DAILY_CREDITS: '', CONTENT_CHECK: 'on' };
    expect(await run('doctor', { env })).toMatchObject(ends(0, '\n\nNo check failed; 1 warning.\n'));
  });

  it('the doctor gives the cure that helps with a file that is no store', async () => {
    writeFileSync(inFolder('text'), 'not a database, but mine'.repeat(100));
    const cured = ends(1, /the file is not a database\.\n {4}Move it away and restore a backup/);
    expect(await run('doctor', { env: { STORE_URL: 'sqlite:./text' } })).toMatchObject(cured);
  });

  it('the doctor refuses arguments that it does not know', async () => {
    const usage = { output: 'Usage: npm run doctor [-- --json]\n', code: 2 };

    expect(await run('doctor', { args: ['json'] })).toMatchObject(usage);
    expect(await run('doctor', { args: ['--json=yes'] })).toMatchObject(usage);
  });
});

describe('the doctor for programs', () => {
  const diagnose = async (env: Record<string, string>) => {
    const { stdout, output, code } = await run('doctor', { env, args: ['--json'] });
    expect(stdout).toBe(output);
    const diagnosis = JSON.parse(stdout);
    expect(Object.keys(diagnosis)).toEqual(['version', 'at', 'overall', 'checks']);
    const { checks, overall }: { checks: Check[]; overall: string } = diagnosis;
    const named = (name: string) => checks.filter((check) => check.name === name);
    return { checks, overall, stdout, code, named };
  };

  it('the doctor writes one JSON document with a status for each check', async () => {
    const { named, overall, code } = await diagnose({
      ...everything(),
      FACE_CHECK: 'on',
      CONTENT_CHECK: 'on',
    });
    expect(overall).toBe('ok');
    expect(code).toBe(0);
    expect(named('Discord token')).toEqual([
      { name: 'Discord token', status: 'ok', found: expect.stringContaining('accepted') },
    ]);
    expect(named('Face finder')).toMatchObject([{ status: 'ok' }]);

    const bare = await diagnose({ HTTP_HOST: '0.0.0.0', CONTENT_CHECK: 'on' });
    expect(bare.overall).toBe('warning');
    expect(bare.code).toBe(0);
    expect(bare.named('Settings').map(({ status }) => status)).toEqual(['warning', 'ok']);
    expect(bare.named('Discord')).toMatchObject([{ status: 'skipped' }]);
    // The embedded service looks for faces, too.
    expect(bare.named('Face finder')).toMatchObject([{ status: 'ok' }]);
  });

  it('the doctor’s JSON says what failed, why in one word, and how to fix it', async () => {
    const wrong = { GENERATION_TOKEN: 'wrong-token-0000', STORE_URL: 'sqlite:/dev/null/d.sqlite' };
    const { named, overall, code } = await diagnose({ ...everything(), ...wrong });

    expect(overall).toBe('failed');
    expect(code).toBe(1);
    expect(named('Generation token')).toMatchObject([
      { status: 'failed', reason: 'unauthorized', cure: expect.stringContaining('GENERATION_TOKEN') },
    ]);
    expect(named('Store')).toMatchObject([{ status: 'failed', reason: 'ENOTDIR' }]);
    expect(named('Face finder')).toEqual([]);

    const malformed = await diagnose({ HTTP_PORT: 'x', STORE_KEY: 'planted-secret-key' });
    expect(malformed.overall).toBe('failed');
    expect(malformed.code).toBe(2);

    const failed = { name: 'Settings', status: 'failed' };
    expect(malformed.checks).toMatchObject([failed, failed]);
    expect(malformed.stdout).not.toContain('planted');
  });

  it('the doctor’s JSON shows no secret of any setting, also when servers send back what they were sent', async () => {
    const echo = createServer((request, response) => {
      const sent = [request.url, ...request.rawHeaders].join(' ');
      const description = `${sent} ${encodeURIComponent(sent)} ${Buffer.from(sent).toString('hex')}`;
      const detail = Buffer.from(sent).toString('base64');
      const said = {
        error: { message: sent },
        message: sent,
        detail,
        ok: false,
        error_code: 418,
        description,
      };
      response.writeHead(418, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...said, code: 1 }));
    });
    const url = await listen(echo);
    const planted: Record<string, string> = {
      GENERATION_API_KEY: 'planted/generation+key==',
      GENERATION_TOKEN: 'planted"generation\\token',
      ...Object.fromEntries(Object.entries(platformSettings).filter(([name]) => secretNames.includes(name))),
      PLAYGROUND_PASSWORD: 'planted-playground-password',
      STORE_URL: 'postgres://keeper:planted%21store@127.0.0.1:1/darkroom',
      STORE_KEY: Buffer.from('planted-store-key-of-32-bytes-!!').toString('base64'),
    };

    expect(Object.keys(planted).sort()).toEqual(secretNames.toSorted());

    const addresses = { GENERATION_URL: url, DISCORD_API_URL: `${url}/api`, TELEGRAM_API_URL: url };
    const { checks, stdout, code } = await diagnose({ ...platformSettings, ...addresses, ...planted });
    echo.close();

    expect(code).toBe(1);
    expect(checks.filter(({ status }) => status === 'failed').length).toBeGreaterThan(3);

    for (const secret of [...Object.values(planted), 'planted%21store', 'planted!store']) {
      const forms = (['base64', 'base64url', 'hex'] as const).map((how) => Buffer.from(secret).toString(how));
      for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...forms])
        expect(stdout).not.toContain(form);
    }
    expect(stdout).not.toContain('planted');
  });
});

describe('the setup', () => {
  const setUp = async (input: readonly string[], env: Record<string, string> = {}): Promise<string> => {
    const urls = { DISCORD_API_URL: discord.api, TELEGRAM_API_URL: telegram.url };
    const { output, code } = await run('setup', { env: { ...urls, ...env }, input: input.join('\n') });
    expect(code, output).toBe(0);
    expectNoSecrets(output);
    return output;
  };

  it('the setup asks again for a token that is refused, writes those that work, and echoes none', async () => {
    writeFileSync(inFolder('.env'), '# mine\nUSER_DAILY_CREDITS=7\nTELEGRAM_TOKEN=old\n');
    const forDiscord = ['wrong.discord.token', discord.token, '', ''];
    const forTelegram = [telegram.token, ''];
    const forService = [service.url, service.apiKey, service.token];

    const output = await setUp([...forDiscord, ...forTelegram, ...forService, '']);

    expect(output).toContain('refused by Discord');

    const text = textIn('.env');
    expect(text).toContain('# mine\nUSER_DAILY_CREDITS=7\n');
    expect(text).toContain(`TELEGRAM_TOKEN=${telegram.token}`);
    expect(text).not.toContain('TELEGRAM_TOKEN=old');
    expect(text).toContain(`DISCORD_TOKEN=${discord.token}`);
    expect(text).toContain(`GENERATION_URL=${service.url}`);
    expect(statSync(inFolder('.env')).mode & 0o777).toBe(0o600);
  });

  it('the setup asks for the key with which Discord signs, until it is that of the application', async () => {
    const { publicKey } = discord.http;
    const output = await setUp([discord.token, 'ab'.repeat(32), publicKey, '', '', '']);

    expect(output).toContain('✖ Discord public key: not that of this application');
    expect(output).toContain('✔ Discord public key: that of this application');
    expect(textIn('.env')).toBe(`DISCORD_TOKEN=${discord.token}\nDISCORD_PUBLIC_KEY=${publicKey}\n`);
  });

  it('the setup asks who the owner is on each platform that is on, until the answer is an id', async () => {
    const forDiscord = [discord.token, '', 'ann', '5'];
    const forTelegram = [telegram.token, 'telegram:42'];

    const output = await setUp([...forDiscord, ...forTelegram]);

    expect(output).toContain('your own id on Discord: in Discord, User Settings, Advanced');
    expect(output).toContain('✖ Discord: that is not an id.');
    expect(output).toContain('your own id on Telegram: on Telegram, write anything to @userinfobot');
    expect(textIn('.env')).toContain('OWNERS=discord:5,telegram:42\n');
  });

  it('the setup does not ask for an owner where there is one, or where the platform is off', async () => {
    const output = await setUp(['', telegram.token], { OWNERS: 'telegram:42' });

    expect(output).not.toContain('OWNERS');
    expect(textIn('.env')).toBe(`TELEGRAM_TOKEN=${telegram.token}\n`);
  });

  it('the setup makes a key for the store if that is wanted, says to keep it, and shows it nowhere', async () => {
    const skipped = ['', '', ''];

    const output = await setUp([...skipped, 'y']);

    const [, key = ''] = /^STORE_KEY=(.*)$/m.exec(textIn('.env')) ?? [];
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(output).toContain('if the key is lost, the store is lost');
    expect(output).not.toContain(key);

    // A key that is there is not asked for, and not replaced.
    expect(await setUp([...skipped, 'y'])).toContain('.env is unchanged');
    expect(textIn('.env')).toBe(`STORE_KEY=${key}\n`);
  });

  it('the setup asks again for a service that does not answer or refuses the key, and writes the one that works', async () => {
    const tries = ['notanurl', 'key', '', service.url, 'wrong-key-0000', '', service.url, service.apiKey, ''];
    const output = await setUp(['', '', ...tries, '']);

    expect(output).toContain('GENERATION_URL: "notanurl" is not valid');
    expect(output).toContain('✖ Generation API key: refused');
    expect(output).toContain('✔ Generation API key: accepted');
    expect(textIn('.env')).toBe(`GENERATION_URL=${service.url}\nGENERATION_API_KEY=${service.apiKey}\n`);
  });

  it('the setup replaces a file that holds a secret', async () => {
    writeFileSync(inFolder('key'), 'wrong-key-0000\n');
    writeFileSync(inFolder('.env'), 'GENERATION_API_KEY_FILE=key\n');
    const input = ['', '', service.url, service.apiKey, service.token, ''];

    expect(await setUp(input, { GENERATION_TOKEN_FILE: 'elsewhere' })).toContain(
      'Unset GENERATION_TOKEN_FILE in the environment',
    );
    expect(textIn('.env')).toContain('#GENERATION_API_KEY_FILE=key\n');
    expect((await run('doctor')).code).toBe(0);
  });

  it('the setup omits everything that is answered with nothing', async () => {
    expect(await setUp(['', '', '', ''])).toContain('.env is unchanged');
    expect(existsSync(inFolder('.env'))).toBe(false);
  });
});

describe('the audit export', () => {
  const STORE = 'data/darkroom.sqlite';
  const open = (name = STORE, keys: readonly Buffer[] = []) =>
    openSqliteStore({ path: inFolder(name), keys });
  const what = { actor: 'discord:5', action: 'alias.create', detail: { name: 'x' } };

  it('the audit export prints the lines since a day, and only a community’s own when asked', async () => {
    const store = await open();
    const append = (day: string, community: string) =>
      store.audit.append({ at: Date.parse(day), community, ...what });
    await append('2026-01-01', 'discord:1');
    await append('2026-02-01', 'discord:1');
    await append('2026-02-02', 'discord:2');
    store.close();

    const since = await run('audit', { args: ['--since', '2026-01-31'] });
    const lines = since.output.trim().split('\n');

    expect(lines.map((each) => JSON.parse(each))).toMatchObject([
      { at: '2026-02-01T00:00:00.000Z', community: 'discord:1', actor: 'discord:5', action: 'alias.create' },
      { community: 'discord:2' },
    ]);

    const own = await run('audit', { args: ['--community', 'discord:2'] });
    expect(own.output.trim().split('\n')).toHaveLength(1);

    const file = inFolder('trail.jsonl');
    const exported = await run('audit', { args: ['--since', '2026-01-31', '--out', file] });

    expect(exported.output).toContain('2 lines');
    expect(readFileSync(file, 'utf8')).toBe(since.output.slice(since.output.indexOf('{')));
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const wrong = await run('audit', { args: ['--since', 'yesterday-ish'] });
    expect(wrong).toMatchObject(ends(2, '--since must be a date'));
  });

  it('the audit export overwrites nothing, and creates no store', async () => {
    (await open()).close();
    const file = inFolder('trail.jsonl');
    const link = inFolder('link.jsonl');
    writeFileSync(file, 'an older one');
    symlinkSync(inFolder('nowhere'), link);

    for (const there of [file, link])
      expect(await run('audit', { args: ['--out', there] })).toMatchObject({
        code: 2,
        output: `--out: ${there} exists already, and is not overwritten. Name another file.\n`,
      });
    expect(readFileSync(file, 'utf8')).toBe('an older one');

    const nowhere = await run('audit', { env: { STORE_URL: 'sqlite:./nowhere/store.sqlite' } });
    expect(nowhere).toMatchObject(ends(2, 'There is no store at'));
    expect(existsSync(inFolder('nowhere'))).toBe(false);
  });

  const old = randomBytes(32);
  it.each([
    { tool: 'doctor', what: 'plain', keys: [] },
    { tool: 'doctor', what: 'encrypted', keys: [old] },
    { tool: 'audit', what: 'plain', keys: [] },
    { tool: 'audit', what: 'encrypted', keys: [old] },
  ] as const)(
    'the $tool changes no $what store, in use or not, whatever STORE_KEY says',
    async ({ tool, keys }) => {
      const path = inFolder(STORE);
      const running = await openSqliteStore({ path, keys, alone: true });

      await running.keyv('test').set('kept', 'as it was');
      const bytes = () => [path, `${path}-wal`].map((file) => readFileSync(file).toString('base64'));
      const before = bytes();
      const STORE_KEY = [randomBytes(32), ...keys].map((key) => key.toString('base64')).join(',');
      const { output, code } = await run(tool, { env: { STORE_KEY } });

      expect(code, output).toBe(0);
      if (tool === 'doctor' && keys.length === 0)
        expect(output).toContain('encrypted from the next start on');
      expect(bytes()).toEqual(before);

      running.close();

      const stopped = readFileSync(path).toString('base64');

      expect((await run(tool, { env: { STORE_KEY } })).code).toBe(0);
      expect(readFileSync(path).toString('base64')).toBe(stopped);
    },
  );

  it.each([
    {
      reason: 'OLDER_STORE',
      change: 'DELETE FROM migrations WHERE version > 1',
      words: /older version.*Start this version on it/,
    },
    {
      reason: 'NEWER_STORE',
      change: 'INSERT INTO migrations (version, at) VALUES (999, 0)',
      words: /newer version/,
    },
  ])(
    'a store of another version ($reason) is told of in one line, not changed',
    async ({ reason, change, words }) => {
      (await open()).close();
      const raw = new DatabaseSync(inFolder(STORE));
      raw.exec(change);
      raw.close();
      const before = readFileSync(inFolder(STORE));
      const audit = await run('audit');

      expect(audit.output.split('\n').filter((line) => words.test(line))).toHaveLength(1);

      const { stdout, code } = await run('doctor', { args: ['--json'] });
      expect(audit.code).toBe(2);
      expect(code).toBe(1);

      const failed = { name: 'Store', status: 'failed', reason, found: expect.stringMatching(words) };
      expect(JSON.parse(stdout).checks).toContainEqual(expect.objectContaining(failed));
      expect(readFileSync(inFolder(STORE)).equals(before)).toBe(true);
    },
  );

  it('the audit export finds the store and its key by files; another key is reported in one line', async () => {
    const key = randomBytes(32);
    const store = await open('other.sqlite', [key]);

    await store.audit.append({ at: 5, community: 'discord:1', ...what });
    store.close();
    writeFileSync(inFolder('url'), 'sqlite:./other.sqlite\n');
    writeFileSync(inFolder('key'), key.toString('base64'));
    const env = { STORE_URL_FILE: 'url', STORE_KEY_FILE: 'key' };

    expect((await run('audit', { env })).output).toContain('"actor":"discord:5"');

    const twice = await run('audit', { env: { ...env, STORE_KEY: key.toString('base64') } });
    expect(twice).toMatchObject(ends(2, /^STORE_KEY_FILE: "key" is not valid/));

    const STORE_KEY = randomBytes(32).toString('base64');
    expect(await run('audit', { env: { STORE_URL_FILE: 'url', STORE_KEY } })).toMatchObject({
      code: 2,
      output: 'STORE_KEY is not the key that this store was encrypted with.\n',
    });
  });
});
