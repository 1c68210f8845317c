import type { Update } from 'grammy/types';
import { describe, expect, test, vi } from 'vitest';
import type { Adapter } from '../../../../src/adapters/adapter.ts';
import type { Inbox } from '../../../../src/base/members/inbox.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import { turns } from '../../../contract/adapter/cases/cases.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createFakeMembers, type FakeMember } from '../../../fakes/members.ts';
import type { TelegramPerson } from '../../../fakes/telegram/people.ts';
import {
  count,
  line,
  passUntil,
  publicReply,
  type StageOptions,
  setStage,
  stage,
} from '../../../fakes/telegram/stage.ts';

const webhook = { url: 'http://127.0.0.1:1/telegram', secret: 'a-secret' };

const says = ({ user: from, chat }: TelegramPerson, update_id: number, text = '/help', more = {}): Update =>
  ({
    update_id,
    message: { message_id: update_id, date: 1, chat, from, text, ...more },
  }) as unknown as Update;

const post = async (update: unknown, to: Adapter = stage.adapter): Promise<number> => {
  const headers = { 'x-telegram-bot-api-secret-token': webhook.secret };
  const request = new Request(webhook.url, { method: 'POST', headers, body: JSON.stringify(update) });
  return (await stage.webhook(request, to))?.status ?? 0;
};

const lines = (): readonly (string | undefined)[] => stage.desk.heard.map((each) => each.line);

test('updates for which there is no room are refused, and come again', async () => {
  let full = new Set([1]);
  const { ann } = await setStage({ webhook, inbox: { put: async () => ({ full, claimed: [] }) } });
  expect(await Promise.all([post(says(ann, 1)), post(says(ann, 2))])).toEqual([503, 200]);
  expect(stage.logged.join()).toContain('they come again later');

  full = new Set();
  expect(await post(says(ann, 1))).toBe(200);
});

test('many updates are stored in few writes, not one each', async () => {
  const put = vi.fn(async () => ({ full: new Set<number>(), claimed: [] }));
  const { ann } = await setStage({ webhook, inbox: { put } });

  await Promise.all(Array.from({ length: 1_000 }, (_, id) => post(says(ann, id))));
  expect(put.mock.calls.length).toBeLessThanOrEqual(100);
});

test('updates that a version without an inbox left are handled, and not those that it had handled', async () => {
  const { ann, state } = await setStage({ webhook, start: false });
  stage.fake.openPrivate(ann);
  const updates = ['done', 'left', 'unconfirmed', 'new'].map((text, index) =>
    says(ann, 199 + index, `/help ${text}`),
  );

  await state.set('telegram:kept', updates.slice(0, 2));
  await state.set('telegram:handled:1', [199]);
  await state.set('telegram:handled:2', [201]);
  await stage.adapter.start();

  expect(await Promise.all(updates.slice(2).map((each) => post(each)))).toEqual([200, 200]);

  await stage.fake.until(() => stage.desk.heard.length === 2 && stage.unhandled() === 0, 'the answers');
  expect(lines().toSorted()).toEqual(['/help left', '/help new']);
  expect(await state.get('telegram:kept')).toBeUndefined();
});

test('updates that make no sense are ignored, those that no process survives are set aside, and the chat goes on', async () => {
  const poison = 9;
  const { ann } = await setStage({
    webhook,
    inbox: {
      put: (entries) => stage.store.inbox.put(entries),
      async claim(member, most) {
        const claims = await stage.store.inbox.claim(member, most);
        return claims.map((each) => (each.id === poison ? { ...each, tries: 13 } : each));
      },
    },
  });
  stage.fake.openPrivate(ann);
  const odd = [{ text: '/help' }, { media_group_id: 'x' }, 'x', null];
  const all = [
    ...odd.map((message, update_id) => ({ update_id, message })),
    says(ann, poison, '/help poison'),
    says(ann, 10, '/help sane'),
  ];

  expect(await Promise.all(all.map((each) => post(each)))).toEqual(all.map(() => 200));

  await stage.fake.until(() => stage.fake.fromBot(ann.chat).length === 1, 'the answer');
  expect(lines()).toEqual(['/help sane']);
  expect(stage.logged.join()).toContain('set aside');
});

