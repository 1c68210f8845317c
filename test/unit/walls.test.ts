import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withRoomsTable } from '../../scripts/rooms-table.ts';
import { rooms } from '../../scripts/walls/rooms.ts';
import { findOffences, roomOf } from '../../scripts/walls.ts';
import { connectionOf } from '../../src/adapters/connections.ts';
import { PLATFORMS } from '../../src/platforms/platforms.ts';

const root = join(import.meta.dirname, '../..');
const offencesOf = (files: Readonly<Record<string, string>>) => findOffences(new Map(Object.entries(files)));

it('an import by which the program would load a library for workers when it starts is found, a late one is not', () => {
  const files = {
    'src/run.ts': "import './app.ts';",
    'src/app.ts': "import './faces/finder.ts';\nconst load = () => import('./faces/late.ts');",
    'src/faces/late.ts': "import sharp from 'sharp';",
  };
  const chain = 'loaded at the start: src/run.ts → src/app.ts → src/faces/finder.ts → sharp';

  expect(offencesOf({ ...files, 'src/faces/finder.ts': "import type { Sharp } from 'sharp';" })).toEqual([]);
  expect(offencesOf({ ...files, 'src/faces/finder.ts': "import sharp from 'sharp';" })).toEqual([chain]);
});

it.each([
  {
    what: 'of another room',
    from: 'src/adapters/discord/a.ts',
    text: "import '../telegram/adapter.ts';",
    isWrong: true,
  },
  {
    what: 'of another package',
    from: 'src/command/a.ts',
    text: "import {\n  a,\n} from 'node:fs';",
    isWrong: true,
  },
  {
    what: 'that is an export',
    from: 'commands/a.ts',
    text: "export * from '../src/community/community-error.ts';",
    isWrong: true,
  },
  {
    what: 'at a later moment',
    from: 'src/words/a.ts',
    text: "const load = () => import('zod');",
    isWrong: true,
  },
  {
    what: 'of types where the row says so',
    from: 'src/orchestrator/a.ts',
    text: "import type { A } from '../generation-client/client.ts';",
    isWrong: false,
  },
  {
    what: 'of a value',
    from: 'src/orchestrator/a.ts',
    text: "import { a } from '../generation-client/client.ts';",
    isWrong: true,
  },
  {
    what: 'from below',
    from: 'src/command/desk/access/a.ts',
    text: "import '../parts/b.ts';",
    isWrong: false,
  },
  { what: 'from above', from: 'src/command/desk/access/a.ts', text: "import '../b.ts';", isWrong: true },
])('an import $what ($from) is found where it is wrong', ({ from, text, isWrong }) => {
  expect(offencesOf({ [from]: text })).toHaveLength(isWrong ? 1 : 0);
});

const ringsOf = (files: Readonly<Record<string, string>>) =>
  offencesOf(files).filter((offence) => offence.startsWith('cycle of imports: '));

it.each([
  { what: 'a type', back: "import { type A } from './a.ts';" },
  { what: 'a module that is loaded later', back: "const load = () => import('./a.ts');" },
])('imports may not make a ring of files, also with $what', ({ back }) => {
  const ring = { 'src/store/a.ts': "import type { B } from './b.ts';", 'src/store/b.ts': back };
  expect(ringsOf(ring)).toEqual(['cycle of imports: src/store/a.ts → src/store/b.ts → src/store/a.ts']);
});

it('imports may not make a ring of rooms, although no file is in a ring', () => {
  const ring = {
    'src/community/rules/a.ts': "import '../../cards/a.ts';",
    'src/cards/b.ts': "import '../community/rules/b.ts';",
  };
  expect(ringsOf(ring)).toContain('cycle of imports: src/community → src/cards → src/community');
});

it('imports may not make a ring of folders that have an order in their room', () => {
  const ring = {
    'src/store/tables/a.ts': "import '../sqlite/a.ts';",
    'src/store/sqlite/b.ts': "import '../tables/b.ts';",
  };
  expect(ringsOf(ring)).toEqual(['cycle of imports: src/store/tables → src/store/sqlite → src/store/tables']);
});

describe('the folders', () => {
  it('every folder of src has a row', () => {
    for (const path of globSync('src/*/', { cwd: root }))
      expect(Object.keys(rooms)).toContain(path.replace(/\/$/, ''));
    expect(roomOf('src/adapters/another/connection.ts')).toBe('src/adapters/*');
    expect(roomOf('src/adapters/adapter.ts')).toBe('src/adapters');
    expect(roomOf('src/main.ts')).toBe('src');
  });

  it('the folders inside each room have the order given in its row', () => {
    for (const [room, { order = [] }] of Object.entries(rooms)) {
      const there = globSync('**/', { cwd: join(root, room) });
      for (const folder of order) expect(there).toContain(folder);
    }
  });
});

it('the table of import rules in CONTRIBUTING.md is the one that is checked', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  expect(withRoomsTable(page), 'out of date: run `npx node scripts/rooms-table.ts`').toBe(page);
});

it('what is in src/base is used by more than one room, itself included', () => {
  const users = new Map<string, Set<string>>();

  for (const file of globSync(['src/**/*.ts', 'commands/**/*.ts'], { cwd: root }))
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)) {
      const used = join(dirname(file), path);
      const room = (roomOf(file) ?? '').replace(/^(src\/\w+)\/.*/, '$1');
      users.set(used, (users.get(used) ?? new Set()).add(room));
    }
  const lonely = globSync('src/base/**/*.ts', { cwd: root }).filter(
    (file) => (users.get(file)?.size ?? 0) < 2,
  );

  expect(lonely).toEqual([]);
});

it('no file outside of src/platforms and the adapters names a platform that people know', () => {
  const names = PLATFORMS.filter((platform) => connectionOf(platform) !== undefined);
  const literal = new RegExp(`['"\`](?:${names.join('|')})['"\`]|${names.join('\\|')}`);
  const files = globSync(['src/**/*.ts', 'commands/**/*.ts'], {
    cwd: root,
    exclude: ['src/platforms/**', 'src/adapters/**'],
  });
  const naming = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => literal.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );

  expect(naming).toEqual([]);
});

it('test/fakes imports nothing of the suites that use it', () => {
  const importing = globSync('test/fakes/**/*.ts', { cwd: root }).filter((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)].some(([, path = '']) =>
      /^test\/(?:adapters|bench|contract|e2e|long|unit)\//.test(join(dirname(file), path)),
    ),
  );

  expect(importing).toEqual([]);
});
