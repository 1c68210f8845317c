// @module-tag slow
/** The credits that everybody together can spend in a calendar month. */
import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { Person } from '../stage/chat.ts';
import { swap } from '../stage/lines.ts';
import { stage, useStage } from '../stage/stage.ts';

useStage();

const gets = (person: Person) => person.types(swap).result();

it('the ceiling of the month refuses in words, owners are told once and see it in /usage, and nobody else does', async () => {
  const { discord, telegram } = stage.platforms;
  const group = telegram.room();
  const bob = group.person('Bob');
  const owner = group.person('Owner');
  const direct = owner.at('direct');
  await direct.types({ command: 'help' }).says('What I can do');
  await gets(bob);

  const ceilings = { SERVICE_MONTHLY_CREDITS: '5', CREDIT_PRICE: '0.04 EUR', OWNERS: owner.key };
  await stage.restart('stop', ceilings);
  const told = () =>
    owner
      .at('direct')
      .sees()
      .filter(({ text }) => text.includes('SERVICE_MONTHLY_CREDITS'));
  const fullMonth = 'Everybody who uses this bot together has used this month’s credits.';
  await gets(bob);
  await eventually(() => told().length === 1, 'the owner to be told');

  expect(told()[0]?.text).toMatch(/this month: 4 of 5\. .* In money: €0\.16 of €0\.20\./);

  await discord.room().person('Eve').types(swap).says(fullMonth);
  await eventually(() => told().length === 2, 'the owner to be told again');

  await stage.restart('kill', ceilings);
  await discord.room().person('Gus').types(swap).says(fullMonth);

  expect(told()).toHaveLength(2);

  await direct.types({ command: 'usage' }).says('Everybody together this month: 4 of 5 credits.');
  expect(owner.at('direct').sees().at(-1)?.text).toContain('In money: €0.16.');

  const usage = await bob.types({ command: 'usage' }).says('You used');
  expect(usage.text).not.toContain('€');
});
