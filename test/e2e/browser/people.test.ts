import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/words/words.ts';
import { barriers, stickingOut } from './barriers.ts';
import { describeInBrowser } from './chromium.ts';
import { openPlayground, usePlayground } from './playground.ts';
import { portrait, type Visitor, visit } from './visitor.ts';

describeInBrowser('people and rooms, in the browser', () => {
  const playground = usePlayground();
  const arrive = async (person: string): Promise<Visitor> => {
    const visitor = await playground.arrive();
    await visitor.be(person);
    return visitor;
  };

  test('a private reply is visible to its caller only; a blocked member is refused', async () => {
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
    await bob.card('You cannot use this here').waitFor();
  });
});

describeInBrowser('the owner, in the browser', () => {
  test('approves a chat of the playground with the keyboard, and takes it back', async () => {
    const playground = await openPlayground({}, { COMMUNITIES: 'approved' });
    try {
      const phone = { viewport: { width: 360, height: 740 } };
      const [ann, ida] = [
        await visit(playground.browser, playground.url()),
        await visit(playground.browser, playground.url(), phone),
      ];
      await ann.say('/faceswap 3 female', portrait);
      await ann.card('This bot works only where its owner has approved it').waitFor();

      const choice = ida.page.getByLabel('You are');
      await choice.focus();
      await ida.page.keyboard.press('End');
      await ida.page.getByRole('button', { name: 'Garden' }).waitFor();
      expect(await choice.locator('option:checked').textContent()).toBe('Ida · owner');
      await ida.page.getByRole('button', { name: 'Direct chat' }).press('Enter');
      const notice = ida.page.locator('article.bot').filter({ hasText: 'Community: Studio' });
      await notice.getByRole('button', { name: 'Not now' }).waitFor();
      expect(await barriers(ida.page)).toEqual([]);
      for (const language of LANGUAGES.toReversed()) {
        await ida.page.locator('#language').selectOption(language);
        await ida.page.locator(`html[lang=${language}]`).waitFor();
        expect(await stickingOut(ida.page)).toEqual([]);
      }
      await notice.getByRole('button', { name: 'Approve' }).press('Enter');
      await notice.getByText('Approved by Ida.').waitFor();
      await ann.card('The owner of this bot has approved this chat').waitFor();

      await ann.say('/faceswap 3 female', portrait);
      await ann.card('AI-generated').locator('figure img').waitFor();
      await ida.say('/settings revoke web:studio');
      await ida.card('web:studio is no longer approved').waitFor();
      await ann.say('/filters');
      await ann.card('This bot works only where its owner has approved it').waitFor();
      expect([...ann.complaints(), ...ida.complaints()]).toEqual([]);
    } finally {
      await playground.close();
    }
  });
});
