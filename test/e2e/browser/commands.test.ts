import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holds } from '../../eventually.ts';
import { describeInBrowser } from './chromium.ts';
import { openPlayground, type Playground } from './playground.ts';
import { portrait, type Visitor, visit } from './visitor.ts';

/** Pixels, not just an element: a broken picture has none. */
const expectPicture = async (card: Locator): Promise<void> => {
  const image = card.locator('figure img');
  await image.waitFor();
  await holds(async () =>
    expect(await image.evaluate((element) => Reflect.get(element, 'naturalWidth'))).toBeGreaterThan(100),
  );
};

const expectPlayingVideo = async (card: Locator): Promise<void> => {
  const video = card.locator('video');
  await video.waitFor();
  await video.evaluate((element) => Reflect.get(element, 'play').call(element));
  await holds(async () =>
    expect(await video.evaluate((element) => Reflect.get(element, 'currentTime'))).toBeGreaterThan(0.2),
  );
  expect(await video.evaluate((element) => Reflect.get(element, 'videoWidth'))).toBeGreaterThan(100);
};

describeInBrowser('every command, in the browser', () => {
  let playground: Playground;
  let ann: Visitor;
  beforeAll(async () => {
    playground = await openPlayground({}, { USER_CONCURRENT_JOBS: '8', USER_WAITING_JOBS: '20' });
    ann = await visit(playground.browser, playground.url());
  });
  afterAll(async () => {
    expect(ann?.complaints()).toEqual([]);
    await playground?.close();
  });

  test('pictures and videos, all at once', async () => {
    const articles = ann.page.getByRole('log').getByRole('article');
    const results = articles.filter({ hasText: 'AI-generated' });
    const videos = results.filter({ has: ann.page.locator('video') });
    const [said, made, played] = [await articles.count(), await results.count(), await videos.count()];
    await ann.say('/animate prompt="a slow zoom" model=simple', portrait);
    await ann.say('/transition a swirl of light duration=4s', portrait, portrait);
    await ann.say('/faceswap filter=3 gender=female', portrait);
    await ann.say('/faceswap prompt="an astronaut on the moon"', portrait);
    await ann.say('/faceswap 5 male engine=v5', portrait);
    await ann.say('/faceswap 4 girl engine=v1', portrait);
    await ann.say('/groupswap style=2', portrait);
    await ann.say('/groupswap style=3 look=stylized', portrait);
    await ann.say('/groupswap style=4 look=classic', portrait, portrait);
    await holds(async () => expect(await articles.count()).toBe(said + 18));
    await holds(async () => expect(await results.count()).toBe(made + 9));
    const cards = await results.all();
    expect(await videos.count()).toBe(played + 2);
    for (const card of await videos.all()) await expectPlayingVideo(card);
    const pictures = results.filter({ has: ann.page.locator('figure img') });
    expect(await pictures.count()).toBe(cards.length - played - 2);
    for (const card of await pictures.all()) await expectPicture(card);
  });
});
