// @module-tag slow
// @module-tag browser
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/tables/store.ts';
import { languages } from '../../../src/words/words.ts';
import { doneJob, insert } from '../../contract/store/suite/driver.ts';
import { patienceMs } from '../../eventually.ts';
import { type ConsoleStage, PASSWORD, stageConsole } from '../owner/console/made-up.ts';
import { fillYear } from '../owner/console/made-up-year.ts';
import { barriers } from './barriers.ts';
import { launchChromium } from './chromium.ts';
import { appearances, phone } from './visitor.ts';

const now = Date.now();
const COMMUNITY = 'discord:1000';
const LONG_REASON = 'x'.repeat(200);

const filled = async (store: Store): Promise<void> => {
  await fillYear(store, now);
  const place = { platform: 'discord', community: COMMUNITY, channel: '1', direct: false } as const;
  const day = new Date(now).toISOString().slice(0, 10);
  for (let count = 0; count < 60; count += 1)
    await insert(
      store,
      doneJob({ createdAt: now - count * 1_000, finishedAt: now, day, place, label: 'Pop Art' }),
    );
  const chat = { platform: 'telegram', community: 'telegram:42', channel: '42', direct: true } as const;
  await insert(store, doneJob({ createdAt: now, finishedAt: now, day, place: chat }));
  await store.keyv('settings').set(COMMUNITY, { blocked: [], bannedWords: [] });
  await store.keyv('settings').set('telegram:-1001234567890', { blocked: [], bannedWords: [] });
  const by = { platform: 'discord', id: '424242424242424242', name: 'Ann', locale: 'en' };
  const from = now + 86_400_000;
  const until = now + 2 * 86_400_000;
  const what = { alias: 'halloween', aliasId: 'a1', filter: 'f1', label: 'Pumpkin', listed: true };
  await store.keyv('campaigns').set(COMMUNITY, [{ id: 'c1', state: 'coming', ...what, from, until, by }]);
  await store.keyv('campaigns').set('*due', { [COMMUNITY]: from });
};

