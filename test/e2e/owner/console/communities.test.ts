import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditLine } from '../../../../src/orchestrator/job/records.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { doneJob, insert } from '../../../contract/store/suite/driver.ts';
import type { ConsoleBrowser } from '../../../fakes/web/console-browser.ts';
import { type ConsoleStage, stageConsole } from './made-up.ts';

const now = Date.now();
const day = new Date(now).toISOString().slice(0, 10);
const HOUR_MS = 3_600_000;
const HOSTILE = '<img src=x onerror=alert(1)>\u202e';
const by = { platform: 'discord', id: '42', name: HOSTILE, locale: 'en' } as const;
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
  by,
};

const filled = async (store: Store): Promise<void> => {
  const jobs = Array.from({ length: 60 }, (_, index) =>
    doneJob({
      createdAt: now - 1_000,
      finishedAt: now,
      day,
      place: {
        platform: 'discord',
        community: `discord:${1000 + (index % 30)}`,
        channel: '9',
        direct: false,
      },
    }),
  );
  await insert(store, ...jobs);
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

describe('communities in the console', () => {
  let stage: ConsoleStage;
  let browser: ConsoleBrowser;
  beforeAll(async () => {
    const env = { COMMUNITIES: 'approved', OWNERS: 'discord:1', COMMUNITY_DAILY_CREDITS: '500' };
    stage = await stageConsole({ filled, encrypted: true, env });
    browser = await stage.enter();
  });
  afterAll(() => stage.close());
  const open = async (community: string) =>
    browser.press(await browser.get('/owner/communities'), 'Open', { community });

  it('are listed in pages, from jobs and settings, without those that moved', async () => {
    const found = new Map<string, string>();
    let path = '/owner/communities';
    for (let pages = 0; pages < 10 && path !== ''; pages += 1) {
      const { text } = await browser.get(path);
      expect(text).not.toContain('<img src=x');
      for (const [id, link] of linksIn(text)) found.set(id, link);
      path = /rel="next" href="([^"]+)"/.exec(text)?.[1] ?? '';
    }
    const expected = Array.from({ length: 30 }, (_, index) => `discord:${1000 + index}`);
    expect([...found.keys()].toSorted()).toEqual([...expected, 'telegram:-100', 'telegram:-555']);
    for (const [id, link] of found) {
      const bytes = Buffer.from(link.slice(link.lastIndexOf('/') + 1), 'base64url').toString('latin1');
      for (const text of [link, bytes]) expect(text).not.toContain(id);
      expect(link).not.toMatch(/discord|telegram/);
    }
  });

  it('show what is known of them, and a former id leads to the present one', async () => {
    const { text } = await open('discord:1000');
    expect(text).toContain('4 of 500');
    expect(text).toContain('halloween');
    expect(text).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt;\ufffd</bdi>');
    expect(text).toContain('100 (default)');
    expect((await open('telegram:-99')).text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('are paused and resumed, after one question each', async () => {
    const page = await open('discord:1001');
    const asked = await browser.press(page, 'Pause', { reason: ' back tomorrow ' });
    expect(asked.text).toContain('Pause this community?');
    expect((await browser.get(page.path)).text).not.toContain('back tomorrow');
    // The question has an address, so that going back sends nothing again; nobody reads the reason there.
    expect(asked.path).toContain('/pause?with=');
    expect(
      Buffer.from(asked.path.slice(asked.path.indexOf('=') + 1), 'base64url').toString('latin1'),
    ).not.toContain('back');
    const paused = await browser.press(asked, 'Pause it');
    expect(paused.path).toBe(page.path);
    expect(paused.text).toContain('The community is paused.');
    expect(paused.text).toContain('<bdi>back tomorrow</bdi>');
    expect(paused.text).toContain('an owner: only owners can resume it');
    expect((await browser.get(page.path)).text).not.toContain('The community is paused.');
    // From another tab, and a second time.
    for (const again of [
      await browser.press(page, 'Pause', { reason: 'other' }),
      await browser.press(asked, 'Pause it'),
    ])
      expect(again.text).toMatch(/It is paused already\.[^<]*<bdi>back tomorrow</);
    const question = await browser.press(paused, 'Resume');
    const resumed = await browser.press(question, 'Resume it');
    expect(resumed.text).toContain('The community is open again.');
    expect((await browser.press(question, 'Resume it')).text).toContain('It is open already.');
    expect(resumed.text).not.toContain('<dd><bdi>back tomorrow</bdi></dd>');
    expect(resumed.text).toContain('settings.pause reason=back tomorrow');
    expect(resumed.text).toContain('<bdi>console:owner</bdi>');
  });

  it('that a moderator has paused can be paused as owner', async () => {
    const page = await open('telegram:-100');
    expect(page.text).toContain('a moderator: moderators can resume it');
    const asked = await browser.press(page, 'Pause as owner', { reason: 'abuse' });
    expect(asked.text).toContain('until an owner resumes it');
  });

  it('are paused without a reason', async () => {
    const page = await open('discord:1003');
    const paused = await browser.press(await browser.press(page, 'Pause'), 'Pause it');
    expect(paused.text).toContain('>paused</span>');
    expect(paused.text).not.toContain('Reason of the pause');
    expect((await browser.press(page, 'Pause')).text).toContain('It is paused already. No reason is given.');
  });

  it('get daily credits, within bounds', async () => {
    const page = await open('discord:1002');
    const set = await browser.press(await browser.press(page, 'Set credits', { amount: '2500' }), 'Set them');
    expect(set.text).toContain('The daily credits were set.');
    expect(set.text).toContain('<dd>2500 (set by an owner: only owners can change it)</dd>');
    expect(page.text).toContain('max="100000" step="1" value="100"');
    for (const amount of ['-1', '100001', '1e3', '', '٣', '9'.repeat(400)]) {
      const refused = await browser.press(page, 'Set credits', { amount });
      expect([amount, refused.status]).toEqual([amount, 400]);
    }
  });

  it('are approved and revoked', async () => {
    const page = await open('telegram:-555');
    expect(page.text).toContain('not approved');
    const approved = await browser.press(await browser.press(page, 'Approve'), 'Approve it');
    expect(approved.text).toContain('The community is approved.');
    expect((await browser.press(page, 'Approve')).text).toContain('It is approved already.');
    const revoked = await browser.press(await browser.press(approved, 'Revoke'), 'Revoke it');
    expect(revoked.text).toContain('The approval was revoked.');
    expect(revoked.text).toContain('not approved');
  });

  it.each(['discord', 'x:1', 'discord:<b>', 'discord:../..', `discord:${'1'.repeat(100)}`, '\0'])(
    'are not found under any id: %s',
    async (id) => expect((await open(id)).status).toBe(404),
  );

  it.each(['none', 'A'.repeat(80), '%00', '..%2f', 'x'.repeat(2_000)])(
    'are not found by a forged address: %s',
    async (hidden) => {
      const page = await browser.get('/owner/communities');
      const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      expect((await browser.get(`/owner/communities/${hidden}`)).status).toBe(404);
      const answer = await browser.post(`/owner/communities/${hidden}/pause`, `token=${token}&sure=yes`);
      expect(answer.status).toBe(303);
      expect((await browser.get(answer.headers.get('location') ?? '')).status).toBe(404);
      expect((await browser.get(`/owner/communities?after=${hidden}`)).status).toBe(200);
    },
  );

  it.each(['none', 'A'.repeat(80), '%00'])(
    'are asked nothing about by a damaged address: %s',
    async (given) => {
      const { path } = await open('discord:1000');
      expect((await browser.get(`${path}/pause?with=${given}`)).status).toBe(404);
    },
  );

  it('have campaigns, on a page of their own', async () => {
    const { text } = await browser.get('/owner/campaigns');
    expect(text).toContain(new Date(coming.from).toISOString());
    expect(text).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt;\ufffd</bdi>');
    expect(linksIn(text).has('discord:1000')).toBe(true);
  });

  it('leave every action in the audit trail, as the owner’s', async () => {
    const lines = await stage.readStore(async ({ audit }) => {
      const all: AuditLine[] = [];
      for await (const line of audit.since(now)) if (line.actor === 'console:owner') all.push(line);
      return all;
    });
    expect(lines.map(({ community, action, detail }) => [community, action, detail])).toEqual([
      ['discord:1001', 'settings.pause', { reason: 'back tomorrow' }],
      ['discord:1001', 'settings.resume', {}],
      ['discord:1003', 'settings.pause', { reason: '' }],
      ['discord:1002', 'settings.credits', { amount: 2500 }],
      ['telegram:-555', 'settings.approve', { community: 'telegram:-555' }],
      ['telegram:-555', 'settings.revoke', { community: 'telegram:-555' }],
    ]);
  });
});

it('a daily allowance above what /settings credits gives can be sent as it is, and not raised', async () => {
  const stage = await stageConsole({
    filled,
    env: { USER_DAILY_CREDITS: '250000', USER_MAX_DAILY_CREDITS: '250000' },
  });
  try {
    const browser = await stage.enter();
    const page = await browser.press(await browser.get('/owner/communities'), 'Open', {
      community: 'DISCORD:1000',
    });
    expect(page.text).toContain('max="250000" step="1" value="250000"');
    expect((await browser.press(page, 'Set credits', { amount: '250001' })).status).toBe(400);
    const set = await browser.press(await browser.press(page, 'Set credits'), 'Set them');
    expect(set.text).toContain('<dd>250000 (set by an owner: only owners can change it)</dd>');
  } finally {
    await stage.close();
  }
});
