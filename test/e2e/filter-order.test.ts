// @module-tag slow
import type { Chat } from 'grammy/types';
import { expect, it } from 'vitest';
import { en } from '../../src/words/en/words.ts';
import { holds } from '../eventually.ts';
import type { TelegramPerson } from '../fakes/telegram/people.ts';
import type { StoredMessage } from '../fakes/telegram/world.ts';
import { photoOf } from './stage/pictures.ts';
import { stage, useStage } from './stage/stage.ts';

const blue = await photoOf('#2020c0');

useStage();

const textOf = ({ text, caption }: StoredMessage): string => text ?? caption ?? '';
const labelsOf = ({ reply_markup: keyboard }: StoredMessage): readonly string[] =>
  keyboard?.inline_keyboard.flat().map(({ text }) => text) ?? [];
const results = (chat: Chat): number =>
  stage.telegram.fromBot(chat).filter((message) => textOf(message).includes('AI-generated')).length;

async function swap(who: TelegramPerson, chat: Chat, line: string, resultIn = chat): Promise<void> {
  const before = results(resultIn);
  who.types(chat, line, { photo: blue });
  await stage.telegram.until(() => results(resultIn) > before, `the result of ${line}`);
}

/** The next message of the bot there. */
async function answer(chat: Chat, ask: () => void): Promise<StoredMessage> {
  const before = new Set(stage.telegram.fromBot(chat).map((message) => message.message_id));
  ask();
  return stage.telegram.until(
    () => stage.telegram.fromBot(chat).find((message) => !before.has(message.message_id)),
    'an answer',
  );
}

/** The list of filters is as expected in the end: a person's latest jobs are cached for two seconds. */
const listed = (
  who: TelegramPerson,
  chat: Chat,
  first: readonly string[],
  isRecent: boolean,
): Promise<void> =>
  holds(async () => {
    const list = await answer(chat, () => who.types(chat, '/filters'));
    expect(labelsOf(list).slice(0, first.length)).toEqual(first);
    expect(textOf(list).includes(en.filters.recentFirst)).toBe(isRecent);
  });

it('on Telegram recent filters come first, then the most used, also after a restart; /privacy leaves no trace of them', async () => {
  const { telegram } = stage;
  const group = telegram.group('Order');
  const ann = telegram.person('Ann');
  const bob = telegram.person('Bob');
  const carl = telegram.person('Carl');

  telegram.openPrivate(ann, bob, carl);
  for (let times = 0; times < 2; times += 1) await swap(bob, group, '/faceswap 30 girl');
  await swap(bob, group, '/faceswap 21 girl private=yes', bob.chat);
  await swap(ann, group, '/faceswap 17 girl');
  await listed(carl, group, ['30', '17', '1'], false);
  await listed(ann, group, ['17', '30', '1'], true);
  // In the group others would see what was private.
  await listed(bob, group, ['30', '17', '1'], true);
  await listed(bob, bob.chat, ['21', '30', '1'], true);

  await stage.restart('kill');
  await listed(ann, group, ['17', '30', '1'], true);
  await listed(carl, group, ['30', '17', '1'], false);

  const privacy = await answer(ann.chat, () => ann.types(ann.chat, '/privacy'));
  ann.presses(privacy, en.privacy.button);
  await telegram.until(() => labelsOf(privacy).includes(en.privacy.sureButton), 'the confirmation');
  ann.presses(privacy, en.privacy.sureButton);
  await telegram.until(() => !labelsOf(privacy).includes(en.privacy.sureButton), 'the end of the data');
  const after = await answer(group, () => ann.types(group, '/filters'));

  expect(labelsOf(after).slice(0, 3)).toEqual(['30', '17', '1']);
  expect(textOf(after)).not.toContain(en.filters.recentFirst);
});
