import type { ChatMemberUpdated } from 'grammy/types';
import { expect, it } from 'vitest';
import { createMemberships } from '../../../../../src/adapters/telegram/incoming/memberships.ts';

const bot = { id: 1, is_bot: true, first_name: 'Darkroom' };
const ann = { id: 42, is_bot: false, first_name: 'Ann', last_name: 'Lee', language_code: 'de' };
const group = { id: -77, type: 'supergroup', title: 'Photo club' };

const told = async (chat: object, before: object, after: object): Promise<readonly string[]> => {
  const all: string[] = [];
  const handle = createMemberships({
    joined: async ({ place, by, name }) =>
      void all.push(`joined ${place.community} ${place.channel} ${by.name} ${by.locale} ${name ?? '-'}`),
    left: async (community) => void all.push(`left ${community}`),
  });
  const update = { chat, from: ann, date: 1, old_chat_member: before, new_chat_member: after };
  await handle(update as ChatMemberUpdated);
  return all;
};
const as = (status: string, more: object = {}) => ({ user: bot, status, ...more });

it('tells of groups that the bot was added to and taken from', async () => {
  const joined = 'joined telegram:-77 -77 Ann Lee de Photo club';
  expect(await told(group, as('left'), as('member'))).toEqual([joined]);
  expect(await told(group, as('kicked'), as('administrator'))).toEqual([joined]);
  expect(await told(group, as('left'), as('restricted', { is_member: true }))).toEqual([joined]);
  for (const after of [as('left'), as('kicked'), as('restricted', { is_member: false })])
    expect(await told(group, as('member'), after)).toEqual(['left telegram:-77']);
});

it('of a private chat tells whether the person blocks the bot', async () => {
  const chat = { id: 42, type: 'private', first_name: 'Ann' };
  expect(await told(chat, as('member'), as('kicked'))).toEqual(['left telegram:dm:42']);
  expect(await told(chat, as('kicked'), as('member'))).toEqual(['joined telegram:dm:42 42 Ann Lee de -']);
});

it('says nothing of rights that changed, nor of channels', async () => {
  expect(await told(group, as('member'), as('administrator'))).toEqual([]);
  expect(await told(group, as('left'), as('kicked'))).toEqual([]);
  expect(await told({ id: -5, type: 'channel', title: 'News' }, as('left'), as('administrator'))).toEqual([]);
});
