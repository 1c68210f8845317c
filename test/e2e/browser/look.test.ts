import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGenerationService } from '../../fakes/service/service.ts';
import { createDataFolder } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { startPatientProgram } from '../stage/patient-program.ts';
import { barriers } from './barriers.ts';
import { describeInBrowser, launchChromium } from './chromium.ts';
import { visit } from './visitor.ts';

const group = readFileSync(new URL('../../../src/generation-service/samples/group.jpg', import.meta.url));

describeInBrowser('a photo of several people', () => {
  test('the face that is meant is pressed in the picture', async () => {
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
      expect(await question.locator('.buttons').getByRole('button').allTextContents()).toEqual([
        '1',
        '2',
        '3',
        '4',
        '5',
        'Everybody',
      ]);
      expect(await barriers(ann.page)).toEqual([]);
      // The fourth is the first of the second row.
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
