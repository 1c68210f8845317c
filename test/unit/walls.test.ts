import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');

/** For one file of each room: what it may import, and what must be refused. */
const WALLS: Readonly<Record<string, { may: readonly string[]; mayNot: readonly string[] }>> = {
  'src/words/a.ts': { may: ['./b.ts'], mayNot: ['../command/call.ts', 'zod', 'node:fs', '../app.ts'] },
  'src/command/a.ts': {
    may: ['./b.ts', '../words/words.ts', '../keep-latest.ts'],
    mayNot: ['zod', 'node:fs', '../orchestrator/job.ts', '../adapters/adapter.ts', '../config.ts'],
  },
  'commands/a.ts': {
    may: ['../src/command/command.ts', '../src/words/words.ts', './b.ts'],
    mayNot: [
      'discord.js',
      'grammy',
      'zod',
      '../src/orchestrator/job.ts',
      '../src/community/aliases.ts',
      '../src/app.ts',
    ],
  },
  'src/cards/a.ts': {
    may: ['../command/view.ts', '../words/words.ts', '../orchestrator/job.ts'],
    mayNot: [
      '../adapters/discord/render.ts',
      'discord.js',
      '../generation-client/client.ts',
      '../store/jobs.ts',
    ],
  },
  'src/generation-client/a.ts': {
    may: ['zod', 'undici', 'node:stream', 'node:fs/promises', './parts/b.ts', '../clock.ts'],
    mayNot: [
      '../orchestrator/job.ts',
      '../config.ts',
      '../generation-service/service.ts',
      'hono',
      '../log.ts',
    ],
  },
  'src/orchestrator/a.ts': {
    may: ['../generation-client/errors.ts', '../command/request.ts', 'node:crypto', '../clock.ts'],
    mayNot: [
      '../adapters/adapter.ts',
      '../store/jobs.ts',
      '../community/allowance.ts',
      'discord.js',
      '../config.ts',
    ],
  },
  'src/community/a.ts': {
    may: ['../store/keyv.ts', '../generation-client/client.ts', '../command/errors.ts'],
    mayNot: ['../orchestrator/engine.ts', '../adapters/adapter.ts', 'grammy'],
  },
  'src/media/a.ts': {
    may: ['undici', '../command/photo.ts', '../picture/decoder.ts', 'node:dns'],
    mayNot: ['sharp', '../generation-client/client.ts', '../orchestrator/job.ts', 'hono'],
  },
  'src/picture/a.ts': {
    may: ['sharp', 'node:child_process', '../clock.ts', '../fair-budget.ts'],
    mayNot: ['../media/photo.ts', '../command/photo.ts', '../generation-service/service.ts', 'zod', 'undici'],
  },
  'src/store/a.ts': {
    may: ['keyv', 'node:sqlite', '../orchestrator/job.ts'],
    mayNot: [
      '../community/settings.ts',
      '../generation-client/client.ts',
      '../adapters/adapter.ts',
      '../config.ts',
    ],
  },
  'src/generation-service/a.ts': {
    may: [
      'hono',
      'hono/body-limit',
      '@hono/node-server',
      'sharp',
      'zod',
      './routes/b.ts',
      '../picture/decoder.ts',
    ],
    mayNot: [
      '../generation-client/schemas.ts',
      '../command/request.ts',
      '../media/photo.ts',
      '../log.ts',
      'discord.js',
    ],
  },
  'src/generation-service/routes/a.ts': {
    may: ['../jobs.ts', '../inputs/b.ts'],
    mayNot: ['../../generation-client/schemas.ts', './../../media/photo.ts', '../../config.ts'],
  },
  'src/http/a.ts': {
    may: ['hono', '@hono/node-server', 'prom-client', '../log.ts'],
    mayNot: ['../adapters/telegram/adapter.ts', '../orchestrator/job.ts', '../store/jobs.ts', 'discord.js'],
  },
  'src/config/a.ts': {
    may: ['zod', '../log/redact.ts', './b.ts'],
    mayNot: ['../log/safe.ts', '../log.ts', 'pino'],
  },
  'src/log/a.ts': {
    may: ['./b.ts', 'pino'],
    mayNot: ['../config.ts', '../config/settings.ts', 'discord.js'],
  },
  'src/adapters/adapter.ts': {
    may: ['../command/view.ts'],
    mayNot: ['./discord/adapter.ts', '../orchestrator/job.ts', 'discord.js'],
  },
  'src/adapters/discord/a.ts': {
    may: ['discord.js', '../adapter.ts', '../../command/view.ts', '../../words/words.ts', './render.ts'],
    mayNot: [
      'grammy',
      'hono',
      '../telegram/render.ts',
      '../web/render.ts',
      '../../orchestrator/job.ts',
      '../../store/x.ts',
    ],
  },
  'src/adapters/telegram/a.ts': {
    may: ['grammy', 'grammy/types', '../adapter.ts', '../../command/view.ts'],
    mayNot: [
      'discord.js',
      '../discord/render.ts',
      '../web/render.ts',
      '../../orchestrator/job.ts',
      '../../community/x.ts',
    ],
  },
  'src/adapters/web/a.ts': {
    may: ['hono', 'hono/streaming', '../adapter.ts', '../../command/view.ts'],
    mayNot: [
      'discord.js',
      'grammy',
      '../discord/render.ts',
      '../../orchestrator/job.ts',
      '../../generation-client/x.ts',
    ],
  },
  'src/app/a.ts': {
    may: ['../adapters/discord/adapter.ts', '../orchestrator/job.ts', '../community/x.ts', 'hono'],
    mayNot: ['../owner/doctor/checks.ts', '../app.ts', '../main.ts'],
  },
  'src/owner/doctor/a.ts': {
    may: ['../../adapters/discord/check.ts', '../../store/store.ts', '../../generation-client/client.ts'],
    mayNot: ['../../app/banner.ts', '../../app.ts', '../../orchestrator/job.ts', '../../community/x.ts'],
  },
};

