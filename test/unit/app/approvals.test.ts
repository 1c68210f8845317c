import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Given } from '../../../src/command/option.ts';
import type { Caller } from '../../../src/command/place.ts';
import type { View } from '../../../src/command/view.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { eventually } from '../../eventually.ts';
import { textOf, viewText } from '../../fakes/call.ts';
import { createTestCore, type TestCore } from '../../fakes/core.ts';

const { gate } = wordsFor('en');
const owner: Caller = { platform: 'discord', id: '1', name: 'Olga', locale: 'en' };
const ann: Caller = { platform: 'telegram', id: '5', name: 'Ann', locale: 'en' };
const swap: Given = { photo: { from: 'telegram', ref: 'photo' }, filter: '3', gender: 'female' };

let core: TestCore;
let said: [string, View][];
beforeEach(async () => {
  said = [];
  core = await createTestCore({
    owners: ['discord:1', 'telegram:9'],
    communities: 'approved',
    isModerator: async () => true,
    say: async (to, view) => {
      said.push(['caller' in to ? to.caller.id : to.place.channel, view]);
      return { state: 'drawn' };
    },
  });
});
afterEach(() => core.close());

let events = 0;
const says = async (caller: Caller, community: string, line: string, given: Given = {}): Promise<string> => {
  const [command = '', subcommand] = line.split(' ');
  events += 1;
  const reply = await core.desk.command({
    caller,
    place: {
      platform: caller.platform,
      community,
      channel: community.slice(community.lastIndexOf(':') + 1),
      direct: community.includes(':dm:'),
    },
    event: `event-${events}`,
    command,
    given,
    ...(subcommand === undefined ? {} : { subcommand }),
  });
  return reply.kind === 'card' ? 'a card' : textOf(reply);
};
const approve = (community: string) => says(owner, 'discord:dm:1', 'settings approve', { community });

it('an owner of one platform approves a community of another, once, with one line in its trail', async () => {
  expect(await says(ann, 'telegram:-7', 'faceswap', swap)).toBe(gate.unapproved);
  const told = () => said.filter(([, view]) => view.buttons !== undefined);
  await eventually(() => told().length === 3, 'all owners');
  expect(told().map(([to]) => to)).toEqual(['1', '9', 'ida']);
  const [action = ''] = (told()[0]?.[1].buttons ?? []).flat().map((button) => button.action);
  const press = () =>
    core.desk.press({
      event: `event-${++events}`,
      caller: owner,
      place: { platform: 'discord', community: 'discord:dm:1', channel: '1', direct: true },
      action,
    });
  expect(textOf(await press())).toContain('Approved by Olga.');
  expect(textOf(await press())).toContain('Approved by Olga.');
  expect(await core.latest('telegram:-7')).toBe('discord:1 settings.approve');
  const welcomes = () =>
    said.filter(([where, view]) => where === '-7' && viewText(view).includes('approved'));
  await eventually(() => welcomes().length === 1, 'the welcome');
  expect(await says(ann, 'telegram:-7', 'faceswap', swap)).toBe('a card');
  expect(welcomes()).toHaveLength(1);
});

it('a community is welcomed in its language', async () => {
  expect(await says(ann, 'telegram:-8', 'faceswap', swap)).toBe(gate.unapproved);
  await core.rules.set('telegram:-8', 'language', 'de');
  await eventually(() => said.some(([, view]) => view.buttons !== undefined), 'the notice');
  await approve('telegram:-8');
  const { welcome } = wordsFor('de').approval;
  await eventually(() => said.some(([to, view]) => to === '-8' && viewText(view) === welcome), 'the welcome');
});

it('owners pass everywhere, the playground waits, too, a direct chat is a community of its own', async () => {
  expect(await says(owner, 'discord:77', 'faceswap', swap)).toBe('a card');
  const inPlayground = { ...ann, platform: 'web' } as const;
  expect(await says(inPlayground, 'web:studio', 'faceswap', swap)).toBe(gate.unapproved);
  expect(await approve('web:studio')).toContain('web:studio is approved');
  expect(await says(inPlayground, 'web:studio', 'faceswap', swap)).toBe('a card');
  await approve('telegram:-7');
  expect(await says(ann, 'telegram:-7', 'faceswap', swap)).toBe('a card');
  expect(await says(ann, 'telegram:dm:5', 'faceswap', swap)).toBe(gate.unapproved);
  expect(await says(ann, 'telegram:-8', 'settings pause')).toBe(gate.unapproved);
  expect(core.errors).toEqual([]);
});

it('a revoke is obeyed at once, and what was decided is told', async () => {
  expect(await approve('telegram:-7')).toContain('telegram:-7 is approved');
  expect(await approve('telegram:-7')).toContain('was approved already');
  const revoke = () => says(owner, 'discord:dm:1', 'settings revoke', { community: 'telegram:-7' });
  expect(await revoke()).toContain('is no longer approved');
  expect(await revoke()).toContain('was not approved');
  expect(await says(ann, 'telegram:-7', 'faceswap', swap)).toBe(gate.unapproved);
  // Left out: this one.
  expect(await says(owner, 'discord:77', 'settings approve')).toContain('discord:77 is approved');
});
