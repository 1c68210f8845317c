import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Given } from '../../../src/command/option.ts';
import type { Reply } from '../../../src/command/reply.ts';
import { createTestCore, type TestCore } from '../../fakes/core.ts';

let core: TestCore;
beforeEach(async () => {
  core = await createTestCore({ isModerator: async () => true });
});
afterEach(() => core.close());

let events = 0;
const says = (
  community: string,
  line: string,
  given: Given = {},
  event = `event-${++events}`,
): Promise<Reply> => {
  const [command = '', subcommand] = line.split(' ');
  return core.desk.command({
    caller: { platform: 'telegram', id: '1', name: 'Ann', locale: 'en' },
    place: { platform: 'telegram', community, channel: community, direct: false },
    event,
    command,
    given,
    ...(subcommand === undefined ? {} : { subcommand }),
  });
};
const swap: Given = { photo: { from: 'telegram', ref: 'photo' }, filter: '3', gender: 'female' };

const text = async (reply: Promise<Reply>): Promise<string> => JSON.stringify(await reply);

it('a grant from before a group became a supergroup is used, returned and added to afterwards', async () => {
  const give = (community: string, amount: number) =>
    says(community, 'settings grant', { user: '1', amount });
  await core.rules.setCredits('telegram:-1', 0);
  await give('telegram:-1', 5);
  const reply = await says('telegram:-1', 'faceswap', swap);
  await core.rules.move('telegram:-1', 'telegram:-1001');
  expect(await text(says('telegram:-1001', 'usage'))).toContain('3 credits granted to you');
  if (reply.kind !== 'card') throw new Error('no card');
  await core.become(reply.job, 'failed');
  await says('telegram:-1001', 'faceswap', swap);
  expect(await text(give('telegram:-1001', 10))).toContain('Left of all grants: ');
  expect(await text(says('telegram:-1001', 'settings show'))).toMatch(/granted credits: 1.*: 11/);
  expect(await text(says('telegram:-1', 'usage'))).toContain('11 credits granted to you');
  expect(core.errors).toEqual([]);
});