const Report = z.object({
  diagnostics: z.array(
    z.object({
      category: z.string(),
      location: z.object({ path: z.string(), start: z.object({ line: z.number() }) }),
    }),
  ),
});

const folder = mkdtempSync(join(tmpdir(), 'darkroom-walls-'));
let refused: ReadonlySet<string>;

/** Lints a folder of offending snippets with the project's own rules, all in one run. */
beforeAll(() => {
  for (const name of ['biome.json', 'biome.walls.json', '.gitignore'])
    cpSync(join(root, name), join(folder, name));
  for (const [path, { may, mayNot }] of Object.entries(WALLS))
    write(path, [...may, ...mayNot].map((name) => `import '${name}';\n`).join(''));
  write('src/ring/one.ts', "import { two } from './two.ts';\nexport const one = () => two;\n");
  write('src/ring/two.ts', "import { one } from './one.ts';\nexport const two = () => one;\n");
  write('src/ring/env.ts', 'export const home = process.env.HOME;\n');
  write('src/main.ts', 'export const home = process.env.HOME;\n');
  refused = new Set(
    lint().map(({ category, location }) => `${category} ${location.path}:${location.start.line}`),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function lint(): z.infer<typeof Report>['diagnostics'] {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const options = ['lint', '--reporter=json', '--max-diagnostics=none', '.'];
  try {
    execFileSync(process.execPath, [biome, ...options], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    return Report.parse(JSON.parse(z.object({ stdout: z.string() }).parse(error).stdout)).diagnostics;
  }
  return expect.fail('nothing was refused');
}

describe.each(Object.entries(WALLS))('%s', (path, { may, mayNot }) => {
  const isRefused = (line: number) => refused.has(`lint/style/noRestrictedImports ${path}:${line}`);

  it.each(may.map((name, index) => [name, index + 1] as const))('may import %s', (_, line) => {
    expect(isRefused(line)).toBe(false);
  });
  it.each(mayNot.map((name, index) => [name, may.length + index + 1] as const))(
    'may not import %s',
    (_, line) => {
      expect(isRefused(line)).toBe(true);
    },
  );
});

/** Rooms of which another room may know the types, and the files from which it may take more than those. */
const TYPES_ONLY = [
  { room: 'orchestrator', of: 'generation-client', except: ['errors.ts'] },
  { room: 'cards', of: 'orchestrator', except: ['job.ts'] },
  { room: 'store', of: 'orchestrator', except: ['job.ts', 'day.ts', 'family.ts', 'records.ts'] },
];

// The linter cannot tell a type from a value here.
describe.each(TYPES_ONLY)('src/$room takes from $of', ({ room, of, except }) => {
  const offending = (text: string) =>
    [...text.matchAll(/^import\s+(?!type\b)[^;]*?from '([^']+)'/gm)]
      .map(([, name]) => name ?? '')
      .filter((name) => name.includes(`/${of}/`) && !except.some((file) => name.endsWith(`/${file}`)));

  it(`types only, except from ${except.join(', ')}`, () => {
    const files = existsSync(join(root, 'src', room)) ? globSync(`src/${room}/**/*.ts`, { cwd: root }) : [];
    for (const file of files) expect(offending(readFileSync(join(root, file), 'utf8')), file).toEqual([]);
  });

  it('and would notice more', () => {
    const types = `import type { A } from '../${of}/a.ts';\nimport { b } from '../${of}/${except[0]}';\n`;
    expect(offending(types)).toEqual([]);
    expect(offending(`${types}import {\n  c,\n} from '../${of}/c.ts';\n`)).toEqual([`../${of}/c.ts`]);
  });
});

describe('everywhere', () => {
  it('refuses a ring of imports', () => {
    expect(refused).toContain('lint/suspicious/noImportCycles src/ring/one.ts:1');
  });

  it('reads the environment in the program entry only', () => {
    expect(refused).toContain('lint/style/noProcessEnv src/ring/env.ts:1');
    expect(refused).not.toContain('lint/style/noProcessEnv src/main.ts:1');
  });

  it('has a wall around every room of the house', () => {
    const walls = readFileSync(join(root, 'biome.walls.json'), 'utf8');
    const rooms = foldersOf('src').filter((room) => room !== 'adapters');
    const adapters = foldersOf('src/adapters').map((name) => `adapters/${name}`);
    for (const room of [...rooms, ...adapters]) expect(walls, room).toContain(`"src/${room}/**"`);
    // The innermost room imports nothing, so its wall names all the others.
    const innermost = walls.split('\n').find((line) => line.includes('"group"')) ?? '';
    for (const room of rooms) expect(innermost, room).toMatch(new RegExp(`[{,]${room}[,}]`));
  });
});

function foldersOf(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}
