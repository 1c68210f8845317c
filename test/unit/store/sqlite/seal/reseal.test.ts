import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSeal } from '../../../../../src/store/records/seal.ts';
import { driverOf } from '../../../../../src/store/sqlite/driver.ts';
import { openDatabase } from '../../../../../src/store/sqlite/file/database.ts';
import { openStore } from '../../../../../src/store/sqlite/store.ts';
import { createReseal } from '../../../../../src/store/tables/meta.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-reseal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A store with records of an old key, and what re-encrypts them. */
async function stage(name: string) {
  const path = join(folder, name);
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const before = await openStore({ path, keys: [old] });
  for (let index = 0; index < 130; index += 1) await before.keyv('settings').set(`community-${index}`, index);
  before.close();
  const database = openDatabase(path);
  const { query, transaction, sql } = driverOf(database);
  const seal = createSeal([fresh, old]);
  const counts = { opened: 0, finished: 0 };
  const counting: typeof seal = {
    ...seal,
    open(...given) {
      counts.opened += 1;
      return seal.open(...given);
    },
  };
  const finished = async (): Promise<void> => {
    counts.finished += 1;
  };
  const reseal = createReseal(counting, sql, finished);
  return { database, query, transaction, reseal, counts, old };
}

it('reads each table once, by primary key', async () => {
  const { database, query, reseal, counts } = await stage('many.sqlite');
  const queries: string[] = [];
  for (let isLeft = true; isLeft; ) {
    const { left, committed } = await reseal((text, values) => {
      queries.push(text.replaceAll('$', '?'));
      return query(text, values);
    });
    committed();
    isLeft = left;
  }
  expect(counts).toEqual({ opened: 130, finished: 1 });
  const plans = queries.flatMap((text) => database.sql.prepare(`EXPLAIN QUERY PLAN ${text}`).all());
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.map(({ detail }) => String(detail)).filter((detail) => !detail.startsWith('SEARCH'))).toEqual(
    [],
  );
  database.close();
});

it('a batch that could not be written is repeated, and a damaged record does not stop the others', async () => {
  const { database, query, transaction, reseal, counts, old } = await stage('full.sqlite');
  const damage =
    "UPDATE entries SET value = CAST(substr(value, 1, 40) || x'00' AS BLOB) WHERE key IN (SELECT min(key) FROM entries)";
  await query(damage, []);
  let isFull = true;
  const batch = async (): Promise<boolean> => {
    const { left, committed } = await transaction(async (on) => {
      const result = await reseal(on);
      if (isFull) throw new Error('database or disk is full');
      return result;
    });
    committed();
    return left;
  };
  for (let tries = 0; tries < 3; tries += 1) await expect(batch()).rejects.toThrow('full');
  expect(counts.finished).toBe(0);
  isFull = false;
  while (await batch());
  expect(counts.finished).toBe(1);
  const oldKey = createSeal([old]).currentKey ?? new Uint8Array();
  const left = database.sql.prepare('SELECT count(*) AS count FROM entries WHERE substr(value, 2, 4) = ?');
  expect(left.get(oldKey)?.count).toBe(1);
  database.close();
});
