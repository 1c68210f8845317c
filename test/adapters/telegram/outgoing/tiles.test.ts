import type { Chat } from 'grammy/types';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { blankPicture } from '../../../../src/adapters/telegram/outgoing/media.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import type { Media, Tile, View } from '../../../../src/command/view.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { asks } from '../../../contract/adapter/views.ts';
import { imageOf } from '../../../fakes/pictures.ts';
import {
  answered,
  card,
  count,
  passUntil,
  setStage,
  setTimedStage,
  stage,
} from '../../../fakes/telegram/stage.ts';
import type { StoredMessage } from '../../../fakes/telegram/world.ts';

const sheetOf = async (background: string): Promise<Media> => {
  const create = { width: 100, height: 60, channels: 3, background } as const;
  return imageOf(await sharp({ create }).jpeg().toBuffer());
};

const sheets = [await sheetOf('#c02020'), await sheetOf('#2020c0')] as const;

const PER_PAGE = 12;
const turn = (page: number, label: string) => ({ action: `page:draft1:${page}`, label });

const tilesOf = (page: number): readonly Tile[] =>
  Array.from({ length: PER_PAGE }, (_, index) => {
    const number = page * PER_PAGE + index + 1;
    return { action: `pick:draft1:filter:${number}`, label: `${number}`, name: `Look ${number}` };
  });

const pageView = (page: number, media: Media | undefined = sheets[page]): View => ({
  tone: 'ask',
  title: 'Face swap',
  lines: [wordsFor('en').ask.pickOrType, `Page ${page + 1} of 2`],
  tiles: tilesOf(page),
  ...(media === undefined ? {} : { media }),
  buttons: [[page === 0 ? turn(1, '▶') : turn(0, '◀')]],
});

const without = (page: number): View => {
  const { media: _sheet, ...view } = pageView(page);
  return view;
};

const ask = (view: View, more: Parameters<typeof asks>[1] = {}): Reply =>
  asks('draft1', { view, ...more }, { option: 'filter', kind: 'reference', choices: [] });

const following = (view: View): Reply => ask(view, { replaces: true });
const pressedCard = (isPrivate = false): Reply => ({ ...card('job-1', isPrivate), replaces: true }) as Reply;
const writtenCard = (): Reply => ({ ...card(), answers: 'draft1' }) as Reply;

const only = (chat: Chat): StoredMessage => {
  const [message, ...more] = stage.fake.fromBot(chat);
  if (message === undefined || more.length > 0) throw new Error(`${more.length} more messages`);
  return message;
};

const pictureIn = (message: StoredMessage): Buffer | undefined => {
  const photo = (message.photo as { file_id: string }[] | undefined)?.at(-1);
  return photo && Buffer.from(stage.fake.file(photo.file_id));
};

const bytesOf = (media: Media): Buffer => Buffer.from('bytes' in media ? media.bytes : []);

const rowsOf = ({ reply_markup: keyboard }: StoredMessage): string[] =>
  keyboard?.inline_keyboard.map((row) => row.map(({ text }) => text).join(' ')) ?? [];

const firstRows = ['1 2 3 4 5', '6 7 8 9 10', '11 12', '▶'];
const secondRows = ['13 14 15 16 17', '18 19 20 21 22', '23 24', '◀'];

