// @module-tag slow
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Person } from './stage/chat.ts';
import { prompted, swap } from './stage/lines.ts';
import { names, stage, useStage } from './stage/stage.ts';

const first = randomBytes(32).toString('base64');
const second = randomBytes(32).toString('base64');

useStage({ env: { STORE_KEY: first } });

const everything = (): Buffer => {
  const data = join(stage.folder, 'data');
  return Buffer.concat(readdirSync(data).map((name) => readFileSync(join(data, name))));
};

/** How many keys the store still needs. */
const keysNeeded = (): number => {
  const store = new DatabaseSync(join(stage.folder, 'data', 'darkroom.sqlite'), { readOnly: true });
  try {
    const ids = store
      .prepare("SELECT CAST(value AS TEXT) AS value FROM meta WHERE name = 'keys'")
      .get()?.value;
    return String(ids).split(',').length;
  } finally {
    store.close();
  }
};

it('with STORE_KEY the files contain nothing personal in plain text, and both keys read old records', async () => {
  const kept: string[] = [];
  const annabels: Person[] = [];
  const [{ uuid: filter = '' } = {}] = await stage.customFilters('face_swap');

  for (const name of names) {
    const room = stage.platforms[name].room();
    const ann = room.person(`Annabel-${name}`);
    const mod = room.person(`Moderata-${name}`);
    mod.moderates(true);
    annabels.push(ann);
    await mod.types({ command: 'settings banword', given: { word: 'flumadiddle' } }).says('flumadiddle');
    await mod
      .types({ command: 'settings block', given: { user: '4711081547110815', reason: 'skulduggery' } })
      .says('4711081547110815');
    await ann.types(prompted('a snollygoster at dawn')).result();
    await mod.types({ command: 'alias create', given: { name: 'samhain', filter } }).says('samhain');
    // Counted among the filters of the community.
    await ann.types({ ...swap, given: { filter: 'samhain', gender: 'female' } }).result();
    // A question that waits keeps what was given so far.
    await ann.types({ command: 'animate', given: { prompt: 'a widdershins turn' } }).answer();
    kept.push(ann.key, ann.key.split(':')[1] ?? '', `Annabel-${name}`, `Moderata-${name}`);
  }
  const words = ['flumadiddle', '4711081547110815', 'skulduggery', 'snollygoster', 'widdershins', 'samhain'];
  const readable = (): string[] => {
    const bytes = everything();
    expect(bytes.length).toBeGreaterThan(0);
    return [...words, ...kept].filter((word) => bytes.includes(word));
  };

  // The store is read while the program runs, with the log of the latest writes beside the file, and later as a kill left it.
  expect(readdirSync(join(stage.folder, 'data'))).toEqual(
    expect.arrayContaining(['darkroom.sqlite', 'darkroom.sqlite-wal', 'darkroom.sqlite-shm']),
  );
  expect(readable()).toEqual([]);

  await stage.restart('kill', { STORE_KEY: `${second},${first}` });
  expect(readable()).toEqual([]);

  // The keys change: with both the old is known, and soon the new one alone will do.
  for (const ann of annabels) await ann.types({ command: 'jobs' }).says('snollygoster');
  await eventually(() => keysNeeded() === 1, 'everything to be sealed anew');
  await stage.restart('stop', { STORE_KEY: second });
  for (const ann of annabels) await ann.types({ command: 'jobs' }).says('snollygoster');

  expect(readable()).toEqual([]);
});
