import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-reseal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('after a change of keys everything is sealed anew, and the old key can be thrown away', async () => {
  const path = join(folder, 'store.sqlite');
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const before = openStore({ path, keys: [old] });
  for (let index = 0; index < 450; index += 1)
    await before.keyv('settings').set(`community-${index}`, { index });
  before.audit.append({
    at: Date.now(),
    community: 'discord:1',
    actor: 'discord:2',
    action: 'alias.create',
    detail: { n: 1 },
  });
  before.close();

  const changing = openStore({ path, keys: [fresh, old] });
  let rounds = 1;
  while (changing.sweep()) rounds += 1;
  expect(rounds).toBeGreaterThan(1);
  changing.close();

  const after = openStore({ path, keys: [fresh] });
  expect(await after.keyv('settings').get('community-449')).toEqual({ index: 449 });
  expect(after.audit.recent('discord:1', 5)).toMatchObject([{ action: 'alias.create', detail: { n: 1 } }]);
  after.close();
});

it('a key is not given up while records are still sealed with it: that is said at once, not at the first of them', async () => {
  const path = join(folder, 'early.sqlite');
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const before = openStore({ path, keys: [old] });
  for (let index = 0; index < 450; index += 1)
    await before.keyv('settings').set(`community-${index}`, { index });
  before.close();
  const changing = openStore({ path, keys: [fresh, old] });
  changing.sweep();
  changing.close();

  expect(() => openStore({ path, keys: [fresh] })).toThrow(/STORE_KEY=new,old/);
  const again = openStore({ path, keys: [fresh, old] });
  while (again.sweep());
  again.close();
  const after = openStore({ path, keys: [fresh] });
  expect(await after.keyv('settings').get('community-449')).toEqual({ index: 449 });
  after.close();
});

it('going back to the old key in the middle loses nothing either', async () => {
  const path = join(folder, 'back.sqlite');
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const before = openStore({ path, keys: [old] });
  await before.keyv('settings').set('first', 1);
  before.close();
  const changing = openStore({ path, keys: [fresh, old] });
  await changing.keyv('settings').set('second', 2);
  changing.close();
  expect(() => openStore({ path, keys: [old] })).toThrow(/STORE_KEY/);
  const back = openStore({ path, keys: [old, fresh] });
  while (back.sweep());
  back.close();
  const after = openStore({ path, keys: [old] });
  expect([await after.keyv('settings').get('first'), await after.keyv('settings').get('second')]).toEqual([
    1, 2,
  ]);
  after.close();
});
