// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditLine } from '../../../../src/orchestrator/job/records.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { doneJob, insert } from '../../../contract/store/suite/driver.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import type { ConsoleBrowser, Shown } from '../../../fakes/web/console-browser.ts';
import { type ConsoleStage, stageConsole } from './made-up.ts';
import { fillYear } from './made-up-year.ts';

/** The console's pages as a real program serves them. Signing in, forms and sessions: test/unit/console. */

const now = Date.now();
const day = new Date(now).toISOString().slice(0, 10);
const HOUR_MS = 3_600_000;
const HOSTILE = '<img src=x onerror=alert(1)>\u202e';
const SHOWN = '<bdi>&lt;img src=x onerror=alert(1)&gt;\ufffd</bdi>';
const WISH = 'a very secret wish';
const COMMUNITIES = Array.from({ length: 30 }, (_, index) => `discord:${1000 + index}`);
const request = { kind: 'self-prompt', photo: { from: 'discord', ref: 'x' }, prompt: WISH } as const;
const jobs = Array.from({ length: 120 }, (_, index) =>
  doneJob({
    createdAt: now - (200 - index) * 60_000,
    finishedAt: now - (200 - index) * 60_000 + 12_000,
    day,
    request,
    label: WISH,
    caller: { platform: 'discord', id: String(100 + (index % 3)), name: 'Ann\u202e<b>', locale: 'en' },
    place: {
      platform: 'discord',
      community: COMMUNITIES[index % COMMUNITIES.length] ?? '',
      channel: '9',
      direct: false,
    },
    history: [
      { state: 'opening', at: now - 3_000 },
      { state: 'waiting', at: now - 2_000 },
      { state: 'done', at: now - 1_000 },
    ],
  }),
);
const video = { kind: 'single-frame-video', model: 'advanced', duration: '4s', aspect: 'auto' } as const;
const failed = sampleJob({
  state: 'failed',
  charge: 'returned',
  settled: true,
  createdAt: now - 60_000,
  finishedAt: now,
  request: { ...video, photo: request.photo, prompt: WISH },
  label: '<script>alert(1)</script>',
  failure: { code: 'refused', detail: `about ${WISH}` },
  place: { platform: 'discord', community: 'discord:1000', channel: '9', direct: false },
});
const coming = {
  id: 'c1',
  state: 'coming',
  alias: 'halloween',
  aliasId: 'a1',
  filter: 'f1',
  label: HOSTILE,
  listed: true,
  from: now + 24 * HOUR_MS,
  until: now + 48 * HOUR_MS,
  by: { platform: 'discord', id: '42', name: HOSTILE, locale: 'en' },
};

const filled = async (store: Store): Promise<void> => {
  await fillYear(store, now);
  await insert(store, ...jobs, failed);
  const settings = store.keyv('settings');
  await settings.set('telegram:-100', { blocked: [], bannedWords: [], paused: { reason: HOSTILE } });
  // A former id refers to the present one.
  await settings.set('telegram:-99', { movedTo: 'telegram:-100' });
  await store.keyv('campaigns').set('discord:1000', [coming]);
  await store.keyv('campaigns').set('*due', { 'discord:1000': coming.from });
  await store.keyv('approvals').set('telegram:-555', {
    name: HOSTILE,
    waiting: {
      id: 'w1',
      since: now - HOUR_MS,
      toldAt: now - HOUR_MS,
      place: { platform: 'telegram', community: 'telegram:-555', channel: '-555', direct: false },
      locale: 'en',
      person: 'Eve',
      isAdded: true,
    },
  });
};
const linksIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/href="(\/owner\/communities\/[^"]+)"><bdi>([^<]+)<\/bdi>/g)].map(
      ([, path = '', id = '']) => [id, path],
    ),
  );
const idsIn = (text: string): readonly string[] =>
  [...text.matchAll(/class="id" href="\/owner\/jobs\/([^"]+)"/g)].map(([, id = '']) => id);
