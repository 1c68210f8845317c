/** All that owners are asked and told, as it can be tried in the playground. */
import { expect, it } from 'vitest';
import type { Message } from '../../../src/adapters/web/outgoing/message.ts';
import { eventually } from '../../eventually.ts';
import type { Browser } from '../../fakes/web/browser.ts';
import { photo } from '../stage/lines.ts';
import { describePlaygrounds } from '../stage/playgrounds.ts';

const POLITE = 'This bot works only where its owner has approved it';
const USAGE = 'You used';
const textOf = ({ view }: Message): string => JSON.stringify([view?.title, view?.lines]);
const find = (browser: Browser, room: string, fits: (message: Message) => boolean, what: string) =>
  eventually(async () => (await browser.messages(room)).find(fits), what);
const count = async (browser: Browser, room: string, text: string): Promise<number> =>
  (await browser.messages(room)).filter((message) => textOf(message).includes(text)).length;
/** A decision counts in other processes a moment later. */
const isHeeded = async (browser: Browser, room: string, answer: string): Promise<void> => {
  const before = await count(browser, room, answer);
  await eventually(async () => {
    await browser.say(room, '/usage');
    return (await count(browser, room, answer)) > before;
  }, answer);
};

describePlaygrounds(
  'approvals',
  ({ skipped, browserOf }) => {
    it.skipIf(skipped)('a chat waits until the owner approves it, and again after a revoke', async () => {
      const [ann, bob, max, kim, ida] = await Promise.all([
        browserOf('ann'),
        browserOf('bob', 1),
        browserOf('max'),
        browserOf('kim'),
        browserOf('ida', 1),
      ]);
      const says = (browser: Browser, room: string, text: string) =>
        find(browser, room, (message) => textOf(message).includes(text), text);
      const swaps = (browser: Browser, room = 'studio') => browser.say(room, '/faceswap 3 female', [photo]);

      // Each is told, and nobody else sees it.
      for (const each of [ann, bob]) {
        await swaps(each);
        await says(each, 'studio', POLITE);
        expect(await count(each, 'studio', POLITE)).toBe(1);
      }
      await max.say('studio', '/settings approve');
      await says(max, 'studio', POLITE);
      await kim.say('dm-kim', '/usage');
      await says(kim, 'dm-kim', POLITE);

      const notice = await says(ida, 'dm-ida', 'web:studio');
      expect(textOf(notice)).toMatch(/Community: Studio.*Members: 4.*Used first by Ann/);
      await says(ida, 'dm-ida', 'Direct chat with Kim');
      expect(await count(ida, 'dm-ida', 'web:studio')).toBe(1);
      const labels = notice.view?.buttons?.flat().map(({ label }) => label);
      expect(labels).toEqual(['Approve', 'Not now']);
      // Who knows the button without being shown it.
      const action = notice.view?.buttons?.[0]?.[0]?.action;
      const own = await says(max, 'studio', POLITE);
      const forged = { id: 'forged-press', room: 'studio', message: own.id, action };
      expect(await (await max.post('/api/press', forged)).text()).toContain('where its owner');
      expect(await ida.press(notice, 'Approve')).toBeUndefined();
      await says(ida, 'dm-ida', 'Approved by Ida.');
      await says(ann, 'studio', 'The owner of this bot has approved this chat');

      await isHeeded(ann, 'studio', USAGE);
      await swaps(ann);
      await find(ann, 'studio', ({ view }) => view?.media !== undefined, 'the result');
      const late = { ...forged, id: 'forged-again' };
      expect(await (await max.post('/api/press', late)).text()).toContain('Only owners');
      await max.say('studio', '/settings revoke');
      await says(max, 'studio', 'Only owners of this bot');

      await ida.say('garden', '/settings approve');
      await says(ida, 'garden', 'web:garden is approved');
      await isHeeded(kim, 'garden', USAGE);
      await swaps(kim, 'garden');
      await find(kim, 'garden', ({ view }) => view?.media !== undefined, 'the result');
      await says(ida, 'dm-ida', '80 %');
      await swaps(kim, 'garden');
      await says(kim, 'garden', 'Everybody who uses this bot together');
      await says(ida, 'dm-ida', 'are used up');

      await ida.say('dm-ida', '/settings revoke web:studio');
      await says(ida, 'dm-ida', 'web:studio is no longer approved');
      await isHeeded(ann, 'studio', POLITE);
    });
  },
  { COMMUNITIES: 'approved', SERVICE_DAILY_CREDITS: '5' },
);
