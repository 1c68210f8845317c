import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openService, type ServiceAccess } from '../../../src/app/service/connect-service.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createFaceFinder } from '../../../src/faces/finder.ts';
import { createLog } from '../../../src/log/log.ts';
import { folderForEach } from '../../temp-folder.ts';

const SERVICE = new URL('../../../src/generation-service/', import.meta.url);
const velvetNoir = 'b233920d-b5e5-5f69-9948-43e1369f75bf';
const first = randomBytes(32).toString('base64');
const second = randomBytes(32).toString('base64');

const file = folderForEach();

/** Works with an embedded service that has these keys, and stops it. */
const withKeys = async <T>(keys: string, work: (service: ServiceAccess) => Promise<T>): Promise<T> => {
  const config = readConfig({ STORE_KEY: keys, STORE_URL: `sqlite:${file('store.sqlite')}` });
  const log = createLog({ level: 'silent', secrets: [] });
  const service = await openService(config, log, systemClock, createFaceFinder());
  return work(service).finally(() => service.close());
};

const post = async (url: string, headers: Record<string, string>, body: unknown): Promise<number> => {
  const sent = { ...headers, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) });
  await answer.body?.cancel();
  return answer.status;
};

const bearer = ({ token }: ServiceAccess) => ({ authorization: `Bearer ${token}` });

/** Whether a text is in any file of the embedded service. */
const isOnDisk = (text: string): boolean => {
  const own = file('generation-service');
  return readdirSync(own).some((name) => readFileSync(join(own, name)).includes(text));
};

it('the embedded service writes nothing unencrypted with a key, and aliases survive changes of keys', async () => {
  const image = readFileSync(new URL('samples/portrait.jpg', SERVICE)).toString('base64');
  const sendPrompt = async ({ url, apiKey }: ServiceAccess): Promise<void> => {
    const prompt = { image, prompt: 'my secret wish' };
    expect(await post(`${url}/v2/run/self-prompt`, { 'x-api-key': apiKey ?? '' }, prompt)).toBe(200);
  };

  await withKeys('', async (service) => {
    const alias = { ai_filter: velvetNoir, project: 'club' };
    expect(await post(`${service.url}/api/alias/`, bearer(service), alias)).toBe(201);
    await sendPrompt(service);
  });
  expect(isOnDisk('face-v2')).toBe(true);

  await withKeys(first, sendPrompt);
  expect(isOnDisk('face-v2')).toBe(false);

  const aliases = await withKeys(second, async (service) =>
    (await fetch(`${service.url}/api/alias/`, { headers: bearer(service) })).json(),
  );
  expect(aliases).toMatchObject([{ project: 'club' }]);
});
