import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { createDataFolder, startProgram } from '../test/e2e/program.ts';

/**
 * `npx node scripts/pictures.ts` takes four pictures of the README from the running playground: docs/playground.png,
 * docs/playground-dark.png, docs/playground-phone.png and docs/playground.gif.
 */

const sample = (name: string): URL =>
  new URL(`../src/generation-service/samples/${name}.jpg`, import.meta.url);

const docs = (name: string): string => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));

const folder = createDataFolder();
const program = await startProgram(folder.path, { CONSENT: 'off', USER_CONCURRENT_JOBS: '4' });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});

async function open(options: Parameters<typeof browser.newContext>[0]): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(program.url);
  await page.getByRole('navigation', { name: 'Rooms' }).getByRole('button').first().waitFor();
  return page;
}

async function say(page: Page, line: string, photo?: string): Promise<void> {
  if (photo !== undefined) {
    const buffer = await readFile(sample(photo));
    const file = { name: `${photo}.jpg`, mimeType: 'image/jpeg', buffer };
    await page.getByLabel('Photos', { exact: true }).setInputFiles(file);
  }
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.pressSequentially(line, { delay: 25 });
  await message.press('Enter');
}

const results = (page: Page) => page.getByRole('article').filter({ hasText: 'AI-generated' });

async function settled(page: Page, count: number): Promise<void> {
  await results(page)
    .nth(count - 1)
    .locator('img, video')
    .last()
    .waitFor({ timeout: 120_000 });
  await page.waitForTimeout(800);
}

const frames: Buffer[] = [];

async function record(page: Page, until: Promise<unknown>): Promise<void> {
  let done = false;
  until.finally(() => {
    done = true;
  });
  while (!done) {
    frames.push(await page.screenshot());
    await page.waitForTimeout(150);
  }
}

const small = { width: 860, height: 800 };
const stage = await open({ viewport: small, colorScheme: 'light' });

const shown = (async () => {
  await say(stage, '/faceswap astronaut female', 'portrait');
  await settled(stage, 1);
})();

await record(stage, shown);
await shown;
for (let pause = 0; pause < 8; pause += 1) frames.push(await stage.screenshot());

// The flow takes some fifteen seconds, so all frames are kept, but shown faster than they were taken.
const shrunk = await Promise.all(frames.map((frame) => sharp(frame).resize({ width: 720 }).png().toBuffer()));

const moving = await sharp(shrunk, { join: { animated: true } })
  .gif({
    delay: shrunk.map((_, index) => (index === shrunk.length - 1 ? 2500 : 110)),
    colours: 96,
    effort: 7,
    interFrameMaxError: 2,
  })
  .toBuffer();

await writeFile(docs('playground.gif'), moving);

const light = await open({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
await say(light, '/groupswap 22 look=realistic', 'group');
await settled(light, 2);
await light.screenshot({ path: docs('playground.png') });

const dark = await open({ viewport: { width: 1280, height: 900 }, colorScheme: 'dark' });
await say(dark, '/animate they smile and wink, the camera zooms in', 'portrait');
await dark.waitForTimeout(6_000);
await dark.screenshot({ path: docs('playground-dark.png') });

const phone = await open({
  viewport: { width: 390, height: 800 },
  colorScheme: 'dark',
  deviceScaleFactor: 2,
});

await phone.waitForTimeout(1_500);
await phone.screenshot({ path: docs('playground-phone.png') });

await browser.close();
await program.stop();
folder.remove();
console.log(`${frames.length} frames, ${Math.round(moving.length / 1024)} KB`);
