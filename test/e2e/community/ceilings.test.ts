/** What all people of a community, and everybody together, can spend a day. */
import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { Member } from '../stage/chat.ts';
import { settings, swap } from '../stage/lines.ts';
import { stage, useStage } from '../stage/stage.ts';

const full = 'Everybody who uses this bot together has used today’s credits.';

useStage();

const gets = (member: Member) => member.sends(swap).result();

it('ceilings count from the morning on, in words, and the owners are told once', async () => {
  const { discord, telegram } = stage.platforms;
  const [server, group] = [discord.room(), telegram.room()];
  const [ann, mod, bob, owner] = [
    server.member('Ann'),
    server.member('Mod'),
    group.member('Bob'),
    group.member('Owner'),
  ];
  mod.moderates(true);
  await owner.directly().sends({ command: 'help' }).says('What I can do');
  await gets(ann);
  await gets(bob);

  const ceilings = {
    USER_DAILY_CREDITS: '50',
    USER_MAX_DAILY_CREDITS: '60',
    COMMUNITY_DAILY_CREDITS: '5',
    SERVICE_DAILY_CREDITS: '9',
    OWNERS: owner.key,
  };
  await stage.restart('stop', ceilings);
  const told = () => owner.inbox().filter(({ text }) => text.includes('SERVICE_DAILY_CREDITS'));
  await gets(ann);
  await server
    .member('Dan')
    .sends(swap)
    .says('This costs 2 credits and everybody in this community together has 1 left today. Resets in');
  await mod.sends({ command: 'usage' }).says('Together you took 4 of the 5');
  expect(told()).toEqual([]);

  await mod
    .sends(settings('credits', { amount: '61' }))
    .says('A moderator can give at most 60 credits a day');
  await mod.sends(settings('show')).says('Daily credits of each person: 50 (the owner’s default)');
  await mod.sends(settings('credits', { amount: '60' })).says('60 credits a day');
  await owner.sends(settings('credits', { amount: '61' })).says('61 credits a day');
  await bob.sends({ command: 'usage' }).says('You used 2 of 61 credits.');

  await gets(bob);
  await eventually(() => told().length === 1, 'the owner to be told');
  expect(told()[0]?.text).toContain('80 %');
  expect(told()[0]?.text).toMatch(/Used by all communities together: 8 of 9\. Midnight is in \d/);
  await discord.room().member('Eve').sends(swap).says(full);
  await eventually(() => told().length === 2, 'the owner to be told again');
  expect(told()[1]?.text).toContain('used up');

  await stage.restart('kill', ceilings);
  await telegram.room().member('Fay').sends(swap).says(full);
  await discord.room().member('Gus').sends(swap).says(full);
  expect(told()).toHaveLength(2);
  // The maximum was lowered: what a moderator gave before counts as that much, what an owner gave as it is.
  await stage.restart('stop', { ...ceilings, USER_MAX_DAILY_CREDITS: '55' });
  await mod.sends(settings('show')).says('Daily credits of each person: 55');
  await owner.sends(settings('show')).says('Daily credits of each person: 61');
});
