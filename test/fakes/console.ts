import { Hono } from 'hono';
import { expect } from 'vitest';
import type { Records } from '../../src/base/keyv/records.ts';
import { type ConsoleDependencies, createConsole } from '../../src/console/console.ts';
import { createSignIn } from '../../src/sign-in/sign-in.ts';
import { createFakeClock } from './clock.ts';
import { createRecords } from './records.ts';
import { type ConsoleBrowser, openConsole } from './web/console-browser.ts';

/** The password of the staged console. */
export const PASSWORD = 'correct horse';

/** The state of a program with some of everything, hostile names included, as the console’s first page shows it. */
export const present: ConsoleDependencies['present'] = async () => ({
  at: Date.UTC(2026, 0, 5, 12),
  running: 3,
  waiting: 14,
  members: [
    { name: 'host:1 (7)', version: '1.0', minutes: 12, load: '3 steps', holds: 'telegram' },
    { name: '<i>old</i>', version: '0.9', minutes: undefined, load: '', holds: '' },
  ],
  outages: { key: undefined, token: 'unavailable' },
  storeTrouble: undefined,
  backup: { at: Date.UTC(2026, 0, 1, 12), isLate: false },
  platforms: [{ name: 'discord', trouble: 'not connected' }],
  errors: [{ what: 'face-swap-v6: <b>unavailable\u202e', count: 5 }],
});

/** A list of requests for removal that is empty. */
export const noRequests: ConsoleDependencies['removals']['requests'] = {
  all: async () => ({ open: [], closed: [] }),
  find: async () => undefined,
  candidates: async () => [],
  remove: async () => false,
  refuse: async () => undefined,
  foundNothing: async () => undefined,
};

/** A program in which no result was removed and no removal is asked for. */
export const noRemovals: ConsoleDependencies['removals'] = {
  requests: noRequests,
  list: async () => [],
  find: async () => undefined,
  undo: async () => undefined,
  findResult: async () => undefined,
  remove: async () => undefined,
  markOf: async () => undefined,
  findAlike: async () => undefined,
};

/** Opens the console without a program around it, as one of the processes that share `state`. */
export function stageConsole(more: Partial<ConsoleDependencies> & { readonly state?: Records } = {}) {
  const clock = createFakeClock();
  const audited: string[] = [];
  const state = more.state ?? createRecords();
  const signIn = createSignIn(PASSWORD, createRecords(), clock);
  const app = createConsole({
    password: { text: PASSWORD, try: signIn.try },
    state,
    now: clock.now,
    ownerLanguage: 'en',
    present,
    storeTrouble: async () => undefined,
    figures: {
      read: () => Promise.reject(new Error('no figures')),
      ceiling: undefined,
      communityCeiling: undefined,
    },
    communities: {
      page: async () => ({ list: [] }),
      details: () => Promise.reject(new Error('no details')),
      waiting: undefined,
      upcoming: async () => ({ list: [], isAll: true }),
      acts: () => expect.fail('nothing is done with a community'),
      ceiling: undefined,
    },
    price: undefined,
    months: { read: async () => [], ceiling: undefined },
    jobs: { get: async () => undefined, find: async () => ({ jobs: [] }), encrypts: false },
    removals: noRemovals,
    async audited(action, detail, work) {
      audited.push([action, ...Object.values(detail)].join(' '));
      await work();
    },
    ...more,
  });
  const root = new Hono().route('/owner', app);
  const arrive = (remoteAddress = '10.0.0.1', accepted = ''): ConsoleBrowser =>
    openConsole('http://console.test', async (path, init) =>
      root.request(
        `http://console.test${path}`,
        {
          ...init,
          headers: {
            host: 'console.test',
            ...(accepted === '' ? {} : { 'accept-language': accepted }),
            ...Object.fromEntries(new Headers(init.headers)),
          },
        },
        { incoming: { socket: { remoteAddress } } },
      ),
    );
  return {
    clock,
    state,
    audited,
    arrive,
    async signedIn(remoteAddress?: string): Promise<ConsoleBrowser> {
      const browser = arrive(remoteAddress);
      const page = await browser.get('/owner');
      await browser.press(page, 'Sign in', { password: PASSWORD });
      return browser;
    },
  };
}
