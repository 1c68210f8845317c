import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import { openPlayground, type Playground } from './playground.ts';
import { portrait, type Visitor, visit } from './visitor.ts';

describeInBrowser('people and rooms, in the browser', () => {
  let playground: Playground;
  let visitors: Visitor[];
  const arrive = async (person: string): Promise<Visitor> => {
    const visitor = await visit(playground.browser, playground.url());
    visitors.push(visitor);
    await visitor.be(person);
    return visitor;
  };
  beforeAll(async () => {
    visitors = [];
    playground = await openPlayground({ jobs: { queuedMs: 100, runningMs: 400 } });
  }, 120_000);
  afterAll(async () => {
    expect(visitors.flatMap((visitor) => visitor.complaints())).toEqual([]);
    await playground?.close();
  });

  test('a moderator names a filter, a member uses it, another community knows nothing of it', async () => {
    const [ann, max, lea] = await Promise.all([arrive('ann'), arrive('max'), arrive('lea')]);
    await ann.say('/alias create halloween "Candy Pop"');
    await ann.card('Only moderators of this community can do this').waitFor();
    await max.say('/alias create halloween "Candy Pop"');
    await max.card('The alias "halloween" now points to').waitFor();
    await ann.say('/faceswap halloween female', portrait);
    await ann.card('AI-generated').locator('figure img').waitFor();
    // Everybody in the room sees it, as it happens.
    await max.card('AI-generated').locator('figure img').waitFor();
    await lea.say('/alias list');
    await lea.card('There are none yet').waitFor();
    expect(await lea.page.getByText('halloween').count()).toBe(0);
  });

  test('buttons belong to somebody; a moderator may delete', async () => {
    const [ann, bob, max] = await Promise.all([arrive('ann'), arrive('bob'), arrive('max')]);
    await ann.say('/faceswap 9 female', portrait);
    const title = ann.card('AI-generated').getByRole('heading');
    await title.waitFor();
    await bob.card('AI-generated').getByRole('button', { name: 'Again' }).click();
    await bob.page.getByRole('status').getByText('belongs to someone else').waitFor();
    const results = max.page.getByRole('article').filter({ hasText: 'AI-generated' });
    const before = await results.count();
    await results.last().getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => results.count()).toBe(before - 1);
    await expect
      .poll(() => ann.page.getByRole('article').filter({ hasText: 'AI-generated' }).count())
      .toBe(before - 1);
  });

  test('private is for its caller alone; a blocked member is refused', async () => {
    const [ann, bob, max] = await Promise.all([arrive('ann'), arrive('bob'), arrive('max')]);
    await ann.say('/faceswap 10 female private=yes', portrait);
    const card = ann.card('AI-generated').filter({ hasText: 'Only you see this' });
    const address = await card.locator('figure img').getAttribute('src');
    const status = async (who: Visitor): Promise<number> =>
      (await who.page.request.get(`${playground.url()}${address}`)).status();
    expect(await status(ann)).toBe(200);
    expect(await status(bob)).toBe(404);
    expect(await bob.page.getByText('private=yes').count()).toBe(0);

    await max.say('/settings block @bob "spam"');
    await max.card('is blocked here').waitFor();
    await bob.say('/faceswap 3 male', portrait);
    await bob.card('not available to you here').waitFor();
  });

  test('a bare photo in the direct chat is asked about, in the language of one’s choice', async () => {
    const ann = await arrive('ann');
    await ann.page.getByLabel('Language').selectOption('de');
    await ann.page.getByRole('button', { name: 'Direktnachrichten' }).click();
    await ann.page.getByRole('heading', { name: 'Zum Ausprobieren' }).waitFor();
    expect(await ann.page.getByRole('textbox', { name: 'Nachricht' }).getAttribute('placeholder')).toContain(
      'tippen',
    );
    expect(await ann.page.locator('html').getAttribute('lang')).toBe('de');
    await ann.say('', portrait);
    await ann.card('Foto').getByRole('button', { name: '/faceswap' }).waitFor();
  });
});
