import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { secretNames } from '../../../src/config/settings.ts';
import { type Check, examine } from '../../../src/owner/doctor/diagnose.ts';
import { openStore } from '../../../src/store/sqlite/store.ts';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';
import { platformSettings } from '../../fakes/platform-settings.ts';
import { createGenerationService, type GenerationService } from '../../fakes/service/service.ts';
import { createFakeTelegram, type FakeTelegram } from '../../fakes/telegram/telegram.ts';
import { COMPILED, NO_LOOKS } from '../program.ts';

/** The owner's tools as they are run: `npm run doctor`, `setup` and `audit`, in a folder of their own. */

let folder: string;
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
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-owner-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = async (
  tool: 'doctor' | 'setup' | 'audit',
  { env = {}, input = '', args = [] }: { env?: Record<string, string>; input?: string; args?: string[] } = {},
): Promise<{ readonly output: string; readonly stdout: string; readonly code: number }> => {
  const program = new URL(`../../../src/owner/${tool}/main.ts`, import.meta.url).pathname;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...COMPILED, ...NO_LOOKS, ...env },
  });
  let output = '';
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  child.stdin.end(input);
  const code = await new Promise<number>((done) => child.on('close', (exit) => done(exit ?? -1)));
  return { output, stdout, code };
};

const everything = () => ({
  GENERATION_URL: service.url,
  GENERATION_API_KEY: service.apiKey,
  GENERATION_TOKEN: service.token,
  DISCORD_TOKEN: discord.token,
  DISCORD_API_URL: discord.api,
  TELEGRAM_TOKEN: telegram.token,
  TELEGRAM_API_URL: telegram.url,
  ...NO_LOOKS,
});

const secrets = () => [service.apiKey, service.token, discord.token, telegram.token];

