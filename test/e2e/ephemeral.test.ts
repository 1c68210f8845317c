// @module-tag slow
import { randomBytes } from 'node:crypto';
import type { Chat } from 'grammy/types';
import { beforeAll, expect, it } from 'vitest';
import { buttonName } from '../../src/command/button-names.ts';
import { wordsFor } from '../../src/words/words.ts';
import type { FakePerson } from '../fakes/telegram/people.ts';
import type { StoredMessage } from '../fakes/telegram/world.ts';
import { photoOf } from './stage/pictures.ts';
import { stage, useStage } from './stage/stage.ts';

const words = wordsFor('en');
useStage({ env: { STORE_KEY: randomBytes(32).toString('base64') } });
beforeAll(async () => {
  await stage.telegram.until(() => stage.telegram.menus.get('all_chat_administrators:pt'), 'the menus');
});

const textOf = ({ text, caption }: StoredMessage): string => (text ?? caption ?? '').replaceAll('\u2060', '');
const told = (group: Chat, person: FakePerson, text: string): Promise<StoredMessage> =>
  stage.telegram.until(
    () => stage.telegram.alone(group, person).findLast((each) => textOf(each).includes(text)),
    text,
  );

it('what concerns one person of a Telegram group stays between them and the bot, without a private chat', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann', { client: 'new' });
  const mod = telegram.person('Mod', { client: 'new' });
  // An administrator may answer at any time, so a busy machine does no harm.
  const group = telegram.group('Club', { administrators: [mod], botIsAdministrator: true });

  // The name is asked for, and written in reply.
  ann.says(group, '/face save', { photo: await photoOf('#2020c0') });
  ann.replies(await told(group, ann, words.telegram.answerHere), 'me');
  await told(group, ann, words.face.kept);
  ann.says(group, '/face list');
  await told(group, ann, words.face.isDefault);

  expect(telegram.fromBot(group)).toEqual([]);

  // Results last, so they are everybody's.
  ann.says(group, '/faceswap face=me 5 girl');
  const isResult = ({ photo }: StoredMessage): boolean => photo !== undefined;
  await telegram.until(() => telegram.fromBot(group).some(isResult), 'the result');
  ann.says(group, '/jobs');
  ann.presses(await told(group, ann, words.jobs.title), `1 · ${buttonName('show', words)}`);
  await telegram.until(() => telegram.fromBot(group).filter(isResult).length === 2, 'the result again');
  mod.says(group, '/settings stats');

  expect(await told(group, mod, words.stats.title)).toHaveProperty('photo');
  expect(telegram.fromBot(group)).toHaveLength(2);
  expect(telegram.fromBot(ann.chat)).toEqual([]);
  expect(telegram.fromBot(mod.chat)).toEqual([]);
});
