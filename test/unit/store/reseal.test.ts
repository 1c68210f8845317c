import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'darkroom-reseal-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
