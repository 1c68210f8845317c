import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { createWebAdapter } from '../../../src/adapters/web/adapter.ts';
import type { WebOptions } from '../../../src/adapters/web/outgoing/dependencies.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createHttp } from '../../../src/http/server.ts';
import { createLog } from '../../../src/log/log.ts';
import { createSignIn } from '../../../src/sign-in/sign-in.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { createTempFolder } from '../../temp-folder.ts';
import { createScriptedDesk } from '../scripted-desk.ts';

/** A room of the playground. */
export const studio = { platform: 'web', community: 'web:studio', channel: 'studio', direct: false } as const;

/** A folder for the running test, removed at its end. */
export const createFolder = (): string => {
  const folder = createTempFolder('darkroom-web-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

const log = createLog({ level: 'silent', secrets: [] });

/** Serves the routes of an adapter on a real server. */
export const serveWeb = (app: Hono, more: Partial<Parameters<typeof createHttp>[0]>, hasSecret = false) =>
  createHttp({
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    health: () => ({}),
    ready: async () => ({ ready: true, checks: {} }),
    metrics: new Registry(),
    log,
    mount: [{ path: '/', app, hasSecret }],
    ...more,
  });

/** Opens the playground's adapter on a real server and a real file, which outlives it. */
export const openWeb = async (
  {
    password,
    beforeStart,
    ...options
  }: Partial<WebOptions> & {
    readonly password?: string;
    /** Called when the server listens and the adapter was not started yet. */
    readonly beforeStart?: (url: string) => Promise<void>;
  } = {},
  folder = createFolder(),
) => {
  const store = await openSqliteStore({ path: join(folder, 'store.sqlite'), keys: [] });
  const desk = createScriptedDesk();
  const state = store.keyv('web');
  const clock = options.clock ?? systemClock;
  const signIn = password === undefined ? undefined : createSignIn(password, state, clock);
  const adapter = createWebAdapter({
    commands,
    desk,
    state,
    clock,
    signIn,
    hasOwner: true,
    log,
    preview: async () => undefined,
    samples: [{ name: 'portrait', bytes: new Uint8Array([1, 2, 3]) }],
    ...options,
  });
  // Requests that are still open when a test ends are cut off soon.
  const http = await serveWeb(adapter.routes, { graceMs: 50 }, password !== undefined);
  await beforeStart?.(http.url);
  await adapter.start();
  let stopped: Promise<void> | undefined;
  /** Stops the adapter; its file stays. */
  const stop = (): Promise<void> => {
    stopped ??= (async () => {
      await Promise.all([adapter.stop(), http.close()]);
      store.close();
    })();
    return stopped;
  };
  onTestFinished(stop);
  // The folder has everything that is on the disk.
  return { url: http.url, desk, adapter, folder, stop };
};

/** The password of a playground that has one. */
export const PASSWORD = 'open-sesame';

/** A visitor's cookie, after signing in with `PASSWORD`; proxies may stand in front of a page with a password only. */
export const signInTo = async (url: string): Promise<string> => {
  const body = new URLSearchParams({ password: PASSWORD });
  const answer = await fetch(`${url}/login`, { method: 'POST', body, redirect: 'manual' });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
};
