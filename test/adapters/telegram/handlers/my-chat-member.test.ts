import { Context } from 'grammy';
import type { Chat, Update, UserFromGetMe } from 'grammy/types';
import { expect, it } from 'vitest';
import { createBot } from '../../../../src/adapters/telegram/api/create-bot.ts';
import {
  type BotContext,
  type MembershipContext,
  setCallerAndPlace,
} from '../../../../src/adapters/telegram/handlers/context.ts';
import { createMemberships } from '../../../../src/adapters/telegram/handlers/my-chat-member.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { eventually } from '../../../eventually.ts';
import { createRecords } from '../../../fakes/records.ts';
import { setStage } from '../../../fakes/telegram/stage.ts';

const bot = { id: 1, is_bot: true, first_name: 'Darkroom' };
const ann = { id: 42, is_bot: false, first_name: 'Ann', last_name: 'Lee', language_code: 'de' };
const group = { id: -77, type: 'supergroup', title: 'Photo club' };

/** What the core is told when the bot's own membership of the chat changes. */
const told = async (chat: object, before: object, after: object): Promise<readonly object[]> => {
  const all: object[] = [];
  const handle = createMemberships({
    memberships: {
      async joined({ place: { community, channel }, by, name }) {
        all.push({ joined: community, channel, by: by.name, locale: by.locale, name });
        return undefined;
      },
      async left(community) {
        all.push({ left: community });
      },
    },
    answers: { show: async () => undefined },
    desk: { inLanguage: async (incoming) => incoming },
    ephemerals: { tryAgainIn: () => undefined },
    retryUntilDone: (work) => work(),
    state: createRecords(),
  });
  const my_chat_member = { chat, from: ann, date: 1, old_chat_member: before, new_chat_member: after };
  const { api } = createBot({ token: '1:x', clock: systemClock });
  const ctx = new Context({ update_id: 1, my_chat_member } as Update, api, bot as UserFromGetMe);
  await setCallerAndPlace(ctx as BotContext, () => handle(ctx as MembershipContext));
  return all;
};

const as = (status: string, more: object = {}) => ({ user: bot, status, ...more });

it.each([
  { before: as('left'), after: as('member') },
  { before: as('kicked'), after: as('administrator') },
  { before: as('left'), after: as('restricted', { is_member: true }) },
])(
  'the core is told of a group that the bot was added to: $before.status, now $after.status',
  async ({ before, after }) => {
    expect(await told(group, before, after)).toEqual([
      { joined: 'telegram:-77', channel: '-77', by: 'Ann Lee', locale: 'de', name: 'Photo club' },
    ]);
  },
);

it.each([as('left'), as('kicked'), as('restricted', { is_member: false })])(
  'the core is told of a group that the bot was taken from: now $status',
  async (after) => {
    expect(await told(group, as('member'), after)).toEqual([{ left: 'telegram:-77' }]);
  },
);

const privateChat = { id: 42, type: 'private', first_name: 'Ann' };

it('the core is told of a person who blocks the bot', async () => {
  expect(await told(privateChat, as('member'), as('kicked'))).toEqual([{ left: 'telegram:dm:42' }]);
});

it('the core is told of a person who no longer blocks the bot', async () => {
  expect(await told(privateChat, as('kicked'), as('member'))).toEqual([
    { joined: 'telegram:dm:42', channel: '42', by: 'Ann Lee', locale: 'de', name: undefined },
  ]);
});

it('the core is not told of rights that changed, nor of channels', async () => {
  expect(await told(group, as('member'), as('administrator'))).toEqual([]);
  expect(await told(group, as('left'), as('kicked'))).toEqual([]);
  expect(await told({ id: -5, type: 'channel', title: 'News' }, as('left'), as('administrator'))).toEqual([]);
});

it('the core is told of groups in the order of the events, also when the first must be tried again', async () => {
  const all: string[] = [];
  let attempts = 0;
  const stage = await setStage({
    memberships: {
      joined: async () => void all.push('joined'),
      async left() {
        attempts += 1;
        if (attempts === 1) throw new Error('the store is away for a moment');
        all.push('left');
      },
    },
  });
  const person = stage.fake.person('Ann');
  const chat = stage.fake.group('Photo club');
  await eventually(() => stage.fake.calls.some(({ method }) => method === 'getUpdates'), 'a poll');
  stage.fake.membership(chat, person, false);
  stage.fake.membership(chat, person, true);

  await eventually(() => all.length === 2, 'both');
  expect(all).toEqual(['left', 'joined']);
});

it('the bot says in a new group what it does and how to make it an administrator, once, where it may be used', async () => {
  let answer: 'waits' | undefined;
  const stage = await setStage({ memberships: { joined: async () => answer, left: async () => undefined } });
  const eva = stage.fake.person('Eva', { language: 'de' });
  const club = stage.fake.group('Club');
  const closed = stage.fake.group('Closed');
  const ruled = stage.fake.group('Ruled');

  await eventually(() => stage.fake.calls.some(({ method }) => method === 'getUpdates'), 'a poll');
  const texts = (chat: Chat) => stage.fake.fromBot(chat).map(({ text }) => text?.replaceAll('\u2060', ''));
  const settled = () => stage.fake.until(() => stage.unhandled() === 0);
  const { welcome, makeAdministrator } = wordsFor('de').telegram;

  stage.fake.membership(club, eva, true);
  await settled();
  stage.fake.membership(club, eva, false);
  stage.fake.membership(club, eva, true);
  await settled();
  expect(texts(club)).toEqual([`${welcome}\n\n${makeAdministrator}`]);

  answer = 'waits';
  stage.fake.membership(closed, eva, true);
  await settled();
  // The approval will tell this group what the bot does.
  answer = undefined;
  stage.fake.membership(closed, eva, false);
  stage.fake.membership(closed, eva, true);
  await settled();
  expect(texts(closed)).toEqual([]);

  // Rights that change are no reason to speak.
  stage.fake.promoteBot(ruled, eva);
  await settled();
  expect(texts(ruled)).toEqual([]);
});
