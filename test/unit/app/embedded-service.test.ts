import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openService, type ServiceAccess } from '../../../src/app/embedded-service.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/log/log.ts';
import { StoreError } from '../../../src/store/records/store-error.ts';

const velvetNoir = 'b233920d-b5e5-5f69-9948-43e1369f75bf';
const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-embedded-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const withKeys = async <T>(keys: string, work: (service: ServiceAccess) => Promise<T>): Promise<T> => {
  const config = readConfig({ STORE_KEY: keys, STORE_URL: `sqlite:${join(folder, 'store.sqlite')}` });
  const service = await openService(config, createLog({ level: 'silent', secrets: [] }), systemClock);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
};

const createAlias = async ({ url, token }: ServiceAccess): Promise<void> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ai_filter: velvetNoir, project: 'secret club' });
  expect((await fetch(`${url}/api/alias/`, { method: 'POST', headers, body })).status).toBe(201);
};

const aliases = async ({ url, token }: ServiceAccess): Promise<unknown> =>
  (await fetch(`${url}/api/alias/`, { headers: { authorization: `Bearer ${token}` } })).json();

const isReadable = (): boolean => {
  const own = join(folder, 'generation-service');
  return readdirSync(own).some((name) => readFileSync(join(own, name)).includes('secret club'));
};

it('an old key can be removed after one start with the new key first', async () => {
  await withKeys(first, createAlias);
  await withKeys(`${second},${first}`, async () => undefined);
  expect(await withKeys(second, aliases)).toMatchObject([{ project: 'secret club' }]);
});

it('unencrypted data is encrypted at the first start with a key', async () => {
  await withKeys('', createAlias);
  expect(isReadable()).toBe(true);
  expect(await withKeys(first, aliases)).toMatchObject([{ project: 'secret club' }]);
  expect(isReadable()).toBe(false);
});

it('data of a missing key is kept unchanged until the key is configured again', async () => {
  await withKeys(first, createAlias);
  await withKeys(second, async () => undefined);
  expect(await withKeys(first, aliases)).toMatchObject([{ project: 'secret club' }]);
});

it.each([
  ['an inner page', (size: number) => size - 4096],
  ['the first page', () => 0],
])('damage of %s in its file stops the start with an instruction', async (_, where) => {
  await withKeys('', createAlias);
  const path = join(folder, 'generation-service', 'generation-service.sqlite');
  writeSync(openSync(path, 'r+'), Buffer.alloc(4096, 0x5a), 0, 4096, where(statSync(path).size));
  const failure = await withKeys('', async () => undefined).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreError);
  expect(String(failure)).toMatch(
    /generation-service\.sqlite is damaged: .*Delete it with its -wal and -shm/,
  );
  expect(String(failure)).not.toContain('\n');
});

it('unencrypted data is removed at the next start when the first with a key was killed', async () => {
  await withKeys('', createAlias);
  await withKeys(first, async () => undefined);
  const raw = new DatabaseSync(join(folder, 'generation-service', 'generation-service.sqlite'));
  raw.exec(
    "CREATE TABLE left (text); INSERT INTO left VALUES (zeroblob(9000) || 'secret club'); DROP TABLE left",
  );
  raw.exec('PRAGMA user_version = 1');
  raw.close();
  expect(isReadable()).toBe(true);
  expect(await withKeys(first, aliases)).toMatchObject([{ project: 'secret club' }]);
  expect(isReadable()).toBe(false);
});
