/** How it is installed: image, Compose, service, workflows and package.json agree with each other and with what is there. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

const isThere = (name: string): boolean => existsSync(join(root, name));
const nodeVersion = packageJson.devDependencies.node;
const dockerfile = read('Dockerfile');
const composeFiles = ['compose.yaml', 'compose.scale.yaml'];
const unit = read('deploy/darkroom.service');
const workflows = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);
const PORT = '8080';

/** Undefined: it is not installed. */
function run(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const { error, status, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  return error === undefined ? { status, stderr } : undefined;
}

it('package.json names programs that exist', () => {
  const programs = all(Object.values(packageJson.scripts).join('\n'), /\bnode .*?(\S+\.ts)/g);
  expect(programs.length).toBeGreaterThan(8);
  expect(programs.filter((path) => !isThere(path))).toEqual([]);
});

describe('a Node that is too old', () => {
  const check = './src/node-version.cjs';

  const runWith = (version: string) => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
    return run(process.execPath, ['--eval', `${older}; require('${join(root, check)}')`]);
  };

  it.each(['18.20.8', '20.20.2', '22.23.3', '24.4.0'])(
    'a Node that is too old, such as %s, is reported in one line',
    (version) => {
      const { status, stderr } = runWith(version) ?? {};
      expect(status).toBe(1);
      expect(stderr).toMatch(
        new RegExp(`^Darkroom needs Node 24\\.8 or newer, and this is ${version}\\. .*npm ci.*\\n$`),
      );
    },
  );

  it.each(['24.8.0', nodeVersion, '26.0.0'])('a Node is not too old if it is %s', (version) => {
    expect(runWith(version)).toEqual({ status: 0, stderr: '' });
  });

  it('a Node that is too old is noticed by every command that runs without development packages, and by the service', () => {
    const commands = Object.values(packageJson.scripts).filter((command) => / src\/\S+\.ts$/.test(command));
    expect(commands).toHaveLength(10);
    for (const command of commands) expect(command).toContain(`node --require ${check} `);
    expect(unit).toContain(
      `/usr/bin/node --require /opt/darkroom/${check.slice(2)} /opt/darkroom/src/main.ts`,
    );
  });
});