describe('several processes', () => {
  const open = async (processes: number, options: StageOptions = {}) => {
    const { join } = createFakeMembers();
    const members: FakeMember[] = [];
    const joined = (): FakeMember => {
      members.push(join());
      return members.at(-1) as FakeMember;
    };
    // A store in a file takes all other processes for dead; here they are not.
    const alone = processes > 1 ? { freeDead: async () => undefined } : {};
    const inbox = { ...alone, ...options.inbox };
    const { ann, adapter } = await setStage({ ...options, inbox, members: joined });
    stage.fake.openPrivate(ann);
    const all = [adapter, ...Array.from({ length: processes - 1 }, () => stage.another())] as const;
    for (const each of all.slice(1)) await each.start();
    return { ann, members, all };
  };

  test('one of several processes polls, and when it stops or is cut off another goes on without loss or repetition', async () => {
    const { ann, members, all } = await open(3);
    const poller = (): number => members.findIndex((each) => each.held().includes('telegram-poller'));
    const ask = async (text: string): Promise<void> => {
      ann.types(ann.chat, text);
      await stage.fake.until(() => lines().includes(text) && stage.unhandled() === 0, text);
    };

    await ask('/help 0');
    const first = poller();
    await all[first]?.stop();
    members[first]?.kill();
    await ask('/help 1');

    expect(poller()).not.toBe(first);

    members[poller()]?.cutOff();
    await ask('/help 2');
    await stage.fake.until(() => stage.fake.delivery.pending.length === 0, 'the confirmation');
    expect(lines()).toEqual(['/help 0', '/help 1', '/help 2']);
    expect(all[poller()]?.trouble()).toBeUndefined();
    expect(stage.logged.join()).not.toContain('(409)');
  });

  test('a group that becomes a supergroup is moved once, whichever process hears of it', async () => {
    const done = Promise.withResolvers<void>();
    const migrated = vi.fn(() => done.promise);
    const { all, members } = await open(2, { migrated });
    const group = stage.fake.group('Club', { basic: true });
    const community = `telegram:${group.id}`;
    const place = { platform: 'telegram', community, channel: String(group.id), direct: false } as const;
    const next = stage.fake.migrate(group);
    const saying = Promise.all(all.map((each) => each.say({ place }, line('here?'))));
    await stage.fake.until(() => migrated.mock.calls.length > 0 && count('sendMessage') === 2, 'both to ask');
    const held = members.flatMap((each) => each.held()).filter((name) => name.includes('migration'));

    expect(held).toEqual([`telegram-migration:${group.id}`]);

    done.resolve();
    expect((await saying).map(({ state }) => state)).toEqual(['drawn', 'drawn']);

    await stage.fake.until(() => stage.unhandled() === 0, 'the update');
    expect(migrated.mock.calls).toEqual([[community, `telegram:${next.id}`]]);
  });

  test('an album that is spread over several processes becomes one command', async () => {
    const clock = createFakeClock();
    const claim: Inbox['claim'] = async (...asked) => {
      // The inbox answers a while later, as a database does.
      await turns();
      return stage.store.inbox.claim(...asked);
    };

    const { ann, all } = await open(3, { clock, webhook, inbox: { claim } });
    const part = (id: number): Update => {
      const photo = [{ file_id: `${id}`, file_unique_id: `${id}`, width: 90, height: 90, file_size: 100 }];
      const caption = id === 1 ? 'two of us' : undefined;
      return says(ann, id, undefined, { text: undefined, caption, media_group_id: 'album', photo });
    };

    for (const id of [1, 2]) expect(await post(part(id), all[id - 1])).toBe(200);

    await clock.advance(300);
    // Nobody looks while time stands still: these are in the inbox only.
    for (const id of [3, 4]) expect(await post(part(id), all[id - 2])).toBe(200);

    await passUntil(clock, 2_600, () => stage.desk.heard.length > 0, 20_000);
    await passUntil(clock, 100, () => stage.unhandled() === 0);
    expect(stage.desk.heard.map((each) => [each.line, each.photos.length])).toEqual([['two of us', 4]]);
  });

  test('an update that waited until another process took it over is not answered by the first, too', async () => {
    const clock = createFakeClock();
    const moved = Promise.withResolvers<void>();
    const migrated = vi.fn(() => moved.promise);
    // Updates that other processes have are not given to the first one when it is back.
    const claim: Inbox['claim'] = async (member, most) =>
      member === '3' ? [] : stage.store.inbox.claim(member, most);

    const { ann, members, all } = await open(2, { clock, webhook, inbox: { claim }, migrated });
    const chat = stage.fake.group('Club');
    const news = { chat: { id: -5, type: 'group' }, migrate_to_chat_id: chat.id };
    const asked = says(ann, 2, '/help', { chat });

    for (const update of [says(ann, 1, '', news), asked]) expect(await post(update)).toBe(200);

    members[0]?.cutOff();
    await passUntil(clock, 300, () => migrated.mock.calls.length === 2);
    members[0]?.rejoin();
    const answer = publicReply('once');
    stage.desk.replies(answer, answer);
    moved.resolve();
    await passUntil(clock, 100, () => stage.unhandled() === 0 && stage.desk.heard.length === 2);
    await passUntil(clock, 100, () => stage.fake.fromBot(chat).length > 0);
    await Promise.all(all.map((each) => each.stop()));

    expect(stage.fake.fromBot(chat)).toHaveLength(1);
  });

  const presses = ({ user: from, chat }: TelegramPerson, update_id: number) => {
    const message = { message_id: 1, date: 1, chat, text: 'Which?' };
    return { update_id, callback_query: { id: '1', from, chat_instance: '1', data: 'again:1', message } };
  };

  test.each([
    { what: 'a message', sent: says },
    { what: 'a press', sent: presses },
  ])(
    '$what is answered once by a process that has lost its session meanwhile, and has another',
    async ({ sent }) => {
      const { ann, members } = await open(1, { webhook });
      const late = Promise.withResolvers<Reply>();
      stage.desk.replies(late.promise, publicReply('again'));

      expect(await post(sent(ann, 1))).toBe(200);

      await stage.fake.until(() => stage.desk.heard.length === 1, 'the update');
      members[0]?.cutOff();
      members[0]?.rejoin();
      late.resolve(publicReply('an apology'));
      await stage.fake.until(() => stage.unhandled() === 0 && stage.fake.fromBot(ann.chat).length > 0);

      expect(stage.fake.fromBot(ann.chat).map(({ text }) => text)).toEqual(['again']);
    },
  );
});
