import { once } from 'node:events';
import { closeSync, existsSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp } from '../../src/app.ts';
import { systemClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/config/config.ts';
import { createOwnerSessions } from '../../src/console/sign-in/sessions.ts';
import { createLog } from '../../src/log/log.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { insert } from '../contract/store/suite/driver.ts';
import { eventually, holds } from '../eventually.ts';
import { createFakeClock } from '../fakes/clock.ts';
import { sampleJob } from '../fakes/sample-job.ts';
import { openBrowser } from '../fakes/web/browser.ts';
import { listen } from '../listen.ts';
import { folderForEach } from '../temp-folder.ts';

const inFolder = folderForEach();
let busy: Server;
let busyUrl: string;
beforeEach(async () => {
  busy = createServer();
  busyUrl = await listen(busy);
});
afterEach(() => void busy.close());

const listening = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

const start = (env: Record<string, string>, clock = systemClock) =>
  startApp(readConfig(env), createLog({ level: 'silent', secrets: [] }), clock);

describe('a start that fails', () => {
  it('a start that fails closes what it had opened and reports the reason; the next one succeeds on the same file', async () => {
    const path = inFolder('new/folder/store.sqlite');
    const store = { STORE_URL: `sqlite:${path}` };
    const before = listening();
    const failed = start({ HTTP_PORT: new URL(busyUrl).port, ...store }).ready;

    await expect(failed).rejects.toThrow(/the port is already in use\. .*HTTP_PORT/);
    expect(existsSync(path)).toBe(true);
    // SQLite takes its log away when the last one closes the file.
    expect(existsSync(`${path}-wal`)).toBe(false);
    await holds(() => expect(listening()).toBe(before));

    const app = start({ HTTP_PORT: '0', ...store });
    const { url } = await app.ready;

    expect((await fetch(`${url}/healthz`)).status).toBe(200);

    await app.stop();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it('a start that fails because the store cannot be opened names the setting', async () => {
    const path = inFolder('store.sqlite');
    writeFileSync(path, 'This is a letter, and no database at all. '.repeat(40));
    await expect(start({ HTTP_PORT: '0', STORE_URL: `sqlite:${path}` }).ready).rejects.toThrow(
      /store.sqlite cannot be opened \(STORE_URL\): .*not a database/,
    );
  });

  it('a start fails for damage in pages that nothing reads', async () => {
    const path = inFolder('store.sqlite');
    const store = await openSqliteStore({ path, keys: [] });
    const job = { state: 'done', charge: 'spent', finishedAt: Date.now(), settled: true } as const;

    for (let count = 0; count < 300; count += 1) await insert(store, sampleJob(job));
    store.close();
    // A checkpoint in its thread may close the file last; what is still in the log hides the damage.
    await eventually(() => !existsSync(`${path}-wal`), 'the log to go');
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, Math.floor(statSync(path).size / 2 / 4096) * 4096);
    closeSync(file);

    // The time of this program stands still, so that its start waits for the verification, however long that takes.
    await expect(
      start({ HTTP_PORT: '0', STORE_URL: `sqlite:${path}` }, createFakeClock()).ready,
    ).rejects.toThrow(/^The store .*store\.sqlite is damaged \(STORE_URL\): .*Restore a backup.*$/);
  });
});

it('a start with another password ends the sessions of the former one for good', async () => {
  const path = inFolder('store.sqlite');
  const sessions = async <T>(
    work: (of: ReturnType<typeof createOwnerSessions>) => Promise<T>,
  ): Promise<T> => {
    const store = await openSqliteStore({ path, keys: [] });
    const done = await work(createOwnerSessions(store.keyv('console'), 'the-first', Date.now));
    store.close();
    return done;
  };
  const kept = () => sessions(({ list }) => list());

  await sessions(({ open }) => open({ browser: 'Firefox', network: 'here' }));
  const startWith = async (password: string): Promise<void> => {
    const STORE_URL = `sqlite:${path}`;
    const app = start({ HTTP_PORT: '0', STORE_URL, PLAYGROUND: 'on', PLAYGROUND_PASSWORD: password });
    await app.ready;
    await app.stop();
  };

  await startWith('the-first');
  expect(await kept()).toHaveLength(1);

  await startWith('the-second');
  expect(await kept()).toEqual([]);
});

it('without a password no door of the playground and the console answers what a proxy passes on', async () => {
  const app = start({ HTTP_PORT: '0', STORE_URL: `sqlite:${inFolder('store.sqlite')}` });
  const { url } = await app.ready;
  const ann = await openBrowser(url);
  const upload = new FormData();

  upload.set('photos', new Blob(['a photo']), 'photo.jpg');
  const post: RequestInit = { method: 'POST', body: '{}' };
  const doors: readonly { readonly path: string; readonly init?: RequestInit }[] = [
    { path: '/' },
    { path: '/page/main.js' },
    { path: '/api/session' },
    { path: '/api/events' },
    { path: '/api/messages?room=studio' },
    { path: '/media/x' },
    { path: '/samples/portrait' },
    { path: '/owner' },
    { path: '/owner/communities' },
    { path: '/owner/style.css' },
    { path: '/login', init: post },
    { path: '/api/press', init: post },
    { path: '/api/session', init: post },
    { path: '/owner/sign-in', init: post },
    { path: '/api/messages', init: { method: 'POST', body: upload } },
  ];
  const statusOf = async (path: string, init: RequestInit = {}, proxied = {}): Promise<number> => {
    const stop = new AbortController();
    const headers = new Headers({ ...(init.headers as Record<string, string>), ...proxied });
    const { status } = await ann.ask(path, {
      ...init,
      headers: Object.fromEntries(headers),
      signal: stop.signal,
      redirect: 'manual',
    });
    stop.abort();
    return status;
  };

  for (const { path, init } of doors) {
    expect(await statusOf(path, init), path).not.toBe(421);
    expect(await statusOf(path, init, { 'x-forwarded-for': '203.0.113.9' }), path).toBe(421);
  }

  await app.stop();
});

it('a start that is stopped while a platform does not answer closes everything immediately', async () => {
  const path = inFolder('store.sqlite');
  const asked = once(busy, 'connection');
  const app = start({
    HTTP_PORT: '0',
    STORE_URL: `sqlite:${path}`,
    TELEGRAM_TOKEN: '123456:a-token-that-is-never-looked-at-by-anyone',
    TELEGRAM_API_URL: busyUrl,
  });
  const ended = app.ready.catch(() => undefined);
  const [socket] = await asked;

  await app.stop();

  expect(existsSync(path)).toBe(true);
  expect(existsSync(`${path}-wal`)).toBe(false);

  socket.destroy();
  await ended;
});
