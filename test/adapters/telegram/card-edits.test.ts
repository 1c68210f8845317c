import type { Chat, Update } from 'grammy/types';
import sharp from 'sharp';
import { describe, expect, test, vi } from 'vitest';
import { readCard } from '../../../src/adapters/telegram/api/refs.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { Reply } from '../../../src/command/reply.ts';
import type { View } from '../../../src/command/view.ts';
import { jpeg, mp4 } from '../../fakes/pictures.ts';
import {
  card,
  count,
  line,
  openCard,
  passUntil,
  picture,
  publicReply,
  setStage,
  setTimedStage,
  stage,
} from '../../fakes/telegram/stage.ts';
import type { StoredMessage } from '../../fakes/telegram/world.ts';

const only = (ref: { readonly ref: string }): StoredMessage | undefined => {
  const { chat, message } = readCard({ platform: 'telegram', ref: ref.ref });
  return stage.fake
    .messages({ id: chat, type: 'private', first_name: '' })
    .find((each) => each.message_id === message);
};

const video = { kind: 'video', type: 'video/mp4', name: 'r.mp4', as: 'inline', alt: '' } as const;

describe('a card', () => {
  test.each([
    { kind: 'photo', view: async () => picture(await jpeg()) },
    { kind: 'video', view: async () => ({ ...line('x'), media: { ...video, bytes: mp4() } }) },
  ])('a card becomes the $kind by an edit, with a chat action during the upload', async ({ kind, view }) => {
    await setStage();
    const ref = await openCard();
    expect((await stage.adapter.draw(ref, await view(), 'final')).state).toBe('drawn');
    expect(only(ref)).toHaveProperty(kind);

    const action = stage.fake.calls.find(({ method }) => method === 'sendChatAction');
    expect(action?.values).toMatchObject({ action: `upload_${kind}` });
  });

  test('a card with a hanging upload tries nothing else meanwhile', async () => {
    const { clock } = await setTimedStage();
    const ref = await openCard();
    stage.fake.fault({ method: 'sendChatAction', kind: 'hang', times: 100 });
    stage.fake.fault({ method: 'editMessageMedia', kind: 'hang', times: 100 });
    const drawn = stage.adapter.draw(ref, picture(await jpeg()), 'final');
    await stage.fake.until(() => count('editMessageMedia') === 1);
    const almost = clock.now() + 115_000;

    await passUntil(clock, 5_000, () => clock.now() >= almost);
    expect(count('sendChatAction')).toBe(1);

    await clock.advance(10_000);
    expect((await drawn).state).toBe('later');
  });

  test('a card shows as a file what Telegram refuses as a photo', async () => {
    await setStage();
    const ref = await openCard();

    const tooWide = await sharp({ create: { width: 4200, height: 200, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const tooLarge = Buffer.concat([await jpeg(), Buffer.alloc(11 * 1024 * 1024)]);
    const unreadable = Buffer.from('no picture');

    const drawn = await stage.adapter.draw(ref, picture(tooWide), 'final');
    expect(drawn).toMatchObject({ state: 'drawn', result: { from: 'telegram' } });
    expect(only(ref)?.document).toBeDefined();
    expect(count('editMessageMedia')).toBe(1);

    expect((await stage.adapter.draw(ref, picture(tooLarge), 'final')).state).toBe('drawn');
    expect(count('editMessageMedia')).toBe(2);

    // It is sent as a photo, which Telegram cannot read, and once more as a file.
    expect((await stage.adapter.draw(ref, picture(unreadable), 'final')).state).toBe('drawn');
    expect(count('editMessageMedia')).toBe(4);
  });

  test('a card can be drawn twice, and show a text after a picture, although its stored kind is outdated', async () => {
    await setStage({ flood: 'off' });
    const ref = await openCard();
    const keepsMedia = 'It was a link.';
    const view: View = { tone: 'busy', lines: ['half'], bar: 0.5, keepsMedia };

    expect((await stage.adapter.draw(ref, view, 'final')).state).toBe('drawn');
    expect((await stage.adapter.draw(ref, view, 'final')).state).toBe('drawn');
    expect(only(ref)?.text).toContain(keepsMedia);

    const buttons = [[{ action: 'again:1', label: 'Again' }]];
    await stage.adapter.draw(ref, picture(await jpeg(), { buttons }), 'final');
    expect(only(ref)?.reply_markup).toBeDefined();

    const words = await stage.adapter.draw(ref, { ...line('Cancelled.'), keepsMedia }, 'final');
    expect(only(ref)).toMatchObject({ caption: 'Cancelled.', photo: expect.anything() });
    expect(only(ref)?.reply_markup).toBeUndefined();
    expect(words.state === 'drawn' && words.card && readCard(words.card).media).toBe(true);
  });

  test('cosmetic edits of a card are dropped when too frequent and report it, and final ones are not', async () => {
    await setTimedStage();
    const ref = await openCard();
    const outcomes: string[] = [];

    for (let step = 0; step < 30; step += 1) {
      const view: View = { tone: 'busy', lines: [`step ${step}`], bar: step / 40 };
      outcomes.push((await stage.adapter.draw(ref, view, 'cosmetic')).state);
    }
    expect(count('editMessageText')).toBeLessThanOrEqual(3);
    expect(outcomes.filter((state) => state === 'drawn')).toHaveLength(count('editMessageText'));
    expect(outcomes.at(-1)).toBe('later');
    expect((await stage.adapter.draw(ref, line('the end'), 'final')).state).toBe('drawn');
    expect(only(ref)?.text).toBe('the end');
  });

  test('retry_after of a card’s edit is passed on, and delays the next edits', async () => {
    const { clock } = await setTimedStage();
    const ref = await openCard();
    stage.fake.fault({ method: 'editMessageText', kind: 429, retryAfter: 17 });

    expect(await stage.adapter.draw(ref, line('a'), 'final')).toEqual({ state: 'later', afterMs: 17_000 });

    const before = count('editMessageText');
    expect((await stage.adapter.draw(ref, line('b'), 'cosmetic')).state).toBe('later');
    expect(await stage.adapter.draw(ref, line('c'), 'final')).toEqual({ state: 'later', afterMs: 17_000 });
    expect(count('editMessageText')).toBe(before);

    await clock.advance(17_000);
    expect((await stage.adapter.draw(ref, line('d'), 'final')).state).toBe('drawn');
  });

  test('a cosmetic edit never overwrites a result that is being sent', async () => {
    await setStage({ flood: 'off' });
    const ref = await openCard();
    const result = stage.adapter.draw(ref, picture(await jpeg()), 'final');
    const late = stage.adapter.draw(ref, { tone: 'busy', lines: ['99%'], bar: 0.99 }, 'cosmetic');

    expect((await late).state).toBe('drawn');

    await result;
    expect(only(ref)?.caption).toContain('AI-generated');
    expect(count('editMessageText')).toBe(0);
  });
});

describe('what Telegram refuses', () => {
  test.each([
    "Bad Request: message can't be edited",
    'Bad Request: message to edit not found',
    'Bad Request: MESSAGE_ID_INVALID',
    'Bad Request: TOPIC_CLOSED',
    'Bad Request: TOPIC_DELETED',
    'Bad Request: message thread not found',
    'Bad Request: chat not found',
    'Bad Request: CHAT_RESTRICTED',
    'Bad Request: CHAT_ADMIN_REQUIRED',
    'Bad Request: CHANNEL_PRIVATE',
    'Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN',
    'Bad Request: CHAT_SEND_VIDEOS_FORBIDDEN',
    'Bad Request: not enough rights to send photos to the chat',
    'Bad Request: have no rights to send a message',
    'Bad Request: group chat was deactivated',
  ])('a card whose edit is refused with "%s" is gone, and not tried again', async (description) => {
    await setStage({ flood: 'off' });
    const ref = await openCard();
    stage.fake.fault({ method: 'editMessageMedia', kind: 400, description });
    const remains = /FORBIDDEN|not enough rights/.test(description) ? { messageRemains: true } : {};
    const drawn = await stage.adapter.draw(ref, picture(await jpeg()), 'final');

    expect(drawn).toEqual({ state: 'gone', ...remains });
    expect(count('editMessageMedia')).toBe(1);

    stage.fake.fault({ method: 'sendMessage', kind: 400, description });
    const caller = { platform: 'telegram', id: '1001', name: '', locale: 'en' } as const;
    expect(await stage.adapter.say({ caller }, line('x'))).toEqual({ state: 'gone' });
  });

  test('an edit of a card that conflicts with another one is repeated', async () => {
    await setStage({ flood: 'off' });
    const ref = await openCard();
    const description = 'Bad Request: canceled by new editMessageMedia request';
    stage.fake.fault({ method: 'editMessageMedia', kind: 400, description });

    expect(await stage.adapter.draw(ref, picture(await jpeg()), 'final')).toMatchObject({ state: 'later' });
    expect((await stage.adapter.draw(ref, picture(await jpeg()), 'final')).state).toBe('drawn');
  });

  test('a file that is too large for a proxy is requested again, smaller', async () => {
    await setStage({ flood: 'off' });
    const ref = await openCard();
    const other = await openCard();
    const large = picture(Buffer.alloc(21 * 1024 * 1024));
    const limitOfVideosMB = () => stage.adapter.limits(ref).videoBytes / 1024 / 1024;
    const drawRefused = async () => {
      stage.fake.fault({ method: 'editMessageMedia', kind: 413 });
      const drawn = await stage.adapter.draw(ref, large, 'final');
      expect(drawn).toEqual({ state: 'later', afterMs: 0 });
    };

    expect(limitOfVideosMB()).toBe(50);
    await drawRefused();
    expect(limitOfVideosMB()).toBe(20);
    await drawRefused();
    expect(limitOfVideosMB()).toBe(10);
    await drawRefused();
    expect(limitOfVideosMB()).toBe(5);
    await drawRefused();

    const least = { imageBytes: 2 ** 20, fileBytes: 2 ** 20, videoBytes: 2 ** 20 };
    expect(stage.adapter.limits(ref)).toEqual(least);
    expect(stage.adapter.limits(other).imageBytes).toBe(10 * 2 ** 20);
    expect((await stage.adapter.draw(ref, picture(await jpeg()), 'final')).state).toBe('drawn');
  });

  test('a result that Telegram takes in no form is refused and not tried again, also one that fits no limit', async () => {
    await setStage({ flood: 'off' });
    const ref = await openCard();
    const description = 'Bad Request: IMAGE_PROCESS_FAILED';
    stage.fake.fault({ method: 'editMessageMedia', kind: 400, description, times: 2 });

    expect(await stage.adapter.draw(ref, picture(await jpeg()), 'final')).toEqual({
      state: 'refused',
      reason: `Telegram editMessageMedia: 400 ${description}`,
    });
    // The picture was sent as a photo, and as a file.
    expect(count('editMessageMedia')).toBe(2);

    stage.fake.fault({ method: 'editMessageMedia', kind: 413, body: '<html>', times: 9 });
    const overTheLeastLimit = picture(Buffer.alloc(2 * 2 ** 20));
    const underTheLeastLimit = picture(Buffer.alloc(0.9 * 2 ** 20));
    expect((await stage.adapter.draw(ref, overTheLeastLimit, 'final')).state).toBe('later');
    expect((await stage.adapter.draw(ref, underTheLeastLimit, 'final')).state).toBe('refused');

    stage.fake.fault({ method: 'editMessageText', kind: 400, description: 'BUTTON_DATA_INVALID' });
    expect((await stage.adapter.draw(await openCard(), line('the end'), 'final')).state).toBe('refused');
  });

  test('a requested picture that Telegram refuses is left out, and the rest says so', async () => {
    await setStage({ flood: 'off' });
    const description = 'Bad Request: IMAGE_PROCESS_FAILED';

    stage.fake.fault({ method: 'sendPhoto', kind: 400, description, times: 99 });
    stage.fake.fault({ method: 'sendDocument', kind: 400, description, times: 99 });
    const ann = stage.fake.person('Ann');
    stage.desk.replies({ kind: 'message', audience: 'everyone', view: picture(await jpeg()) });
    ann.types(ann.chat, '/jobs');
    const [said] = await stage.fake.until(
      () => stage.fake.fromBot(ann.chat).length > 0 && stage.fake.fromBot(ann.chat),
    );

    expect(said?.text).toContain('refuses to show the result');
    expect(count('sendPhoto') + count('sendDocument')).toBe(2);
  });
});

test.each(['bot was blocked by the user', 'user is deactivated'])(
  'a chat that cannot be written to ends silently: %s',
  async (why) => {
    const { ann } = await setStage();
    const ref = await openCard(ann);
    stage.fake.close(ann.chat, why);

    expect(await stage.adapter.draw(ref, line('x'), 'final')).toEqual({ state: 'gone' });

    await stage.adapter.removeMessage(ref);
    const caller = { platform: 'telegram', id: String(ann.user.id), name: '', locale: 'en' } as const;
    expect(await stage.adapter.say({ caller }, line('x'))).toEqual({ state: 'gone' });

    stage.desk.replies(publicReply('nobody hears this'));
    ann.types(ann.chat, '/help');
    await stage.fake.until(() => stage.unhandled() === 0 && stage.desk.heard.length === 2);
    expect(stage.logged.filter((each) => /"level":"(warn|error)"/.test(each))).toEqual([]);
  },
);

describe('erasing', () => {
  test('erasing a message is retried after one lost packet', async () => {
    const { clock } = await setTimedStage({ fakeClock: systemClock });
    const ref = await openCard();
    stage.fake.fault({ method: 'deleteMessage', kind: 'reset' });
    const erased = stage.adapter.removeMessage(ref);

    await passUntil(clock, 100, () => count('deleteMessage') === 2);
    await erased;

    expect(count('deleteMessage')).toBe(2);
  });

  test('erasing a message after 48 hours removes its text and its picture by an edit', async () => {
    let shift = 0;
    const fakeClock = { ...systemClock, now: () => Date.now() + shift };
    await setStage({ fakeClock, flood: 'off' });
    const text = await openCard();

    const bytes = await jpeg();
    const shown = await openCard();
    const drawn = await stage.adapter.draw(shown, picture(bytes), 'final');
    const known = drawn.state === 'drawn' && drawn.card ? drawn.card : shown;
    // The reference of this card does not say that the message has a picture.
    const stale = await openCard();
    await stage.adapter.draw(stale, picture(bytes), 'final');
    shift = 49 * 3_600_000;
    for (const each of [text, known, stale]) await stage.adapter.removeMessage(each);

    expect(only(text)).toMatchObject({ text: 'Removed.' });

    for (const each of [known, stale]) {
      const sizes = only(each)?.photo as { file_id: string }[] | undefined;
      expect(stage.fake.file(sizes?.at(-1)?.file_id ?? '')).not.toEqual(bytes);
      expect(only(each)).toMatchObject({ caption: 'Removed.' });
      expect(only(each)?.reply_markup).toBeUndefined();
    }
  });
});

describe('a group that becomes a supergroup', () => {
  test('a group that becomes a supergroup keeps its cards and its community', async () => {
    const migrated = vi.fn();
    const { ann } = await setStage({ migrated });
    const mod = stage.fake.person('Mod');
    const group = stage.fake.group('Small', { basic: true, administrators: [mod] });
    const ref = await openCard(ann, group);
    const place = stage.desk.heard[0]?.place;
    const bigger = stage.fake.migrate(group);
    const drawn = await stage.adapter.draw(ref, picture(await jpeg()), 'final');

    expect(drawn.state).toBe('drawn');

    const [there] = stage.fake.fromBot(bigger);
    expect(there?.photo).toBeDefined();

    const moved = drawn.state === 'drawn' && drawn.card ? readCard(drawn.card) : undefined;
    expect(moved).toMatchObject({ chat: bigger.id, message: there?.message_id, media: true });

    if (place === undefined) throw new Error('no place');
    const caller = { platform: 'telegram', id: String(mod.user.id), name: '', locale: 'en' } as const;
    expect(await stage.adapter.isModerator(caller, place)).toBe(true);
    expect((await stage.adapter.say({ place }, line('for the log'))).state).toBe('drawn');

    await stage.fake.until(() => stage.unhandled() === 0);
    expect(migrated).toHaveBeenCalledExactlyOnceWith(`telegram:${group.id}`, `telegram:${bigger.id}`);
  });

  test('a group’s card is shown once in the supergroup, and another card there is not affected', async () => {
    await setStage({ flood: 'off' });
    const ann = stage.fake.person('Ann');
    const bob = stage.fake.person('Bob');
    const group = stage.fake.group('Small', { basic: true });
    const ref = await openCard(ann, group, 'of-ann');
    const bigger = stage.fake.migrate(group);
    const other = await openCard(bob, bigger, 'of-bob');

    // The numbers begin anew in a supergroup.
    expect(readCard(other).message).toBe(readCard(ref).message);

    await stage.adapter.draw(ref, line('half of it'), 'cosmetic');
    await stage.adapter.draw(ref, picture(await jpeg()), 'final');
    expect(stage.fake.fromBot(bigger)).toHaveLength(2);

    const [bobs, anns] = stage.fake.fromBot(bigger);
    expect(bobs).toMatchObject({ text: expect.stringContaining('Place in line') });
    expect(anns?.photo).toBeDefined();

    await stage.adapter.removeMessage(ref);
    expect(stage.fake.fromBot(bigger)).toEqual([bobs]);
  });

  test('an answer to a group is shown in the supergroup without a reply reference', async () => {
    const { ann } = await setStage({ flood: 'off' });
    const group = stage.fake.group('Small', { basic: true });
    const answer = Promise.withResolvers<Reply>();
    stage.desk.replies(answer.promise);

    ann.types(group, '/faceswap 12');
    await stage.fake.until(() => stage.desk.heard[0]);
    const bigger = stage.fake.migrate(group);
    ann.types(bigger, 'something else');
    answer.resolve(card());
    const shown = await stage.fake.until(() => stage.fake.fromBot(bigger)[0], 'the card');

    expect(shown.reply_to_message).toBeUndefined();
  });

  test('commands of a supergroup wait until the group’s records have moved, and those of other chats do not', async () => {
    const done = Promise.withResolvers<void>();
    const migrated = vi.fn(() => done.promise);
    const { ann } = await setStage({ migrated });
    const group = stage.fake.group('Club', { basic: true });
    const other = stage.fake.group('Another club');
    const large = stage.fake.migrate(group);

    ann.types(large, '/help');
    ann.types(other, '/help');
    const places = () => stage.desk.heard.map(({ place }) => place.community);
    await stage.fake.until(() => places().length > 0 && migrated.mock.calls.length > 0, 'the other group');

    expect(places()).toEqual([`telegram:${other.id}`]);

    done.resolve();
    await stage.fake.until(() => places().length === 2, 'the new supergroup');
    expect(places()[1]).toBe(`telegram:${large.id}`);
    expect(migrated.mock.calls).toEqual([[`telegram:${group.id}`, `telegram:${large.id}`]]);
  });

  test('only a small group becomes a supergroup, and a move to any other chat is not followed', async () => {
    const migrated = vi.fn();
    const { ann } = await setStage({ migrated });
    const small = stage.fake.group('Club', { basic: true });
    const large = stage.fake.group('Club');
    const tellOfMove = (chat: Chat, move: object): void => {
      const message = { message_id: 900, date: 0, chat, ...move };
      stage.fake.delivery.push({ message } as unknown as Update);
    };

    tellOfMove(large, { migrate_to_chat_id: small.id });
    tellOfMove(large, { migrate_to_chat_id: large.id });
    tellOfMove(small, { migrate_from_chat_id: large.id });
    tellOfMove(small, { migrate_to_chat_id: small.id });
    tellOfMove(large, { migrate_from_chat_id: ann.chat.id });
    ann.types(large, '/help');
    await stage.fake.until(() => stage.desk.heard.length > 0 && stage.unhandled() === 0, 'all updates');

    expect(migrated).not.toHaveBeenCalled();
    expect(stage.desk.heard[0]?.place.community).toBe(`telegram:${large.id}`);
  });

  test('people’s messages in a supergroup are kept when an old card of the group is deleted', async () => {
    const { ann } = await setStage({ flood: 'off' });
    const group = stage.fake.group('Small', { basic: true });
    const ref = await openCard(ann, group);
    const bigger = stage.fake.migrate(group);
    const written = ['one', 'two', 'three'].map((words) => ann.types(bigger, words));
    await stage.adapter.removeMessage(ref);

    expect(stage.fake.messages(bigger)).toEqual(written);
  });
});
