import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rooms } from '../../scripts/walls/rooms.ts';
import { findOffences, roomOf } from '../../scripts/walls.ts';
import { PLATFORMS, profileOf } from '../../src/adapters/profiles.ts';

const root = join(import.meta.dirname, '../..');
const offencesOf = (files: Readonly<Record<string, string>>) => findOffences(new Map(Object.entries(files)));

describe('an import', () => {
  it.each([
    ['src/words/a.ts', '../command/place.ts'],
    ['src/command/a.ts', 'node:fs'],
    ['commands/a.ts', '../src/community/community-error.ts'],
    ['src/orchestrator/a.ts', '../store/store.ts'],
    ['src/adapters/discord/a.ts', '../telegram/adapter.ts'],
    ['src/adapters/discord/a.ts', 'grammy'],
    ['src/owner/doctor/a.ts', '../../app.ts'],
  ])('of %s may not be %s', (from, to) => {
    const late = `const load = () => import('${to}');`;
    const texts = [`import '${to}';`, `import {\n  a,\n} from '${to}';`, `export * from '${to}';`, late];
    for (const text of texts) expect(offencesOf({ [from]: text })).toHaveLength(1);
  });

  it('may be types-only where the row says so', () => {
    const job = '../generation-client/client.ts';
    expect(offencesOf({ 'src/orchestrator/a.ts': `import type { A } from '${job}';` })).toEqual([]);
    expect(offencesOf({ 'src/orchestrator/a.ts': `import { a } from '${job}';` })).toHaveLength(1);
  });

  it('goes from a folder of a room to those below it', () => {
    const [low = '', high = ''] = rooms['src/orchestrator']?.order ?? [];
    const importing = (from: string, to: string) =>
      offencesOf({ [`src/orchestrator/${from}/a.ts`]: `import type { A } from '../${to}/b.ts';` });
    expect(importing(high, low)).toEqual([]);
    expect(importing(low, high)).toHaveLength(1);
    expect(offencesOf({ 'src/command/desk/access/a.ts': "import '../parts/b.ts';" })).toEqual([]);
    expect(offencesOf({ 'src/command/desk/access/a.ts': "import '../b.ts';" })).toHaveLength(1);
    expect(offencesOf({ 'src/command/desk/other/a.ts': "import '../b.ts';" })).toEqual([]);
  });

  it('may not make a cycle, also with types', () => {
    const ring = {
      'src/store/a.ts': "import type { B } from './b.ts';",
      'src/store/b.ts': "import { c } from './c.ts';",
      'src/store/c.ts': "import { type A } from './a.ts';",
    };
    expect(offencesOf(ring)).toEqual([
      'ring of imports: src/store/a.ts → src/store/b.ts → src/store/c.ts → src/store/a.ts',
    ]);
  });
});

describe('the folders', () => {
  it('all have a row', () => {
    for (const path of globSync('src/*/', { cwd: root }))
      expect(Object.keys(rooms)).toContain(path.replace(/\/$/, ''));
    expect(roomOf('src/adapters/another/profile.ts')).toBe('src/adapters/*');
    expect(roomOf('src/adapters/adapter.ts')).toBe('src/adapters');
    expect(roomOf('src/main.ts')).toBe('src');
  });

  it('have the order given in their row', () => {
    for (const [room, { order = [] }] of Object.entries(rooms)) {
      const there = globSync('**/', { cwd: join(root, room) });
      for (const folder of order) expect(there).toContain(folder);
    }
  });
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

it('no file outside of the adapters names a platform that people know', () => {
  const names = PLATFORMS.filter((platform) => profileOf(platform).connection !== undefined);
  const literal = new RegExp(`['"\`](?:${names.join('|')})['"\`]|${names.join('\\|')}`);
  const files = globSync(['src/**/*.ts', 'commands/**/*.ts'], { cwd: root, exclude: ['src/adapters/**'] });
  const naming = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => literal.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(naming).toEqual([]);
});
