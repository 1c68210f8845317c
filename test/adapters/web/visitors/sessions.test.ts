// @module-tag slow
import { describe, expect, it, vi } from 'vitest';
import { createSessions } from '../../../../src/adapters/web/visitors/sessions.ts';
import type { Records } from '../../../../src/base/keyv/records.ts';
import { createSignIn } from '../../../../src/sign-in/sign-in.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createRecords } from '../../../fakes/records.ts';
import { openBrowser } from '../../../fakes/web/browser.ts';
import { openWeb, studio } from '../../../fakes/web/open-web.ts';

const personOf = async (browser: { ask(path: string): Promise<Response> }): Promise<string> => {
  const session = (await (await browser.ask('/api/session')).json()) as { person: { id: string } };
  return session.person.id;
};

const behind = (password: string) => ({
  signIn: createSignIn(password, createRecords(), createFakeClock()),
  hasOwner: true,
});

it('the owners are told how many people are in a room', async () => {
  const { adapter } = await openWeb();
  expect(await adapter.communityInfo?.(studio)).toEqual({ name: 'Studio', members: 4 });
});

describe('sessions', () => {
  it.each<{ what: string; headers: Record<string, string> }>([
    { what: 'cross-site', headers: { 'sec-fetch-site': 'cross-site' } },
    { what: 'without a word', headers: {} },
  ])('visitors’ sessions are not lost through 510 visits $what', async ({ headers }) => {
    const { url } = await openWeb();
    const bob = await openBrowser(url, 'bob');

    for (let visit = 0; visit < 510; visit += 1) await (await fetch(`${url}/`, { headers })).body?.cancel();
    expect(await personOf(bob)).toBe('bob');
  });

  it('visitors’ sessions are valid from the first moment that the server listens after a restart', async () => {
    const { url, folder, stop } = await openWeb();

    const cookie = (await fetch(url)).headers.get('set-cookie')?.split(';')[0] ?? '';
    await stop();
    const before: { status?: number; issued?: string | null } = {};
    const again = await openWeb(
      {
        async beforeStart(address) {
          before.status = (await fetch(`${address}/api/session`, { headers: { cookie } })).status;
          before.issued = (await fetch(address)).headers.get('set-cookie');
        },
      },
      folder,
    );

    expect(before.status).toBe(503);
    for (const each of [cookie, before.issued?.split(';')[0] ?? ''])
      expect((await fetch(`${again.url}/api/session`, { headers: { cookie: each } })).status).toBe(200);
  });

  it('visitors’ sessions are loaded again where the store failed at first', async () => {
    const state = createRecords();

    vi.spyOn(state, 'get').mockRejectedValueOnce(new Error('away'));
    const { url } = await openWeb({ state, beforeStart: async (address) => void (await fetch(address)) });

    expect((await fetch(url)).status).toBe(200);
  });

  it('visitors’ sessions without choices are not stored, and are valid after a restart', async () => {
    const state = createRecords();
    const written = vi.spyOn(state, 'set');
    const sessions = createSessions(state, { hasOwner: false });

    await sessions.load();
    written.mockClear();
    const cookie = sessions.issue();
    for (let visit = 0; visit < 1_000; visit += 1) sessions.issue();

    expect((await sessions.find(cookie))?.person.id).toBe('ann');
    expect(written).not.toHaveBeenCalled();

    const again = createSessions(state, { hasOwner: false });
    await again.load();
    expect((await again.find(cookie))?.person.id).toBe('ann');

    // Behind a password, a signature opens nothing.
    const closed = createSessions(state, behind('open-sesame'));
    await closed.load();
    expect(await closed.find(closed.issue())).toBeUndefined();
    expect(await again.find('a'.repeat(43))).toBeUndefined();
  });

  it('of the sessions of a visitor who makes many, the longest unused are removed first', async () => {
    const state: Records = createRecords();
    const before = createSessions(state, behind('open-sesame'));

    await before.load();
    const old = await before.open('10.0.0.9');
    const sessions = createSessions(state, behind('open-sesame'));
    await sessions.load();
    const ann = await sessions.open('10.0.0.1');
    const used = await sessions.open('10.0.0.66');
    const unused = await sessions.open('10.0.0.66');
    for (let visit = 0; visit < 2_000; visit += 1) {
      await sessions.open('10.0.0.66');
      expect(await sessions.find(used)).toBeDefined();
    }

    expect(await sessions.find(unused)).toBeUndefined();
    expect(await sessions.find(ann)).toBeDefined();
    expect(await sessions.find(old)).toBeDefined();

    let kept = 0;
    for await (const [key] of state.iterator()) if (key.startsWith('web:session:')) kept += 1;
    expect(kept).toBe(500);
  });

  it('visitors’ sessions end with the password that they were opened with', async () => {
    const state = createRecords();
    const open = createSessions(state, { hasOwner: false });
    await open.load();
    const early = await open.open('10.0.0.1');
    const first = createSessions(state, behind('open-sesame'));
    const second = createSessions(state, behind('open-barley'));

    const cookie = (await first.open('10.0.0.1')) ?? '';
    expect(await first.find(cookie)).toBeDefined();

    expect(await first.find(early)).toBeUndefined();
    expect(await second.find(early)).toBeUndefined();
    expect(await second.find(cookie)).toBeUndefined();
    expect(await open.find(cookie)).toBeUndefined();
  });
});
