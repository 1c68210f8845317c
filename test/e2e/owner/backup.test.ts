// @module-tag slow
// @module-tag longest
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { checkBackup } from '../../../src/store/sqlite/backup/backup.ts';
import { databaseForEach } from '../../contract/store/suite/set-up.ts';
import { eventually } from '../../eventually.ts';
import { createFolder, damage, KEY } from '../../fakes/full-store.ts';
import { isPoll } from '../../fakes/service-calls.ts';
import { createChance } from '../faults/kill/chance.ts';
import { swapOf as swap } from '../stage/lines.ts';
import { createStage, type Stage } from '../stage/stage.ts';
import { ends, startTool } from './run-tool.ts';

/** `npm run backup` and `npm run restore` as they are run. */

const KILLS = 5;
const { file, fullStore } = createFolder();

interface RunOptions {
  readonly url: string;
  readonly key?: string;
  readonly killAfterMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly largest?: number;
}

const start = (tool: 'owner/backup' | 'owner/restore', args: readonly string[], options: RunOptions) => {
  const { url, key = KEY.toString('base64'), killAfterMs, largest, env } = options;
  // No other settings: the tools are run where only the store is known, too.
  const own = { TMPDIR: file('.'), STORE_URL: url, STORE_KEY: key, ...env };
  const started = startTool(tool, file('.'), { args, env: own, largest });
  const kill = (signal: NodeJS.Signals): void => void started.child.kill(signal);
  if (killAfterMs !== undefined) setTimeout(() => kill('SIGKILL'), killAfterMs);
  return { ...started, kill };
};

const run = (tool: 'backup' | 'restore', args: readonly string[], options: RunOptions) =>
  start(`owner/${tool}`, args, options).ended;

const inFile = (): string => fullStore('store.sqlite', [KEY]);

it('backup and restore say how they are called, and what went wrong, with exit code 2', async () => {
  const url = inFile();
  for (const tool of ['backup', 'restore'] as const)
    for (const args of [[], ['a', 'b'], ['--what', 'a']])
      expect(await run(tool, args, { url })).toMatchObject(ends(2, `Usage: npm run ${tool} -- FILE`));

  const made = await run('backup', ['kept'], { url });
  expect(made).toMatchObject(ends(0, /kept: .* jobs, checked\.\nIt is encrypted/));
  expect(await run('backup', ['kept'], { url })).toMatchObject(ends(2, 'exists already'));
  expect(await run('restore', ['kept'], { url, key: '' })).toMatchObject({
    code: 2,
    output:
      'checking the backup\nThe store is encrypted: set STORE_KEY to the key it was created with.\nNothing was changed.\n',
  });
  // The store is what it was, whatever the key.
  expect((await run('backup', ['without a key'], { url, key: '' })).output).toMatch(/\nIt is encrypted/);

  const plain = await run('backup', ['plain.backup'], { url: fullStore('plain') });
  expect(plain.output).toMatch(
    /It is not encrypted, because Darkroom has not been started with STORE_KEY yet/,
  );

  const restored = await run('restore', ['kept'], { url });
  expect(restored).toMatchObject(ends(0, /What people have deleted since then is back/));
});

it('backup and restore write nothing when there is no room', async () => {
  const url = inFile();
  await run('backup', ['kept'], { url });
  const before = readFileSync(file('store.sqlite'));
  const full = await run('backup', ['another'], { url, largest: 400 });
  const why = /^The backup another cannot be written: the disk .*\n$/m;

  expect(full).toMatchObject(ends(2, why));

  const back = await run('restore', ['kept'], { url, largest: 400 });
  expect(back).toMatchObject(ends(2, 'Nothing was changed.'));
  expect(readFileSync(file('store.sqlite')).equals(before)).toBe(true);
  expect(readdirSync(file('.')).filter((name) => /another|unfinished/.test(name))).toEqual([]);
});