describe('the doctor', () => {
  it('finds nothing wrong without any setting', async () => {
    const { output, code } = await run('doctor');
    expect(output).toContain('All checks passed.');
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('checks everything that is set, and shows the invite link but no secret', async () => {
    const { output, code } = await run('doctor', { env: everything() });
    expect(output).toMatch(/✔ Generation API key: accepted/);
    expect(output).toMatch(/✔ Generation token: accepted/);
    expect(output).toMatch(/✔ Discord token: accepted/);
    expect(output).toMatch(/✔ Discord invite: https:\/\/discord\.com\/oauth2\/authorize\?client_id=\d+/);
    expect(output).toMatch(/✔ Telegram token: accepted: @darkroom_test_bot/);
    for (const secret of secrets()) expect(output).not.toContain(secret);
    expect(code).toBe(0);
  });

  it('reads secrets from files, and shows none of them', async () => {
    const env = Object.fromEntries(
      Object.entries(everything()).map(([name, value]) => {
        if (!/KEY|TOKEN/.test(name)) return [name, value];
        writeFileSync(join(folder, name), `${value}\n`);
        return [`${name}_FILE`, name];
      }),
    );
    const { output, code } = await run('doctor', { env });
    expect(output).toMatch(/✔ Generation API key: accepted[\s\S]*✔ Discord token: accepted/);
    for (const secret of secrets()) expect(output).not.toContain(secret);
    expect(code, output).toBe(0);
  });

  it.each<readonly Readonly<Record<string, readonly [string, string]>>[]>([
    [
      {
        GENERATION_API_KEY: ['wrong-key-0000', '✖ Generation API key: refused'],
        GENERATION_TOKEN: ['wrong-token-0000', '✖ Generation token: refused'],
        DISCORD_TOKEN: ['wrong.discord.token', '✖ Discord token: refused'],
        TELEGRAM_TOKEN: ['987654321:AAwrong-token-of-nobody-0123456789abc', '✖ Telegram token: refused'],
        STORE_URL: ['sqlite:/dev/null/d.sqlite', '✖ Store: '],
      },
    ],
    [
      {
        GENERATION_URL: ['http://127.0.0.1:9', '✖ Generation API key: '],
      },
    ],
    [
      {
        GENERATION_ASSUMPTIONS: [
          '{"fields":{"nope":{}}}',
          '✖ Generation assumptions: GENERATION_ASSUMPTIONS: ',
        ],
      },
    ],
  ])(
    'reports what is wrong, how to fix it, and fails with its exit code; no secret is shown',
    async (all) => {
      const wrong = Object.fromEntries(Object.entries(all).map(([name, [value]]) => [name, value]));
      const STORE_URL = 'postgres://keeper:sesame%21open@127.0.0.1:1/darkroom';
      const { output, code } = await run('doctor', { env: { ...everything(), STORE_URL, ...wrong } });
      for (const [name, [value, line]] of Object.entries(all)) {
        const at = output.split('\n').findIndex((each) => each.startsWith(line));
        expect(at, output).toBeGreaterThanOrEqual(0);
        expect(output.split('\n')[at + 1]).toMatch(/^ {4}\S/);
        if (/KEY|TOKEN/.test(name)) expect(output).not.toContain(value);
      }
      if (wrong.STORE_URL === undefined)
        expect(output).toMatch(/✖ Store: The store postgres:.* nothing listens there/);
      expect(output).not.toMatch(/sesame(%21|!)open/);
      expect(code).toBe(1);
    },
  );

  it('compares DISCORD_PUBLIC_KEY with the application, and tells where interactions go', async () => {
    const line = async (publicKey: string | undefined, url: string | null) => {
      discord.world.endpointUrl = url;
      const key = publicKey === undefined ? {} : { DISCORD_PUBLIC_KEY: publicKey };
      for await (const { name, ok, detail, cure } of examine(readConfig({ ...everything(), ...key })))
        if (name === 'Discord interactions') return `${ok ? '✔' : '✖'} ${detail}\n${cure}`;
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

  it('goes on to its end when nobody reads its output any more', async () => {
    const program = new URL('../../../src/owner/doctor/main.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [program], { cwd: folder, env: {} });
    child.stdout.destroy();
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += chunk));
    const [code] = await once(child, 'close');
    expect([code, errors]).toEqual([0, '']);
  });

  it('gives the cure that helps with a file that is no store', async () => {
    writeFileSync(join(folder, 'text'), 'not a database, but mine'.repeat(100));
    const { output, code } = await run('doctor', { env: { STORE_URL: 'sqlite:./text' } });
    expect(code).toBe(1);
    expect(output).toMatch(/the file is not a database\.\n {4}Move it away and restore a backup/);
  });

  it('names a malformed setting', async () => {
    const { output, code } = await run('doctor', { env: { USER_DAILY_CREDITS: 'many' } });
    expect(output).toMatch(/✖ Settings: USER_DAILY_CREDITS/);
    expect(code).toBe(2);
  });

  it('refuses arguments that it does not know', async () => {
    for (const args of [['--jsn'], ['json'], ['--json=yes']]) {
      const { output, code } = await run('doctor', { args });
      expect(output).toBe('Usage: npm run doctor [-- --json]\n');
      expect(code).toBe(2);
    }
  });
});

describe('the doctor for programs', () => {
  const diagnose = async (env: Record<string, string>) => {
    const { stdout, output, code } = await run('doctor', { env, args: ['--json'] });
    expect(stdout).toBe(output);
    const diagnosis = JSON.parse(stdout);
    expect(Object.keys(diagnosis)).toEqual(['version', 'at', 'overall', 'checks']);
    expect(diagnosis.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(new Date(diagnosis.at).toISOString()).toBe(diagnosis.at);
    const { checks, overall }: { checks: Check[]; overall: string } = diagnosis;
    return { checks, overall, stdout, code };
  };
  const named = (checks: readonly Check[], name: string) => checks.filter((check) => check.name === name);

  it('is one document with a status for each check', async () => {
    const { checks, overall, code } = await diagnose({ ...everything(), FACE_CHECK: 'on' });
    expect([overall, code]).toEqual(['ok', 0]);
    expect(named(checks, 'Discord token')).toEqual([
      { name: 'Discord token', status: 'ok', found: expect.stringContaining('accepted') },
    ]);
    expect(named(checks, 'Face finder')).toMatchObject([{ status: 'ok' }]);
    const unlooked = await diagnose(everything());
    expect(named(unlooked.checks, 'Face finder')).toEqual([]);
    const bare = await diagnose({ HTTP_HOST: '0.0.0.0', FACE_CHECK: '' });
    expect([bare.overall, bare.code]).toEqual(['warning', 0]);
    expect(named(bare.checks, 'Settings').map(({ status }) => status)).toEqual(['warning', 'ok']);
    expect(named(bare.checks, 'Discord')).toMatchObject([{ status: 'skipped' }]);
    expect(named(bare.checks, 'Face finder')).toMatchObject([{ status: 'ok' }]);
  });

  it('says what failed, why in one word, and how to fix it', async () => {
    const env = {
      ...everything(),
      GENERATION_TOKEN: 'wrong-token-0000',
      STORE_URL: 'sqlite:/dev/null/d.sqlite',
    };
    const { checks, overall, code } = await diagnose(env);
    expect([overall, code]).toEqual(['failed', 1]);
    expect(named(checks, 'Generation token')).toMatchObject([
      { status: 'failed', reason: 'unauthorized', cure: expect.stringContaining('GENERATION_TOKEN') },
    ]);
    expect(named(checks, 'Store')).toMatchObject([{ status: 'failed', reason: 'ENOTDIR' }]);
  });

  it('has a check for each malformed setting', async () => {
    const { checks, overall, code } = await diagnose({ HTTP_PORT: 'x', STORE_KEY: 'planted-secret-key' });
    expect([overall, code]).toEqual(['failed', 2]);
    expect(checks.map(({ name, status }) => [name, status])).toEqual([
      ['Settings', 'failed'],
      ['Settings', 'failed'],
    ]);
    expect(JSON.stringify(checks)).not.toContain('planted');
  });

  it('shows no secret of any setting, also when servers send back what they were sent', async () => {
    const echo = createServer((request, response) => {
      const sent = [request.url, ...request.rawHeaders].join(' ');
      response.writeHead(418, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          error: { message: sent },
          message: sent,
          detail: Buffer.from(sent).toString('base64'),
          ok: false,
          error_code: 418,
          description: `${sent} ${encodeURIComponent(sent)} ${Buffer.from(sent).toString('hex')}`,
          code: 1,
        }),
      );
    }).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const address = echo.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const planted: Record<string, string> = {
      GENERATION_API_KEY: 'planted/generation+key==',
      GENERATION_TOKEN: 'planted"generation\\token',
      ...Object.fromEntries(Object.entries(platformSettings).filter(([name]) => secretNames.includes(name))),
      PLAYGROUND_PASSWORD: 'planted-playground-password',
      STORE_URL: 'postgres://keeper:planted%21store@127.0.0.1:1/darkroom',
      STORE_KEY: Buffer.from('planted-store-key-of-32-bytes-!!').toString('base64'),
    };
    expect(Object.keys(planted).sort()).toEqual(secretNames.toSorted());
    const others = {
      ...platformSettings,
      GENERATION_URL: url,
      DISCORD_API_URL: `${url}/api`,
      TELEGRAM_API_URL: url,
    };
    const { checks, stdout, code } = await diagnose({ ...others, ...planted });
    echo.close();
    expect(code).toBe(1);
    expect(checks.filter(({ status }) => status === 'failed').length).toBeGreaterThan(3);
    for (const secret of [...Object.values(planted), 'planted%21store', 'planted!store'])
      for (const form of [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret).toString('base64url'),
        Buffer.from(secret).toString('hex'),
      ])
        expect(stdout).not.toContain(form);
    expect(stdout).not.toContain('planted');
  });
});

describe('the setup', () => {
  const urls = () => ({ DISCORD_API_URL: discord.api, TELEGRAM_API_URL: telegram.url });

  it('asks again for a token that is refused, writes those that work, and echoes none', async () => {
    writeFileSync(join(folder, '.env'), '# mine\nUSER_DAILY_CREDITS=7\nTELEGRAM_TOKEN=old\n');
    const input = `wrong.discord.token\n${discord.token}\n\n${telegram.token}\n${service.url}\n${service.apiKey}\n${service.token}\n`;
    const { output, code } = await run('setup', { env: urls(), input });

    expect(code).toBe(0);
    expect(output).toContain('refused by Discord');
    for (const secret of secrets()) expect(output).not.toContain(secret);
    const text = readFileSync(join(folder, '.env'), 'utf8');
    expect(text).toContain('# mine\nUSER_DAILY_CREDITS=7\n');
    expect(text).toContain(`TELEGRAM_TOKEN=${telegram.token}`);
    expect(text).not.toContain('TELEGRAM_TOKEN=old');
    expect(text).toContain(`DISCORD_TOKEN=${discord.token}`);
    expect(text).toContain(`GENERATION_URL=${service.url}`);
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  });

  it('asks for the key with which Discord signs, until it is that of the application', async () => {
    const { publicKey } = discord.http;
    const input = [discord.token, 'ab'.repeat(32), publicKey, '', '', ''].join('\n');
    const { output, code } = await run('setup', { env: urls(), input });
    expect(code).toBe(0);
    expect(output).toContain('✖ Discord public key: not that of this application');
    expect(output).toContain('✔ Discord public key: that of this application');
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(
      `DISCORD_TOKEN=${discord.token}\nDISCORD_PUBLIC_KEY=${publicKey}\n`,
    );
  });

  it('asks again for a service that does not answer or refuses the key, and writes the one that works', async () => {
    const tries = ['notanurl', 'key', '', service.url, 'wrong-key-0000', '', service.url, service.apiKey, ''];
    const { output, code } = await run('setup', { env: urls(), input: ['', '', ...tries, ''].join('\n') });
    expect(code).toBe(0);
    expect(output).toContain('GENERATION_URL: "notanurl" is not valid');
    expect(output).toContain('✖ Generation API key: refused');
    expect(output).toContain('✔ Generation API key: accepted');
    for (const secret of secrets()) expect(output).not.toContain(secret);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(
      `GENERATION_URL=${service.url}\nGENERATION_API_KEY=${service.apiKey}\n`,
    );
  });

  it('replaces a file that holds a secret', async () => {
    writeFileSync(join(folder, 'key'), 'wrong-key-0000\n');
    writeFileSync(join(folder, '.env'), 'GENERATION_API_KEY_FILE=key\n');
    const env = { ...urls(), GENERATION_TOKEN_FILE: 'elsewhere' };
    const input = `\n\n${service.url}\n${service.apiKey}\n${service.token}\n`;
    const { output, code } = await run('setup', { env, input });
    expect(code, output).toBe(0);
    expect(output).toContain('Unset GENERATION_TOKEN_FILE in the environment');
    expect(readFileSync(join(folder, '.env'), 'utf8')).toContain('#GENERATION_API_KEY_FILE=key\n');
    expect((await run('doctor')).code).toBe(0);
  });

  it('omits everything that is answered with nothing', async () => {
    const { output, code } = await run('setup', { env: urls(), input: '\n\n\n' });
    expect(code).toBe(0);
    expect(output).toContain('.env is unchanged');
    expect(existsSync(join(folder, '.env'))).toBe(false);
  });
});

describe('the audit export', () => {
  it('prints the lines since a day, and only a community’s own when asked', async () => {
    const store = await openStore({ path: join(folder, 'data/darkroom.sqlite'), keys: [] });
    const line = (at: string, community: string) =>
      store.audit.append({
        at: Date.parse(at),
        community,
        actor: 'discord:5',
        action: 'alias.create',
        detail: { name: 'x' },
      });
    await line('2026-01-01', 'discord:1');
    await line('2026-02-01', 'discord:1');
    await line('2026-02-02', 'discord:2');
    store.close();

    const since = await run('audit', { args: ['--since', '2026-01-31'] });
    expect(
      since.output
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each)),
    ).toMatchObject([
      { at: '2026-02-01T00:00:00.000Z', community: 'discord:1', actor: 'discord:5', action: 'alias.create' },
      { community: 'discord:2' },
    ]);
    const own = await run('audit', { args: ['--community', 'discord:2'] });
    expect(own.output.trim().split('\n')).toHaveLength(1);
    const file = join(folder, 'trail.jsonl');
    const exported = await run('audit', { args: ['--since', '2026-01-31', '--out', file] });
    expect(exported.output).toContain('2 lines');
    expect(readFileSync(file, 'utf8')).toBe(since.output.slice(since.output.indexOf('{')));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'an older one');
    const link = join(folder, 'link.jsonl');
    symlinkSync(join(folder, 'nowhere'), link);
    for (const there of [file, link])
      expect(await run('audit', { args: ['--out', there] })).toMatchObject({
        code: 2,
        output: `--out: ${there} exists already, and is not overwritten. Name another file.\n`,
      });
    expect(readFileSync(file, 'utf8')).toBe('an older one');
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
    const wrong = await run('audit', { args: ['--since', 'yesterday-ish'] });
    expect(wrong.output).toContain('--since must be a date');
    expect(wrong.code).toBe(2);
  });

  it.each(['doctor', 'audit'] as const)('the %s does not encrypt a store', async (tool) => {
    const path = join(folder, 'data/darkroom.sqlite');
    const running = await openStore({ path, keys: [], alone: true });
    const entries = running.keyv('test');
    await entries.set('plain', 'as it was');
    const { output, code } = await run(tool, { env: { STORE_KEY: randomBytes(32).toString('base64') } });
    expect(code, output).toBe(0);
    if (tool === 'doctor') expect(output).toContain('encrypted from the next start on');
    expect(await entries.get('plain')).toBe('as it was');
    running.close();
  });

  it.each(['doctor', 'audit'] as const)(
    'the %s changes nothing in a store that is in use, whatever STORE_KEY says',
    async (tool) => {
      const path = join(folder, 'data/darkroom.sqlite');
      const [old, fresh] = [randomBytes(32), randomBytes(32)];
      const running = await openStore({ path, keys: [old], alone: true });
      await running.keyv('test').set('kept', 'as it was');
      const bytes = () => [path, `${path}-wal`].map((file) => readFileSync(file).toString('base64'));
      const before = bytes();
      const STORE_KEY = [fresh, old].map((key) => key.toString('base64')).join(',');
      const { output, code } = await run(tool, { env: { STORE_KEY } });
      expect(code, output).toBe(0);
      expect(bytes()).toEqual(before);
      running.close();

      const stopped = readFileSync(path).toString('base64');
      expect((await run(tool, { env: { STORE_KEY } })).code).toBe(0);
      expect(readFileSync(path).toString('base64')).toBe(stopped);
      const again = await openStore({ path, keys: [old], alone: true });
      expect(await again.keyv('test').get('kept')).toBe('as it was');
      again.close();
    },
  );

  it.each([
    [
      'an older version',
      'DELETE FROM migrations WHERE version > 1',
      /older version.*Start this version on it/,
    ],
    ['a newer version', 'INSERT INTO migrations (version, at) VALUES (999, 0)', /newer version/],
  ])('a store of %s is reported in one line, and not changed', async (kind, change, words) => {
    const path = join(folder, 'data/darkroom.sqlite');
    (await openStore({ path, keys: [] })).close();
    const raw = new DatabaseSync(path);
    raw.exec(change);
    raw.close();
    const before = readFileSync(path).toString('base64');
    const audit = await run('audit');
    expect(audit.output.split('\n').filter((line) => words.test(line))).toHaveLength(1);
    const { stdout, code } = await run('doctor', { args: ['--json'] });
    expect([audit.code, code]).toEqual([2, 1]);
    const reason = kind === 'an older version' ? 'OLDER_STORE' : 'NEWER_STORE';
    expect(JSON.parse(stdout).checks).toContainEqual(
      expect.objectContaining({
        name: 'Store',
        status: 'failed',
        reason,
        found: expect.stringMatching(words),
      }),
    );
    expect(readFileSync(path).toString('base64')).toBe(before);
  });

  it('finds the store and its key by files', async () => {
    const key = randomBytes(32);
    const store = await openStore({ path: join(folder, 'other.sqlite'), keys: [key] });
    await store.audit.append({
      at: 5,
      community: 'discord:1',
      actor: 'discord:5',
      action: 'pause',
      detail: {},
    });
    store.close();
    writeFileSync(join(folder, 'url'), 'sqlite:./other.sqlite\n');
    writeFileSync(join(folder, 'key'), key.toString('base64'));
    const env = { STORE_URL_FILE: 'url', STORE_KEY_FILE: 'key' };
    expect((await run('audit', { env })).output).toContain('"actor":"discord:5"');
    const twice = await run('audit', { env: { ...env, STORE_KEY: key.toString('base64') } });
    expect(twice.output).toMatch(/^STORE_KEY_FILE: "key" is not valid/);
    expect(twice.code).toBe(2);
  });

  it('a store encrypted with another key is reported in one line', async () => {
    (await openStore({ path: join(folder, 'data/darkroom.sqlite'), keys: [randomBytes(32)] })).close();
    const { output, code } = await run('audit', { env: { STORE_KEY: randomBytes(32).toString('base64') } });
    expect(output.trim()).toBe('STORE_KEY is not the key that this store was encrypted with.');
    expect(code).toBe(2);
  });

  it('creates no store', async () => {
    const { output, code } = await run('audit', { env: { STORE_URL: 'sqlite:./nowhere/store.sqlite' } });
    expect(output).toContain('There is no store at');
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });
});
