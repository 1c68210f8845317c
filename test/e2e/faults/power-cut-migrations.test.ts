// @module-tag slow
/**
 * A kill and a power cut after every single write, sync and removal of a start that migrates, encrypts or changes the key:
 * the next start finishes it or begins it again, and everything is there.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { createChance } from './kill/chance.ts';
import { canCutPower, createDisk, filesIn } from './power-cut/disk.ts';
import { type Cut, createImage, type Files, recordsOf } from './power-cut/image.ts';
import { makeOldStore, type OldStore } from './power-cut/old-store.ts';

/** The start ends after every ninth step; after every single one with POWER_CUT_STEPS=all npx vitest run --project slow test/e2e/faults/power-cut-migrations.test.ts */
const { POWER_CUT_STEPS = '9' } = process.env;
const stride = POWER_CUT_STEPS === 'all' ? 1 : Number(POWER_CUT_STEPS);
const program = new URL('./power-cut/open-store.ts', import.meta.url).pathname;
const first = Buffer.alloc(32, 1);
const second = Buffer.alloc(32, 2);

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-migration-'));
  data = join(folder, 'data');
  mkdirSync(data);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Opens the store with these keys as a start does, and says what that did to the disk. */
function watchStart(keys: readonly Buffer[]): { readonly before: Files; readonly log: Buffer } {
  const disk = createDisk(data, folder, 0);
  const before = filesIn(data);
  const args = [program, join(data, 'store.sqlite'), ...keys.map((key) => key.toString('base64'))];
  const { status, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, ...disk.env } });
  expect(status, String(stderr)).toBe(0);
  return { before, log: disk.log() };
}

const chance = createChance('migrations');

/** Makes the folder what the disk holds when the start has ended after so much of the log. */
function putBack(before: Files, log: Buffer, how: Cut): void {
  const image = createImage(before);
  image.replay(log);
  rmSync(data, { recursive: true });
  mkdirSync(data);
  for (const [name, bytes] of image.afterCut(how, chance)) writeFileSync(join(data, name), bytes);
}

async function expectEverything(old: OldStore, keys: readonly Buffer[]): Promise<void> {
  const store = await openSqliteStore({ path: join(data, 'store.sqlite'), keys, alone: true });
  try {
    while (await store.sweep());
    const found = await store.jobs.ofPerson(old.person, 1_000);
    expect(new Map(found.map((job) => [job.id, job]))).toEqual(new Map(old.jobs.map((job) => [job.id, job])));
    expect(await store.audit.recent(old.community, 1_000)).toHaveLength(old.lines);
    expect(await store.usage.person(old.day, old.community, old.person)).toMatchObject({
      reserved: old.jobs.length * 2,
      jobs: old.jobs.length,
    });
    const settings = store.keyv('settings');
    for (const [name, value] of old.settings) expect(await settings.get(name)).toBe(value);
  } finally {
    store.close();
  }
  const sql = new DatabaseSync(join(data, 'store.sqlite'), { readOnly: true });
  expect(sql.prepare('PRAGMA quick_check(1)').get()).toEqual({ quick_check: 'ok' });
  sql.close();
}

/** Lets the start end after the records of its log, in each way in which that differs: what is certain changes only with a sync. */
async function endEverywhere(
  { before, log }: { readonly before: Files; readonly log: Buffer },
  check: () => Promise<void>,
): Promise<void> {
  const records = recordsOf(log);
  const counts = { killed: 0, strict: 0, torn: 0 };
  for (const [index, { end, isSync }] of [{ end: 0, isSync: true }, ...records].entries()) {
    const ends: Cut[] = [];
    if (isSync) ends.push('strict');
    if (index % stride === 0) ends.push('killed');
    if (index % (4 * stride) === 0) ends.push('torn');
    for (const how of ends) {
      putBack(before, log.subarray(0, end), how);
      await check().catch((error: unknown) => {
        throw new Error(`${how} after ${index} of ${records.length}: ${String(error)}`, { cause: error });
      });
      counts[how] += 1;
    }
  }
  console.log(`${records.length} steps: ${counts.killed} kills, ${counts.strict + counts.torn} power cuts`);
  expect(counts.strict).toBeGreaterThan(1);
}

const cutting = it.skipIf(!canCutPower);

cutting.each([
  { version: 3, of: 'version 0.1.0' },
  { version: 8, of: 'the time between' },
  { version: 20, of: 'the last day before both databases had the same tables' },
] as const)(
  'a store with schema $version, of $of, is migrated, however often that is interrupted',
  async ({ version }) => {
    const old = makeOldStore(join(data, 'store.sqlite'), version);
    const start = watchStart([]);

    await endEverywhere(start, () => expectEverything(old, []));
  },
);

cutting('a new store is created, however often that is interrupted', async () => {
  const start = watchStart([first]);

  await endEverywhere(start, async () => {
    const store = await openSqliteStore({ path: join(data, 'store.sqlite'), keys: [first], alone: true });
    await store.keyv('settings').set('key', 1);
    expect(await store.keyv('settings').get('key')).toBe(1);
    store.close();
  });
});

cutting('a store that gets its first key is encrypted, and no plain text remains', async () => {
  const old = makeOldStore(join(data, 'store.sqlite'), 20);
  const start = watchStart([first]);

  await endEverywhere(start, async () => {
    await expectEverything(old, [first]);
    for (const name of readdirSync(data))
      expect(readFileSync(join(data, name)).includes('a secret wish'), name).toBe(false);
  });
});

cutting('a key is changed, and the old one can be removed afterwards', async () => {
  const path = join(data, 'store.sqlite');
  const old = makeOldStore(path, 20);
  (await openSqliteStore({ path, keys: [first], alone: true })).close();
  const start = watchStart([second, first]);

  await endEverywhere(start, async () => {
    await expectEverything(old, [second, first]);
    await expectEverything(old, [second]);
  });
});