const pointsIn = ({ text }: Shown, title: string): readonly string[] => {
  const chart = text.split(`<h3>${title}</h3>`)[1]?.split('</svg>')[0] ?? '';
  return [...chart.matchAll(/<title>([^<]*)<\/title>/g)].map(([, label = '']) => label);
};
/** The texts of all pages of a list, one after another. */
const pagesOf = async (browser: ConsoleBrowser, first: string): Promise<readonly string[]> => {
  const texts: string[] = [];
  for (let path = first; path !== '' && texts.length < 10; ) {
    const { text } = await browser.get(path);
    texts.push(text);
    path = (/rel="next" href="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
  }
  return texts;
};

let stage: ConsoleStage;
let browser: ConsoleBrowser;
beforeAll(async () => {
  const ceilings = { SERVICE_DAILY_CREDITS: '12000', COMMUNITY_DAILY_CREDITS: '500' };
  const env = { COMMUNITIES: 'approved', OWNERS: 'discord:1', ...ceilings };
  stage = await stageConsole({ filled, encrypted: true, env });
  browser = await stage.enter();
});
afterAll(() => stage.close());

describe('jobs', () => {
  const search = async (fields: Record<string, string>) =>
    browser.press(await browser.get('/owner/jobs'), 'Search', fields);

  it('jobs are listed in pages, the latest first', async () => {
    const found = (await pagesOf(browser, '/owner/jobs')).flatMap(idsIn);
    expect(found).toEqual([...jobs, failed].map(({ id }) => id).toReversed());
  });

  it('jobs are found by id, state, kind, community and person, and no id of a person is in the address', async () => {
    const byId = await search({ id: ` ${failed.id} ` });
    expect(byId.status).toBe(200);
    expect(byId.path).toBe(`/owner/jobs/${failed.id}`);
    expect(idsIn((await search({ state: 'failed' })).text)).toEqual([failed.id]);
    expect(idsIn((await search({ kind: 'single-frame-video' })).text)).toEqual([failed.id]);

    const inOne = await search({ community: 'DISCORD:1001', person: ' Discord:101' });
    const sealed = inOne.path.slice(inOne.path.lastIndexOf('=') + 1);

    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('discord');
    expect(inOne.path).not.toContain('discord');
    expect(idsIn(inOne.text)).toHaveLength(4);
    expect(inOne.text).toContain('value="discord:101"');
    expect(idsIn((await search({ person: 'discord:999' })).text)).toEqual([]);
  });

  it('jobs have a page with their history of states', async () => {
    const page = (await browser.get(`/owner/jobs/${jobs[0]?.id}`)).text;
    const states = [...page.matchAll(/<span class="state (\w+)"/g)].map(([, state]) => state);

    expect(states).toEqual(['done', 'opening', 'waiting', 'done']);
    expect(page).toContain('<bdi>Ann\ufffd&lt;b&gt;</bdi>');
    expect((await browser.get('/owner/jobs')).text).not.toContain(WISH);
  });

  it.each([
    { query: '?state=nonsense', status: 400 },
    { query: '?kind=%00', status: 400 },
    { query: '?community=x', status: 400 },
    { query: '?person=..%2f&after=1', status: 400 },
    { query: `?person=${'A'.repeat(5_000)}`, status: 400 },
    { query: `?after=${'9'.repeat(15)}-${'9'.repeat(15)}`, status: 200 },
    { query: '?after=-1-1', status: 200 },
    { query: '?state=done&state=failed&__proto__=1&constructor=2', status: 200 },
    { query: '/none', status: 404 },
    { query: '/%00', status: 404 },
    { query: '/..%2f..%2f', status: 404 },
    { query: `/${'x'.repeat(2_000)}`, status: 404 },
    { query: '/%F0%9F%A6%8A', status: 404 },
    { query: '/__proto__', status: 404 },
  ])('the page of jobs answers to whatever an address asks for: $query', async ({ query, status }) => {
    const page = await browser.get(`/owner/jobs${query}`);
    expect(page.status).toEqual(status);
    expect(page.headers.get('cache-control')).toBe('no-store');
    if (status !== 200) expect(idsIn(page.text)).toEqual([]);
  });

  it.each([{ id: '../../x' }, { person: '\u202e<b>\0' }, { community: '🦊'.repeat(300) }, { state: '<' }])(
    'the page of jobs answers to whatever is typed: %j',
    async (fields: Record<string, string>) => {
      const page = await search(fields);
      expect([200, 404]).toContain(page.status);
      expect(page.text).not.toContain('value="<');
    },
  );
});

describe('communities', () => {
  const open = async (community: string) =>
    browser.press(await browser.get('/owner/communities'), 'Open', { community });

  it('communities are listed in pages, from jobs and settings, without those that moved', async () => {
    const texts = await pagesOf(browser, '/owner/communities');
    const found = new Map(texts.flatMap((text) => [...linksIn(text)]));

    for (const text of texts) expect(text).not.toContain('<img src=x');
    expect([...found.keys()].toSorted()).toEqual([...COMMUNITIES, 'telegram:-100', 'telegram:-555']);

    for (const [id, link] of found) {
      const bytes = Buffer.from(link.slice(link.lastIndexOf('/') + 1), 'base64url').toString('latin1');
      for (const text of [link, bytes]) expect(text).not.toContain(id);
      expect(link).not.toMatch(/discord|telegram/);
    }
  });

  it('the page of a community shows what is known of it, and a former id leads to the present one', async () => {
    const { text } = await open('discord:1000');
    expect(text).toContain('8 of 500');
    expect(text).toContain('halloween');
    expect(text).toContain(SHOWN);
    expect(text).toContain('100 (default)');
    expect((await open('telegram:-99')).text).toContain('&lt;img src=x onerror=alert(1)&gt;');

    const campaigns = (await browser.get('/owner/campaigns')).text;
    expect(campaigns).toContain(new Date(coming.from).toISOString());
    expect(campaigns).toContain(SHOWN);
    expect(linksIn(campaigns).has('discord:1000')).toBe(true);
  });

  it('a community is paused and resumed, after one question each', async () => {
    const page = await open('discord:1001');
    const asked = await browser.press(page, 'Pause', { reason: ' back tomorrow ' });

    expect(asked.text).toContain('Pause this community?');
    expect((await browser.get(page.path)).text).not.toContain('back tomorrow');
    // The question has an address, so that going back sends nothing again; nobody reads the reason there.
    expect(asked.path).toContain('/pause?with=');

    const sealed = asked.path.slice(asked.path.indexOf('=') + 1);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('back');

    const paused = await browser.press(asked, 'Pause it');
    expect(paused.path).toBe(page.path);
    expect(paused.text).toContain('The community is paused.');
    expect(paused.text).toContain('<bdi>back tomorrow</bdi>');
    expect(paused.text).toContain('an owner: only owners can resume it');
    expect((await browser.get(page.path)).text).not.toContain('The community is paused.');

    const fromAnotherTab = await browser.press(page, 'Pause', { reason: 'other' });
    const aSecondTime = await browser.press(asked, 'Pause it');
    expect(fromAnotherTab.text).toMatch(/It is paused already\.[^<]*<bdi>back tomorrow</);
    expect(aSecondTime.text).toMatch(/It is paused already\.[^<]*<bdi>back tomorrow</);

    const question = await browser.press(paused, 'Resume');
    const resumed = await browser.press(question, 'Resume it');

    expect(resumed.text).toContain('The community is open again.');
    expect((await browser.press(question, 'Resume it')).text).toContain('It is open already.');
    expect(resumed.text).toContain('settings.pause reason=back tomorrow');
    expect(resumed.text).toContain('<bdi>console:owner</bdi>');
  });

  it('a community that a moderator has paused can be paused as owner; no reason is needed', async () => {
    const page = await open('telegram:-100');
    expect(page.text).toContain('a moderator: moderators can resume it');

    const asked = await browser.press(page, 'Pause as owner', { reason: 'abuse' });
    expect(asked.text).toContain('until an owner resumes it');

    const other = await open('discord:1003');
    const paused = await browser.press(await browser.press(other, 'Pause'), 'Pause it');

    expect(paused.text).not.toContain('Reason of the pause');
    expect((await browser.press(other, 'Pause')).text).toContain('It is paused already. No reason is given.');
  });

  it('a community gets daily credits, within bounds', async () => {
    const page = await open('discord:1002');
    const set = await browser.press(await browser.press(page, 'Set credits', { amount: '2500' }), 'Set them');

    expect(set.text).toContain('The daily credits were set.');
    expect(set.text).toContain('<dd>2500 (set by an owner: only owners can change it)</dd>');
    expect(page.text).toContain('max="100000" step="1" value="100"');

    for (const amount of ['-1', '100001', '1e3', '', '٣', '9'.repeat(400)]) {
      const refused = await browser.press(page, 'Set credits', { amount });
      expect(refused.status, amount).toBe(400);
    }
  });

  it('a community is approved and revoked', async () => {
    const page = await open('telegram:-555');
    expect(page.text).toContain('not approved');

    const approved = await browser.press(await browser.press(page, 'Approve'), 'Approve it');
    expect(approved.text).toContain('The community is approved.');
    expect((await browser.press(page, 'Approve')).text).toContain('It is approved already.');

    const revoked = await browser.press(await browser.press(approved, 'Revoke'), 'Revoke it');
    expect(revoked.text).toContain('The approval was revoked.');
  });

  it.each(['discord', 'x:1', 'discord:<b>', 'discord:../..', `discord:${'1'.repeat(100)}`, '\0'])(
    'no community is found under an id that cannot be one: %s',
    async (id) => expect((await open(id)).status).toBe(404),
  );

  it.each(['none', 'A'.repeat(80), '%00', '..%2f', 'x'.repeat(2_000)])(
    'no community is found by a forged address: %s',
    async (hidden) => {
      const page = await browser.get('/owner/communities');
      const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';

      expect((await browser.get(`/owner/communities/${hidden}`)).status).toBe(404);

      const answer = await browser.post(`/owner/communities/${hidden}/pause`, `token=${token}&sure=yes`);
      expect(answer.status).toBe(303);
      expect((await browser.get(answer.headers.get('location') ?? '')).status).toBe(404);
      expect((await browser.get(`/owner/communities?after=${hidden}`)).status).toBe(200);

      const { path } = await open('discord:1000');
      expect((await browser.get(`${path}/pause?with=${hidden}`)).status).toBe(404);
    },
  );
});

describe('figures', () => {
  it.each([
    { range: 'hour', count: 60 },
    { range: 'day', count: 96 },
    { range: 'month', count: 120 },
    { range: 'year', count: 365 },
  ])(
    'figures of the last $range are charts with a value at every point, and tables',
    async ({ range, count }) => {
      const page = await browser.get(`/owner/figures?range=${range}`);
      expect(page.status).toBe(200);

      const charts = [
        'Jobs',
        'Time to the result',
        'How late a result was seen, at most',
        'Status calls a job',
      ];
      for (const title of charts) {
        const points = pointsIn(page, title);
        expect(points, title).toHaveLength(count);
        expect(points.filter((label) => /: .*\d/.test(label)).length).toBeGreaterThan(count / 2);
      }

      expect(page.text.match(/<details><summary>/g)?.length).toBeGreaterThanOrEqual(6);

      const shown = ['photo-invalid', 'face-swap-v6: unavailable', 'Ceiling: 12,000', 'of 500</td>'];
      for (const text of [...shown, '<bdi>discord:1000</bdi>']) expect(page.text).toContain(text);
      expect(page.text).toMatch(/telegram, [\d: -]+ for 15 min: not connected/);
      // A year is no heavier than a page with a few pictures.
      expect(page.text.length).toBeLessThan(800_000);
    },
  );

  it.each(['', '?range=century', '?range=__proto__', `?range=${'x'.repeat(3_000)}`, '?range=%00'])(
    'figures are those of a day where the address asks for something else: %s',
    async (query) => expect(pointsIn(await browser.get(`/owner/figures${query}`), 'Jobs').length).toBe(96),
  );
});

it('every action in the console is in the audit trail, as the owner’s', async () => {
  const lines = await stage.readStore(async ({ audit }) => {
    const all: AuditLine[] = [];
    for await (const line of audit.since(now)) if (line.actor === 'console:owner') all.push(line);
    return all;
  });
  expect(lines.map(({ community, action, detail }) => ({ community, action, detail }))).toEqual([
    { community: 'discord:1001', action: 'settings.pause', detail: { reason: 'back tomorrow' } },
    { community: 'discord:1001', action: 'settings.resume', detail: {} },
    { community: 'discord:1003', action: 'settings.pause', detail: { reason: '' } },
    { community: 'discord:1002', action: 'settings.credits', detail: { amount: 2500 } },
    {
      community: 'telegram:-555',
      action: 'settings.approve',
      detail: { community: 'telegram:-555' },
    },
    {
      community: 'telegram:-555',
      action: 'settings.revoke',
      detail: { community: 'telegram:-555' },
    },
  ]);
});

it.each([
  { what: 'is hidden where the store is encrypted', encrypted: true },
  { what: 'is shown where the store is not encrypted', encrypted: false },
])('in the console, what people wrote $what', async ({ encrypted }) => {
  await using opened = new AsyncDisposableStack();
  const other = await stageConsole({ filled: (store) => insert(store, failed), encrypted });

  opened.defer(other.close);
  const { text } = await (await other.enter()).get(`/owner/jobs/${failed.id}`);

  expect(text).toContain('refused');
  expect(text).not.toContain('<script>alert');
  expect(text.includes(WISH)).toBe(!encrypted);
  expect(text.includes('&lt;script&gt;alert')).toBe(!encrypted);
});

it('a daily allowance above what /settings credits gives can be sent as it is, and not raised; charts can be empty', async () => {
  await using opened = new AsyncDisposableStack();
  const env = { USER_DAILY_CREDITS: '250000', USER_MAX_DAILY_CREDITS: '250000' };
  const other = await stageConsole({ filled: (store) => insert(store, failed), env });

  opened.defer(other.close);
  const own = await other.enter();

  for (const path of ['', '/figures?range=year', '/jobs', '/communities', '/campaigns', '/sessions'])
    expect((await own.get(`/owner${path}`)).status).toBe(200);
  expect((await own.get('/owner/figures?range=hour')).text).toContain('None was seen.');

  const page = await own.press(await own.get('/owner/communities'), 'Open', { community: 'discord:1000' });
  expect(page.text).toContain('max="250000" step="1" value="250000"');
  expect((await own.press(page, 'Set credits', { amount: '250001' })).status).toBe(400);

  const set = await own.press(await own.press(page, 'Set credits'), 'Set them');
  expect(set.text).toContain('<dd>250000 (set by an owner: only owners can change it)</dd>');
});
