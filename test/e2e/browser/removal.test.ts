// @module-tag slow
// @module-tag browser
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestIdOf } from '../../../src/safety/requests/request-number.ts';
import { LANGUAGES } from '../../../src/words/language.ts';
import { languages } from '../../../src/words/words.ts';
import { patienceMs } from '../../eventually.ts';
import { FILLED, stageRemovalPage } from '../../fakes/removal-page.ts';
import { barriers, stickingOut } from './barriers.ts';
import { launchChromium } from './chromium.ts';
import { appearances } from './visitor.ts';

const said = languages.en.removalPage;
const portrait = await readFile(
  new URL('../../../src/generation-service/samples/portrait.jpg', import.meta.url),
);
/** The folder for pictures of the pages, for somebody who wants to look at them. */
const pictures = process.env.PICTURES;

describe('the page for people outside the chat in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  const open = async (options: BrowserContextOptions): Promise<Page> => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(patienceMs);
    return context.newPage();
  };
  const picture = async (page: Page, name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  };

  test('somebody without JavaScript asks, reads what was decided, and deletes the request', async () => {
    const { url, records } = await stageRemovalPage();
    const page = await open({ javaScriptEnabled: false });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).origin));

    await page.goto(`${url}/removal`);
    await picture(page, 'form');
    await page.getByLabel(said.about).fill(FILLED.about ?? '');
    await page.getByLabel(said.contact).fill(FILLED.contact ?? '');
    await page.getByRole('button', { name: said.send }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toBe(said.problems.nothing);
    expect(await page.getByLabel(said.about).inputValue()).toBe(FILLED.about);

    await page
      .getByLabel(said.picture)
      .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: portrait });
    await page.getByRole('button', { name: said.send }).click();
    await page.getByText(said.states.open.title).waitFor();
    await picture(page, 'open');
    const number = page.url().split('/').at(-1) ?? '';

    await records.decide(requestIdOf(number), { what: 'refused', by: 'Olga', reason: 'Nobody is shown.' });
    await page.goto(`${url}/removal`);
    await page.getByLabel(said.number).fill(number.toLowerCase());
    await page.getByRole('button', { name: said.find }).click();
    await page.getByText('Nobody is shown.').waitFor();
    await picture(page, 'refused');

    await page.getByRole('link', { name: said.deleteIt }).click();
    await page.getByRole('button', { name: said.deleteIt }).click();
    await page.getByText(said.deleted).waitFor();
    expect(await records.find(requestIdOf(number))).toBeUndefined();
    expect(new Set(requested)).toEqual(new Set([url]));
  });

  test.each(appearances)(
    'every page of a request for removal is accessible in every language: $name',
    async ({ name, options }) => {
      const { url, post } = await stageRemovalPage();
      const { location } = await post(FILLED);
      // axe is put into the page as a text, which the policy of the page forbids.
      const page = await open({ ...options, bypassCSP: true });
      for (const language of LANGUAGES)
        for (const path of ['/removal', location, `${location}/delete`, '/removal/none']) {
          await page.goto(`${url}${path}?language=${language}`);
          const what = `${language} ${path}`;
          expect([what, await stickingOut(page)]).toEqual([what, []]);
          if (language === 'en') expect([what, await barriers(page)]).toEqual([what, []]);
        }
      await page.goto(`${url}/removal?language=de`);
      await picture(page, name.replaceAll(' ', '-'));
    },
  );
});