describe('the image', () => {
  it('the image has the Node that everything is tested with, by digest', () => {
    expect(dockerfile).toMatch(
      new RegExp(`^FROM node:${nodeVersion.replaceAll('.', '\\.')}-slim@sha256:[0-9a-f]{64}$`, 'm'),
    );
  });

  it('the image is made of files that exist and pass .dockerignore, and runs the program as nobody special', () => {
    const copied = all(dockerfile, /^COPY (.+) \S+$/gm).flatMap((sources) => sources.split(' '));
    expect(copied).toContain('src');
    expect(copied.filter((path) => !isThere(path))).toEqual([]);
    expect(copied.toSorted()).toEqual(all(read('.dockerignore'), /^!(.+)$/gm).toSorted());
    expect(all(dockerfile, /^CMD \["node", "(.+)"\]$/gm).map(isThere)).toEqual([true]);
    expect(dockerfile.lastIndexOf('USER node')).toBeGreaterThan(dockerfile.lastIndexOf('RUN'));
  });

  it('the image keeps the files that find faces and look at content, and drops the rest of their packages', () => {
    const folder = mkdtempSync(join(tmpdir(), 'darkroom-image-'));
    const packages = ['node_modules/@litertjs', 'node_modules/@mediapipe', 'node_modules/nsfwjs'];

    for (const path of packages) cpSync(join(root, path), join(folder, path), { recursive: true });
    const deletions = all(dockerfile, /&& (find node_modules\/.+?-delete)/g);

    for (const line of deletions)
      expect(spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' })).toMatchObject({ status: 0 });

    const read = all(readFileSync(join(root, 'src/faces/models.ts'), 'utf8'), /resolve\('(@.+?)'\)/g);
    expect(read).toHaveLength(3);
    expect(read.filter((path) => !existsSync(join(folder, 'node_modules', path)))).toEqual([]);

    const files = packages.flatMap((path) =>
      readdirSync(join(folder, path), { recursive: true, encoding: 'utf8' }).map((name) => join(path, name)),
    );
    const model = files.filter((name) => name.includes('nsfwjs') && name.endsWith('.js'));
    expect(model.map((name) => name.split('/dist/')[1]).toSorted()).toEqual([
      'cjs/models/mobilenet_v2.js',
      'models/mobilenet_v2/group1-shard1of1.min.js',
      'models/mobilenet_v2/model.min.js',
    ]);
    expect(files.filter((name) => name.endsWith('.wasm')).map((name) => name.split('/').at(-1))).toEqual([
      'litert_wasm_compat_internal.wasm',
    ]);

    rmSync(folder, { recursive: true });
  });

  it('the image listens where Compose and the web servers expect it', () => {
    expect(all(dockerfile, /^EXPOSE (\d+)$/gm)).toEqual([PORT]);
    expect(all(dockerfile, /HTTP_PORT=(\d+)/g)).toEqual([PORT]);
    for (const file of composeFiles) expect(all(read(file), /HTTP_PORT: "(\d+)"/g)).toEqual([PORT]);
    expect(read('compose.yaml')).toContain(`"127.0.0.1:${PORT}:${PORT}"`);
    expect(new Set(all(read('deploy/Caddyfile'), /reverse_proxy 127\.0\.0\.1:(\d+)/g))).toEqual(
      new Set([PORT]),
    );
  });

  it('the image has the same memory and the same heap everywhere', () => {
    const heaps = [...composeFiles.map(read), unit].flatMap((text) => all(text, /max-old-space-size=(\d+)/g));
    expect(heaps).toEqual(['512', '512', '512']);
    for (const file of composeFiles) expect(all(read(file), /mem_limit: (\S+)/g)).toEqual(['2g']);
    expect(unit).toMatch(/^MemoryMax=2G$/m);
    expect(read('.github/workflows/release.yml')).toContain('--memory 2g');
    expect([dockerfile, unit].map((text) => /MALLOC_ARENA_MAX=2\b/.test(text))).toEqual([true, true]);
  });
});

describe('the service of systemd', () => {
  it('the service of systemd consists of settings in sections, and starts programs that exist', () => {
    const odd = unit.split('\n').filter((line) => !/^($|#|\[\w+\]$|[A-Z]\w+=)/.test(line));
    expect(odd).toEqual([]);
    expect(all(unit, /^\[(\w+)\]$/gm)).toEqual(['Unit', 'Service', 'Install']);

    const [program = ''] = all(unit, /^ExecStart=\/usr\/bin\/node .*\/opt\/darkroom\/(\S+)$/gm);
    expect(isThere(program)).toBe(true);
    for (const line of [
      'DynamicUser=yes',
      'StateDirectory=darkroom',
      'ProtectSystem=strict',
      'Restart=on-failure',
    ])
      expect(unit.split('\n')).toContain(line);
  });

  it('the service of systemd is understood by systemd, where it is installed', ({ skip }) => {
    const folder = mkdtempSync(join(tmpdir(), 'darkroom-unit-'));
    const path = join(folder, 'darkroom.service');

    writeFileSync(path, unit.replace('/usr/bin/node /opt/darkroom', `${process.execPath} ${root}`));
    const verified = run('systemd-analyze', ['verify', path]);
    rmSync(folder, { recursive: true });
    if (verified === undefined) return skip('there is no systemd-analyze');

    expect(verified).toEqual({ status: 0, stderr: '' });
  });
});

describe('the web server in front', () => {
  const caddyfile = read('deploy/Caddyfile');
  const paths = all(caddyfile, /^\t@\w+ path (.+)$/gm).flatMap((line) => line.split(' '));

  it('the web server in front forwards the addresses for the public, and nothing else', () => {
    const [platforms = ''] = all(read('compose.scale.yaml'), /@public path (.+)$/gm);
    expect(paths).toEqual(expect.arrayContaining([...platforms.split(' '), '/', '/api/*']));
    expect(
      paths.filter((path) => /owner|metrics|healthz|readyz|\/\*$/.test(path.replace(/^\/\w+\/\*$/, ''))),
    ).toEqual([]);
  });

  it('the web server’s file is understood by Caddy, where it is installed', ({ skip }) => {
    const file = join(root, 'deploy/Caddyfile');
    const checked = run('caddy', ['adapt', '--adapter', 'caddyfile', '--validate', '--config', file], {
      HOST: 'bot.example.org',
      HOME: tmpdir(),
    });

    if (checked === undefined) return skip('there is no caddy');
    expect(checked.status, checked.stderr).toBe(0);
  });
});

describe.each(workflows)('%s', (file) => {
  const text = read(file);

  it(`${file} uses only actions of one commit, and says which version that is`, () => {
    const uses = all(text, /^\s*(?:- )?uses: (.+)$/gm);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((each) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(each))).toEqual([]);
  });

  it(`${file} may do no more than it needs, and runs programs that exist`, () => {
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m);
    expect(text).not.toMatch(/pull_request_target|write-all|contents: write/);

    const scripts = all(text, /((?:scripts|\.ci)\/[\w.]+)/g);
    expect(scripts.filter((path) => !isThere(path))).toEqual([]);
    for (const version of all(text, /node-version: (\S+)/g)) expect(version).toBe(nodeVersion);
    // A name that a stranger can choose, such as a tag, is never part of a command.
    expect(all(text, /run: \|?((?:\n {10}.*)+)/g).filter((lines) => lines.includes('${{'))).toEqual([]);
  });
});

it('CHANGELOG.md has a link for each version, and the version of package.json', () => {
  const changes = read('CHANGELOG.md');
  const versions = all(changes, /^## \[(.+?)\](?: - \d{4}-\d\d-\d\d)?$/gm);
  expect(versions[0]).toBe('Unreleased');
  expect(versions).toContain(packageJson.version);
  expect(all(changes, /^\[(.+?)\]: \S+$/gm)).toEqual(versions);
});
