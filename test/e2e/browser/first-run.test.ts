import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDataFolder, type Program, startProgram } from '../program.ts';
import { describeInBrowser, launchChromium } from './chromium.ts';
import { visit } from './visitor.ts';

describeInBrowser('the first five minutes: no settings at all', () => {
  let folder: ReturnType<typeof createDataFolder>;
  let program: Program;
  let browser: Browser;
  beforeAll(async () => {
    folder = createDataFolder();
    [program, browser] = await Promise.all([startProgram(folder.path, {}), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    folder?.remove();
  });

  test('a sample, one confirmation, and the embedded service makes a picture', async () => {
    const ann = await visit(browser, program.url);
    await ann.page.getByRole('button', { name: 'Swap a face' }).click();
    await ann.page.getByAltText('portrait.jpg').waitFor();
    await ann.page.getByRole('button', { name: 'Send' }).click();
    await ann.card('Before your first picture').getByRole('button', { name: 'I confirm' }).click();
    await ann.card('Face swap').getByRole('progressbar').waitFor();
    await ann.card('AI-generated').locator('figure img').waitFor();
    expect(ann.complaints()).toEqual([]);
  });

  test('two samples with one command: one question, and a picture of each', async () => {
    const ben = await visit(browser, program.url);
    await ben.page.getByRole('button', { name: 'Several photos at once' }).click();
    await ben.page.getByAltText('group.jpg').waitFor();
    await ben.page.getByRole('button', { name: 'Send' }).click();
    const all = ben.card('2 photos at once').getByRole('button', { name: 'All 2' });
    await all.waitFor();
    const results = ben.page.getByText('AI-generated');
    const before = await results.count();
    await all.click();
    await results.nth(before + 1).waitFor();
    expect(ben.complaints()).toEqual([]);
  });
});
