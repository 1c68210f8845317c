import { expect, it } from 'vitest';
import type { Store } from '../../../../src/store/tables/store.ts';
import { doneJob, insert } from '../../../contract/store/suite/driver.ts';
import { createTestDatabase, postgresUrl } from '../../../fakes/postgres.ts';
import { openConsole } from '../../../fakes/web/console-browser.ts';
import { createDataFolder, startProgram } from '../../program.ts';
import { stageConsole } from './made-up.ts';
import { fillYear } from './made-up-year.ts';

const now = Date.now();
const filled = async (store: Store): Promise<void> => {
  await fillYear(store, now);
  await insert(
    store,
    ...Array.from({ length: 60 }, () =>
      doneJob({ createdAt: now, finishedAt: now, day: new Date(now).toISOString().slice(0, 10) }),
    ),
  );
};

it.skipIf(postgresUrl === undefined)(
  'a session is known to all processes, and ended in all of them',
  async () => {
    await using database = await createTestDatabase();
    // Nothing is generated here.
    const env = {
      GENERATION_URL: 'http://127.0.0.1:9',
      GENERATION_API_KEY: 'k',
      GENERATION_TOKEN: 't',
      PLAYGROUND: 'on',
    };
    const first = await stageConsole({ url: database.url, env, filled });
    const second = await stageConsole({ url: database.url, env });
    try {
      const [here, there] = [await first.enter(), openConsole(second.url)];
      for (const [name, value] of here.cookies) there.cookies.set(name, value);
      for (const path of ['', '/figures?range=year', '/jobs', '/communities', '/campaigns', '/sessions'])
        expect([path, (await there.get(`/owner${path}`)).status]).toEqual([path, 200]);
      const { text } = await there.get('/owner');
      for (const { pid } of [first.program, second.program]) expect(text).toContain(`:${pid} (`);
      const jobs = await there.get('/owner/jobs');
      expect(jobs.text.match(/class="id"/g)).toHaveLength(50);
      const older = (/rel="next" href="([^"]+)"/.exec(jobs.text)?.[1] ?? '').replaceAll('&amp;', '&');
      // Addresses and forms of one process are those of the other.
      expect((await here.get(older)).text.match(/class="id"/g)).toHaveLength(10);
      const list = await here.get('/owner/sessions');
      const after = await there.press(await there.press(list, 'End all sessions'), 'End all');
      expect(after.status).toBe(401);
      expect((await here.get('/owner')).status).toBe(401);
    } finally {
      await Promise.all([first.close(), second.close()]);
    }
  },
);

it('a session does not come back with its password after a start with another one', async () => {
  const folder = createDataFolder();
  const start = (password: string) =>
    startProgram(folder.path, {
      ...{ GENERATION_URL: 'http://127.0.0.1:9', GENERATION_API_KEY: 'k', GENERATION_TOKEN: 't' },
      ...{ PLAYGROUND: 'on', PLAYGROUND_PASSWORD: password },
    });
  const cookies = new Map<string, string>();
  const statuses: number[] = [];
  for (const password of ['the-first', 'the-first', 'the-second', 'the-first']) {
    const program = await start(password);
    const browser = openConsole(program.url);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    const page = await browser.get('/owner');
    statuses.push(page.status);
    if (statuses.length === 1) await browser.press(page, 'Sign in', { password });
    for (const [name, value] of browser.cookies) cookies.set(name, value);
    await program.stop();
  }
  expect(statuses).toEqual([401, 200, 401, 401]);
  folder.remove();
});
