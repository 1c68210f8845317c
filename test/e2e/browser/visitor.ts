import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { patienceMs } from '../../eventually.ts';

/** Somebody at the page, with the means that it offers to everybody: its names and roles. */
export interface Visitor {
  readonly page: Page;
  /** Writes a line, chooses photos, sends both with Enter, and waits until the line is in the chat. */
  say(line: string, ...photos: readonly Buffer[]): Promise<void>;
  /** The newest message of the bot's that contains this, since the last line that this person said. */
  card(text: string | RegExp): Locator;
  /** Becomes another of the playground's people, by the page's own list of them. */
  be(person: string): Promise<void>;
  /** Everything that happened and must not: errors on the page, requests that leave the machine. */
  complaints(): readonly string[];
  /** Allows the server to be away from here on: what the browser says about that is no complaint. */
  expectOutage(): void;
  /** Forgets everything about this visitor, so that whoever arrives next is new to the page. */
  leave(): Promise<void>;
  /** Opens the page, and waits until it is connected. */
  arrive(): Promise<void>;
  close(): Promise<void>;
}

/** A photo that people upload; it shows nobody. */
export const portrait = await sharp({
  create: { width: 600, height: 800, channels: 3, background: '#c08040' },
})
  .jpeg()
  .toBuffer();

/** The page as a phone has it. */
export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
/** Appearances of the page in which everything must be usable. */
export const appearances = [
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark on a phone', options: { colorScheme: 'dark', ...phone } },
] as const;

// The server answers with 503 when it listens again and has not yet begun.
const outageWords = /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|Failed to fetch|net::ERR_ABORTED|status of 503/;

const watch = (page: Page, url: string) => {
  const complaints: string[] = [];
  let away = false;
  const complain = (text: string): void => {
    if (!(away && outageWords.test(text))) complaints.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complain(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complain(`error: ${error.message}`));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'blob:' && protocol !== 'data:' && origin !== new URL(url).origin)
      complain(`request to ${request.url()}`);
  });
  return { complaints, outage: (isAway: boolean) => (away = isAway) };
};

export const visit = async (
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> => {
  // Movement is reduced, because it would be drawn again and again.
  const still = { viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...still, ...options });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const watching = watch(page, url);
  const listening = (): Promise<unknown> =>
    page.waitForResponse((response) => response.url().endsWith('/api/events'));
  // These are found by ids and classes, which do not change with the language.
  const message = page.locator('#message');
  const own = page.locator('article.own');
  const arrive = async (): Promise<void> => {
    watching.complaints.length = 0;
    // Otherwise `be` could take the first stream for that of the person chosen.
    const first = listening();
    await page.goto(url);
    await first;
    await page.getByRole('navigation', { name: 'Rooms' }).getByRole('button').first().waitFor();
  };
  await arrive();
  return {
    page,
    arrive,
    async leave() {
      await page.unrouteAll();
      await page.evaluate('sessionStorage.clear()');
      await page.goto('about:blank');
      await context.clearCookies();
      watching.outage(false);
    },
    async say(line, ...photos) {
      const files = photos.map((buffer, index) => ({
        name: `photo-${index}.jpg`,
        mimeType: 'image/jpeg',
        buffer,
      }));
      if (files.length > 0) await page.locator('#photos').setInputFiles(files);
      const before = await own.count();
      await message.fill(line);
      await message.press('Enter');
      await own.nth(before).waitFor();
    },
    card: (text) =>
      page
        .locator(
          "xpath=//article[contains(@class, 'bot')][not(following-sibling::article[contains(@class, 'own')])]",
        )
        .filter({ hasText: text })
        .last(),
    async be(person) {
      const switched = listening();
      await page.getByLabel('You are').selectOption({ value: person });
      await switched;
    },
    complaints: () => watching.complaints,
    expectOutage: () => watching.outage(true),
    close: () => context.close(),
  };
};
