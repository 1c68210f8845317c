import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openService, type ServiceAccess } from '../../../src/app/connect-service.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createFaceFinder } from '../../../src/faces/finder.ts';
import { createLog } from '../../../src/log/log.ts';

const SERVICE = new URL('../../../src/generation-service/', import.meta.url);
const velvetNoir = 'b233920d-b5e5-5f69-9948-43e1369f75bf';
const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-embedded-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const withKeys = async <T>(keys: string, work: (service: ServiceAccess) => Promise<T>): Promise<T> => {
  const config = readConfig({ STORE_KEY: keys, STORE_URL: `sqlite:${join(folder, 'store.sqlite')}` });
  const service = await openService(
    config,
    createLog({ level: 'silent', secrets: [] }),
    systemClock,
    createFaceFinder(),
  );
  try {
    return await work(service);
  } finally {
    await service.close();
  }
};

const createAlias = async ({ url, token }: ServiceAccess): Promise<void> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ai_filter: velvetNoir, project: 'club' });
  expect((await fetch(`${url}/api/alias/`, { method: 'POST', headers, body })).status).toBe(201);
};

const aliases = async ({ url, token }: ServiceAccess): Promise<unknown> =>
  (await fetch(`${url}/api/alias/`, { headers: { authorization: `Bearer ${token}` } })).json();

const isOnDisk = (text: string): boolean => {
  const own = join(folder, 'generation-service');
  return readdirSync(own).some((name) => readFileSync(join(own, name)).includes(text));
};

it('with a key nothing that people sent is written, and aliases survive changes of keys', async () => {
  const sendPrompt = async ({ url, apiKey }: ServiceAccess): Promise<void> => {
    const image = (await readFile(new URL('samples/portrait.jpg', SERVICE))).toString('base64');
    const answer = await fetch(`${url}/v2/run/self-prompt`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ image, prompt: 'my secret wish' }),
    });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  };
  await withKeys('', async (service) => {
    await createAlias(service);
    await sendPrompt(service);
  });
  expect(isOnDisk('my secret wish')).toBe(true);
  await withKeys(first, sendPrompt);
  expect(isOnDisk('my secret wish')).toBe(false);
  expect(await withKeys(second, aliases)).toMatchObject([{ project: 'club' }]);
});
