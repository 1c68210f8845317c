import { beforeEach, expect, test } from 'vitest';
import type { JobPlan } from '../../../src/generation-service/jobs/jobs.ts';
import { holds } from '../../eventually.ts';
import { describeInBrowser } from './chromium.ts';
import { usePlayground } from './playground.ts';
import { portrait, type Visitor } from './visitor.ts';

/** What the service does with the next job, by the test's wish. */
let plan: JobPlan;
/** Longer than anything that has to happen in the middle of it takes: it ends when the test says so. */
const longMs = 3_600_000;
const slow: JobPlan = { queuedMs: 100, runningMs: longMs };

describeInBrowser('the life of a card, in the browser', () => {
  const { arrive, playground } = usePlayground({ jobs: () => plan });
  let ann: Visitor;
  beforeEach(async () => {
    plan = {};
    ann = await arrive();
  });

  const bar = () => ann.page.getByRole('progressbar').last();
  /** Only what is at the service can end there. */
  const atService = () =>
    holds(async () => expect(Number(await bar().getAttribute('value'))).toBeGreaterThan(0));
  const result = (label: string) => ann.card(label).filter({ hasText: 'AI-generated' });

  test('progress moves forward only; Cancel ends the job on its card', async () => {
    ann = await arrive({ reducedMotion: 'no-preference' });
    plan = slow;
    await ann.say('/faceswap 2 female', portrait);
    const shares: number[] = [];
    const look = async (): Promise<number> => {
      shares.push(Number(await bar().getAttribute('value')));
      return new Set(shares).size;
    };
    await holds(async () => expect(await look()).toBeGreaterThan(3));
    expect(shares).toEqual([...shares].sort((one, other) => one - other));
    expect(shares.at(-1)).toBeLessThan(1);
    const card = ann.page.locator('article.bot').last();
    const id = await card.getAttribute('data-id');
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.filter({ hasText: 'Cancelled.' }).waitFor();
    expect(await card.getAttribute('data-id')).toBe(id);
    expect(await card.getByRole('progressbar').count()).toBe(0);
  });

  test('a failure says so in words, and Retry makes it', async () => {
    plan = { failure: 'the face is hidden' };
    await ann.say('/faceswap 3 male', portrait);
    const failed = ann.card('failed to make this');
    await failed.getByText('refunded').waitFor();
    plan = {};
    await failed.getByRole('button', { name: 'Retry' }).click();
    await result('Face swap').locator('figure img').waitFor();
  });

  test('Again makes it once more, Other filter asks, Animate turns the picture into a video', async () => {
    await ann.say('/faceswap 4 female', portrait);
    const results = ann.page.getByRole('article').filter({ hasText: 'AI-generated' });
    const first = result('Face swap');
    await first.waitFor();
    const before = await results.count();
    await first.getByRole('button', { name: 'Again' }).click();
    await holds(async () => expect(await results.count()).toBe(before + 1));
    await results.last().getByRole('button', { name: 'Other filter' }).click();
    await ann.card('one more thing').getByRole('button', { name: /^6 / }).click();
    await holds(async () => expect(await results.count()).toBe(before + 2));
    await results.last().getByRole('button', { name: 'Animate' }).click();
    const question = ann.card('/animate: one more thing');
    await question.getByRole('textbox').fill('hair in the wind');
    await question.getByRole('button', { name: 'Answer' }).click();
    await result('hair in the wind').locator('video').waitFor();
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

  for (const how of ['stop', 'kill'] as const)
    test(`the program ends in the middle (${how}) and starts again: the open page and its card go on`, async () => {
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
    });

  test('results of before a restart are still in the chat', async () => {
    await ann.say('/faceswap 7 female', portrait);
    const card = result('Face swap').last();
    await card.locator('figure img').waitFor();
    const id = await card.getAttribute('data-id');
    ann.expectOutage();
    await playground().end();
    await ann.page.getByRole('status').getByText('The server is not answering; trying again').waitFor();
    await playground().begin();
    await holds(async () => expect(await ann.page.getByText('The server is not answering').count()).toBe(0));
    await ann.page.reload();
    const image = ann.page.locator(`article[data-id="${id}"] figure img`);
    await holds(async () =>
      expect(await image.evaluate((element) => Reflect.get(element, 'naturalWidth'))).toBeGreaterThan(100),
    );
    // Photos are never written down: the one that was sent has gone with the old process.
    await ann.page.getByText('No longer available').last().waitFor();
    await ann.page.locator(`article[data-id="${id}"]`).getByRole('button', { name: 'Again' }).click();
    await ann.card('Your photo could not be fetched').waitFor();
  });
});
