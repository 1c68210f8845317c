// @module-tag slow
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Reply } from '../../../src/command/reply.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { passing, publicReply, refusal, stage, until, useStage } from '../../fakes/discord/stage.ts';

useStage();

/** A reply that does not come before the test is over. */
let slow: PromiseWithResolvers<Reply>;

beforeEach(() => {
  slow = Promise.withResolvers<Reply>();
});

afterEach(() => slow.resolve({ kind: 'note', text: 'over' }));

const thinkAbout = (count: number): void =>
  stage.desk.replies(...Array.from({ length: count }, () => slow.promise));

const words = wordsFor('en');

const refusals = (why: string): number =>
  stage.fake.received.filter(({ json }) => JSON.stringify(json ?? '').includes(why)).length;

/** Events that take long give their turns to others. */
const inTime = (check: () => void): Promise<void> => passing(stage.clock, 25, check);

const elsewhere = { channel: '900000000000000001', guild: '900000000000000002', guildInstalled: true };

test('many events in one Discord server do not delay the others', async () => {
  thinkAbout(130);
  const crowd = Array.from({ length: 130 }, (_, index) => stage.fake.newcomer(`p${index}`));

  for (const person of crowd) person.types('/help');
  for (const person of crowd) person.types('/help');
  for (const person of crowd) person.types('/help');
  for (const person of crowd) person.types('/help');
  await until(() => expect(stage.desk.heard).toHaveLength(50));
  await inTime(() => expect(stage.desk.heard).toHaveLength(130));

  stage.desk.replies(publicReply('Hello'));
  const sent = stage.fake.user('bob').at(elsewhere).types('/help');
  expect((await sent.answered()).type).toBe(4);
  expect(stage.desk.heard).toHaveLength(131);
  expect(stage.adapter.trouble()).toBeUndefined();

  // Each person is told once, in words for them alone.
  await inTime(() => expect(refusals(words.busy.perChat) + refusals(words.busy.perPerson)).toBe(130));
  expect(stage.fake.messages(stage.fake.channel, stage.fake.newcomer('eve'))).toEqual([]);
  expect(stage.fake.world.complaints).toEqual([]);
});

test('an event that waited too long for its turn is not handled, because Discord takes no answer to it any more', async () => {
  thinkAbout(50);
  for (let index = 0; index < 50; index += 1) stage.fake.newcomer(`p${index}`).types('/help');
  await until(() => expect(stage.desk.heard).toHaveLength(50));

  stage.desk.replies(publicReply('Hello'));
  const { interaction } = stage.fake.user('ann').types('/settings');
  await stage.fake.user('bob').at(elsewhere).types('/help').answered();
  const path = new RegExp(`/${interaction.id}/.*callback$`);
  stage.fake.fault({ path, ...refusal(404, 10062) });
  stage.clock.leap(2_000);
  // The events before these give their turns away.
  await stage.clock.advance(250);
  await until(() => expect(stage.fake.received.some((each) => path.test(each.path))).toBe(true));
  slow.resolve({ kind: 'note', text: 'over' });
  await stage.adapter.stop();

  expect(stage.desk.heard).toHaveLength(51);
});

test('one person is limited in all servers together, and told once a minute', async () => {
  thinkAbout(50);
  const ann = stage.fake.user('ann');

  for (let count = 0; count < 15; count += 1) {
    ann.types('/help');
    ann.at(elsewhere).types('/help');
  }
  await until(() => expect(refusals(words.busy.perPerson)).toBe(1));
  expect(stage.desk.heard).toHaveLength(10);

  await stage.clock.advance(61_000);
  ann.types('/help');
  await until(() => expect(refusals(words.busy.perPerson)).toBe(2));
});

test('suggestions have a separate limit, and excess ones are dropped', async () => {
  const callbacks = () => stage.fake.received.filter(({ path }) => path.endsWith('/callback'));
  const ann = stage.fake.user('ann');
  stage.fake.fault({ path: /callback/, kind: 'hang' });

  for (let count = 0; count < 200; count += 1) ann.completes('/faceswap', 'filter', `p${count}`);
  await until(() => expect(callbacks()).toHaveLength(5));

  stage.fake.clearFaults();
  stage.desk.replies(publicReply('Hello'));

  expect((await ann.types('/help').answered()).type).toBe(4);

  // The calls that hang end.
  await stage.clock.advance(3_000);
});
