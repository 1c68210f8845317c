import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadEnvFile, readConfig } from '../../../src/config/config.ts';
import { fileNameOf, secretNames } from '../../../src/config/settings.ts';
import { platformSettings } from '../../fakes/platform-settings.ts';
import { problem } from './problem.ts';

const folder = mkdtempSync(join(tmpdir(), 'darkroom-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEY = Buffer.alloc(32, 7).toString('base64');
const VALUES: Readonly<Record<string, string>> = {
  GENERATION_API_KEY: 'the-generation-key',
  GENERATION_TOKEN: 'the-generation-token',
  ...Object.fromEntries(Object.entries(platformSettings).filter(([name]) => secretNames.includes(name))),
  PLAYGROUND_PASSWORD: 'correct-horse-battery',
  STORE_URL: 'postgres://keeper:sesame-open@db.example/darkroom',
  STORE_KEY: KEY,
};

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a secret in a file', () => {
  it('is read for every secret there is, and hidden in logs like any other', () => {
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
    ['without a newline', 'the-key'],
    ['with a newline', 'the-key\n'],
    ['with a newline of Windows', 'the-key\r\n'],
    ['with a byte order mark', '\ufeffthe-key\n'],
  ])('is read %s', (_, content) => {
    expect(readConfig({ GENERATION_API_KEY_FILE: file('ends', content) }).generation.apiKey).toBe('the-key');
  });

  it('is found by a relative path, and through links as orchestrators make them', () => {
    const path = file('linked', 'the-key\n');
    mkdirSync(join(folder, '..data'));
    symlinkSync(path, join(folder, '..data', 'key'));
    symlinkSync(join('..data', 'key'), join(folder, 'key'));
    expect(readConfig({ GENERATION_API_KEY_FILE: join(folder, 'key') }).generation.apiKey).toBe('the-key');
    const given = relative(process.cwd(), path);
    expect(readConfig({ GENERATION_API_KEY_FILE: given }).generation.apiKey).toBe('the-key');
  });

  it('counts as unset when the setting is empty, and so does the setting beside it', () => {
    expect(readConfig({ GENERATION_API_KEY_FILE: ' ' })).toEqual(readConfig({}));
    const env = { GENERATION_API_KEY: '', GENERATION_API_KEY_FILE: file('beside', 'the-key') };
    expect(readConfig(env).generation.apiKey).toBe('the-key');
  });

  it('is known in .env, and a misspelt one gets the nearest name', () => {
    const path = file('names.env', 'DISCORD_TOKEN_FILE=x\nDISCORD_TOKN_FILE=x\nDISCORD_PUBLIC_KEY_FILE=x\n');
    expect(loadEnvFile(path, {}).warnings.toSorted()).toEqual([
      `${path}: DISCORD_PUBLIC_KEY_FILE is not a setting; did you mean DISCORD_PUBLIC_KEY?`,
      `${path}: DISCORD_TOKN_FILE is not a setting; did you mean DISCORD_TOKEN_FILE?`,
    ]);
  });
});

describe('a malformed one', () => {
  it('is one that is given twice', () => {
    const path = file('twice', 'from-the-file');
    const message = problem({ GENERATION_TOKEN: 'from-the-environment', GENERATION_TOKEN_FILE: path });
    expect(message).toMatch(/^GENERATION_TOKEN_FILE: .*GENERATION_TOKEN is given as well.*Allowed: /);
    expect(message).toContain(JSON.stringify(path));
    expect(message).not.toMatch(/from-the/);
  });

  const odd: readonly (readonly [string, () => string, string])[] = [
    ['a missing file', () => join(folder, 'missing'), 'no such file'],
    ['a folder', () => folder, 'a folder'],
    ['a path through a file', () => join(file('plain', 'x'), 'more'), 'no such file'],
    ['a device without end', () => '/dev/zero', 'no file'],
    ['an empty file', () => file('empty', ''), 'empty'],
    ['a file of a newline', () => file('newline', '\r\n'), 'empty'],
    ['two lines', () => file('lines', 'one\ntwo\n'), 'more than one line'],
    ['bytes that are no text', () => file('bytes', Uint8Array.of(0xff, 0xfe, 0x41)), 'no text'],
    ['a text with a zero byte', () => file('zero', 'abc\0def'), 'no text'],
    ['a huge file', () => file('huge', 'x'.repeat(70_000)), 'larger than 65536 bytes'],
    ['a circle of links', () => join(folder, 'circle'), 'lead to no file'],
    ['a path that is too long', () => `${folder}/${'x'.repeat(300)}`, 'too long'],
  ];
  it.each(odd)('is %s', (_, make, words) => {
    rmSync(join(folder, 'circle'), { force: true });
    symlinkSync('circle', join(folder, 'circle'));
    const path = make();
    const message = problem({ GENERATION_API_KEY_FILE: path });
    expect(message).toMatch(/^GENERATION_API_KEY_FILE: [^\n]*Allowed: [^\n]*$/);
    expect(message).toContain(JSON.stringify(path));
    expect(message).toContain(words);
  });

  it('is a pipe, which nobody waits for, or a socket', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(problem({ STORE_KEY_FILE: pipe })).toContain('no file');
    const socket = join(folder, 'socket');
    const server = createServer().listen(socket);
    await new Promise((done) => server.once('listening', done));
    expect(problem({ STORE_KEY_FILE: socket })).toContain('no file');
    await new Promise((done) => server.close(done));
  });

  it.skipIf(process.getuid?.() === 0)('is a file that this user may not read', () => {
    const path = file('private', 'the-key');
    chmodSync(path, 0o000);
    expect(problem({ GENERATION_API_KEY_FILE: path })).toContain('may not read');
  });

  it('is a file whose secret is malformed: the file is named, the secret is not shown', () => {
    const path = file('malformed', 'Bot MTAw.hidden.token\n');
    const message = problem({ DISCORD_TOKEN_FILE: path, HTTP_PORT: 'x', STORE_KEY_FILE: folder });
    expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
      'STORE_KEY_FILE',
      'DISCORD_TOKEN_FILE',
      'HTTP_PORT',
    ]);
    expect(message).toContain('a value of 21 characters (not shown) is not valid (leave out the word Bot');
    expect(message).not.toContain('hidden');
  });

  it.each(Object.entries(VALUES))('does not show a %s that was put there by mistake', (name, value) => {
    const message = problem({ [fileNameOf(name)]: value });
    expect(message).toContain(`a path of ${value.length} characters (not shown`);
    expect(message).not.toContain(value);
    const slashed = `/${value.replaceAll(':', '/')}`;
    expect(problem({ [fileNameOf(name)]: slashed })).not.toContain(slashed);
  });
});
