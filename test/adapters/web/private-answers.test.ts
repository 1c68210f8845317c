import { expect, it } from 'vitest';
import type { Reply } from '../../../src/command/reply.ts';
import { holds } from '../../eventually.ts';
import { openBrowser } from '../../fakes/web/browser.ts';
import { openWeb } from './open-web.ts';

const card = (isPrivate: boolean): Reply => ({
  kind: 'card',
  job: 'job',
  view: { tone: 'busy', lines: ['in the making'] },
  private: isPrivate,
});

it.each([
  [true, []],
  [false, ['a swamp monster', undefined]],
])('answers to a question are visible to others only if the job is (private: %s)', async (hidden, others) => {
  const { url, desk } = await openWeb();
  const [ann, bob] = [await openBrowser(url, 'ann'), await openBrowser(url, 'bob')];
  desk.replies(card(hidden));
  await ann.say('studio', 'a swamp monster');
  await holds(async () => {
    const own = await ann.messages('studio');
    expect(own.map(({ pending }) => pending)).toEqual([undefined, undefined]);
  });
  expect((await bob.messages('studio')).map(({ text }) => text)).toEqual(others);
});

it('who is turned away is told alone: each of them, and those who were told before when only the chat was', async () => {
  const { url, desk } = await openWeb();
  const [ann, bob] = [await openBrowser(url, 'ann'), await openBrowser(url, 'bob')];
  const note = { kind: 'note', text: 'not here' } as const;
  desk.replies(note, { ...note, known: 'chat' }, { ...note, known: true });
  const textsFor = async (browser: typeof ann, count: number) =>
    holds(async () => {
      const all = await browser.messages('studio');
      expect(all.map(({ pending }) => pending)).toEqual(Array(count).fill(undefined));
      return all.map(({ text, view }) => text ?? view?.lines[0]?.[0]);
    });
  await ann.say('studio', '/faceswap a swamp monster');
  expect(await textsFor(ann, 2)).toEqual(['/faceswap a swamp monster', 'not here']);
  await bob.say('studio', '/jobs');
  expect(await textsFor(bob, 2)).toEqual(['/jobs', 'not here']);
  await bob.say('studio', '/usage');
  expect(await textsFor(bob, 3)).toEqual(['/jobs', 'not here', '/usage']);
});
