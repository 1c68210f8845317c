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

test('anonymous administrators of a group are one person, and so are all channels in a group', () => {
  const hidden = { id: 1087968824, is_bot: true, first_name: 'Group' };
  expect(senderOf(say({ from: hidden, sender_chat: group })).id).toBe('anonymous:-1005');

  const other = { id: -1009, type: 'channel', title: 'Elsewhere' };
  expect(senderOf(say({ from: hidden, sender_chat: other })).id).toBe('channel:-1005');

  const another = { id: -1010, type: 'channel', title: 'Another' };
  const channelBot = { id: 136817688, is_bot: true, first_name: 'Channel' };
  const first = senderOf(say({ from: channelBot, sender_chat: other }));
  const second = senderOf(say({ from: channelBot, sender_chat: another }));

  expect(first.id).toBe('channel:-1005');
  expect(first.name).toBe('Elsewhere');

  // The language of Telegram's own accounts is nobody's.
  const spoken = { ...channelBot, language_code: 'en' };
  expect(senderOf(say({ from: spoken, sender_chat: other })).locale).toBe('');
  expect(second.id).toBe(first.id);
  // Should Telegram tell who it is, it is that person.
  expect(senderOf(say({ sender_chat: other })).id).toBe(String(ann.id));

  const imitator = { ...ann, id: 136817688, is_bot: true };
  expect(senderOf(say({ from: imitator, sender_chat: group })).id).toBe('channel:-1005');
});
