// @module-tag slow
import { randomBytes } from 'node:crypto';
import type { Chat } from 'grammy/types';
import { beforeAll, expect, it } from 'vitest';
import { buttonName } from '../../src/command/button-names.ts';
import { wordsFor } from '../../src/words/words.ts';
import { eventually } from '../eventually.ts';
import type { TelegramPerson } from '../fakes/telegram/people.ts';
import type { StoredMessage } from '../fakes/telegram/world.ts';
import { photoOf } from './stage/pictures.ts';
import { stage, useStage } from './stage/stage.ts';

const words = wordsFor('en');
useStage({ env: { STORE_KEY: randomBytes(32).toString('base64') } });
beforeAll(async () => {
  await stage.telegram.until(() => stage.telegram.menus.get('all_chat_administrators:pt'), 'the menus');
});

const textOf = ({ text, caption }: StoredMessage): string => (text ?? caption ?? '').replaceAll('\u2060', '');
const told = (group: Chat, person: TelegramPerson, text: string): Promise<StoredMessage> =>
  stage.telegram.until(
    () => stage.telegram.alone(group, person).findLast((each) => textOf(each).includes(text)),
    text,
  );

/** The person's list of jobs when the latest one is done, which is stored a moment after its result is visible. */
const listOfDone = (group: Chat, person: TelegramPerson): Promise<StoredMessage> => {
  const { telegram } = stage;
  const lists = () => telegram.alone(group, person).filter((each) => textOf(each).includes(words.jobs.title));
  return eventually(async () => {
    const before = lists().length;
    person.types(group, '/jobs');
    const list = await telegram.until(() => lists()[before], 'the list of jobs');
    return textOf(list).includes(words.states.done) && list;
  }, 'a list of jobs with one that is done');
};

it('what concerns one person of a Telegram group stays between them and the bot, without a private chat', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann', { client: 'new' });
  const mod = telegram.person('Mod', { client: 'new' });
  // An administrator may answer at any time, so a busy machine does no harm.
  const group = telegram.group('Club', { administrators: [mod], botIsAdministrator: true });

  // The name is asked for, and written in reply.
  ann.types(group, '/face save', { photo: await photoOf('#2020c0') });
  ann.replies(await told(group, ann, words.telegram.answerHere), 'me');
  await told(group, ann, words.face.kept);
  ann.types(group, '/face list');
  await told(group, ann, words.face.isDefault);

  expect(telegram.fromBot(group)).toEqual([]);

  // Results last, so they are everybody's.
  ann.types(group, '/faceswap face=me 5 girl');
  const isResult = ({ photo }: StoredMessage): boolean => photo !== undefined;
  await telegram.until(() => telegram.fromBot(group).some(isResult), 'the result');
  ann.presses(await listOfDone(group, ann), `1 · ${buttonName('show', words)}`);
  await telegram.until(() => telegram.fromBot(group).filter(isResult).length === 2, 'the result again');
  mod.types(group, '/settings stats');

  expect(await told(group, mod, words.stats.title)).toHaveProperty('photo');
  expect(telegram.fromBot(group)).toHaveLength(2);
  expect(telegram.fromBot(ann.chat)).toEqual([]);
  expect(telegram.fromBot(mod.chat)).toEqual([]);
});
