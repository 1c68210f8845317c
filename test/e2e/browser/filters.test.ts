// @module-tag slow
// @module-tag browser
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { holds } from '../../eventually.ts';
import type { HttpFault, ScriptedCall } from '../../fakes/service/script.ts';
import { barriers, stickingOut } from './barriers.ts';
import { usePlayground } from './playground.ts';
import { phone, portrait, type Visitor } from './visitor.ts';

/** The preview of filter 5 is missing, and the preview of filter 6 comes later than the server waits for it. */
const previews = ({ path }: ScriptedCall): HttpFault | undefined => {
  if (path.endsWith('/5.jpg')) return { kind: 'status', status: 404 };
  return path.endsWith('/6.jpg') ? { kind: 'delay', delayMs: 4_000 } : undefined;
};

const grid = (card: Locator): Locator => card.getByRole('group');
const tiles = (card: Locator): Locator => grid(card).getByRole('button');
const tile = (card: Locator, name: string): Locator => grid(card).getByRole('button', { name, exact: true });
const focused = (page: Page): Promise<unknown> =>
  page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');

const expectPicture = (of: Locator): Promise<void> =>
  holds(async () =>
    expect(
      await of
        .locator('img')
        .evaluate((element) => [
          Reflect.get(element, 'naturalWidth'),
          Reflect.get(element, 'alt'),
          Reflect.get(element, 'loading'),
        ]),
    ).toEqual([320, '', 'lazy']),
  );

const isInView = async (page: Page, what: Locator): Promise<boolean> => {
  const room = await page.locator('#scroll').boundingBox();
  const box = await what.boundingBox();
  return room !== null && box !== null && box.y >= room.y && box.y < room.y + room.height;
};