describe('the console in a browser', () => {
  let stage: ConsoleStage;
  let browser: Browser;
  const complaints: string[] = [];
  beforeAll(async () => {
    const ceilings = { SERVICE_DAILY_CREDITS: '12000', COMMUNITY_DAILY_CREDITS: '500000' };
    const env = { COMMUNITIES: 'approved', OWNERS: 'discord:1', ...ceilings };
    [stage, browser] = await Promise.all([stageConsole({ filled, env }), launchChromium()]);
  });
  afterEach(() => expect(complaints.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const open = async (options: BrowserContextOptions): Promise<Page> => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    // Before the sign-in every page is answered with 401; one that does not exist, with 404.
    page.on('console', (message) => {
      if (message.type() === 'error' && !/40[14]/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    return page;
  };
  const enter = async (options: BrowserContextOptions): Promise<Page> => {
    const page = await open(options);
    await page.goto(`${stage.url}/owner`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    return page;
  };
  const openCommunity = async (page: Page): Promise<void> => {
    await page.goto(`${stage.url}/owner/communities`);
    await page.getByLabel('Community', { exact: true }).first().fill(COMMUNITY);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: COMMUNITY }).waitFor();
  };
  const check = async (page: Page, what: string): Promise<void> => {
    expect(await barriers(page), what).toEqual([]);
    await fits(page, what);
  };
  const fits = async (page: Page, what: string): Promise<void> => {
    // The page must have loaded, with its stylesheet.
    await page.waitForLoadState();
    const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(width), what).toBe(0);
    const isPhone = page.viewportSize()?.width === phone.viewport.width;
    expect(await cut(page, isPhone), what).toEqual([]);
  };
  /** Whatever must be pushed along to be read. Many columns of figures may be, where there is a mouse. */
  const cut = (page: Page, isPhone: boolean): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll('nav, .plot, .scroll${isPhone ? '' : ':not(details *)'}')]
      .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth)
      .map((each) => each.outerHTML.slice(0, 80))`);

  test.each(appearances)('every page of the console is accessible: $name', async ({ name, options }) => {
    // axe is put into the page as a text, which the policy of the page forbids.
    const page = await open({ ...options, bypassCSP: true });
    await page.goto(`${stage.url}/owner`);
    await check(page, 'sign-in');
    // Once: each delays the next sign-in for longer.
    if (name === 'dark on a phone') {
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await check(page, 'a wrong password');
    }
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    const paths = ['', '/figures?range=hour', '/figures?range=month', '/jobs', '/communities', '/campaigns'];
    for (const path of [...paths, '/sessions', '/none']) {
      await page.goto(`${stage.url}/owner${path}`);
      await check(page, path);
    }
    await page.goto(`${stage.url}/owner/figures?range=day`);
    for (const summary of await page.locator('summary').all()) await summary.click();
    await check(page, 'figures with their tables');
    await page.goto(`${stage.url}/owner/jobs`);
    await page.locator('td a.id').first().click();
    await page.getByRole('heading', { name: 'States' }).waitFor();
    await check(page, 'a job');
    await openCommunity(page);
    await check(page, 'a community');
    await page.getByLabel('Reason, shown to its people').fill(LONG_REASON);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('heading', { name: 'Pause this community?' }).waitFor();
    await check(page, 'a question');
    await page.context().close();
  });

  test('the console is in German for a browser in German, which has the longest words, and fits on a phone', async () => {
    const { signIn, sections, communities, fields } = languages.de.owner.console;
    const page = await open({ ...phone, locale: 'de', bypassCSP: true });
    await page.goto(`${stage.url}/owner`);
    await page.getByLabel(signIn.password).fill(PASSWORD);
    await page.getByRole('button', { name: signIn.button }).click();
    await page.getByRole('heading', { name: sections[''], level: 1 }).waitFor();
    for (const [path, title] of Object.entries(sections)) {
      await page.goto(`${stage.url}/owner${path === '' ? '' : `/${path}`}`);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await fits(page, title);
    }
    await page.goto(`${stage.url}/owner/communities`);
    await page.getByLabel(fields.community, { exact: true }).first().fill(COMMUNITY);
    await page.getByRole('button', { name: communities.openOne }).click();
    await page.getByRole('heading', { name: communities.trail }).waitFor();
    await fits(page, COMMUNITY);
    await page.context().close();
  });

  test('everything in the console works by keyboard alone', async () => {
    const page = await open({});
    await page.goto(`${stage.url}/owner`);
    // The field gets the focus by itself, a moment after the page has loaded.
    await page.getByLabel('Password').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    await page.keyboard.press('Tab');
    await page.locator(':focus', { hasText: 'Skip to the content' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#content:focus').waitFor();
    await page.getByRole('link', { name: 'Figures' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Time to the result' }).waitFor();
    await openCommunity(page);
    await page.getByLabel('Reason, shown to its people').focus();
    await page.keyboard.type('back tomorrow');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Pause this community?' }).waitFor();
    for (let tabs = 0; tabs < 20; tabs += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.textContent')) === 'Pause it') break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();

    expect(await page.getByRole('status').textContent()).toBe('The community is paused.');

    await page.context().close();
  });

  test('a chart of the console has one stop for Tab, shows the value of each point, and moves by arrow keys', async () => {
    const page = await enter({});
    await page.goto(`${stage.url}/owner/figures?range=day`);
    const chart = page.locator('figure').filter({ hasText: 'Time to the result' });
    const value = chart.locator('.value');
    const titles = await chart.locator('title').allTextContents();
    await page.locator('summary').first().focus();
    await page.keyboard.press('Tab');

    expect(await value.textContent()).toBe(titles.at(-1));

    await page.keyboard.press('Tab');
    await chart.locator('summary:focus').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');

    expect(await value.textContent()).toBe(titles.at(-3));

    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');

    expect(await value.textContent()).toBe(titles[0]);
    expect(await chart.locator('.point[tabindex="0"]').count()).toBe(1);

    await chart.locator('.point').nth(20).hover();
    expect(await value.textContent()).toBe(titles[20]);

    await page.context().close();
  });

  test.each([
    { name: 'wide', options: {} },
    { name: 'narrow', options: phone },
  ])('the timeline of outages moves from left to right by arrow keys: $name', async ({ name, options }) => {
    const page = await enter(options);
    await page.goto(`${stage.url}/owner/figures?range=year`);
    const chart = page.locator(`.plot.${name}`);
    const bars = await chart
      .locator('rect')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));

    expect(bars.length).toBeGreaterThan(10);
    expect(bars).toEqual(bars.toSorted((a, b) => a - b));

    await chart.locator('.point[tabindex="0"]').focus();
    const latest = await page.locator(':focus').textContent();

    expect(latest).toMatch(/^telegram/);

    await page.keyboard.press('Home');
    expect(await page.locator(':focus').textContent()).toBe(
      await chart.locator('title').first().textContent(),
    );

    await page.keyboard.press('End');
    expect(await page.locator(':focus').textContent()).toBe(latest);

    await page.context().close();
  });

  test('charts of the console have titles of their points and tables that open, also without scripts', async () => {
    const page = await enter({ javaScriptEnabled: false });
    await page.goto(`${stage.url}/owner/figures?range=hour`);
    const chart = page.locator('figure').filter({ hasText: 'Status calls a job' });

    expect(await chart.locator('title').count()).toBe(60);

    await chart.locator('summary').click();
    expect(await chart.getByRole('row').count()).toBeGreaterThan(30);

    await page.context().close();
  });

  test('going back after an action in the console shows the question again, and nothing is sent again', async () => {
    const page = await enter({});
    await openCommunity(page);
    await page.getByLabel('Credits a person a day').fill('7');
    await page.getByRole('button', { name: 'Set credits' }).click();
    await page.getByRole('button', { name: 'Set them' }).click();
    await page.getByText('The daily credits were set.').waitFor();
    await page.reload();

    expect(await page.getByRole('status').count()).toBe(0);

    await page.goBack();
    await page.getByRole('button', { name: 'Set them' }).waitFor();

    expect(await page.locator('main').textContent()).toContain('can use 7 credits a day');

    await page.context().close();
  });

  test('going back after signing out of the console shows nothing', async () => {
    const page = await enter({});
    await page.goto(`${stage.url}/owner/jobs`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    await page.goBack();
    await page.getByLabel('Password').waitFor();

    expect(await page.locator('td a.id').count()).toBe(0);

    await page.context().close();
  });
});
