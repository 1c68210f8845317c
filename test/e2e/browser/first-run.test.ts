import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDataFolder, type Program, startProgram } from '../program.ts';
import { describeInBrowser, launchChromium } from './chromium.ts';
import { visit } from './visitor.ts';

describeInBrowser('the first five minutes: no settings at all', () => {
  let folder: ReturnType<typeof createDataFolder>;
  let program: Program;
  beforeAll(async () => {
    folder = createDataFolder();
    program = await startProgram(folder.path, {});
  });
  afterAll(async () => {
    await program?.stop();
    folder?.remove();
  });

  test('a sample, one confirmation, and the embedded service makes a picture', async () => {
    const browser = await launchChromium();
    try {
      const ann = await visit(browser, program.url);
      await ann.page.getByRole('button', { name: 'Swap a face' }).click();
      await ann.page.getByAltText('portrait.jpg').waitFor();
      await ann.page.getByRole('button', { name: 'Send' }).click();
      await ann.card('Before your first picture').getByRole('button', { name: 'I confirm' }).click();
      await ann.card('Face swap').getByRole('progressbar').waitFor();
      await ann.card('AI-generated').locator('figure img').waitFor();
      expect(ann.complaints()).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
