import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/store/tables/store.ts';
import { doneJob, insert } from '../../../contract/store/suite/driver.ts';
import type { ConsoleBrowser, Shown } from '../../../fakes/web/console-browser.ts';
import { type ConsoleStage, stageConsole } from './made-up.ts';
import { fillYear } from './made-up-year.ts';

const now = Date.now();
const filled = async (store: Store): Promise<void> => {
  await fillYear(store, now);
  // The credits of the last thirty days are read from the ledger.
  const place = { platform: 'discord', community: 'discord:1000', channel: '1', direct: false } as const;
  const day = new Date(now).toISOString().slice(0, 10);
  await insert(store, doneJob({ createdAt: now, finishedAt: now, day, place }));
};
const pointsIn = ({ text }: Shown, title: string): readonly string[] => {
  const chart = text.split(`<h3>${title}</h3>`)[1]?.split('</svg>')[0] ?? '';
  return [...chart.matchAll(/<title>([^<]*)<\/title>/g)].map(([, label = '']) => label);
};

describe('figures in the console', () => {
  let stage: ConsoleStage;
  let browser: ConsoleBrowser;
  beforeAll(async () => {
    const env = { SERVICE_DAILY_CREDITS: '12000', COMMUNITY_DAILY_CREDITS: '500' };
    stage = await stageConsole({ filled, env });
    browser = await stage.enter();
  });
  afterAll(() => stage.close());

  it.each([
    ['hour', 60],
    ['day', 96],
    ['month', 120],
    ['year', 365],
  ])('of the last %s are charts with a value at every point, and tables', async (range, count) => {
    const page = await browser.get(`/owner/figures?range=${range}`);
    expect(page.status).toBe(200);
    for (const title of [
      'Jobs',
      'Time to the result',
      'How late a result was seen, at most',
      'Status calls a job',
    ]) {
      const points = pointsIn(page, title);
      expect([title, points.length]).toEqual([title, count]);
      expect(points.filter((label) => /: .*\d/.test(label)).length).toBeGreaterThan(count / 2);
    }
    expect(page.text.match(/<details><summary>/g)?.length).toBeGreaterThanOrEqual(6);
    const shown = [
      'photo-invalid',
      'face-swap-v6: unavailable',
      'Ceiling: 12,000',
      'of 500</td>',
      '<bdi>discord:1000</bdi>',
    ];
    expect(shown.filter((text) => !page.text.includes(text))).toEqual([]);
    expect(page.text).toMatch(/telegram, [\d: -]+ for 15 min: not connected/);
    // A year is no heavier than a page with a few pictures.
    expect(page.text.length).toBeLessThan(800_000);
  });

  it('are those of a day where the address asks for something else', async () => {
    const points = async (query: string) =>
      pointsIn(await browser.get(`/owner/figures${query}`), 'Jobs').length;
    for (const query of [
      '',
      '?range=century',
      '?range=__proto__',
      `?range=${'x'.repeat(3_000)}`,
      '?range=%00',
    ])
      expect(await points(query)).toBe(96);
  });

  it('have headers like every page, and the script is our own file', async () => {
    const page = await browser.get('/owner/figures');
    const [, script = ''] = /<script src="([^"]+)" defer><\/script>/.exec(page.text) ?? [];
    const answer = await browser.get(script);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    for (const { headers } of [page, answer]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    }
    expect(page.text.match(/<script/g)).toHaveLength(1);
  });
});

it('an empty store has empty charts', async () => {
  const stage = await stageConsole({});
  try {
    const browser = await stage.enter();
    for (const path of ['', '/figures?range=year', '/jobs', '/communities', '/campaigns', '/sessions'])
      expect((await browser.get(`/owner${path}`)).status).toBe(200);
    expect((await browser.get('/owner/figures?range=hour')).text).toContain('None was seen.');
  } finally {
    await stage.close();
  }
});
