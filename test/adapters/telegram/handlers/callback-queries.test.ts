import type { Chat } from 'grammy/types';
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../../src/command/reply.ts';
import { eventually } from '../../../eventually.ts';
import type { MessageParts, TelegramPerson } from '../../../fakes/telegram/people.ts';
import { openCard, setStage, setTimedStage, stage } from '../../../fakes/telegram/stage.ts';
import type { StoredMessage } from '../../../fakes/telegram/world.ts';

/** A card in somebody's private chat, unless it is said where. */
const shownTo = async (
  who: TelegramPerson,
  chat: Chat = who.chat,
  as?: MessageParts,
): Promise<StoredMessage> => {
  await openCard(who, chat, undefined, as);
  return stage.fake.fromBot(chat)[0] as StoredMessage;
};

const inaccessible = ({ chat, message_id }: StoredMessage) => ({ chat, message_id, date: 0 });
const answerTo = (press: string) => stage.fake.until(() => stage.fake.pressAnswer(press), 'the answer');

describe('a press', () => {
  test('a press with a long note shows an alert, cut to Telegram’s limit', async () => {
    const { ann } = await setStage();

    const message = await shownTo(ann);
    stage.desk.replies({ kind: 'note', text: `a${'😀'.repeat(150)}` });
    const answer = await answerTo(ann.presses(message, 'Cancel'));

    expect(answer.show_alert).toBe(true);
    expect(answer.text?.length).toBeLessThanOrEqual(200);
    expect(answer.text?.isWellFormed()).toBe(true);
  });

  /** The desk takes its time with a press of Ann's. */
  const slowPress = async (isInGroup = false) => {
    const { clock, ann, group } = await setTimedStage();
    const message = await shownTo(ann, isInGroup ? group : ann.chat);
    const slow = Promise.withResolvers<Reply>();
    stage.desk.replies(slow.promise);
    const press = ann.presses(message, 'Cancel');
    await stage.fake.until(() => stage.desk.heard.length === 2);
    return { clock, ann, group, message, slow, press };
  };

  test('a press is answered soon even when the desk is slow, and the note comes as a message', async () => {
    const { clock, ann, slow, press } = await slowPress();
    expect(stage.fake.pressAnswer(press)).toBeUndefined();

    await clock.advance(1_500);
    expect(await answerTo(press)).toEqual({});

    slow.resolve({ kind: 'note', text: 'Cancelled, finally.' });
    const told = await stage.fake.until(() => stage.fake.fromBot(ann.chat)[1]);
    expect(told.text).toContain('finally');
  });

  const long = 'No pictures or videos are made here. '.repeat(8).trim();

  test.each([
    { what: 'a short refusal', text: 'Darkroom is paused.', inFull: 0 },
    { what: 'one that is longer than an alert, and is told in full', text: long, inFull: 1 },
  ])(
    'a press that is refused in a group is answered to the presser alone: $what',
    async ({ text, inFull }) => {
      await setStage();
      const ann = stage.fake.person('Ann', { client: 'new' });
      const group = stage.fake.group('Club');

      await shownTo(ann);
      const before = stage.fake.fromBot(ann.chat).length;
      const message = await shownTo(ann, group);
      stage.desk.replies({
        kind: 'message',
        audience: 'caller-in-place',
        view: { tone: 'failed', lines: [text] },
      });
      const answer = await answerTo(ann.presses(message, 'Cancel'));

      expect(answer.text).toContain(text.slice(0, 150));
      expect(answer.text?.length).toBeLessThanOrEqual(200);

      await stage.fake.until(() => stage.fake.alone(group, ann).length === inFull);
      for (const told of stage.fake.alone(group, ann)) expect(told.text).toContain(text);
      expect(stage.fake.fromBot(ann.chat)).toHaveLength(before);
      expect(stage.fake.fromBot(group)).toHaveLength(1);
    },
  );

  test('a press that is refused late in a group is not answered there', async () => {
    const { clock, group, slow, press } = await slowPress(true);
    await clock.advance(1_500);
    await answerTo(press);
    slow.resolve({ kind: 'note', text: 'You cannot use this here.' });
    await stage.stop();

    expect(stage.fake.fromBot(group)).toHaveLength(1);
  });

  test('a press is answered soon while it stands in line behind another one of the same person', async () => {
    const { clock, ann, message, slow } = await slowPress();
    const second = ann.presses(message, 'Cancel');
    const answer = await eventually(async () => {
      await clock.advance(500);
      return stage.fake.pressAnswer(second);
    });

    expect(answer).toEqual({});
    expect(stage.desk.heard).toHaveLength(2);

    slow.resolve({ kind: 'note', text: 'Cancelled.' });
    await stage.fake.until(() => stage.desk.heard.length === 3);
  });

  test('a press with forged data reaches the desk unchanged, bounded', async () => {
    const { ann } = await setStage();

    const message = await shownTo(ann);
    await answerTo(ann.forges(message, `delete:${'x'.repeat(500)}`));

    expect(stage.desk.heard[1]?.what).toHaveLength(64);
  });

  test('a press on an inaccessible message removes it only if the place was checked', async () => {
    const { ann, group } = await setStage();

    const message = await shownTo(ann, group);
    const old = inaccessible(message);
    stage.desk.replies({ kind: 'remove', note: 'Deleted.' });

    expect(await answerTo(ann.forges(old, 'delete:1'))).toEqual({ text: 'Deleted.' });

    stage.desk.replies({ kind: 'note', text: 'Still here.' });
    await answerTo(ann.forges(old, 'report:1'));
    expect(stage.fake.fromBot(group)).toHaveLength(1);

    stage.desk.replies({ kind: 'remove', note: 'Taken down.', evenIfOld: true });
    await answerTo(ann.forges(old, 'delete:1'));
    await stage.fake.until(() => stage.fake.fromBot(group).length === 0);
  });

  test('a press on an inaccessible message replaces it only for a moderator of the place', async () => {
    const { ann, group } = await setStage();

    const message = await shownTo(ann, group);
    const old = inaccessible(message);
    const view = { tone: 'info', lines: ['Dismissed by Mod.'] } as const;
    stage.desk.replies({ kind: 'replace', view });
    await answerTo(ann.forges(old, 'page:1:2'));

    expect(stage.fake.fromBot(group)[0]?.text).not.toBe('Dismissed by Mod.');

    stage.desk.replies({ kind: 'replace', view, evenIfOld: true });
    await answerTo(ann.forges(old, 'report-dismiss:1'));
    await stage.fake.until(() => stage.fake.fromBot(group)[0]?.text === 'Dismissed by Mod.');
  });

  test('a press on a deleted message is still received', async () => {
    const { ann } = await setStage();

    const message = await shownTo(ann);
    stage.desk.replies({ kind: 'note', text: 'Still here.' });
    const old = inaccessible(message);

    expect(await answerTo(ann.forges(old, 'again:1'))).toEqual({ text: 'Still here.' });
    expect(stage.desk.heard[1]?.place.channel).toBe(String(ann.chat.id));
    expect((await answerTo(ann.forges(undefined, 'again:1'))).text).toContain('too old');
    expect(stage.desk.heard).toHaveLength(2);
  });

  test('a press by an anonymous administrator counts for their own jobs, and one by others does not', async () => {
    await setStage();
    const mod = stage.fake.person('Mod');
    const bob = stage.fake.person('Bob');
    const group = stage.fake.group('Club');
    stage.fake.promote(group, mod, true);

    const message = await shownTo(mod, group, { anonymous: true });
    await answerTo(mod.presses(message, 'Cancel'));
    await answerTo(bob.presses(message, 'Cancel'));
    const hidden = `anonymous:${group.id}`;
    const own = String(bob.user.id);

    expect(stage.desk.heard.map(({ caller }) => caller.id)).toEqual([hidden, hidden, own]);
  });

  test('a press on a channel’s job counts as the presser’s, or as the channel’s for its administrators', async () => {
    await setStage();
    const ann = stage.fake.person('Ann');
    const bob = stage.fake.person('Bob');
    const group = stage.fake.group('Club');
    const channel = stage.fake.group('A channel', { administrators: [ann] });

    const message = await shownTo(ann, group, { channel: channel.id });
    const notYours: Reply = { kind: 'not-yours', text: 'Somebody else’s.' };
    stage.desk.replies(notYours, { kind: 'note', text: 'Cancelled.' });

    expect((await answerTo(ann.presses(message, 'Cancel'))).text).toBe('Cancelled.');

    stage.desk.replies(notYours);
    expect((await answerTo(bob.presses(message, 'Cancel'))).text).toContain('as a channel');

    stage.fake.close(channel, 'bot is not a member of the channel chat');
    await answerTo(ann.presses(message, 'Cancel'));
    const hidden = `channel:${group.id}`;
    const anns = String(ann.user.id);
    const bobs = String(bob.user.id);

    expect(stage.desk.heard.map(({ caller }) => caller.id)).toEqual([hidden, anns, hidden, bobs, anns]);
  });
});
