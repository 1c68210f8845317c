// @module-tag slow
// @module-tag browser
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JobOverrides } from '../../../src/generation-service/jobs/jobs.ts';
import { holds } from '../../eventually.ts';
import { usePlayground } from './playground.ts';
import { portrait, type Visitor } from './visitor.ts';

/** The behaviour of the service with the next job, which each test sets. */
let plan: JobOverrides;
/** Longer than anything takes that has to happen in the middle of a job, which ends when the test says so. */
const longMs = 3_600_000;
const slow: JobOverrides = { queuedMs: 100, runningMs: longMs };

describe('the life of a card, in the browser', () => {
  const { arrive, playground } = usePlayground({ jobs: () => plan });
  let ann: Visitor;
  beforeEach(async () => {
    plan = {};
    ann = await arrive();
  });

  const bar = () => ann.page.getByRole('progressbar').last();
  /** Waits until the job is at the service, where alone it can end. */
  const atService = () =>
    holds(async () => expect(Number(await bar().getAttribute('value'))).toBeGreaterThan(0));

  test('the progress of a card moves forward only, and Cancel ends the job on its card', async () => {
    ann = await arrive({ reducedMotion: 'no-preference' });
    plan = slow;
    await ann.say('/faceswap 2 female', portrait);
    const shares: number[] = [];
    const sharesSeen = async (): Promise<number> => {
      shares.push(Number(await bar().getAttribute('value')));
      return new Set(shares).size;
    };

    await holds(async () => expect(await sharesSeen()).toBeGreaterThan(3));
    expect(shares).toEqual([...shares].sort((one, other) => one - other));
    expect(shares.at(-1)).toBeLessThan(1);

    const card = ann.page.locator('article.bot').last();
    const id = await card.getAttribute('data-id');
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.filter({ hasText: 'Cancelled.' }).waitFor();

    expect(await card.getAttribute('data-id')).toBe(id);
    expect(await card.getByRole('progressbar').count()).toBe(0);
  });

  test('a picture and a video are shown, and the video plays', async () => {
    await ann.say('/groupswap style=2', portrait);
    const image = ann.card('AI-generated').locator('figure img');
    // Pixels, not just an element: a broken picture has none.
    const has = (of: Locator, property: string, least: number): Promise<void> =>
      holds(async () =>
        expect(await of.evaluate((element, name) => Reflect.get(element, name), property)).toBeGreaterThan(
          least,
        ),
      );
    await has(image, 'naturalWidth', 100);
    await ann.say('/transition a swirl of light duration=4s', portrait, portrait);
    const video = ann.card('AI-generated').locator('video');
    await video.waitFor();
    await video.evaluate((element) => Reflect.get(element, 'play').call(element));
    await has(video, 'currentTime', 0.2);
    await has(video, 'videoWidth', 100);
  });

  test('As a file gives a download of the service’s own picture, also after the program was killed', async () => {
    await ann.say('/faceswap 12 female', portrait);
    const card = ann.card('AI-generated');
    await card.locator('figure img').waitFor();
    ann.expectOutage();
    await playground().restart('kill');
    await ann.page.reload();

    await ann.page.getByRole('button', { name: 'As a file' }).last().click();
    const link = ann.page.locator('article.bot a[download]').last();
    await link.waitFor();
    const [download] = await Promise.all([ann.page.waitForEvent('download'), link.click()]);
    const bytes = await readFile(await download.path());

    expect(download.suggestedFilename()).toMatch(/^darkroom-.*\.(jpg|png|webp)$/);
    expect(bytes.includes('compositeWithTrainedAlgorithmicMedia')).toBe(true);
  });

  test('a page that is loaded again in the middle shows the same card, which becomes the result', async () => {
    plan = slow;
    await ann.say('/faceswap 5 female', portrait);
    await atService();
    const id = await ann.page.locator('article.bot').last().getAttribute('data-id');
    await ann.page.reload();
    const same = ann.page.locator(`article[data-id="${id}"]`);
    await same.getByRole('button', { name: 'Cancel' }).waitFor();
    playground().laterAtService(2 * longMs);
    await same.locator('figure img').waitFor();
  });

  test.each(['stop', 'kill'] as const)(
    'the open page and its card go on when the program ends in the middle (%s) and starts again',
    async (how) => {
      plan = slow;
      await ann.say('/faceswap 6 female', portrait);
      await atService();
      const id = await ann.page.locator('article.bot').last().getAttribute('data-id');
      ann.expectOutage();
      await playground().restart(how);
      playground().laterAtService(2 * longMs);
      const same = ann.page.locator(`article[data-id="${id}"]`);
      await same.locator('figure img').waitFor();

      await ann.say('/usage');
      await ann.card('Credits today').waitFor();
    },
  );
});
