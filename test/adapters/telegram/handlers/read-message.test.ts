import type { Message, User } from 'grammy/types';
import { describe, expect, test } from 'vitest';
import {
  imagesNeededBy,
  readMessages,
  replyableId,
  typedCommand,
} from '../../../../src/adapters/telegram/handlers/read-message.ts';
import { testCommands } from '../../../fakes/telegram/test-commands.ts';

const me = { id: 42, username: 'darkroom_bot' };
const ann: User = { id: 7, is_bot: false, first_name: 'Ann', last_name: 'Lee', language_code: 'de' };
const group = { id: -1005, type: 'supergroup', title: 'Club' } as const;
const alone = { id: 7, type: 'private', first_name: 'Ann' } as const;

const say = (fields: object): Message & { from: User } =>
  ({ message_id: 5, date: 1, chat: group, from: ann, ...fields }) as unknown as Message & { from: User };

const photo = (id: string, size = 1000) => ({
  photo: [
    { file_id: `${id}-small`, file_unique_id: 'a', width: 10, height: 10, file_size: 10 },
    { file_id: id, file_unique_id: 'b', width: 100, height: 100, file_size: size },
    { file_id: `${id}-middle`, file_unique_id: 'c', width: 50, height: 50, file_size: 100 },
  ],
});

const file = (mime: string | undefined, name: string, size = 1000) => ({
  document: { file_id: 'doc', file_unique_id: 'd', mime_type: mime, file_name: name, file_size: size },
});

const read = (...messages: object[]) => readMessages(messages.map(say), me, imagesNeededBy(testCommands));

const ids = (spoken: ReturnType<typeof read>): string[] =>
  (spoken?.photos ?? []).map((each) =>
    each.from === 'link' ? each.url : 'ref' in each ? JSON.parse(each.ref).file_id : '',
  );

describe('which commands are for this bot', () => {
  test.each([
    { text: '/faceswap 12', line: '/faceswap 12' },
    { text: '/faceswap@darkroom_bot 12', line: '/faceswap 12' },
    { text: '/FaceSwap@DarkRoom_Bot 12', line: '/faceswap 12' },
    { text: '  /faceswap\n12', line: '/faceswap\n12' },
    { text: '/faceswap', line: '/faceswap' },
    { text: '\u200f/faceswap 12', line: '/faceswap 12' },
  ])('the text $text is a command for this bot', ({ text, line }) => {
    expect(typedCommand(text, me)).toMatchObject({ name: 'faceswap', line });
  });

  test('commands of another bot, and similar text, are not for this bot', () => {
    expect(typedCommand('/faceswap@other_bot 12', me)).toBe('other');
    expect(typedCommand('say /faceswap', me)).toBeUndefined();
    expect(read({ text: '/faceswap@other_bot 12' })).toBeUndefined();
  });

  test('in a group an unknown command is ignored unless addressed to the bot, and in private it is answered', () => {
    expect(read({ text: '/weather' })).toBeUndefined();
    expect(read({ text: '/weather@darkroom_bot' })?.text).toBe('/weather@darkroom_bot');
    expect(read({ text: '/9lives@darkroom_bot' })?.text).toBe('/9lives@darkroom_bot');
    expect(read({ text: '/weather', chat: alone })?.text).toBe('/weather');
    expect(read({ text: '/faceswp', reply_to_message: { from: { id: 42 } } })?.text).toBe('/faceswp');
  });

  test('other text in a group is ignored, except in reply to the bot', () => {
    expect(read({ text: 'hello' })).toBeUndefined();
    expect(read(photo('p'))).toBeUndefined();
    expect(read({ text: 'a slow zoom', reply_to_message: { from: { id: 42 } } })?.text).toBe('a slow zoom');
    expect(read({ text: 'hello', reply_to_message: { from: { id: 43 } } })).toBeUndefined();
  });

  test('an ephemeral message is for the bot, and has no id by which others could refer to it', () => {
    const whispered = read({ text: 'hello', message_id: 0, ephemeral_message_id: 9, date: 100 });
    expect(whispered?.text).toBe('hello');
    expect(whispered?.ephemeral).toEqual({ receiver: 7, trigger: { message: 9 }, until: 115_000 });
    expect(whispered && replyableId(whispered.source)).toBeUndefined();
    expect(read({ text: '/help' })?.ephemeral).toBeUndefined();
  });

  test('in private every message is for the bot', () => {
    expect(read({ text: 'hello', chat: alone })?.text).toBe('hello');
    expect(ids(read({ ...photo('p'), chat: alone }))).toEqual(['p']);
    expect(read({ sticker: {}, chat: alone })).toBeUndefined();
  });
});

