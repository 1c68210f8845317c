import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Given } from '../../../src/command/option.ts';
import { textOf } from '../../fakes/call.ts';
import { createTestCore, type TestCore } from '../../fakes/core.ts';

/** What moderators give one person in a day, allowance and grants together; and what only owners change. */

const home = 'telegram:-1';
let core: TestCore;
beforeEach(async () => {
  core = await createTestCore({
    owners: ['telegram:9'],
    isModerator: async ({ id }) => id === '2',
    env: { USER_DAILY_CREDITS: '2', USER_MAX_DAILY_CREDITS: '10' },
  });
});
afterEach(async () => {
  expect(core.errors).toEqual([]);
  await core.close();
});

let events = 0;
const says = async (id: string, line: string, given: Given = {}, community = home): Promise<string> => {
  const [command = '', subcommand] = line.split(' ');
  events += 1;
  const reply = await core.desk.command({
    caller: { platform: 'telegram', id, name: `Person ${id}`, locale: 'en' },
    place: { platform: 'telegram', community, channel: community, direct: false },
    event: `event-${events}`,
    command,
    given,
    ...(subcommand === undefined ? {} : { subcommand }),
  });
  return reply.kind === 'card' ? 'a card' : textOf(reply);
};
const [ann, mod, owner] = ['1', '2', '9'];
const swap = (community = home) =>
  says(ann, 'faceswap', { photo: { from: 'telegram', ref: 'x' }, filter: '3', gender: 'female' }, community);
const grant = (by: string, amount: number, community = home) =>
  says(by, 'settings grant', { user: ann, amount }, community);
const allow = (by: string, amount?: number) =>
  says(by, 'settings allowance', { who: ann, ...(amount === undefined ? {} : { amount }) });
const more = (rest: number): RegExp => new RegExp(`You can give this person ${rest} credits? more today`);

it('a moderator grants no more in a day than the maximum, however it is spent or taken back', async () => {
  expect(await grant(mod, 10)).toContain('Left of all grants: 10');
  for (let jobs = 0; jobs < 6; jobs += 1) expect(await swap()).toBe('a card');
  expect(await swap()).toContain('you have 0 left');
  expect(await grant(mod, 1)).toMatch(more(0));
  // An owner's is not counted.
  expect(await grant(owner, 3)).toContain('Left of all grants: 3');
  expect(await grant(mod, 0)).toContain('3 credits');
  expect(await grant(mod, 1)).toMatch(more(0));
});

it('the allowance that moderators gave counts, and the owner’s does not', async () => {
  await allow(mod, 7);
  expect(await grant(mod, 4)).toMatch(more(3));
  expect(await grant(mod, 3)).toContain('Left of all grants: 3');
  await allow(owner, 50);
  expect(await grant(mod, 8)).toMatch(more(7));
  expect(await grant(mod, 7)).toContain('Left of all grants: 10');
  expect(await says(ann, 'usage')).toContain('of 50 credits');
});

it('an allowance that is raised after grants is cut for the day, and one that was used stays given', async () => {
  await grant(mod, 8);
  await allow(mod, 10);
  expect(await says(ann, 'usage')).toMatch(/You used 0 of 2 credits[\s\S]*8 credits granted/);
  for (let jobs = 0; jobs < 5; jobs += 1) expect(await swap()).toBe('a card');
  expect(await swap()).toContain('you have 0 left');
  await allow(mod);
  expect(await grant(mod, 1)).toContain('Left of all grants: 1');
  await grant(mod, 0);
  await allow(mod, 0);
  // The owner's two are theirs no more.
  expect(await grant(mod, 1)).toMatch(more(0));
});

it('all of it counts after a group became a supergroup', async () => {
  await allow(mod, 4);
  expect(await swap()).toBe('a card');
  await grant(mod, 5);
  await core.rules.move(home, 'telegram:-1001');
  expect(await grant(mod, 2, 'telegram:-1001')).toMatch(more(1));
  expect(await says(ann, 'usage', {}, 'telegram:-1001')).toMatch(/used 2 of 4[\s\S]*5 credits granted/);
  for (let jobs = 0; jobs < 3; jobs += 1) expect(await swap('telegram:-1001')).toBe('a card');
  expect(await swap('telegram:-1001')).toContain('you have 1 left');
  expect(await grant(mod, 2, 'telegram:-1001')).toMatch(more(1));
});

it('where an owner set the daily credits, moderators give one person no more', async () => {
  expect(await says(owner, 'settings credits', { amount: 3 })).toContain('3 credits a day');
  expect(await says(mod, 'settings credits', { amount: 9 })).toContain('only owners can change it');
  expect(await allow(mod, 4)).toContain('at most 3 credits a day');
  expect(await grant(mod, 4)).toMatch(more(3));
  expect(await grant(mod, 3)).toContain('Left of all grants: 3');
  expect(await grant(mod, 1)).toMatch(more(0));
  expect(await allow(owner, 20)).toContain('20 credits a day');
  expect(await allow(mod)).toContain('only owners can change it');
  const shown = await says(mod, 'settings show');
  expect(shown).toContain(
    'Daily credits of each person: 3 (set by an owner of this bot; only owners can change it)',
  );
  expect(shown).toContain(': 20 (set by an owner of this bot; only owners can change it)');
});

it('an owner’s pause is told of, and ended by owners alone', async () => {
  await says(mod, 'settings pause', { reason: 'lunch' });
  expect(await says(mod, 'settings show')).toContain('Paused: lunch');
  await says(owner, 'settings pause', { reason: 'abuse' });
  expect(await says(mod, 'settings resume')).toContain('only owners can change it');
  expect(await says(mod, 'settings pause', { reason: 'lunch' })).toContain('only owners can change it');
  expect(await says(mod, 'settings show')).toContain(
    'Paused by an owner of this bot, and only owners can resume it: abuse',
  );
  expect(await swap()).toContain('abuse');
  await says(owner, 'settings resume');
  expect(await swap()).toBe('a card');
});
