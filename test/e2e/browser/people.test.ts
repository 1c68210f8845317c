import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/words/words.ts';
import { barriers, stickingOut } from './barriers.ts';
import { describeInBrowser } from './chromium.ts';
import { openPlayground } from './playground.ts';
import { portrait, visit } from './visitor.ts';

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