describe('pictures', () => {
  test('a picture is read in its largest size, from photo, caption or uncompressed file, and a spoiler stays one', () => {
    expect(ids(read({ ...photo('p'), caption: '/faceswap 12' }))).toEqual(['p']);
    expect(ids(read({ ...file('image/png', 'x.png'), caption: '/faceswap' }))).toEqual(['doc']);
    expect(ids(read({ ...file(undefined, 'x.JPEG'), caption: '/faceswap' }))).toEqual(['doc']);
    expect(ids(read({ ...file('application/pdf', 'x.png.pdf'), caption: '/faceswap' }))).toEqual([]);

    const spoiler = read({ ...photo('p'), caption: '/faceswap', has_media_spoiler: true });
    expect(spoiler?.photos[0]).toMatchObject({ from: 'telegram', spoiler: true });
  });

  test('a command in reply to a picture uses it', () => {
    expect(ids(read({ text: '/faceswap 12', reply_to_message: { from: ann, ...photo('old') } }))).toEqual([
      'old',
    ]);

    const document = { from: ann, ...file('image/webp', 'a.webp') };
    expect(ids(read({ text: '/faceswap 12', reply_to_message: document }))).toEqual(['doc']);
    expect(ids(read({ text: '/faceswap 12', external_reply: photo('far') }))).toEqual(['far']);
  });

  test('a command in reply to a sheet of filters or faces does not use that picture', () => {
    const sheet = (data: string, from: object = me) => ({
      from,
      ...photo('sheet'),
      reply_markup: { inline_keyboard: [[{ text: '12', callback_data: data }]] },
    });

    const replying = (to: object) => ids(read({ text: '/faceswap 12', reply_to_message: to }));
    expect(replying(sheet('use:d:f:12'))).toEqual([]);
    expect(replying(sheet('pick:d:filter:12'))).toEqual([]);
    expect(replying(sheet('look:d:2'))).toEqual([]);
    expect(replying(sheet('again:job'))).toEqual(['sheet']);
    expect(replying(sheet('use:d:f:12', ann))).toEqual(['sheet']);
  });

  test('a command in reply to a message without a picture uses a link in it', () => {
    const answer = (text: string, more: object = {}) => ({ from: ann, text, ...more });
    const photosOf = (reply_to_message: object, text = '/faceswap 12') =>
      read({ text, reply_to_message })?.photos;

    const link = [{ from: 'link', url: 'https://pics.example.com/a.jpg' }];

    expect(photosOf(answer('look: (https://pics.example.com/a.jpg).'))).toEqual(link);

    const entities = [{ type: 'text_link', offset: 0, length: 4, url: 'https://pics.example.com/a.jpg' }];
    expect(photosOf(answer('here', { entities }))).toEqual(link);
    expect(photosOf(answer('https://127.0.0.1/a.jpg'))).toEqual([]);
    expect(photosOf(answer('http://pics.example.com/a.jpg'))).toEqual([]);
    expect(photosOf(answer('https://pics.example.com/a.jpg', { is_automatic_forward: true }))).toEqual([]);

    const own = '/faceswap https://pics.example.com/own.jpg 12';
    expect(photosOf(answer('https://pics.example.com/a.jpg'), own)).toEqual([]);
  });

  test('the attached picture comes first if one is needed, and the replied one first if two are', () => {
    const reply_to_message = { from: ann, ...photo('old') };
    expect(ids(read({ ...photo('new'), caption: '/faceswap', reply_to_message }))).toEqual(['new']);
    expect(ids(read({ ...photo('new'), caption: '/transition', reply_to_message }))).toEqual(['old', 'new']);
  });

  test('a picture in reply to a question is the answer', () => {
    const reply_to_message = { from: { id: 42 }, ...photo('ours') };
    expect(ids(read({ ...photo('answer'), reply_to_message }))).toEqual(['answer']);
    expect(ids(read({ text: 'words', reply_to_message }))).toEqual([]);
  });

  test('a file that is too large for bots to download is recognised', () => {
    const huge = read({ ...file('image/png', 'x.png', 21 * 1024 * 1024), caption: '/faceswap' });
    expect(huge).toMatchObject({ tooLarge: true, photos: [] });
  });

  test('a picture that is too large does not stop a command that needs no more pictures', () => {
    const reply_to_message = { from: ann, ...file('image/png', 'x.png', 21 * 1024 * 1024) };
    expect(read({ text: '/help', reply_to_message })).toMatchObject({ tooLarge: false });
    expect(read({ text: '/faceswap', reply_to_message })).toMatchObject({ tooLarge: true });

    const album = read({ message_id: 1, ...photo('one'), caption: '/faceswap' }, reply_to_message);
    expect(album).toMatchObject({ tooLarge: false });
    expect(ids(album)).toEqual(['one']);
  });

  test.each([{ video_note: {} }, { video: {} }, { animation: {} }, file('application/zip', 'x.zip')])(
    'a file that is not a picture is answered in private, and ignored in a group',
    (media) => {
      expect(read({ ...media, chat: alone })).toMatchObject({ otherKind: true });
      expect(read({ ...media, chat: alone, caption: 'look' })).toMatchObject({ otherKind: false });
      expect(read({ ...media, reply_to_message: { from: { id: 42 } } })).toBeUndefined();
    },
  );

  test('an album is one message with one caption and its photos in order', () => {
    const spoken = read(
      { message_id: 1, ...photo('one') },
      { message_id: 2, ...photo('two'), caption: '/transition slowly' },
    );
    expect(spoken?.text).toBe('/transition slowly');
    expect(ids(spoken)).toEqual(['one', 'two']);
  });
});

describe('what is not for the bot', () => {
  test('posts of linked channels, channels and bots are ignored', () => {
    const linked = { id: 777000, is_bot: false, first_name: 'Telegram' };
    const channel = { id: -1009, type: 'channel', title: 'News' };
    const post = { text: '/help', from: linked, sender_chat: channel, is_automatic_forward: true };

    expect(read(post)).toBeUndefined();
    expect(read({ text: '/help', chat: channel })).toBeUndefined();
    expect(read({ text: '/help', from: { ...ann, is_bot: true } })).toBeUndefined();
  });
});