describe('a list to choose from', () => {
  test.each([
    { trouble: 'refused', fault: { kind: 400, description: 'Bad Request: IMAGE_PROCESS_FAILED' } },
    { trouble: 'forbidden', fault: { kind: 400, description: 'Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN' } },
    { trouble: 'too large', fault: { kind: 413 } },
    { trouble: 'too slow', fault: { kind: 'hang' } },
  ] as const)('a list to choose from is text where the sheet is $trouble', async ({ fault }) => {
    const { clock, ann, group } = await setTimedStage();
    stage.fake.fault({ method: 'sendPhoto', ...fault });
    stage.desk.replies({ kind: 'message', audience: 'caller-in-place', view: pageView(0) });
    const said = ann.types(group, '/help');

    await passUntil(clock, 1_000, () => stage.fake.fromBot(group).length > 0);
    expect(only(group)).toMatchObject({
      text: expect.stringContaining('12 Look 12'),
      reply_to_message: { message_id: said.message_id },
    });
    expect(count('sendDocument')).toBe(0);
  });

  test('a list to choose from turns its pages in place, and sends each sheet once', async () => {
    await setStage({ flood: 'off' });
    const ann = stage.fake.person('Ann');
    const bob = stage.fake.person('Bob');
    const group = stage.fake.group('Club');
    const page = (number: number): Reply => ({ kind: 'replace', view: pageView(number) });
    stage.desk.replies({ kind: 'message', audience: 'caller-in-place', view: pageView(0) }, page(1), page(0));

    await answered(() => ann.types(group, '/help'));
    await answered(() => ann.presses(only(group), '▶'));

    expect(pictureIn(only(group))).toEqual(bytesOf(sheets[1]));
    expect(only(group).caption).toMatch(/Page 2 of 2\n13 Look 13 · .* · 24 Look 24$/);
    expect(rowsOf(only(group))).toEqual(secondRows);

    await answered(() => ann.presses(only(group), '◀'));
    expect(pictureIn(only(group))).toEqual(bytesOf(sheets[0]));
    expect(rowsOf(only(group))).toEqual(firstRows);

    await answered(() => bob.types(bob.chat, '/help'), {
      kind: 'message',
      audience: 'everyone',
      view: pageView(1),
    });
    expect(pictureIn(only(bob.chat))).toEqual(bytesOf(sheets[1]));

    const files = stage.fake.calls.flatMap(({ method, values }) => {
      if (method === 'sendPhoto') return [values.photo];
      return method === 'editMessageMedia' ? [(values.media as { media: unknown }).media] : [];
    });
    // An uploaded file is not in the values, or refers to a part of the request.
    const isKnown = files.map((file) => typeof file === 'string' && file.startsWith('file-'));
    expect(isKnown).toEqual([false, false, true, true]);
  });

  test('the sheet of a list is uploaded again where Telegram no longer knows the file', async () => {
    const { ann } = await setStage({ flood: 'off' });
    const list: Reply = { kind: 'message', audience: 'everyone', view: pageView(0) };

    await answered(() => ann.types(ann.chat, '/help'), list, list);
    stage.fake.fault({ method: 'sendPhoto', kind: 400, description: 'Bad Request: wrong file identifier' });
    await answered(() => ann.types(ann.chat, '/help'));

    expect(stage.fake.fromBot(ann.chat).map(pictureIn)).toEqual([bytesOf(sheets[0]), bytesOf(sheets[0])]);
  });

  test('a list shows no picture of another page, from a sheet to none and back', async () => {
    const { ann } = await setStage({ flood: 'off' });
    const page = (view: View): Reply => ({ kind: 'replace', view });
    stage.desk.replies(
      { kind: 'message', audience: 'everyone', view: pageView(0) },
      page(without(1)),
      page(pageView(0)),
    );

    await answered(() => ann.types(ann.chat, '/help'));
    await answered(() => ann.presses(only(ann.chat), '▶'));

    expect(pictureIn(only(ann.chat))).toEqual(Buffer.from(blankPicture.bytes));
    expect(only(ann.chat).caption).toContain('24 Look 24');
    expect(rowsOf(only(ann.chat))).toEqual(secondRows);

    await answered(() => ann.presses(only(ann.chat), '◀'));
    expect(pictureIn(only(ann.chat))).toEqual(bytesOf(sheets[0]));
  });

  test.each([
    { what: 'a sheet', before: pageView(0), times: 1, picture: Buffer.from(blankPicture.bytes) },
    {
      what: 'a sheet, where no picture is accepted,',
      before: pageView(0),
      times: 2,
      picture: bytesOf(sheets[0]),
    },
    { what: 'text', before: without(0), times: 1, picture: undefined },
  ])('a list turns from $what to a page whose sheet is refused', async ({ before, times, picture }) => {
    const { ann } = await setStage();
    stage.desk.replies(
      { kind: 'message', audience: 'everyone', view: before },
      { kind: 'replace', view: pageView(1) },
    );

    await answered(() => ann.types(ann.chat, '/help'));
    stage.fake.fault({ method: 'editMessageMedia', kind: 400, times });
    await answered(() => ann.presses(only(ann.chat), '▶'));
    const shown = only(ann.chat);

    expect(pictureIn(shown)).toEqual(picture);
    expect(shown.text ?? shown.caption).toContain('24 Look 24');
    expect(rowsOf(shown)).toEqual(secondRows);
  });
});

