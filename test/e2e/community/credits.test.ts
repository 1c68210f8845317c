// @module-tag slow
/** Credits that moderators give to one person, to Discord roles and as grants. The rules: test/unit/app/core.test.ts. */
import { describe, expect, it } from 'vitest';
import { prompted, settings, swap } from '../stage/lines.ts';
import { names, peopleOn, stage, useStage } from '../stage/stage.ts';

useStage({
  jobs: ({ run }) => (run === '/v2/run/self-prompt' ? { failure: 'too dark' } : {}),
  env: { USER_DAILY_CREDITS: '3', USER_MAX_DAILY_CREDITS: '40' },
});

const usage = { command: 'usage' };
const idOf = ({ key }: { readonly key: string }): string => key.slice(key.indexOf(':') + 1);

describe.each(names)('on %s', (name) => {
  it.concurrent('one person has another allowance, until it is taken back', async () => {
    const { mod, ann, bob } = peopleOn(name, 'allowance');
    const who = idOf(ann);
    await ann.types(usage).says(/of 3 credits[\s\S]*The owner’s default\./);
    await mod.types(settings('credits', { amount: '6' })).says('6 credits a day');
    await bob.types(usage).says(/of 6 credits[\s\S]*Set for everybody in this community\./);
    await mod.types(settings('allowance', { who, amount: '3' })).says('now has 3 credits a day here');
    await ann.types(swap).result();
    await ann.types(swap).says('This costs 2 credits and you have 1 left today.');
    await ann.types(usage).says(/of 3 credits[\s\S]*Set for you by a moderator\.[\s\S]*1 credit left/);
    await mod.types(settings('allowance', { who })).says('has no allowance of their own here any more');
    await ann.types(usage).says(/of 6 credits/);
  });

  it.concurrent('a grant is used after the day’s credits, and a failed job gives it back', async () => {
    const { mod, ann } = peopleOn(name, 'grant');
    const grant = settings('grant', { user: idOf(ann), amount: '6', reason: 'the contest' });
    await mod.types(grant).says(/got 6 credits[\s\S]*Left of all grants: 6\./);
    await ann.types(swap).result();
    await ann.types(prompted('this will fail')).offers('Retry');
    await ann.types(usage).says(/You used 2 of 3[\s\S]*1 credit left[\s\S]*6 credits granted to you/);
    await ann.types(swap).result();
    await ann
      .types(usage)
      .says(/You used 3 of 3[\s\S]*Paid from granted credits today: 1\.[\s\S]*5 credits granted to you/);
    await mod.types(settings('show')).says(/People with granted credits: 1\n[^\n]*: 5\n/);
  });
});

it.concurrent('a role of Discord counts as long as somebody has it', async () => {
  const { room, mod, ann, bob } = peopleOn('discord', 'role');
  const guild = room.community.slice('discord:'.length);
  const big = '811111111111111111';
  const small = '822222222222222222';
  const gets = (...roles: string[]) => stage.discord.world.guilds.get(guild)?.members.set(idOf(ann), roles);
  const give = (role: string, amount: string) =>
    mod.types(settings('allowance', { who: `<@&${role}>`, amount }));

  await give(small, '4').says(`Everybody with the role <@&${small}> (${small}) now has at least 4 credits`);
  await give(big, '30').says('at least 30 credits');
  await give(guild, '30').says('Everybody has this role. Use /settings credits.');
  gets(small, '833333333333333333');
  await ann.types(usage).says(/of 4 credits[\s\S]*From one of your roles/);
  gets(small, big);
  await ann.types(usage).says(/of 30 credits/);
  await bob.types(usage).says(/of 3 credits/);
  await ann.types(swap).result();
  await ann.types(usage).says('You used 2 of 30');
  await ann.types(swap).result();
  await ann.types(usage).says('You used 4 of 30');

  // Asked with the role, answered without it: the press says what they have now.
  const asked = await ann.types({ ...swap, given: { filter: '3' } }).offers('female');
  gets(small);
  await ann.presses(asked, 'female').says('This costs 2 credits and you have 0 left today.');
  await mod.types(settings('allowance', { who: `<@&${big}>` })).says('any more');
  const list = await mod.types(settings('show')).says('Allowances of people and roles: 1');

  expect(list.text).toContain(`<@&${small}>`);
});
