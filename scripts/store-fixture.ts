/**
 * `node scripts/store-fixture.ts VERSION` makes test/fixtures/stores/VERSION: stores as this version of Darkroom leaves them
 * when it is killed at work. The script is run in the folder of that version, whose real program plays the work. With
 * POSTGRES_URL and POSTGRES_BIN (the folder of pg_dump) it dumps a database, too.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { eventually } from '../test/eventually.ts';
import { createTestDatabase } from '../test/fakes/postgres.ts';

const { POSTGRES_URL, POSTGRES_BIN = '' } = process.env;
const KEY = Buffer.alloc(32, 7).toString('base64');
const [version = ''] = process.argv.slice(2);
if (!/^[\w.+-]+$/.test(version)) throw new Error('Usage: node scripts/store-fixture.ts VERSION');
const folder = join(import.meta.dirname, '../test/fixtures/stores', version);
const here = (path: string): string => join(process.cwd(), 'test/e2e/stage', path);
const { createStage }: typeof import('../test/e2e/stage/stage.ts') = await import(here('stage.ts'));
const { photo }: typeof import('../test/e2e/stage/lines.ts') = await import(here('lines.ts'));

const swap = (filter: string) => ({
  command: 'faceswap',
  given: { filter, gender: 'female' },
  photos: { photo },
});

/**
 * Plays one job in each state, an alias, settings and a question, on both platforms. Returns the folder of the program,
 * which was killed.
 */
async function play(env: Readonly<Record<string, string>>, use: (folder: string) => void) {
  let runningMs = 40;
  const stage = await createStage({
    jobs: () => ({ runningMs }),
    env: { USER_CONCURRENT_JOBS: '1', ...env },
  });
  const [{ uuid: filter = '' } = {}] = await stage.customFilters('face_swap');
  const people = [];
  for (const name of ['discord', 'telegram'] as const) {
    const room = stage.platforms[name].room();
    const moderator = room.person('Mod');
    const member = room.person('Ann');
    const other = room.person('Bob');
    moderator.moderates(true);
    const change = (command: string, given: Record<string, string>) =>
      moderator.types({ command, given }).until(({ text }) => text !== '', command);
    await change('alias create', { name: 'halloween', filter });
    await change('settings credits', { amount: '77' });
    await change('settings banword', { word: 'forbidden' });
    runningMs = 40;
    await member.types(swap('3')).until(({ media }) => media !== undefined, 'a result');
    runningMs = 600_000;
    const isCard = ({ buttons }: { readonly buttons: readonly string[] }) => buttons.includes('Cancel');
    await member.types(swap('4')).until(isCard, 'a card');
    await member.types(swap('5')).until(isCard, 'a card');
    const stopped = await other.types(swap('6')).until(isCard, 'a card');
    await other.presses(stopped, 'Cancel').until(({ text }) => /cancelled/i.test(text), 'its end');
    await member
      .types({ command: 'faceswap', given: { filter: '7' }, photos: { photo } })
      .until(({ buttons }) => buttons.includes('girl'), 'a question');
    people.push({ platform: name, moderator: moderator.key, member: member.key, other: other.key });
  }
  await eventually(() => stage.recorder.calls.some(({ path }) => path.includes('/status/')), 'a poll');
  await stage.program().kill();
  use(stage.folder);
  // The error is ignored, because the program was killed on purpose.
  await stage.close().catch(() => undefined);
  return people;
}

function keep(name: string, bytes: Uint8Array): void {
  writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
}

/** Dumps the database as SQL that any connection can run, without psql's own commands. */
function dumpOf(url: string): string {
  const options = ['--inserts', '--no-owner', '--no-privileges', `--dbname=${url}`];
  const text = execFileSync(join(POSTGRES_BIN, 'pg_dump'), options, { encoding: 'utf8' });
  return text.replaceAll(/^\\.*\n/gm, '');
}

mkdirSync(folder, { recursive: true });
const story: Record<string, unknown> = {};

for (const [name, env] of [
  ['plain', {}],
  ['encrypted', { STORE_KEY: KEY }],
] as const)
  story[name] = await play(env, (data) => {
    const whole = join(folder, `${name}.sqlite`);
    const sql = new DatabaseSync(join(data, 'data', 'darkroom.sqlite'));
    sql.prepare('VACUUM INTO ?').run(whole);
    sql.close();
    keep(`${name}.sqlite`, readFileSync(whole));
    rmSync(whole);
  });

if (POSTGRES_URL !== undefined) {
  const database = await createTestDatabase();
  story.postgres = await play({ STORE_URL: database.url, STORE_KEY: KEY }, () =>
    keep('postgres.sql', Buffer.from(dumpOf(database.url))),
  );
  await database[Symbol.asyncDispose]();
}

writeFileSync(join(folder, 'people.json'), `${JSON.stringify(story, null, 2)}\n`);