describe('filters are chosen by eye', () => {
  const { arrive } = usePlayground({ http: previews });
  const list = async (ann: Visitor, options = ''): Promise<Locator> => {
    await ann.say(`/filters ${options}`);
    const card = ann.card('Filters: single faces');
    await tiles(card).first().waitFor();
    return card;
  };

  test('a tile without a picture shows its name, and a tile whose picture is late gets it later', async () => {
    const ann = await arrive();
    const late = tile(await list(ann, 'search="Neon Nights"'), '6 Neon Nights');

    expect(await late.locator('.instead').innerText()).toBe('Neon Nights');
    await expectPicture(late);

    const plain = tile(await list(ann, 'search="Film Noir"'), '5 Film Noir');
    expect(await plain.locator('.instead').innerText()).toBe('Film Noir');
    expect(await plain.locator('img').evaluate((element) => Reflect.get(element, 'naturalWidth'))).toBe(0);
    expect(await barriers(ann.page)).toEqual([]);

    await plain.click();
    await ann.card('Send the photo').waitFor();
  });

  test('an empty room shows filters: one press begins with it and with the photo that is attached', async () => {
    const kim = await arrive();
    await kim.be('kim');
    const welcome = kim.page.locator('#welcome');

    await expectPicture(tile(welcome, '1 Pop Art'));
    await expectPicture(tile(welcome, '49 Polar Explorer'));
    expect(await tiles(welcome).count()).toBe(10);
    expect(await barriers(kim.page)).toEqual([]);

    await kim.page
      .locator('#photos')
      .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: portrait });
    await kim.page.locator('#message').fill('half a sentence');
    await tile(welcome, '3 Watercolour').click();
    await kim.card('Who is in the photo').getByRole('button', { name: 'female', exact: true }).waitFor();

    expect(await kim.page.locator('#message').inputValue()).toBe('half a sentence');
    expect(await welcome.isVisible()).toBe(false);
  });

  test('/filters is a grid of pictures: press one, send a photo, get the result', async () => {
    const ann = await arrive();
    const card = await list(ann);

    expect(await grid(card).getAttribute('aria-label')).toBe('Filters: single faces');
    expect(await tiles(card).count()).toBe(25);
    await expectPicture(tile(card, '1 Pop Art'));
    expect(await isInView(ann.page, card.getByRole('heading'))).toBe(true);

    await tile(card, '3 Watercolour').click();
    const question = ann.card('Send the photo');
    await question.getByRole('button', { name: 'Choose a photo' }).waitFor();

    await holds(async () => expect(await isInView(ann.page, question)).toBe(true));
    expect(await tiles(card).count()).toBe(25);

    await ann.say('', portrait);
    await ann.card('Who is in the photo').getByRole('button', { name: 'female', exact: true }).click();
    await ann.card('Face swap · Watercolour').filter({ hasText: 'AI-generated' }).waitFor();
  });

  test('a question for a filter is a grid, which the keyboard alone can use', async () => {
    const ann = await arrive();
    const { page } = ann;

    await ann.say('/faceswap gender=female', portrait);
    const question = ann.card('/faceswap: one more thing');
    await tile(question, '2 Halftone Press').waitFor();
    await tile(question, '1 Pop Art').focus();
    await page.keyboard.press('Tab');

    expect(await focused(page)).toContain('2 Halftone Press');

    const outline = await tile(question, '2 Halftone Press').evaluate(
      (element) => element.ownerDocument.defaultView?.getComputedStyle(element).outlineStyle,
    );
    expect(outline).toBe('solid');
    expect(await barriers(page)).toEqual([]);

    await page.keyboard.press('Enter');
    await ann.card('Face swap · Halftone Press').filter({ hasText: 'AI-generated' }).waitFor();

    // The card has taken the question's place, and so has the focus.
    expect(await page.evaluate("document.activeElement.closest('article') !== null")).toBe(true);
  });

  test('pages of filters turn in place, and the focus stays where pages are turned', async () => {
    const ann = await arrive();
    const { page } = ann;
    const card = await list(ann);
    const id = await card.getAttribute('data-id');

    await page.getByRole('textbox', { name: 'Message' }).focus();
    // The first step leads to the field for photos.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');

    expect(await focused(page)).toBe('Next page');

    await page.keyboard.press('Enter');
    await grid(card).getByRole('button', { name: /^26 / }).waitFor();

    await holds(async () => expect(await focused(page)).toBe('Previous page'));

    await page.keyboard.press('Enter');
    await tile(card, '1 Pop Art').waitFor();

    await holds(async () => expect(await focused(page)).toBe('Next page'));
    expect(await ann.card('Filters: single faces').getAttribute('data-id')).toBe(id);
  });

  test('a second press of a filter while the first is on its way does nothing', async () => {
    const ann = await arrive();
    const { page } = ann;
    const card = await list(ann);
    const pass = Promise.withResolvers<void>();
    let presses = 0;

    await page.route('**/api/press', async (route) => {
      presses += 1;
      await pass.promise;
      await route.continue();
    });
    const one = tile(card, '4 Comic Hero');
    await one.click();

    expect(await one.getAttribute('aria-busy')).toBe('true');

    await one.click();
    pass.resolve();
    await ann.card('Send the photo').waitFor();

    await holds(async () => expect(await one.getAttribute('aria-busy')).toBeNull());
    expect(presses).toBe(1);
  });

  test.each([
    { name: 'light', options: { colorScheme: 'light' as const }, columns: 6 },
    { name: 'dark on a phone', options: { colorScheme: 'dark' as const, ...phone }, columns: 3 },
  ])('the grid of filters is accessible and fits: $name', async ({ options, columns }) => {
    const ann = await arrive(options);
    const card = await list(ann);

    await expectPicture(tile(card, '1 Pop Art'));
    expect(await barriers(ann.page)).toEqual([]);
    expect(await stickingOut(ann.page)).toEqual([]);

    const boxes = await Promise.all((await tiles(card).all()).map((each) => each.boundingBox()));
    expect(boxes.filter((box) => box?.y === boxes[0]?.y)).toHaveLength(columns);

    await ann.say('/filters search=pop');
    await tile(ann.card('Filters: single faces'), '1 Pop Art').waitFor();

    expect(await tiles(ann.card('Filters: single faces')).count()).toBe(1);
    expect(await stickingOut(ann.page)).toEqual([]);
  });
});
