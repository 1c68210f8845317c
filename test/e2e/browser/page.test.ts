// @module-tag slow
// @module-tag browser
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holds, patienceMs } from '../../eventually.ts';
import { barriers, stickingOut } from './barriers.ts';
import { openPlayground, type Playground, usePlayground } from './playground.ts';
import { appearances, portrait } from './visitor.ts';

const expectUsable = async (page: Page): Promise<void> => {
  expect(await barriers(page)).toEqual([]);
  expect(await stickingOut(page)).toEqual([]);
};

describe('the page itself', () => {
  const { arrive } = usePlayground();

  test.each(appearances)('the page of the playground is accessible: $name', async ({ options }) => {
    const visitor = await arrive(options);
    const { page } = visitor;

    await expectUsable(page);

    await visitor.say('/faceswap 3 female', portrait);
    await visitor.card('AI-generated').locator('figure img').waitFor();
    await visitor.say('/animate model=nonsense');
    await visitor.card('cannot be').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).pressSequentially('/');
    await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first().waitFor();

    await expectUsable(page);

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'All commands' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '/animate' }).click();

    await expectUsable(page);
  });

  test('the page follows the dark and the light colour scheme', async () => {
    const { page } = await arrive({ colorScheme: 'dark' });
    const brightness = async (): Promise<number> => {
      const colour = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      return Math.max(...[...String(colour).matchAll(/\d+/g)].map(([number]) => Number(number)));
    };

    expect(await brightness()).toBeLessThan(60);

    await page.emulateMedia({ colorScheme: 'light' });
    expect(await brightness()).toBeGreaterThan(220);
  });

  test('the page works with the keyboard only: complete a command, an option and a filter, then send', async () => {
    const visitor = await arrive();
    const { page } = visitor;

    await page.getByRole('button', { name: 'Sample portrait' }).click();
    await page
      .getByRole('listitem')
      .filter({ has: page.getByAltText('portrait.jpg') })
      .waitFor();
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.pressSequentially('/fac');
    await page.getByRole('option', { name: '/faceswap' }).waitFor();
    await page.keyboard.press('Tab');

    expect(await message.inputValue()).toBe('/faceswap ');

    await message.pressSequentially('filter=pop a');
    await message.press('Backspace');
    await message.press('Backspace');
    await page.getByRole('option', { name: 'Pop Art' }).waitFor();
    await page.keyboard.press('ArrowDown');

    expect(await message.getAttribute('aria-activedescendant')).toBe('suggestion-0');

    await page.keyboard.press('Enter');
    expect(await message.inputValue()).toBe('/faceswap filter=1 ');

    await message.pressSequentially('gender=f');
    await page.getByRole('option', { name: 'female' }).waitFor();
    await page.keyboard.press('Tab');

    expect(await message.inputValue()).toBe('/faceswap filter=1 gender=female ');

    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await visitor.card('Face swap · Pop Art').filter({ hasText: 'AI-generated' }).waitFor();
  });

  test('the page shows its own copy of a photo that it sent, and after a reload that of the server', async () => {
    const { page, say } = await arrive();
    const width = (): Promise<unknown> =>
      page.evaluate("[...document.querySelectorAll('article.own .sent img')].at(-1)?.naturalWidth ?? 0");
    const image = page.locator('article.own .sent img').last();

    await say('hello', portrait);

    await holds(async () => expect(await width()).toBeGreaterThan(0));
    expect(await image.getAttribute('src')).toMatch(/^blob:/);

    await page.reload();
    await holds(async () => expect(await width()).toBeGreaterThan(0));
    expect(await image.getAttribute('src')).toMatch(/^\/media\/photo/);
  });

  test('quick changes of person show each message once, and a change that fails says so', async () => {
    const visitor = await arrive();
    const { page, say } = visitor;
    const both = Promise.withResolvers<void>();
    let asked = 0;

    await page.route('**/api/session', async (route) => {
      const isRead = route.request().method() === 'GET';
      if (isRead) asked += 1;
      if (asked === 2) both.resolve();
      if (isRead) await both.promise;
      await (isRead && asked > 2 ? route.fulfill({ status: 503, json: {} }) : route.continue());
    });
    await page.evaluate(`for (const id of ['max', 'bob']) {
      const person = document.querySelector('#person');
      person.value = id;
      person.dispatchEvent(new Event('change'));
    }`);
    await both.promise;
    await say('hello');
    await say('again');

    expect(await page.locator('article.own').filter({ hasText: 'hello' }).count()).toBe(1);

    visitor.expectOutage();
    await page.getByLabel('You are').selectOption('ann');
    await page.getByRole('status').getByText('Reload the page').waitFor();
  });

  test('photos can be dropped on the page, pasted into it and removed', async () => {
    const { page } = await arrive();
    const give = (kind: 'drop' | 'paste', name: string): Promise<unknown> =>
      page.evaluate(`{
        const bytes = Uint8Array.from(atob('${portrait.toString('base64')}'), (letter) => letter.charCodeAt(0));
        const held = new DataTransfer();
        held.items.add(new File([bytes], '${name}', { type: 'image/jpeg' }));
        const way = { bubbles: true, cancelable: true, dataTransfer: held, clipboardData: held };
        const event = ${kind === 'drop' ? "new DragEvent('drop', way)" : "new ClipboardEvent('paste', way)"};
        document.body.dispatchEvent(event);
      }`);

    await give('drop', 'dropped.jpg');
    await page.getByAltText('dropped.jpg').waitFor();
    await give('paste', 'pasted.jpg');
    await page.getByAltText('pasted.jpg').waitFor();
    await page.getByRole('button', { name: 'Remove dropped.jpg' }).click();

    expect(await page.getByAltText('dropped.jpg').count()).toBe(0);
    expect(await page.getByAltText('pasted.jpg').count()).toBe(1);
  });

  test('a file that is not a picture is refused before it is sent, with one message', async () => {
    const { page } = await arrive();
    const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') };
    const fine = (name: string) => ({ name, mimeType: 'image/jpeg', buffer: portrait });

    await page.locator('#photos').setInputFiles([broken]);
    await page.getByRole('status').getByText('broken.jpg cannot be used').waitFor();

    expect(await page.getByAltText('broken.jpg').count()).toBe(0);

    await page.locator('#photos').setInputFiles(Array.from({ length: 12 }, (_, each) => fine(`${each}.jpg`)));
    await page.getByAltText('9.jpg').waitFor();
    await page.getByText('at most 10 photos').first().waitFor();

    expect(await page.getByText('at most 10 photos').count()).toBe(1);
  });

  test('a message that is too long is refused, not cut', async () => {
    const visitor = await arrive();
    const { page } = visitor;
    const message = page.getByRole('textbox', { name: 'Message' });
    const text = `/animate ${'slow '.repeat(1_000)}`.trim();

    await message.fill(text);
    await page.locator('#notice').getByText('shorten it to 4,000 characters').waitFor();

    expect(await page.locator('#length').textContent()).toBe(`${text.length} / 4000`);
    expect(await message.getAttribute('aria-invalid')).toBe('true');
    expect(await barriers(page)).toEqual([]);

    const before = await page.locator('article.own').count();
    await message.press('Enter');
    await page.locator('#notice').getByText('too long').waitFor();

    expect(await page.getByRole('listbox', { name: 'Suggestions' }).isVisible()).toBe(false);
    expect(await message.inputValue()).toBe(text);

    await visitor.say('/help animate');
    await expect.poll(() => page.locator('#notice').textContent()).toBe('');
    expect(await page.locator('article.own').count()).toBe(before + 1);
  });

  test('a slow upload shows that it is being sent', async () => {
    const visitor = await arrive();
    const { page } = visitor;
    const held = Promise.withResolvers<void>();

    await page.route('**/api/messages', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole('textbox', { name: 'Message' }).fill('/usage');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').getByText('Sending…').waitFor();
    held.resolve();
    await visitor.card('Credits today').waitFor();

    await holds(async () => expect(await page.getByText('Sending…').count()).toBe(0));
  });

  test('a form that is made from the declaration of a command does the same as its line', async () => {
    const visitor = await arrive();
    const { page } = visitor;

    await page.getByRole('button', { name: 'All commands' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: '/faceswap' }).click();
    const photo = dialog.locator('input[type=file]').first();
    const file = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: portrait };
    await photo.setInputFiles(Array.from({ length: 11 }, () => file));

    expect(await dialog.locator('input:invalid').count()).toBe(1);

    await dialog.getByRole('button', { name: 'Sample portrait' }).click();
    await holds(async () => expect(await photo.inputValue()).toContain('portrait'));

    await dialog.getByLabel('filter').first().fill('Oil Portrait');
    await dialog.getByLabel('gender').selectOption('male');
    await dialog.getByRole('button', { name: 'Run' }).click();
    await visitor.card('Face swap · Oil Portrait').filter({ hasText: 'AI-generated' }).waitFor();
  });

  test('a message has several lines with Shift and Enter, and markup in them stays text', async () => {
    const { page } = await arrive();
    const message = page.getByRole('textbox', { name: 'Message' });

    await message.pressSequentially('<img src=x onerror=alert(1)>');
    await page.keyboard.press('Shift+Enter');
    await message.pressSequentially('second line');
    await page.keyboard.press('Enter');
    const said = page.getByRole('article').filter({ hasText: 'second line' });

    expect(await said.last().innerText()).toContain('<img src=x onerror=alert(1)>\nsecond line');
    expect(await said.locator('img').count()).toBe(0);
  });
});

describe('the sign-in page', () => {
  let playground: Playground;
  beforeAll(async () => {
    playground = await openPlayground({}, { PLAYGROUND_PASSWORD: 'open-sesame-42' });
  });
  afterAll(() => playground?.close());

  test('the sign-in page lets nobody in without the password', async () => {
    const page = await playground.browser.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(playground.url());

    expect(await barriers(page)).toEqual([]);

    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Wrong password').waitFor();

    expect((await page.request.get(`${playground.url()}/api/session`)).status()).toBe(401);

    await page.getByLabel('Password').fill('open-sesame-42');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.getByRole('log').waitFor({ state: 'attached' });
  });
});
