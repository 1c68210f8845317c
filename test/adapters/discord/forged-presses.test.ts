import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Reply } from '../../../src/command/reply.ts';
import { en } from '../../../src/words/en/words.ts';
import type { Attached } from '../../fakes/discord/people.ts';
import type { Message } from '../../fakes/discord/world.ts';
import { card, openStage, type Stage, texts, until, view } from './stage.ts';

/** A press names a button that its message does not have: nothing of the answer may stand in that message. */

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(async () => {
  await stage.stop();
  expect(stage.fake.world.complaints).toEqual([]);
});

const shown = async (reply: Reply): Promise<Message> => {
  stage.desk.replies(reply);
  const sent = stage.fake.user('ann').slash('/faceswap', { filter: '12' });
  return until(() => {
    const message = sent.message();
    if (message === undefined || message.content === '') throw new Error('not yet');
    return message;
  });
};
const forge = (message: Message, id: string): ReturnType<ReturnType<Stage['fake']['user']>['press']> => {
  const components = [{ components: [{ label: 'forged', custom_id: id }] }];
  return stage.fake.user('bob').press({ ...message, components }, 'forged');
};

test.each<[string, Reply, string]>([
  ['a list’s page', { kind: 'replace', view: view('Bob’s private jobs') }, 'Bob’s private jobs'],
  [
    'what follows a question',
    { ...card('Bob’s card', { private: true }), replaces: true } as Reply,
    'Bob’s card',
  ],
  ['a removal', { kind: 'remove', note: 'Deleted.' }, 'Deleted.'],
])('%s is reported to whoever pressed, and changes nothing', async (_, reply, words) => {
  const message = await shown(card('Ann’s card'));
  stage.desk.replies(reply);
  const press = forge(message, 'a:page:of-bob:1');
  await press.answered();
  await until(() => expect(texts(press.messages().filter(({ id }) => id !== message.id))).toEqual([words]));
  expect(press.messages().every(({ id, onlyFor }) => id === message.id || onlyFor !== undefined)).toBe(true);
  expect(texts(stage.fake.messages(stage.fake.channel))).toEqual(['Ann’s card']);
});

test('a form that is submitted after its question was answered does not change the card', async () => {
  const png: Attached = { name: 'me.png', type: 'image/png', bytes: new Uint8Array([1, 2, 3]) };
  const ask: Reply = {
    kind: 'ask',
    draft: 'draft-1',
    questions: [{ option: 'photo', label: 'Photo', kind: 'image' }],
    view: view('Which photo?', { tone: 'ask' }),
    private: true,
  };
  const question = await shown(ask);
  const ann = stage.fake.user('ann');
  const [one, other] = [ann.press(question, en.ask.addPhoto), ann.press(question, en.ask.addPhoto)];
  await Promise.all([one.answered(), other.answered()]);
  stage.desk.replies(card('Place in line: 1', { private: true }), {
    ...ask,
    view: view('Which filter?', { tone: 'ask' }),
  });
  ann.submit(one, { photo: png });
  await until(() => expect(stage.desk.cards).toHaveLength(1));
  expect(texts([question])).toEqual(['Place in line: 1']);
  const late = ann.submit(other, { photo: png });
  await late.answered();
  await until(() => expect(stage.fake.messages(stage.fake.channel, ann)).toHaveLength(2));
  expect(texts([question])).toEqual(['Place in line: 1']);
});
