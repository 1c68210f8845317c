import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Given } from '../../../src/command/option.ts';
import type { Reply } from '../../../src/command/reply.ts';
import { createTestCore, type TestCore } from '../../fakes/core.ts';

let core: TestCore;
beforeEach(async () => {
  core = await createTestCore();
});
afterEach(() => core.close());

let events = 0;
const says = (community: string, command: string, given: Given = {}): Promise<Reply> =>
  core.desk.command({
    caller: { platform: 'telegram', id: '1', name: 'Ann', locale: 'en' },
    place: { platform: 'telegram', community, channel: community, direct: false },
    event: `event-${++events}`,
    command,
    given,
  });
const swap: Given = { photo: { from: 'telegram', ref: 'photo' }, filter: '3', gender: 'female' };

it('credits used before a group became a supergroup count for the rest of the day', async () => {
  await core.rules.setCredits('telegram:-1', 5);
  expect(await says('telegram:-1', 'faceswap', swap)).toMatchObject({ kind: 'card' });
  await core.rules.move('telegram:-1', 'telegram:-1001');
  expect(await says('telegram:-1001', 'faceswap', swap)).toMatchObject({ kind: 'card' });
  expect(JSON.stringify(await says('telegram:-1001', 'faceswap', swap))).toContain('you have 1 left today');
  // The old id may still be heard from.
  expect(JSON.stringify(await says('telegram:-1', 'faceswap', swap))).toContain('you have 1 left today');
  expect(JSON.stringify(await says('telegram:-1001', 'usage'))).toContain('1 credit left');
  expect(core.errors).toEqual([]);
});
