// @module-tag slow
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COPIED_TABLES } from '../../../src/store/tables/copy.ts';
import { databaseForEach } from '../../contract/store/suite/set-up.ts';
import { eventually } from '../../eventually.ts';
import { createFolder, KEY } from '../../fakes/full-store.ts';
import type { TestDatabase } from '../../fakes/postgres.ts';
import { isPoll } from '../../fakes/service-calls.ts';
import { createChance } from '../faults/kill/chance.ts';
import { photo, swapOf as swap } from '../stage/lines.ts';
import { createStage } from '../stage/stage.ts';
import { startTool } from './run-tool.ts';

/** `npm run store:move` as it is run. */

const TABLES = COPIED_TABLES.length;
/** The number of jobs in the full store. */
const JOBS = 23;
const { file, urlOf, fullStore } = createFolder();
const database = databaseForEach();

/** Runs the tool; `killAt`: it is killed as soon as it has told of its progress so often. */
const move = async (
  from: string,
  to: string,
  { key = KEY.toString('base64'), killAt = Number.POSITIVE_INFINITY } = {},
): Promise<{ readonly code: number | null; readonly out: string; readonly progress: string }> => {
  const args = ['--from', from, '--to', to];
  const { child, ended } = startTool('owner/move', file('.'), { args, env: { STORE_KEY: key } });
  let progress = '';
  child.stderr.on('data', (chunk) => {
    progress += chunk;
    if (progress.split('\n').length > killAt) child.kill('SIGKILL');
  });
  if (killAt === 0) setTimeout(() => child.kill('SIGKILL'), 200);
  const { code, stdout: out } = await ended;
  return { code, out, progress };
};

const same = (out: string): number => out.match(/ the same$/gm)?.length ?? 0;

describe('npm run store:move', { tags: ['postgres'] }, () => {
  it('npm run store:move tells of every table, and never of a password', async () => {
    const first = fullStore('first', [KEY]);
    const url = database.url.replace('darkroom@', 'darkroom:sesame%21open@');
    const { code, out, progress } = await move(first, url);

    expect(code).toBe(0);
    expect(same(out)).toEqual(TABLES);
    expect(out).toMatch(/^jobs +\d+ +\d+ +[0-9a-f]{16} +[0-9a-f]{16} +the same$/m);
    expect(progress).toMatch(/^jobs: \d+ copied$/m);

    const refused = await move(url, urlOf('first/no/folder'));
    expect(refused.code).toBe(2);

    const wrong = await move(first, 'postgres://darkroom:sesame%21open@127.0.0.1:1/none');
    expect(wrong.progress).toMatch(/--to/);
    expect(wrong.code).toBe(2);

    const all = [out, progress, refused, wrong].map((each) => JSON.stringify(each)).join();
    expect(all).not.toMatch(/sesame(%21|!)open/);
  });

  it('npm run store:move says how it is called', async () => {
    const { code, progress } = await move('sqlite:', database.url);
    expect(code).toBe(2);
    expect(progress.split('\n')[0]).toBe('--from: no path after sqlite:');
    expect(progress).toMatch(/Usage: npm run store:move/);
  });

  it.each(['to a database', 'to a file'] as const)(
    'npm run store:move is killed again and again on the way %s, never leaves a part, and ends right',
    async (way) => {
      const chance = createChance(`move ${way}`);
      const first = fullStore('first', [KEY]);
      const last = urlOf('last');

      if (way === 'to a file') expect((await move(first, database.url)).code).toBe(0);

      const [from, to] = way === 'to a file' ? [database.url, last] : [first, database.url];
      const before = readFileSync(file('first'));
      let killed = 0;
      for (let tries = 0; tries < 6; tries += 1) {
        const { code, out } = await move(from, to, { killAt: Math.floor(chance.between(0, TABLES)) });
        if (code === null) killed += 1;
        // The kill came after the end, or too late.
        else expect([code, same(out)]).toEqual([0, TABLES]);
        if (way === 'to a database') expect(await jobsIn(database)).toBeOneOf([undefined, 0, JOBS]);
      }
      const { code, out } = await move(from, to);

      expect(code).toBe(0);
      expect(same(out)).toEqual(TABLES);
      expect(killed).toBeGreaterThan(0);
      expect(readFileSync(file('first')).equals(before)).toBe(true);
    },
  );

  it('npm run store:move moves a Darkroom that was killed at work, which goes on there, and back', async () => {
    let runningMs = 600_000;
    const stage = await createStage({
      jobs: () => ({ runningMs }),
      env: { USER_CONCURRENT_JOBS: '1', STORE_KEY: KEY.toString('base64') },
    });
    const member = stage.platforms.telegram.room().person('mover');
    const cardOf = (filter: string) => member.types(swap(filter)).offers('Cancel');
    const cards = [await cardOf('3'), await cardOf('4')];
    const question = await member
      .types({ command: 'faceswap', given: { filter: '5' }, photos: { photo } })
      .offers('girl');

    await eventually(() => stage.recorder.calls.some(({ path }) => isPoll(path)), 'a poll');

    const inData = (name: string): string => `sqlite:${join(stage.folder, 'data', name)}`;
    const moved = (from: string, to: string) => async () =>
      expect((await move(from, to)).progress).toMatch(/comparing/);
    await stage.restart('kill', { STORE_URL: database.url }, moved(inData('darkroom.sqlite'), database.url));
    runningMs = 40;
    stage.laterAtService(600_000);
    for (const card of cards)
      await eventually(() => member.again(card)?.media, 'the result on the card that was there before');
    await stage.restart(
      'stop',
      { STORE_URL: inData('back.sqlite') },
      moved(database.url, inData('back.sqlite')),
    );
    const answered = await member.presses(question, 'girl').result('the answer to an old question');

    expect(answered.text).toContain('AI-generated');
    expect(stage.recorder.runs('/v6/run/face_swap')).toHaveLength(3);

    await stage.close();
  });
});

/** Undefined: there are no tables yet. */
async function jobsIn({ query }: TestDatabase): Promise<number | undefined> {
  const [there] = await query("SELECT to_regclass('jobs') IS NOT NULL AS yes");
  if (there?.yes !== true) return undefined;
  return Number((await query('SELECT count(*) AS n FROM jobs'))[0]?.n);
}
