import { describe, expect, test } from 'vitest';
import type { Question, Reply } from '../../../src/command/reply.ts';
import type { Media, View } from '../../../src/command/view.ts';
import { en } from '../../../src/words/en/words.ts';
import { buttonsOf, filesOf, menuOf, partsOf } from '../../fakes/discord/components.ts';
import type { Attached } from '../../fakes/discord/people.ts';
import {
  card,
  faceswap,
  refusal,
  room,
  show,
  stage,
  texts,
  until,
  useStage,
  view,
} from '../../fakes/discord/stage.ts';
import type { Message } from '../../fakes/discord/world.ts';
import { imageOf } from '../../fakes/pictures.ts';

/** Lists to choose from: a picture of them, and a menu under it. */

const png: Attached = { name: 'me.png', type: 'image/png', bytes: new Uint8Array([1, 2, 3]) };

const sheet = (bytes: readonly number[] | Uint8Array): Media =>
  imageOf(new Uint8Array(bytes), { alt: 'Filters: 1 One' });

const names = ['One', 'Two', 'Three', 'Four'];

const tiles = (verb: string, ...numbers: number[]): NonNullable<View['tiles']> =>
  numbers.map((at) => ({ action: `${verb}:${at}`, label: String(at), name: names[at - 1] ?? '' }));

const next = [[{ action: 'page:draft-1:1', label: '▶' }]];
const shown = { media: sheet([1]), buttons: next };

const list: Extract<Reply, { kind: 'message' }> = {
  kind: 'message',
  audience: 'caller-in-place',
  view: { tone: 'info', lines: ['Filters'], tiles: tiles('use:draft-1:f', 1, 2), ...shown },
};

const filter: Question = { option: 'filter', label: 'Filter', kind: 'reference' };
const photo: Question = { option: 'photo', label: 'Photo', kind: 'image' };

const question: Extract<Reply, { kind: 'ask' }> = {
  kind: 'ask',
  draft: 'draft-1',
  questions: [filter],
  view: { tone: 'ask', lines: ['Which filter?'], tiles: tiles('pick:draft-1:filter', 1, 2), ...shown },
  audience: 'everyone',
};

useStage({ commands: [faceswap] });
const ann = () => stage.fake.user('ann');

const entries = (message: Message): readonly string[] | undefined =>
  menuOf(message)?.options.map(({ label }) => label);

const bytesOf = (message: Message): readonly number[][] => filesOf(message).map(({ bytes }) => [...bytes]);
const heard = () => stage.desk.heard.at(-1);

describe('a list with pictures', () => {
  test('a list with pictures turns its page in place, also when that takes long, or the sheet is large', async () => {
    const large = new Uint8Array(300 * 1024).fill(3);
    const { media: _media, ...withoutSheet } = list.view;
    const message = await show(list);

    const slowReply = Promise.withResolvers<Reply>();
    stage.desk.replies(slowReply.promise);
    const press = ann().presses(message, '▶');
    await until(() => expect(stage.desk.heard).toHaveLength(2));
    await stage.clock.advance(1_300);
    expect((await press.answered()).type).toBe(6);
    slowReply.resolve({ kind: 'replace', view: { ...list.view, media: sheet([2]) } });
    await until(() => expect(bytesOf(message)).toEqual([[2]]));

    stage.desk.replies({ kind: 'replace', view: { ...list.view, media: sheet(large) } });
    expect((await ann().presses(message, '▶').answered()).type).toBe(6);
    await until(() => expect(message.attachments.map(({ bytes }) => bytes.length)).toEqual([large.length]));

    stage.desk.replies({ kind: 'replace', view: { ...withoutSheet, tiles: tiles('use:draft-1:f', 3, 4) } });
    expect((await ann().presses(message, '▶').answered()).type).toBe(7);
    await until(() => expect(entries(message)).toEqual(['3 · Three', '4 · Four']));

    expect(bytesOf(message)).toEqual([]);
    expect(stage.fake.messages(stage.fake.channel, ann())).toHaveLength(1);
  });

  const refuseFile = () => {
    stage.fake.fault({ path: /callback|messages/, times: 1, ...refusal(413, 40005) });
  };

  test.each([
    { what: 'a list', reply: list },
    { what: 'a question', reply: question },
  ])(
    'a list with pictures turns its page without its sheet where that is refused: $what',
    async ({ reply }) => {
      refuseFile();
      const message = await show(reply);
      expect(texts([message])).toEqual(reply.view.lines);
      expect(entries(message)).toEqual(['1 · One', '2 · Two']);
      expect(bytesOf(message)).toEqual([]);

      refuseFile();
      stage.desk.replies({ kind: 'replace', view: { ...list.view, tiles: tiles('use:draft-1:f', 3) } });
      ann().presses(message, '▶');
      await until(() => expect(entries(message)).toEqual(['3 · Three']));

      expect(bytesOf(message)).toEqual([]);
      expect(stage.fake.messages(stage.fake.channel, ann())).toHaveLength(1);
    },
  );
});

