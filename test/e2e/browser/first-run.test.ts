// @module-tag slow
// @module-tag browser
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/words/language.ts';
import { createGenerationService } from '../../fakes/service/service.ts';
import { createDataFolder, type Program, startProgram } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { startPatientProgram } from '../stage/patient-program.ts';
import { barriers, stickingOut } from './barriers.ts';
import { launchChromium } from './chromium.ts';
import { openPlayground } from './playground.ts';
import { portrait, visit } from './visitor.ts';

describe('the first five minutes: no settings at all', () => {
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

  test('without any settings a sample and one confirmation are enough for a picture', async () => {
    const ann = await visit(browser, program.url);
    await ann.page.getByRole('button', { name: 'Swap a face' }).click();
    await ann.page.getByAltText('portrait.jpg').waitFor();
    await ann.page.getByRole('button', { name: 'Send' }).click();
    await ann.card('Before your first picture').getByRole('button', { name: 'I confirm' }).click();
    await ann.card('Face swap').getByRole('progressbar').waitFor();
    await ann.card('AI-generated').locator('figure img').waitFor();

    expect(ann.complaints()).toEqual([]);
  });

  test('two samples with one command lead to one question, and a picture of each', async () => {
    const bob = await visit(browser, program.url);
    await bob.page.getByRole('button', { name: 'Several photos at once' }).click();
    await bob.page.getByAltText('group.jpg').waitFor();
    await bob.page.getByRole('button', { name: 'Send' }).click();
    const all = bob.card('2 photos at once').getByRole('button', { name: 'All 2' });
    await all.waitFor();
    const results = bob.page.getByText('AI-generated');
    const before = await results.count();
    await all.click();
    await results.nth(before + 1).waitFor();

    expect(bob.complaints()).toEqual([]);
  });
});

const group = readFileSync(new URL('../../../src/generation-service/samples/group.jpg', import.meta.url));

describe('a photo of several people', () => {
  test('in a photo of several people, the face that is meant is pressed in the picture', async () => {
    const folder = createDataFolder();
    const store = `sqlite:${join(folder.path, 'darkroom.sqlite')}`;

    await teachQuickness(store);
    const [browser, service] = await Promise.all([
      launchChromium(),
      createGenerationService({ script: { jobs: { queuedMs: 50, runningMs: 300 } } }),
    ]);
    const program = await startPatientProgram({
      STORE_URL: store,
      GENERATION_URL: service.url,
      GENERATION_API_KEY: service.apiKey,
      GENERATION_TOKEN: service.token,
    });
    const ann = await visit(browser, program.url, {});
    try {
      await ann.say('/faceswap 12 female', group);
      const question = ann.card('Whose face');
      const picture = question.locator('figure img');
      await picture.waitFor();
      const labels = await question.locator('.buttons').getByRole('button').allTextContents();
      expect(labels).toEqual([...'12345', 'Everybody']);
      expect(await barriers(ann.page)).toEqual([]);
      // The fourth face is the first of the second row.
      const { x = 0, y = 0, width = 0, height = 0 } = (await picture.boundingBox()) ?? {};
      await ann.page.mouse.click(x + width / 6, y + 0.75 * height);
      await ann.card('AI-generated').waitFor();
      expect(service.jobs()).toHaveLength(1);
    } finally {
      await ann.close();
      await browser.close();
      await program.stop();
      await service.close();
      folder.remove();
    }

    expect(ann.complaints()).toEqual([]);
  });
});

describe('the owner, in the browser', () => {
  test('the owner approves a chat of the playground with the keyboard, and takes it back', async () => {
    const playground = await openPlayground({}, { COMMUNITIES: 'approved' });
    try {
      const phone = { viewport: { width: 360, height: 740 } };
      const ann = await visit(playground.browser, playground.url());
      const ida = await visit(playground.browser, playground.url(), phone);
      await ann.say('/faceswap 3 female', portrait);
      await ann.card('This bot works only where its owner has approved it').waitFor();

      const choice = ida.page.getByLabel('You are');
      await choice.focus();
      await ida.page.keyboard.press('End');
      await ida.page.getByRole('button', { name: 'Garden' }).waitFor();
      expect(await choice.locator('option:checked').textContent()).toBe('Ida · owner');
      await ida.page.getByRole('button', { name: 'Direct chat' }).press('Enter');
      const notice = ida.page.locator('article.bot').filter({ hasText: 'Community: Studio' });
      await notice.getByRole('button', { name: 'Not now' }).waitFor();
      expect(await barriers(ida.page)).toEqual([]);
      for (const language of LANGUAGES.toReversed()) {
        await ida.page.locator('#language').selectOption(language);
        await ida.page.locator(`html[lang=${language}]`).waitFor();
        expect(await stickingOut(ida.page)).toEqual([]);
      }
      await notice.getByRole('button', { name: 'Approve' }).press('Enter');
      await notice.getByText('Approved by Ida.').waitFor();
      await ann.card('The owner of this bot has approved this chat').waitFor();

      await ann.say('/faceswap 3 female', portrait);
      await ann.card('AI-generated').locator('figure img').waitFor();
      await ida.say('/settings revoke web:studio');
      await ida.card('web:studio is no longer approved').waitFor();
      await ann.say('/filters');
      await ann.card('This bot works only where its owner has approved it').waitFor();
      expect([...ann.complaints(), ...ida.complaints()]).toEqual([]);
    } finally {
      await playground.close();
    }
  });
});
