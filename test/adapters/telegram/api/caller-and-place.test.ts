import type { Message, User } from 'grammy/types';
import { expect, test } from 'vitest';
import { senderOf, topicOf } from '../../../../src/adapters/telegram/api/caller-and-place.ts';

const ann: User = { id: 7, is_bot: false, first_name: 'Ann', last_name: 'Lee', language_code: 'de' };
const group = { id: -1005, type: 'supergroup', title: 'Club' } as const;

const say = (fields: object): Message & { from: User } =>
  ({ message_id: 5, date: 1, chat: group, from: ann, text: '/help', ...fields }) as unknown as Message & {
    from: User;
  };

test('a topic is part of the place, and the thread of a reply is not a topic', () => {
  expect(topicOf(say({ message_thread_id: 9, is_topic_message: true }))).toBe(9);
  expect(topicOf(say({ message_thread_id: 9 }))).toBeUndefined();
});

/** Telegram's own accounts, which it names as the sender of messages whose author hides. */
const groupBot = { id: 1087968824, is_bot: true, first_name: 'Group' };
const channelBot = { id: 136817688, is_bot: true, first_name: 'Channel' };

const news = { id: -1009, type: 'channel', title: 'News' };
const sports = { id: -1010, type: 'channel', title: 'Sports' };

test('all anonymous administrators of a group are one person', () => {
  const sender = senderOf(say({ from: groupBot, sender_chat: group }));

  expect(sender.id).toBe('anonymous:-1005');
});

test('all channels in a group are one person, with the name of the channel', () => {
  const first = senderOf(say({ from: channelBot, sender_chat: news }));
  const second = senderOf(say({ from: channelBot, sender_chat: sports }));

  expect(first).toMatchObject({ id: 'channel:-1005', name: 'News' });
  expect(second).toMatchObject({ id: 'channel:-1005', name: 'Sports' });
});

test('a channel is no anonymous administrator, whichever account Telegram names', () => {
  const asGroupBot = senderOf(say({ from: groupBot, sender_chat: news }));
  const imitator = senderOf(say({ from: { ...ann, ...channelBot }, sender_chat: group }));

  expect(asGroupBot.id).toBe('channel:-1005');
  expect(imitator.id).toBe('channel:-1005');
});

test('the language of Telegram’s own accounts is nobody’s', () => {
  const spoken = { ...channelBot, language_code: 'en' };

  expect(senderOf(say({ from: spoken, sender_chat: news })).locale).toBe('');
});

test('the author of a channel’s message is that person where Telegram tells who it is', () => {
  expect(senderOf(say({ from: ann, sender_chat: news })).id).toBe(String(ann.id));
});
