import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { doneJob, insert } from '../../../contract/store/suite/driver.ts';
import type { ConsoleBrowser } from '../../../fakes/web/console-browser.ts';
import { sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { type ConsoleStage, stageConsole } from './made-up.ts';

const now = Date.now();
const WISH = 'a very secret wish';
const request = { kind: 'self-prompt', photo: { from: 'discord', ref: 'x' }, prompt: WISH } as const;
const jobs: Job[] = Array.from({ length: 120 }, (_, index) =>
  doneJob({
    createdAt: now - (200 - index) * 60_000,
    finishedAt: now - (200 - index) * 60_000 + 12_000,
    day: new Date(now).toISOString().slice(0, 10),
    request,
    label: WISH,
    caller: { platform: 'discord', id: String(100 + (index % 3)), name: 'Ann\u202e<b>', locale: 'en' },
    place: { platform: 'discord', community: `discord:${1 + (index % 2)}`, channel: '9', direct: false },
    history: [
      { state: 'opening', at: now - 3_000 },
      { state: 'waiting', at: now - 2_000 },
      { state: 'done', at: now - 1_000 },
    ],
  }),
);
const failed = sampleJob({
  state: 'failed',
  charge: 'returned',
  settled: true,
  createdAt: now - 60_000,
  finishedAt: now,
  request: {
    kind: 'single-frame-video',
    photo: request.photo,
    prompt: WISH,
    model: 'advanced',
    duration: '4s',
    aspect: 'auto',
  },
  label: '<script>alert(1)</script>',
  failure: { code: 'refused', detail: `about ${WISH}` },
});
const filled = (store: Store) => insert(store, ...jobs, failed);
const idsIn = (text: string): readonly string[] =>
  [...text.matchAll(/class="id" href="\/owner\/jobs\/([^"]+)"/g)].map(([, id = '']) => id);

describe.each([
  ['plain', false],
  ['encrypted', true],
])('jobs in the console, %s store', (_name, encrypted) => {
  let stage: ConsoleStage;
  let browser: ConsoleBrowser;
  beforeAll(async () => {
    stage = await stageConsole({ filled, encrypted });
    browser = await stage.enter();
  });
  afterAll(() => stage.close());
  const search = async (fields: Record<string, string>) =>
    browser.press(await browser.get('/owner/jobs'), 'Search', fields);

  it('are listed in pages, the latest first', async () => {
    const found: string[] = [];
    let path = '/owner/jobs';
    for (let pages = 0; pages < 10 && path !== ''; pages += 1) {
      const { text } = await browser.get(path);
      found.push(...idsIn(text));
      path = (/rel="next" href="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
    }
    expect(found).toEqual([...jobs, failed].map(({ id }) => id).toReversed());
  });

  it('are found by id, state, kind, community and person, and no id of a person is in the address', async () => {
    const byId = await search({ id: ` ${failed.id} ` });
    expect([byId.status, byId.path]).toEqual([200, `/owner/jobs/${failed.id}`]);
    expect(idsIn((await search({ state: 'failed' })).text)).toEqual([failed.id]);
    expect(idsIn((await search({ kind: 'single-frame-video' })).text)).toEqual([failed.id]);
    const inOne = await search({ community: 'discord:2', person: 'discord:101' });
    const sealed = inOne.path.slice(inOne.path.lastIndexOf('=') + 1);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('discord');
    expect(inOne.path).not.toContain('discord');
    expect(idsIn(inOne.text)).toHaveLength(20);
    expect(inOne.text).toContain('value="discord:101"');
    expect(idsIn((await search({ community: 'DISCORD:2', person: ' Discord:101' })).text)).toHaveLength(20);
    expect(idsIn((await search({ person: 'discord:999' })).text)).toEqual([]);
  });

  it('have a page with their history of states, and what people wrote only where nothing is encrypted', async () => {
    const { text } = await browser.get(`/owner/jobs/${failed.id}`);
    expect(text).toContain('refused');
    expect(text).not.toContain('<script>alert');
    expect(text.includes(WISH)).toBe(!encrypted);
    expect(text.includes('&lt;script&gt;alert')).toBe(!encrypted);
    const [first] = jobs;
    const page = (await browser.get(`/owner/jobs/${first?.id}`)).text;
    expect([...page.matchAll(/<span class="state (\w+)"/g)].map(([, state]) => state)).toEqual([
      'done',
      'opening',
      'waiting',
      'done',
    ]);
    expect(page).toContain('<bdi>Ann\ufffd&lt;b&gt;</bdi>');
    expect((await browser.get('/owner/jobs')).text).not.toContain(WISH);
  });

  it.each([
    '?state=nonsense',
    '?kind=%00',
    '?community=x',
    '?person=..%2f&after=1',
    `?person=${'A'.repeat(5_000)}`,
  ])('are not listed where the address is damaged: %s', async (query) => {
    const page = await browser.get(`/owner/jobs${query}`);
    expect([page.status, idsIn(page.text)]).toEqual([400, []]);
    expect(page.text).toContain('The address is damaged');
  });

  it.each([
    `?after=${'9'.repeat(15)}-${'9'.repeat(15)}`,
    '?after=-1-1',
    '?state=done&state=failed&__proto__=1&constructor=2',
  ])('answer to whatever an address asks for: %s', async (query) => {
    expect((await browser.get(`/owner/jobs${query}`)).status).toBe(200);
  });

  it.each(['none', '%00', '..%2f..%2f', 'x'.repeat(2_000), '%F0%9F%A6%8A', '__proto__'])(
    'that do not exist are not found: %s',
    async (id) => {
      const page = await browser.get(`/owner/jobs/${id}`);
      expect([page.status, page.headers.get('cache-control')]).toEqual([404, 'no-store']);
    },
  );

  it.each([{ id: '../../x' }, { person: '\u202e<b>\0' }, { community: '🦊'.repeat(300) }, { state: '<' }])(
    'answer to whatever is typed: %j',
    async (fields: Record<string, string>) => {
      const page = await search(fields);
      expect([200, 404]).toContain(page.status);
      expect(page.text).not.toContain('value="<');
    },
  );
});
