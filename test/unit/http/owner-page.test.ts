import { describe, expect, it } from 'vitest';
import { createSignIn } from '../../../src/adapters/web/visitors/sign-in.ts';
import { createOwnerPage, type OwnerFigures } from '../../../src/http/owner-page.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { createRecords } from '../../fakes/records.ts';

const figures: OwnerFigures = {
  running: 3,
  waiting: 14,
  members: [
    { name: 'host:1 (7)', version: '1.0', minutes: 12, load: '3 steps', holds: 'telegram' },
    { name: '<i>old</i>', version: '0.9', minutes: undefined, load: '', holds: '' },
  ],
  service: [
    { name: 'Pictures', trouble: undefined },
    { name: 'Videos', trouble: 'suspended: the service is not answering' },
  ],
  platforms: [{ name: 'discord', trouble: 'not connected' }],
  series: [{ title: 'Jobs done per minute', unit: 'jobs', values: [0, 2, 8] }],
  errors: [{ what: 'face-swap-v6: unavailable', count: 5 }],
  communities: [{ community: '<b>discord:1</b>', credits: 77 }],
};
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

const guarded = (password: string, clock = createFakeClock()) =>
  createOwnerPage({
    signIn: createSignIn(password, createRecords(), clock).try,
    figures: async () => figures,
  });

const statusOf =
  (page: ReturnType<typeof createOwnerPage>) => async (password: string, remoteAddress: string) => {
    const socket = { incoming: { socket: { remoteAddress } } };
    return (await page.request('/', { headers: basic(`owner:${password}`) }, socket)).status;
  };

describe('the owner’s page', () => {
  const open = createOwnerPage({ signIn: undefined, figures: async () => figures });

  it('shows the figures, with untrusted text escaped', async () => {
    const page = await (await open.request('/')).text();
    expect(page).toContain('<b>3</b> running');
    expect(page).toContain('<b>14</b> waiting');
    expect(page).toContain('<b>Pictures</b> working');
    expect(page).toContain('<p class="bad"><b>Videos</b> suspended: the service is not answering');
    expect(page).toContain('not connected');
    expect(page).toContain('<td>host:1 (7)</td><td>1.0</td><td>12 min</td>');
    expect(page).toContain('<td>&lt;i&gt;old&lt;/i&gt;</td><td>0.9</td><td>dead</td>');
    expect(page).toContain('face-swap-v6: unavailable');
    expect(page).toContain('&lt;b&gt;discord:1&lt;/b&gt;');
    expect(page).toContain('Jobs done per minute: now 8 jobs, at most 8');
  });

  it.each([
    ['no password', {}],
    ['a wrong one', basic('owner:wrong')],
    ['an empty one', basic('owner:')],
    ['garbage', { authorization: 'Basic ###' }],
    ['another scheme', { authorization: 'Bearer correct horse' }],
  ])('asks for the password when there is %s', async (_name, headers: Record<string, string>) => {
    const answer = await guarded('correct horse').request('/', { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic/);
    expect(await answer.text()).not.toContain('running');
  });

  it('opens with the password, for any user name, also with a colon', async () => {
    const closed = guarded('correct horse');
    expect((await closed.request('/', { headers: basic('anyone:correct horse') })).status).toBe(200);
    const colon = guarded('a:b');
    expect((await colon.request('/', { headers: basic('x:a:b') })).status).toBe(200);
  });

  it('delays after wrong passwords, per sender', async () => {
    const clock = createFakeClock();
    const page = guarded('correct horse', clock);
    const enter = statusOf(page);
    expect(await enter('guess', '10.0.0.1')).toBe(401);
    const late = enter('correct horse', '10.0.0.1');
    const elsewhere = enter('correct horse', '10.0.0.2');
    await clock.advance(100);
    expect(await elsewhere).toBe(200);
    // Without a password nothing is tried, however often the browser asks.
    for (let tries = 0; tries < 9; tries += 1) expect((await page.request('/')).status).toBe(401);
    await clock.advance(150);
    expect(await late).toBe(200);
  });

  it('has an icon, and lets no other site try passwords', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', ...basic('owner:guess') };
    expect((await guarded('correct horse').request('/', { headers })).status).toBe(403);
    expect((await open.request('/', { headers: { ...headers, 'sec-fetch-mode': 'navigate' } })).status).toBe(
      200,
    );
    const [, icon = ''] =
      /rel="icon" href="\/owner([^"]+)"/.exec(await (await open.request('/')).text()) ?? [];
    const answer = await open.request(icon);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  it('allows no script and no external resources', async () => {
    const answer = await open.request('/');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await answer.text()).not.toMatch(/<script|https?:\/\//);
  });
});
