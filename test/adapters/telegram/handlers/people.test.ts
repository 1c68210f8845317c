import type { Message } from 'grammy/types';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { createPeople } from '../../../../src/adapters/telegram/handlers/people.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import { offers } from '../../../contract/adapter/views.ts';
import { eventually } from '../../../eventually.ts';
import { createFakeMembers } from '../../../fakes/members.ts';
import { jpeg } from '../../../fakes/pictures.ts';
import { createRecords } from '../../../fakes/records.ts';
import type { TelegramPerson } from '../../../fakes/telegram/people.ts';
import { answered, callerOf, setStage, settled, stage } from '../../../fakes/telegram/stage.ts';
import type { StoredMessage } from '../../../fakes/telegram/world.ts';

test('/start is help, with any parameter', async () => {
  const { ann } = await setStage();
  await answered(() => ann.types(ann.chat, '/start settings_block_everybody'));
  expect(stage.desk.heard[0]?.line).toBe('/help');
});

describe('people in a command', () => {
  const spoken = async (act: (bob: StoredMessage) => void): Promise<string | undefined> => {
    await setStage();
    const bob = stage.fake.person('Bob');
    const group = stage.fake.group('Club', { botHearsAll: true });
    act(bob.types(group, 'I am Bob'));
    const heard = await stage.fake.until(() => stage.desk.heard[0]);
    return heard.line;
  };

  test('people in a command are named by a reply to their message', async () => {
    let id = 0;
    const said = await spoken((message) => {
      id = message.from?.id ?? 0;
      stage.fake.person('Mod').replies(message, '/settings block spam');
    });
    expect(said).toBe(`/settings block user=${id} spam`);
  });

  test('people who write as a channel are named together, and anonymous administrators cannot be named', async () => {
    await setStage();
    const bob = stage.fake.person('Bob');
    const mod = stage.fake.person('Mod');
    const group = stage.fake.group('Club', { botHearsAll: true });

    mod.replies(bob.types(group, 'buy this', { channel: -100_777 }), '/settings block spam');
    mod.replies(bob.types(group, 'hello', { anonymous: true }), '/settings block spam');
    const channels = bob.types(group, 'news', { linkedPost: -100_778 });
    mod.replies(channels, '/settings block spam');
    await settled(3);

    expect(stage.desk.heard.map((each) => each.line)).toEqual([
      `/settings block user=channel:${group.id} spam`,
      '/settings block spam',
      '/settings block spam',
    ]);
  });

  test('people in a command are not named by a reply to the message that opened a topic', async () => {
    const said = await spoken((message) => {
      const opened = { ...message, forum_topic_created: { name: 'Talk', icon_color: 1 } };
      stage.fake.person('Mod').replies(opened, '/settings block spam');
    });
    expect(said).toBe('/settings block spam');
  });

  test.each(['Ann', 's', 'settings', 'block'])(
    'people in a command are named by a mention, also if called %s',
    async (name) => {
      const text = `/settings@our_bot  block reason=pests user=${name} `;
      const { length } = name;
      const entities = [
        { type: 'bot_command', offset: 0, length: 17 },
        { type: 'text_mention', offset: text.length - 1 - length, length, user: { id: 7, first_name: name } },
      ];
      const message = { text, entities } as unknown as Message;
      const line = text.replace('@our_bot', '').trim();
      const settings = commands.find((each) => each.name === 'settings');
      const resolved = await createPeople(systemClock, createRecords()).resolve(line, message, settings);

      expect(resolved).toBe('/settings  block reason=pests user=7');
    },
  );

  test('people in a command are named by @name after they wrote to the bot', async () => {
    await setStage();
    const bob = stage.fake.person('Bob', { username: 'Bobby' });
    const mod = stage.fake.person('Mod');

    await answered(() => bob.types(bob.chat, '/help'));
    mod.types(mod.chat, '/settings block @bobby spam');
    mod.types(mod.chat, '/settings block @stranger spam');
    await settled(3);
    const heard = stage.desk.heard.slice(1).map((each) => each.line);

    expect(heard).toEqual([`/settings block ${bob.user.id} spam`, '/settings block @stranger spam']);
  });
});

test.each(['annie', undefined])('a user name is forgotten when its person comes as %s', async (now) => {
  const records = createRecords();
  const ann = { id: 7, is_bot: false, first_name: 'Ann' };
  const isStored = (name: string, id?: number) =>
    eventually(async () => (await records.get(`telegram:name:${name}`)) === id, name);

  await createPeople(systemClock, records).meet({ ...ann, username: 'Anna' });

  await isStored('anna', 7);
  await createPeople(systemClock, records).meet({ ...ann, ...(now && { username: now }) });
  await isStored('anna');
  if (now) await isStored(now, 7);
  await eventually(async () => (await records.get('telegram:named:7')) === now, 'its name');
});

