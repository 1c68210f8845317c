import { expect, it } from 'vitest';
import type { Reply } from '../../../../src/command/reply.ts';
import { holds } from '../../../eventually.ts';
import { openBrowser } from '../../../fakes/web/browser.ts';
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
