// @module-tag slow
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../src/command/reply.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';
import type { TelegramPerson } from '../../fakes/telegram/people.ts';
import {
  card,
  count,
  passUntil,
  publicReply,
  setStage,
  setTimedStage,
  stage,
} from '../../fakes/telegram/stage.ts';

const words = wordsFor('en');

const answer = (heard: { readonly caller: { readonly name: string } }): Reply =>
  publicReply(`for ${heard.caller.name}`);

const people = (count: number): TelegramPerson[] =>
  Array.from({ length: count }, (_, index) => stage.fake.person(`P${index}`));

/** 2,600 commands in one group, by 26 people, and then one of Bob's elsewhere. */
const burst = async (clock: FakeClock) => {
  await setStage({ clock });
  stage.desk.replies(...Array.from({ length: 2_700 }, () => answer));
  const group = stage.fake.group('Club');
  const crowd = people(26);
  for (let count = 0; count < 100; count += 1) for (const each of crowd) each.types(group, '/help');
  const bob = stage.fake.person('Bob');
  bob.types(bob.chat, '/help');
  return { group, bob };
};

describe('a burst in one group', () => {
  test('a burst in one group does not delay another chat, and nothing is repeated', async () => {
    const clock = createFakeClock();
    const begun = clock.now();

    const { group, bob } = await burst(clock);
    await passUntil(clock, 50, () => stage.fake.fromBot(bob.chat).length > 0, 20_000);

    // Bob is answered before the group's first minute is over.
    expect(clock.now() - begun).toBeLessThan(20_000);
    expect(count('getUpdates')).toBeLessThan(200);

    await passUntil(clock, 1_000, () => stage.unhandled() === 0);
    expect(stage.adapter.trouble()).toBeUndefined();
    // The desk heard as many of the 2,600 updates as are in hand at once, not all.
    expect(stage.desk.heard.length).toBeLessThan(300);

    await clock.advance(600_000);
    const said = stage.fake.fromBot(group).map(({ text }) => text ?? '');
    const refused = said.filter(
      (text) => text.includes(words.busy.perPerson) || text.includes(words.busy.perChat),
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(5);

    // Answers that would have come minutes late did not come at all.
    const last = Math.max(...stage.fake.fromBot(group).map(({ date }) => date * 1_000));
    expect(last - begun).toBeLessThan(180_000);
  });

  test('after a burst every card of an accepted job is shown, however late', async () => {
    const { clock } = await setTimedStage();
    stage.desk.replies(...Array.from({ length: 30 }, (_, index) => card(`job-${index}`)));
    const group = stage.fake.group('Club');

    for (const each of people(30)) each.types(group, '/faceswap 12');
    await passUntil(clock, 1_000, () => stage.desk.cards.length === 30, 240_000);

    expect(stage.desk.unseen).toEqual([]);
    expect(stage.fake.fromBot(group)).toHaveLength(30);
  });

  test('a burst of albums closes only that chat’s albums early', async () => {
    const { clock } = await setTimedStage({ flood: 'off' });
    const photo = new Uint8Array(100);
    const ann = stage.fake.person('Ann');
    const bob = stage.fake.person('Bob');

    bob.types(bob.chat, '/transition slowly', { photo, album: 'bob' });
    for (let count = 0; count < 1_100; count += 1) ann.types(ann.chat, '', { photo, album: `ann-${count}` });
    await stage.fake.until(() => stage.desk.heard.length > 0, 'an album of Ann');
    bob.types(bob.chat, '', { photo, album: 'bob' });
    await passUntil(clock, 100, () => stage.desk.heard.some(({ caller }) => caller.name === 'Bob'), 20_000);

    expect(stage.desk.heard.find(({ caller }) => caller.name === 'Bob')?.photos).toHaveLength(2);
  });

  test('a burst of slow updates is stored quickly, so that others are received', async () => {
    const clock = createFakeClock();
    const begun = clock.now();
    await setStage({ clock, flood: 'off' });
    stage.desk.replies(...Array.from({ length: 3_100 }, () => answer));
    const ann = stage.fake.person('Ann');
    const bob = stage.fake.person('Bob');

    // Telegram hands out updates by the hundred; each hundred begins with an album that is waited for.
    for (let count = 0; count < 30; count += 1) {
      ann.types(ann.chat, '', { photo: new Uint8Array(100), album: `ann-${count}` });
      for (let text = 0; text < 99; text += 1) ann.types(ann.chat, 'hello');
    }
    bob.types(bob.chat, '/help');
    await passUntil(clock, 20, () => stage.fake.fromBot(bob.chat).length > 0, 10_000);

    expect(clock.now() - begun).toBeLessThanOrEqual(10_000);
  });
});

describe('updates in progress', () => {
  test('updates of one person in progress are limited in all chats together, and others are not affected', async () => {
    const { clock } = await setTimedStage({ flood: 'off' });
    const never = Promise.withResolvers<Reply>();
    stage.desk.replies(...Array.from({ length: 50 }, () => never.promise));
    const groups = Array.from({ length: 20 }, (_, index) => stage.fake.group(`Club ${index}`));
    const ann = stage.fake.person('Ann');

    for (const group of groups) ann.types(group, '/faceswap 12');
    await passUntil(clock, 20, () => stage.fake.fromBot(groups.at(-1) ?? ann.chat).length > 0, 20_000);

    expect(stage.desk.heard).toHaveLength(10);

    const bob = stage.fake.person('Bob');
    bob.types(groups[0] ?? bob.chat, '/faceswap 12');
    await passUntil(clock, 20, () => stage.desk.heard.some(({ caller }) => caller.name === 'Bob'), 20_000);
    never.resolve({ kind: 'note', text: 'over' });
  });

  test('excess presses in progress are answered once', async () => {
    const { clock, ann } = await setTimedStage({ flood: 'off' });
    stage.desk.replies(card());

    ann.types(ann.chat, '/faceswap 12');
    const shown = await stage.fake.until(() => stage.desk.cards[0] && stage.fake.fromBot(ann.chat)[0]);
    const never = Promise.withResolvers<Reply>();
    stage.desk.replies(...Array.from({ length: 300 }, () => never.promise));
    const presses = Array.from({ length: 300 }, () => ann.presses(shown, 'Cancel'));
    await passUntil(
      clock,
      20,
      () => stage.fake.delivery.pending.length === 0 && count('answerCallbackQuery') > 0,
      20_000,
    );
    const told = presses.filter((press) => stage.fake.pressAnswer(press)?.text === words.busy.perPerson);

    expect(told).toHaveLength(1);
    expect(stage.desk.heard.filter(({ via }) => via === 'press').length).toBeLessThanOrEqual(10);

    never.resolve({ kind: 'note', text: 'over' });
  });
});