describe('somebody who wants to be forgotten', () => {
  const beginErasing = ({ user }: TelegramPerson) => stage.store.erasures.begin(`telegram:${user.id}`);

  const finishErasing = async (erasing: Awaited<ReturnType<typeof beginErasing>>): Promise<void> => {
    let progress = await stage.store.erasures.more(erasing, 100);
    while (progress.left) progress = await stage.store.erasures.more(erasing, 100);
  };

  /** The adapter's records, as text. */
  const storedRecords = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const record of stage.store.keyv('adapter:telegram').iterator())
      found.push(JSON.stringify(record));
    return found;
  };

  const recordsOf = async ({ user }: TelegramPerson): Promise<readonly string[]> => {
    const all = await storedRecords();
    return all.filter((record) => record.includes(String(user.id)));
  };

  test('a person who deletes their data leaves no question, name or message', async () => {
    await setStage();
    const ann = stage.fake.person('Ann', { username: 'annabel' });
    const group = stage.fake.group('Club');
    stage.fake.openPrivate(ann);
    stage.desk.replies(offers('draft1', 'Which?', { audience: 'caller' }));

    ann.types(group, '/faceswap 12');
    await stage.fake.until(() => stage.fake.fromBot(ann.chat)[0], 'the question');
    await eventually(async () => (await recordsOf(ann)).length === 4, 'what is kept');

    await finishErasing(await beginErasing(ann));
    await stage.adapter.forget(callerOf(ann));
    expect(await recordsOf(ann)).toEqual([]);

    const mod = stage.fake.person('Mod');
    mod.types(group, '/settings block @annabel');
    const heard = await stage.fake.until(() => stage.desk.heard[1], 'the moderator');
    expect(heard.line).toBe('/settings block @annabel');
  });

  test.each(['this process', 'another one'])(
    'a person who deletes their data leaves nothing that is noted after an earlier answer (%s deletes the data)',
    async (which) => {
      await setStage({ members: createFakeMembers().join });
      const ann = stage.fake.person('Ann', { username: 'annabel', client: 'new' });
      const group = stage.fake.group('Club');
      await stage.fake.until(() => stage.fake.menus.has('all_group_chats:'), 'the menu');
      const slow = Promise.withResolvers<Reply>();
      stage.desk.replies(slow.promise);

      ann.types(group, '/help');
      await stage.fake.until(() => stage.desk.heard[0], 'the command');
      const erasing = await beginErasing(ann);
      const eraser = which === 'this process' ? stage.adapter : stage.another();
      await eraser.forget(callerOf(ann));
      await finishErasing(erasing);
      slow.resolve({ kind: 'note', text: 'At last' });
      await settled(1);

      const found = await storedRecords();
      expect(found.filter((record) => /annabel|telegram:(new-app|named):/.test(record))).toEqual([]);
    },
  );

  test.each([
    { what: 'question', text: '/faceswap 12', photos: 1 },
    { what: 'album', text: '/transition slowly', photos: 2 },
  ])(
    'a person who deletes their data leaves no $what that is answered afterwards',
    async ({ text, photos }) => {
      await setStage();
      const ann = stage.fake.person('Ann');
      const slow = Promise.withResolvers<Reply>();
      stage.desk.replies(slow.promise);

      if (photos > 1) ann.sendsAlbum(ann.chat, await Promise.all([jpeg(), jpeg()]), text);
      else ann.types(ann.chat, text);
      await stage.fake.until(() => stage.desk.heard[0], 'the command');
      const erasing = await beginErasing(ann);
      await stage.adapter.forget(callerOf(ann));
      await finishErasing(erasing);
      slow.resolve(offers('draft1', 'Which?'));
      await settled(1);

      expect(await recordsOf(ann)).toEqual([]);
    },
  );

  test('a person who deletes their data is not in updates that are stored and not handled', async () => {
    await setStage({ inbox: { claim: async () => [], put: (entries) => stage.store.inbox.put(entries) } });
    const ann = stage.fake.person('Ann');
    const bob = stage.fake.person('Bob');

    ann.types(ann.chat, '/help');
    bob.types(bob.chat, '/help');
    await stage.fake.until(() => stage.fake.delivery.pending.length === 0, 'the confirmation');
    await stage.adapter.forget(callerOf(ann));

    const open = await stage.store.inbox.claim('1', 10);

    expect(open.map(({ body }) => body)).toMatchObject([{ message: { from: { id: bob.user.id } } }]);
  });
});