describe('a question with pictures', () => {
  test('a question with pictures keeps its form, and becomes the next question and then the card', async () => {
    const gender: Question = { option: 'gender', label: 'Gender', kind: 'choice' };
    const buttons = [[{ action: 'pick:draft-1:gender:female', label: 'Female' }]];
    const whichGender = view('Which gender?', { buttons });

    const message = await show(question, '/faceswap');
    expect(bytesOf(message)).toEqual([[1]]);
    expect(buttonsOf(message)).toEqual(['▶', en.ask.open]);
    expect((await ann().presses(message, en.ask.open).answered()).type).toBe(9);

    stage.desk.replies({ ...question, questions: [gender], view: whichGender, replaces: true });
    // A question with choices that follows one is a message, and takes the place of the sheet.
    ann().chooses(message, '1 · One');
    await until(() => expect(texts([message])).toEqual(['Which gender?']));

    expect(heard()).toMatchObject({ via: 'press', what: 'pick:draft-1:filter:1' });
    expect(bytesOf(message)).toEqual([]);
    expect(menuOf(message)).toBeUndefined();

    stage.desk.replies(card('Place in line: 1', { replaces: true }));
    ann().presses(message, 'Female');
    await until(() => expect(texts([message])).toEqual(['Place in line: 1']));
    expect(room()).toHaveLength(1);
  });

  test('a question with pictures that lacks a photo opens a form, whose answer takes its place', async () => {
    const message = await show(question, '/faceswap');
    stage.desk.replies({ ...question, questions: [photo], view: view('Which photo?'), replaces: true });

    const chosen = ann().chooses(message, '1 · One');
    expect((await chosen.answered()).type).toBe(9);

    stage.desk.replies(card('Place in line: 1'));
    ann().submits(chosen, { photo: png });
    await until(() => expect(texts([message])).toEqual(['Place in line: 1']));
    expect(bytesOf(message)).toEqual([]);
    expect(partsOf(message)).toEqual([]);
  });
});

describe('a forged choice', () => {
  /** Bob chooses these values, whatever the menu of the message offers; ends when he alone reads `answer`. */
  const forge = async (message: Message, menu: object, values: readonly string[], answer: string) => {
    const options = values.map((value, at) => ({ label: String(at), value }));
    const labels = options.map(({ label }) => label);
    const components = [{ components: [{ type: 3, custom_id: 'tiles', options, ...menu }] }];

    const press = stage.fake.user('bob').chooses({ ...message, components }, ...labels);
    await press.answered();

    const answers = () => press.messages().filter(({ id }) => id !== message.id);
    await until(() => expect(texts(answers())).toEqual([answer]));
  };

  test.each<{ what: string; menu: object; values: readonly string[] }>([
    { what: 'none', menu: {}, values: [] },
    { what: 'several', menu: {}, values: ['use:draft-1:f:1', 'use:draft-1:f:2'] },
    { what: 'a long one', menu: {}, values: ['x'.repeat(65)] },
    { what: 'one of another menu', menu: { custom_id: 'w:draft-1' }, values: ['use:draft-1:f:1'] },
  ])(
    'a forged choice $what reaches the desk as an action that no button has, and changes nothing',
    async ({ menu, values }) => {
      const message = await show({ ...list, audience: 'everyone' }, '/faceswap');
      stage.desk.replies({ kind: 'stale', text: en.press.stale });
      await forge(message, menu, values, en.press.stale);

      expect(heard()).toMatchObject({ via: 'press', what: '' });
      expect(texts([message])).toEqual(['Filters']);
      expect(entries(message)).toEqual(['1 · One', '2 · Two']);
    },
  );

  test.each<{ what: string; reply: Reply }>([
    { what: 'a page', reply: { kind: 'replace', view: view('Bob’s') } },
    { what: 'a card', reply: card('Bob’s', { audience: 'caller', replaces: true }) },
    { what: 'a removal', reply: { kind: 'remove', note: 'Bob’s' } },
  ])(
    'a choice that the message does not offer, $what, is answered to its sender alone',
    async ({ reply }) => {
      const message = await show({ ...list, audience: 'everyone' }, '/faceswap');
      stage.desk.replies(reply);
      await forge(message, {}, ['use:of-bob:f:1'], 'Bob’s');

      expect(texts(room())).toEqual(['Filters']);
    },
  );
});
