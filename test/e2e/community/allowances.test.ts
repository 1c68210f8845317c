/** Daily credits of one person and of Discord roles. */
import { describe, expect, it } from 'vitest';
import { settings, swap } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');

useStage({ result: made, env: { USER_DAILY_CREDITS: '7', USER_MAX_DAILY_CREDITS: '40' } });

const people = (name: 'discord' | 'telegram') => {
  const room = stage.platforms[name].room();
  const [mod, ann, bob] = [room.member('Mod'), room.member('Ann'), room.member('Bob')];
  mod.moderates(true);
  return { room, mod, ann, bob, idOf: ({ key }: { key: string }) => key.slice(key.indexOf(':') + 1) };
};
const usage = { command: 'usage' };

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  it.concurrent('one person has another allowance, until it is taken back', async () => {
    const { mod, ann, bob, idOf } = people(name);
    const who = idOf(ann);
    await ann.sends(usage).says(/of 7 credits[\s\S]*The owner’s default\./);
    await mod.sends(settings('credits', { amount: '6' })).says('6 credits a day');
    await bob.sends(usage).says(/of 6 credits[\s\S]*Set for everybody in this community\./);
    await mod.sends(settings('allowance', { who, amount: '3' })).says('now has 3 credits a day here');
    await ann.sends(swap).result();
    await ann.sends(swap).says('This costs 2 credits and you have 1 left today.');
    await ann.sends(usage).says(/of 3 credits[\s\S]*Set for you by a moderator\.[\s\S]*1 credit left/);
    await mod.sends(settings('show')).says(/Allowances of people and roles: 1\n[^\n]*: 3\n/);
    await mod.sends(settings('allowance', { who, amount: '41' })).says('A moderator can give at most 40');
    await mod.sends(settings('allowance', { who })).says('has no allowance of their own here any more');
    await mod.sends(settings('allowance', { who })).says('had no allowance of their own here');
    await ann.sends(usage).says(/of 6 credits/);
    await mod.sends(settings('log')).says(new RegExp(`settings.allowance who=${who} amount=3`));
    await ann.sends(settings('allowance', { who, amount: '30' })).says('Only moderators');
  });
});

it.concurrent('a role of Discord counts as long as somebody has it', async () => {
  const { room, mod, ann, bob, idOf } = people('discord');
  const guild = room.community.slice('discord:'.length);
  const [big, small] = ['811111111111111111', '822222222222222222'];
  const gets = (...roles: string[]) => stage.discord.world.guilds.get(guild)?.members.set(idOf(ann), roles);
  const give = (role: string, amount: string) =>
    mod.sends(settings('allowance', { who: `<@&${role}>`, amount }));
  await give(small, '4').says(`Everybody with the role <@&${small}> (${small}) now has at least 4 credits`);
  await give(big, '30').says('at least 30 credits');
  await give(guild, '30').says('Everybody has this role. Use /settings credits.');
  gets(small, '833333333333333333');
  await ann.sends(usage).says(/of 4 credits[\s\S]*From one of your roles/);
  gets(small, big);
  await ann.sends(usage).says(/of 30 credits/);
  await bob.sends(usage).says(/of 7 credits/);
  for (const used of [2, 4]) {
    await ann.sends(swap).result();
    await ann.sends(usage).says(`You used ${used} of 30`);
  }
  // Asked with the role, answered without it: the press says what they have now.
  const asked = await ann
    .sends({ ...swap, given: { filter: '3' } })
    .until(({ buttons }) => buttons.includes('female'), 'the question');
  gets(small);
  await ann.press(asked, 'female').says('This costs 2 credits and you have 0 left today.');
  await mod.sends(settings('allowance', { who: idOf(ann), amount: '0' })).says('now has 0 credits');
  gets(big);
  await ann.sends(swap).says('you have 0 left today');
  await mod.sends(settings('allowance', { who: idOf(ann) })).says('any more');
  await ann.sends(swap).result();
  await mod.sends(settings('allowance', { who: `<@&${big}>` })).says('any more');
  const list = await mod.sends(settings('show')).says('Allowances of people and roles: 1');
  expect(list.text).toContain(`<@&${small}>`);
  await ann.sends(usage).says(/of 7 credits/);
});
