import { afterEach, expect, it } from 'vitest';
import type { Caller, Place } from '../../../src/command/place.ts';
import { createTestCore, type TestCore } from '../../fakes/core.ts';

const caller: Caller = { platform: 'telegram', id: '1', name: 'Mod', locale: 'en' };
const place: Place = { platform: 'telegram', community: 'telegram:-5', channel: '-5', direct: false };

let core: TestCore;
afterEach(() => core.close());

const say = async (event: string, text: string): Promise<string> =>
  JSON.stringify(await core.desk.text({ event, caller, place, text, photos: [] }));

it('a command asks the platform once who moderates, also where it names many people', async () => {
  let asked = 0;
  core = await createTestCore({
    isModerator: async () => {
      asked += 1;
      return true;
    },
  });
  for (const user of ['11', '12', '13', '14', '15']) await core.rules.block(place.community, user, '');
  expect(await say('a', '/settings show')).toMatch(/"11".*"15"/);
  expect(asked).toBe(1);
  expect(await say('b', '/alias list')).toContain('Aliases');
  expect(asked).toBe(2);
  expect(await say('c', '/settings timezone Europe/Berlin')).toContain('Berlin');
  expect(asked).toBe(3);
});

it('a successful block is reported although the platform no longer answers', async () => {
  let asked = 0;
  core = await createTestCore({
    isModerator: async () => {
      asked += 1;
      if (asked > 1) throw new Error('too many requests');
      return true;
    },
  });
  expect(await say('a', '/settings block 11111')).toContain('is blocked here');
  expect(await core.rules.isBlocked(place.community, '11111')).toBe(true);
});

it('an id that belongs to nobody is refused; one that was blocked before can be unblocked', async () => {
  core = await createTestCore({ isModerator: async () => true });
  expect(await say('a', '/settings block -5 spam')).toContain('Give the person’s id');
  expect((await core.rules.show(place.community)).blocked).toEqual([]);
  await core.rules.block(place.community, '-5', '');
  expect(await say('b', '/settings unblock -5')).toContain('is no longer blocked');
});
