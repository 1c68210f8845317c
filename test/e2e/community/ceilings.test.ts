// @module-tag slow
/** The credits that all people of a community, and everybody together, can spend a day. */
import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { Person } from '../stage/chat.ts';
import { swap } from '../stage/lines.ts';
import { stage, useStage } from '../stage/stage.ts';

const full = 'Everybody who uses this bot together has used today’s credits.';

useStage();

const gets = (person: Person) => person.types(swap).result();

it('ceilings count from the morning on, in words, and the owners are told once', async () => {
  const { discord, telegram } = stage.platforms;
  const server = discord.room();
  const group = telegram.room();
  const ann = server.person('Ann');
  const mod = server.person('Mod');
  const bob = group.person('Bob');
  const owner = group.person('Owner');

  mod.moderates(true);
  await owner.at('direct').types({ command: 'help' }).says('What I can do');
  await gets(ann);
  await gets(bob);

  const ceilings = {
    USER_DAILY_CREDITS: '50',
    COMMUNITY_DAILY_CREDITS: '5',
    SERVICE_DAILY_CREDITS: '9',
    OWNERS: owner.key,
  };
  await stage.restart('stop', ceilings);
  const told = () =>
    owner
      .at('direct')
      .sees()
      .filter(({ text }) => text.includes('SERVICE_DAILY_CREDITS'));
  await gets(ann);
  await server
    .person('Dan')
    .types(swap)
    .says('This costs 2 credits and everybody in this community together has 1 left today. Resets in');
  await mod.types({ command: 'usage' }).says('Together you took 4 of the 5');

  expect(told()).toEqual([]);

  await gets(bob);
  await eventually(() => told().length === 1, 'the owner to be told');

  expect(told()[0]?.text).toContain('80 %');
  expect(told()[0]?.text).toMatch(/Used by all communities together: 8 of 9\. Midnight is in \d/);

  await discord.room().person('Eve').types(swap).says(full);
  await eventually(() => told().length === 2, 'the owner to be told again');

  expect(told()[1]?.text).toContain('used up');

  await stage.restart('kill', ceilings);
  await telegram.room().person('Fay').types(swap).says(full);
  await discord.room().person('Gus').types(swap).says(full);

  expect(told()).toHaveLength(2);
});