it('a restore says whether there is room where a database is restored from', async () => {
  await run('backup', ['kept'], { url: inFile() });
  const database = { url: 'postgres://u@127.0.0.1:1/d', env: { TMPDIR: file('none') } };
  const unwritable = ends(2, /cannot be written to .*none \(TMPDIR\): there is no such/);

  expect(await run('restore', ['kept'], database)).toMatchObject(unwritable);
});

describe('killed again and again', { tags: ['postgres'] }, () => {
  const database = databaseForEach();
  const countIn = async (url: string, table: string): Promise<unknown> => {
    const sentence = `SELECT CAST(count(*) AS integer) AS n FROM ${table}`;
    if (url === database.url) return (await database.query(sentence))[0]?.n;
    using sql = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
    return sql.prepare(sentence).get()?.n;
  };
  const encrypted = { STORE_KEY: KEY.toString('base64') };
  /** Somebody who is served. */
  const keeperOf = (stage: Stage) => {
    const member = stage.platforms.telegram.room().person('keeper');
    return { member, answers: (filter: string) => member.types(swap(filter)).result() };
  };

  it.each(['a file', 'a database'] as const)(
    'a backup or restore of %s that is killed again and again leaves all or nothing',
    async (kind) => {
      const chance = createChance(`backup of ${kind}`);
      const store = inFile();

      expect((await run('backup', ['first'], { url: store })).code).toBe(0);

      const more =
        "INSERT INTO audit (at, community, actor, action, detail) VALUES (0, 'c', 'a', 'x', x'00')";
      damage(file('store.sqlite'), more);

      expect((await run('backup', ['second'], { url: store })).code).toBe(0);

      const linesIn = async (name: string) => (await checkBackup(file(name), name)).tables.audit?.records;
      const old = await linesIn('first');
      const fresh = await linesIn('second');

      expect(fresh).not.toBe(old);

      const url = kind === 'a file' ? store : database.url;
      const lines = () => countIn(url, 'audit');
      /** How long it takes when nobody kills it. */
      const wholeMs = async (tool: 'backup' | 'restore', name: string): Promise<number> => {
        const begun = performance.now();
        expect((await run(tool, [name], { url })).code).toBe(0);
        return performance.now() - begun;
      };
      const restoreMs = await wholeMs('restore', 'first');
      const backupMs = await wholeMs('backup', 'whole');

      expect(await lines()).toBe(old);

      let killed = 0;
      for (let tries = 0; tries < KILLS; tries += 1) {
        const name = `try-${tries}`;
        const { code } = await run('backup', [name], {
          url,
          killAfterMs: chance.between(0.2, 0.9) * backupMs,
        });
        if (code === null) killed += 1;
        if (existsSync(file(name))) expect(await linesIn(name)).toBe(old);
        else expect(code).not.toBe(0);
      }
      for (let tries = 0; tries < KILLS; tries += 1) {
        const from = tries % 2 === 0 ? 'second' : 'first';
        const { code } = await run('restore', [from], {
          url,
          killAfterMs: chance.between(0.2, 0.9) * restoreMs,
        });
        if (code === null) killed += 1;
        expect(await lines()).toBeOneOf([old, fresh]);
      }

      expect(killed).toBeGreaterThan(2);
      // Leftovers of a kill are in nobody's way.
      expect((await run('restore', ['second'], { url })).code).toBe(0);
      expect(await lines()).toBe(fresh);
    },
  );

  it('a restore that is stopped by a signal has changed nothing', async () => {
    expect((await run('backup', ['kept'], { url: inFile() })).code).toBe(0);
    expect((await run('restore', ['kept'], { url: database.url })).code).toBe(0);

    const lines = await countIn(database.url, 'audit');
    // The restore waits for whoever reads the tables that it is about to empty.
    const endReading = await readTables(database.url);
    const stopped = start('owner/restore', ['kept'], { url: database.url });
    await eventually(() => stopped.output().includes('replacing the store'), 'it waits');
    stopped.kill('SIGINT');

    expect(await stopped.ended).toMatchObject(ends(130, /Stopped\. Nothing was changed, unless/));

    await endReading();
    expect(await countIn(database.url, 'audit')).toBe(lines);
  });

  it.each(['a file', 'a database'] as const)(
    'a restore to %s is refused while Darkroom works on it, and done when it has stopped',
    async (kind) => {
      const elsewhere = kind === 'a file' ? {} : { STORE_URL: database.url };
      const stage = await createStage({ env: { ...encrypted, ...elsewhere } });
      const url =
        kind === 'a file' ? `sqlite:${join(stage.folder, 'data', 'darkroom.sqlite')}` : database.url;
      const { answers } = keeperOf(stage);

      await answers('3');

      expect((await run('backup', ['kept'], { url })).code).toBe(0);

      await answers('4');
      const jobs = () => countIn(url, 'jobs');

      const refused = ends(2, /Darkroom works on this store .*Stop it.*Nothing was changed/s);

      expect(await run('restore', ['kept'], { url })).toMatchObject(refused);

      await answers('5');
      expect(await jobs()).toBe(3);

      await stage.restart('stop', {}, async () => {
        expect(await run('restore', ['kept'], { url })).toMatchObject({ code: 0 });
      });
      expect(await jobs()).toBe(1);

      await answers('6');
      expect(await jobs()).toBe(2);

      await stage.close();
    },
  );

  it('a Darkroom that was frozen while its database was restored ends when it wakes up', async () => {
    const { url } = database;
    const stage = await createStage({ env: { ...encrypted, STORE_URL: url } });
    const { answers } = keeperOf(stage);

    expect((await run('backup', ['kept'], { url })).code).toBe(0);

    await answers('3');

    const frozen = stage.program();
    process.kill(frozen.pid, 'SIGSTOP');
    // The database gives up a silent session after some seconds; until then the restore is refused.
    await eventually(async () => (await run('restore', ['kept'], { url })).code === 0, 'it is restored');
    process.kill(frozen.pid, 'SIGCONT');
    await eventually(
      () => frozen.output().includes('Darkroom stops. Start it again.'),
      'it says why it ends',
    );
    await stage.restart('stop');

    expect(await countIn(url, 'jobs')).toBe(0);

    await answers('4');
    // The lost session, and the reason of the end.
    await expect(stage.close()).rejects.toThrow('the program met an error');
  });

  // Another test restores a file, for which no program needs to run.
  it('a Darkroom that was backed up at work is restored: nothing is submitted twice', async () => {
    let runningMs = 600_000;
    const stage = await createStage({
      jobs: () => ({ runningMs }),
      env: { USER_CONCURRENT_JOBS: '1', ...encrypted, STORE_URL: database.url },
    });
    const { url } = database;
    const { member, answers } = keeperOf(stage);
    const cardOf = (filter: string) => member.types(swap(filter)).offers('Cancel');
    const first = await cardOf('3');
    const second = await cardOf('4');

    await eventually(() => stage.recorder.calls.some(({ path }) => isPoll(path)), 'a poll');

    expect((await run('backup', ['kept'], { url })).code).toBe(0);

    stage.laterAtService(600_000);
    await eventually(() => member.again(first)?.media, 'the first result');
    await eventually(() => stage.recorder.runs('/v6/run/face_swap').length === 2, 'the second is sent');
    const third = await cardOf('5');

    await stage.restart('stop', {}, async () => {
      expect(await run('restore', ['kept'], { url })).toMatchObject({ code: 0 });
    });
    await eventually(
      () => member.again(second)?.text.includes('It is not certain whether it was submitted'),
      'the card of the job that waited',
    );
    await eventually(() => member.again(first)?.media, 'the result of the one that ran, again');
    // The store no longer knows the job of this card.
    await member.presses(third, 'Cancel').answer();

    expect(stage.recorder.runs('/v6/run/face_swap')).toHaveLength(2);

    runningMs = 40;
    await answers('6');

    expect(stage.recorder.runs('/v6/run/face_swap')).toHaveLength(3);

    await stage.close();
  });
});

/** Reads the tables of a database until the returned function is called. */
async function readTables(url: string): Promise<() => Promise<void>> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN; SELECT * FROM meta');
  return () => client.end();
}