describe('a question with a sheet', () => {
  test.each([
    { place: 'a group', forum: false },
    { place: 'a topic', forum: true },
  ])('a question with a sheet that is answered by a press in $place becomes the card', async ({ forum }) => {
    const { ann } = await setStage();
    const group = stage.fake.group('Club', { forum });
    const topic = forum ? { thread: stage.fake.topic(group) } : {};
    stage.desk.replies(ask(pageView(0)), following(pageView(1)), pressedCard());

    const said = await answered(() => ann.types(group, '/faceswap', topic));
    const question = only(group);

    expect(question.caption).toContain(wordsFor('en').telegram.pickOrReply);
    expect(question.forced_reply).toBeUndefined();
    expect(question.message_thread_id).toBe(topic.thread);

    await answered(() => ann.presses(question, '▶'));
    expect(only(group)).toBe(question);
    expect(question.caption).toContain('24 Look 24');

    await answered(() => ann.presses(question, '17'));
    expect(stage.desk.heard[2]).toMatchObject({ via: 'press', what: 'pick:draft1:filter:17' });

    // The card is text at first: the sheet is no part of it.
    const shown = only(group);
    expect(shown.text).toContain('Place in line');
    expect(shown).toMatchObject({ reply_to_message: { message_id: said.message_id } });
    expect(shown.message_thread_id).toBe(topic.thread);

    const placed = { message: shown.message_id, media: false };
    expect(JSON.parse(stage.desk.cards[0]?.card.ref ?? '')).toMatchObject(placed);
  });

  test.each(['7', 'Look 7'])(
    'a question with a sheet that is answered in a group with the reply %j is removed',
    async (text) => {
      const { ann, group } = await setStage({ flood: 'off' });

      await answered(() => ann.types(group, '/faceswap'), ask(pageView(0)), writtenCard());
      await answered(() => ann.replies(only(group), text));

      expect(stage.desk.heard[1]).toMatchObject({ via: 'answer', line: text, photos: [] });
      expect(only(group).text).toContain('Place in line');
    },
  );

  test('a question with a sheet becomes the next question, and a question becomes a sheet', async () => {
    const { ann } = await setStage({ flood: 'off' });
    const buttons = [[{ action: 'pick:draft1:gender:boy', label: 'boy' }]];
    const gender: View = { tone: 'ask', lines: ['Which?'], buttons };
    stage.desk.replies(ask(gender), following(pageView(0)), following(gender), pressedCard());

    await answered(() => ann.types(ann.chat, '/faceswap'));
    await answered(() => ann.presses(only(ann.chat), 'boy'));

    expect(pictureIn(only(ann.chat))).toEqual(bytesOf(sheets[0]));

    await answered(() => ann.presses(only(ann.chat), '3'));
    expect(only(ann.chat)).toMatchObject({ text: 'Which?' });

    await answered(() => ann.presses(only(ann.chat), 'boy'));
    expect(only(ann.chat).text).toContain('Place in line');
  });

  test('a question with a sheet stays while a photo is asked for in a group, and is removed with the photo', async () => {
    const { ann, group } = await setStage({ flood: 'off' });
    const photo: Reply = ask(
      { tone: 'ask', lines: ['Your photo?'] },
      { questions: [{ option: 'photo', label: 'The photo', kind: 'image' }], replaces: true },
    );

    await answered(() => ann.types(group, '/faceswap'), ask(pageView(0)), photo, writtenCard());
    await answered(() => ann.presses(only(group), '3'));
    const [sheet, prompt] = stage.fake.fromBot(group);

    expect(rowsOf(sheet ?? only(group))).toEqual(firstRows);

    if (prompt?.forced_reply === undefined) throw new Error('no prompt');
    await answered(() => ann.replies(prompt, '', { photo: bytesOf(sheets[1]) }));
    expect(stage.desk.heard[2]?.photos).toHaveLength(1);
    expect(stage.fake.fromBot(group)).not.toContain(sheet);
  });

  test('a question with a sheet that is too old to remove shows neither the sheet nor the buttons', async () => {
    const { ann } = await setTimedStage({ flood: 'off' });

    await answered(() => ann.types(ann.chat, '/faceswap'), ask(pageView(0)), pressedCard());
    const question = only(ann.chat);
    const description = "Bad Request: message can't be deleted for everyone";
    stage.fake.fault({ method: 'deleteMessage', kind: 400, description });
    await answered(() => ann.presses(question, '3'));

    expect(pictureIn(question)).toEqual(Buffer.from(blankPicture.bytes));
    expect(rowsOf(question)).toEqual([]);
    expect(stage.fake.fromBot(ann.chat).at(-1)?.text).toContain('Place in line');
  });
});
