// @module-tag slow
// @module-tag browser
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { holds } from '../../eventually.ts';
import { suspiciousStripes } from '../../fakes/content-pictures.ts';
import { barriers } from './barriers.ts';
import { usePlayground } from './playground.ts';
import { portrait, type Visitor } from './visitor.ts';

/** Every result is a pattern of stripes that the model takes for nudity. */
const stripes = await suspiciousStripes();

describe('a held result in the playground', () => {
  const { arrive, playground } = usePlayground(
    { jobs: () => ({ result: stripes }) },
    { CONTENT_CHECK: 'on' },
  );

  /** The width of the picture that the browser has loaded; 0 before it has. */
  const width = (image: Locator): Promise<number> =>
    image.evaluate((element) => Number(Reflect.get(element, 'naturalWidth')));
  /** Waits until the image shows a picture, and not the browser's sign for a broken one. */
  const expectPicture = (image: Locator): Promise<void> =>
    holds(async () => expect(await width(image)).toBeGreaterThan(100));
  /** The card of a job whose result is held; it stays the same message to its end. */
  const heldCard = async (visitor: Visitor): Promise<Locator> => {
    await visitor.say('/faceswap 5 female', portrait);
    const held = visitor.card('a moderator looks at it first');
    await held.getByRole('button', { name: 'Look' }).waitFor();
    return visitor.page.locator(`article[data-id="${await held.getAttribute('data-id')}"]`);
  };

  test('is shown to the moderator who looks, behind a veil, and on its card when they say so, also after a kill', async () => {
    const ann = await arrive();
    const card = await heldCard(ann);

    expect(await card.locator('img').count()).toBe(0);
    expect(await barriers(ann.page)).toEqual([]);

    await card.getByRole('button', { name: 'Look' }).click();
    await ann.page.getByText('Only moderators of this community can do this.').waitFor();

    expect(await card.locator('img').count()).toBe(0);

    await ann.be('max');
    ann.expectOutage();
    await playground().restart('kill');
    await card.getByRole('button', { name: 'Look' }).click();
    const seen = ann.card('Show puts it on its card');

    await seen.locator('figure.spoiler').waitFor();
    await expectPicture(seen.locator('img'));
    expect(await barriers(ann.page)).toEqual([]);

    await seen.getByRole('button', { name: 'Show' }).click();

    await card.filter({ hasText: 'AI-generated' }).waitFor();
    await expectPicture(card.locator('figure img'));
  });

  test('is shown to nobody when a moderator removes it, and the card says so', async () => {
    const ann = await arrive();
    const card = await heldCard(ann);

    await ann.be('max');
    await card.getByRole('button', { name: 'Look' }).click();
    const seen = ann.card('Show puts it on its card');
    await seen.getByRole('button', { name: 'Remove', exact: true }).click();

    await card.filter({ hasText: 'A moderator removed this result' }).waitFor();
    expect(await card.locator('img').count()).toBe(0);
  });
});
