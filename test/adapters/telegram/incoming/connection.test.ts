import { describe, expect, test, vi } from 'vitest';
import { RESTORED_KEY } from '../../../../src/adapters/telegram/incoming/connection.ts';
import { languages } from '../../../../src/words/words.ts';
import { createFakeMembers } from '../../../fakes/members.ts';
import { createRecords } from '../../../fakes/records.ts';
import {
  count,
  passUntil,
  publicReply,
  setStage,
  setTimedStage,
  stage,
} from '../../../fakes/telegram/stage.ts';

const setWebhook = (url: string) => stage.fake.delivery.setWebhook({ values: { url }, files: new Map() });

describe('connecting', () => {
  const url = 'http://127.0.0.1:9/';

  test.each([
    { trouble: 'an earlier webhook, with which polling would be refused', prepare: () => setWebhook(url) },
    {
      trouble: 'a Bot API server without webhooks',
      prepare: () => stage.fake.fault({ method: 'deleteWebhook', kind: 404 }),
    },
    {
      trouble: 'menus that hang',
      prepare: () => stage.fake.fault({ method: 'setMyCommands', kind: 'hang' }),
    },
  ])('connecting to Telegram succeeds in spite of $trouble', async ({ prepare }) => {
    const { ann } = await setStage({ start: false });

    prepare();
    await stage.adapter.start();
    ann.types(ann.chat, '/help');
    await stage.fake.until(() => stage.desk.heard[0]);

    expect(stage.adapter.trouble()).toBeUndefined();
  });

  test('after a restore, updates that wait at Telegram are dropped once, because they may have been handled before', async () => {
    const records = createRecords();

    await records.set(RESTORED_KEY, true);
    await setStage({ start: false, state: records });
    const ann = stage.fake.person('Ann');
    const bob = stage.fake.person('Bob');
    ann.types(ann.chat, '/help');
    await stage.adapter.start();
    bob.types(bob.chat, '/help');
    await stage.fake.until(() => stage.desk.heard[0]);

    expect(JSON.stringify(stage.desk.heard)).toMatch(/^(?!.*Ann).*Bob/);
    expect(await records.get(RESTORED_KEY)).toBeUndefined();
  });

  test.each([
    { way: 'by polling', how: {} },
    { way: 'by webhook', how: { webhook: { url, secret: 'a-secret-of-the-webhook' } } },
  ])('after a restore, one of several processes drops the updates that wait ($way)', async ({ how }) => {
    const state = createRecords();

    await state.set(RESTORED_KEY, true);
    await setStage({ start: false, state, members: createFakeMembers().join, ...how });
    await Promise.all([stage.adapter, stage.another(), stage.another()].map((each) => each.start()));
    const drops = stage.fake.calls.filter(({ values }) => values.drop_pending_updates === true);

    expect(drops).toHaveLength(1);
    expect(await state.get(RESTORED_KEY)).toBeUndefined();
  });

  test('an invalid token stops the start with a message without the token', async () => {
    await setStage({ start: false });
    stage.fake.fault({ method: 'getMe', kind: 401 });
    await expect(stage.adapter.start()).rejects.toThrow(/TELEGRAM_TOKEN is not accepted/);
  });

  test('a start while Telegram cannot be reached is retried', async () => {
    const { clock, ann } = await setTimedStage({ start: false });
    stage.fake.fault({ method: 'getMe', kind: 'reset', times: 3 });
    expect(stage.adapter.trouble()).toBeDefined();

    await stage.adapter.start();
    expect(stage.adapter.trouble()).toContain('cannot be reached');

    ann.types(ann.chat, '/help');
    await passUntil(clock, 5_000, () => stage.desk.heard.length > 0);
    expect(stage.desk.heard).toHaveLength(1);
    expect(stage.adapter.trouble()).toBeUndefined();
  });

  test('two programs that poll with the same token both say so, all the time, until one stops', async () => {
    const conflicted = vi.fn();
    const { clock } = await setTimedStage({ conflicted });
    const other = stage.another();

    await other.start();
    const isSaid = (): boolean =>
      [stage.adapter, other].every((each) => /another program receives.*409/.test(each.trouble() ?? ''));

    await passUntil(clock, 500, () => conflicted.mock.calls.length === 2 && isSaid());
    const lines = stage.logged.filter((each) => each.includes('409')).length;
    const end = clock.now() + 300_000;
    // The clock moves in small steps, because a poll's answer needs real time and must not seem to be late.
    await passUntil(clock, 2_000, () => !isSaid() || clock.now() >= end);

    expect(isSaid()).toBe(true);
    expect(conflicted).toHaveBeenCalledTimes(2);
    expect(stage.logged.filter((each) => each.includes('409'))).toHaveLength(lines);

    const stopped = other.stop();
    await passUntil(clock, 10_000, () => stage.adapter.trouble() === undefined);
    await stopped;
  });

  test('a webhook that another program sets, or takes away, is reported', async () => {
    const conflicted = vi.fn();
    const { clock } = await setTimedStage();
    setWebhook(url);

    await passUntil(clock, 5_000, () => /has set a webhook.*409/.test(stage.adapter.trouble() ?? ''));
    await stage.stop();

    await setStage({ clock, webhook: { url, secret: 'a-secret-of-the-webhook' }, conflicted });
    await clock.advance(60_000);
    await stage.fake.until(() => count('getWebhookInfo') === 1);

    expect(stage.adapter.trouble()).toBeUndefined();

    setWebhook('');
    await passUntil(clock, 60_000, () =>
      /removed or replaced the webhook/.test(stage.adapter.trouble() ?? ''),
    );
    expect(conflicted).toHaveBeenCalledOnce();

    setWebhook(url);
    await passUntil(clock, 60_000, () => stage.adapter.trouble() === undefined);
  });

  test('recovery from an outage is reported before the next update or the end of a long poll', async () => {
    const { clock } = await setTimedStage({ start: false });
    stage.fake.fault({ method: 'getUpdates', kind: 409 });
    await stage.adapter.start();
    await stage.fake.until(() => stage.adapter.trouble()?.includes('409'));
    const before = clock.now();

    await passUntil(clock, 500, () => stage.adapter.trouble() === undefined);
    expect(clock.now() - before).toBeLessThan(10_000);
  });

  test('a server without long polling is asked twice a second, and a busy one as often as it has news', async () => {
    const { clock, ann } = await setTimedStage({ start: false });
    const empty = { method: 'getUpdates', kind: 200, body: '{"ok":true,"result":[]}', times: 1_000 };
    stage.fake.fault(empty);
    await stage.adapter.start();
    await stage.fake.until(() => count('getUpdates') > 0);
    const before = count('getUpdates');

    for (let second = 0; second < 10; second += 1) {
      await passUntil(clock, 0, () => count('getUpdates') >= before + 2 * second);
      await clock.advance(1_000);
    }
    await passUntil(clock, 0, () => count('getUpdates') >= before + 20);

    expect(count('getUpdates')).toBe(before + 20);

    stage.fake.clearFaults();
    stage.desk.replies(...Array.from({ length: 20 }, () => ({ kind: 'note', text: '' }) as const));
    await passUntil(clock, 500, () => count('getUpdates') > before + 20);
    // Each command is heard without any pause.
    for (let index = 0; index < 5; index += 1) {
      ann.types(ann.chat, `/help ${index}`);
      await passUntil(clock, 0, () => stage.desk.heard.length === index + 1);
    }
  });

  test.each([undefined, null, 'x', 1.5, 1e300])(
    'an update whose number is %j does not keep others from being handled',
    async (number) => {
      const { clock, ann } = await setTimedStage({ start: false });
      stage.fake.openPrivate(ann);
      const bad = { update_id: number, message: { text: '/help' } };
      const body = (updates: readonly unknown[]): string => JSON.stringify({ ok: true, result: updates });
      const good = { message_id: 1, date: 1, chat: ann.chat, from: ann.user, text: '/help' };
      stage.fake.fault({ method: 'getUpdates', kind: 200, body: body([bad]), times: 5 });
      stage.fake.fault({
        method: 'getUpdates',
        kind: 200,
        body: body([bad, { update_id: 7, message: good }]),
      });
      stage.desk.replies(publicReply('hi'));
      await stage.adapter.start();

      await passUntil(clock, 500, () => stage.fake.fromBot(ann.chat).length > 0);
      await passUntil(clock, 500, () => count('getUpdates') > 6);
      const offsets = stage.fake.calls.flatMap(({ method, values }) =>
        method === 'getUpdates' ? [values.offset] : [],
      );

      // The update without a number is confirmed with the one after it.
      expect(offsets[6]).toBe(8);
      expect(stage.adapter.trouble()).toBeUndefined();
      expect(stage.logged.filter((each) => each.includes('without a valid number'))).toHaveLength(1);
    },
  );

  test('an outage whose errors say nothing but their number loses no command', async () => {
    const { clock, ann } = await setTimedStage();
    const body = '{"ok":false,"error_code":502}';

    for (const method of ['sendMessage', 'getMe'])
      stage.fake.fault({ method, kind: 502, body, times: Number.POSITIVE_INFINITY });
    stage.desk.replies(publicReply('hi'));
    ann.types(ann.chat, '/help');
    await passUntil(clock, 1_000, () => count('sendMessage') > 0);
    const began = clock.now();
    await passUntil(clock, 10_000, () => clock.now() - began > 600_000 && count('getMe') > 10);
    stage.fake.clearFaults();
    await passUntil(clock, 10_000, () => stage.fake.fromBot(ann.chat).length > 0);

    expect(stage.fake.fromBot(ann.chat)).toHaveLength(1);
  });

  test('Telegram’s token is never logged', async () => {
    const { clock, ann } = await setTimedStage();
    stage.fake.fault({ method: 'getUpdates', kind: 'reset', times: 3 });
    stage.fake.fault({ method: 'sendMessage', kind: 'html', times: 9 });
    stage.desk.replies(publicReply('hi'));

    ann.types(ann.chat, '/help');
    await passUntil(clock, 10_000, () => stage.logged.length > 2 && count('sendMessage') > 0);

    expect(stage.logged.join()).not.toContain(stage.fake.token);
  });
});

describe('menus', () => {
  test('menus show everyone’s commands everywhere and moderators’ to administrators, in every language', async () => {
    await setStage();
    const all = Object.keys(languages).length;
    await stage.fake.until(() => count('setMyCommands') === 4 * all);
    const names = (key: string) => stage.fake.menus.get(key)?.map(({ command }) => command);
    const open = ['faceswap', 'transition', 'animate', 'groupswap', 'help'];

    expect(names('default:')).toEqual(open);
    expect(names('all_private_chats:')).toEqual(open);
    expect(names('all_group_chats:')).toEqual(open);
    expect(names('all_chat_administrators:')).toEqual([...open, 'settings']);
    expect(names('all_group_chats:de')).toEqual(open);

    const german = stage.fake.menus.get('default:de')?.find(({ command }) => command === 'faceswap');
    const english = stage.fake.menus.get('default:')?.find(({ command }) => command === 'faceswap');
    expect(german?.description).not.toBe(english?.description);

    // Personal ones are ephemeral in groups, in every language, and nowhere else.
    for (const [key, menu] of stage.fake.menus) {
      const isGroups = /^all_(group_chats|chat_administrators):/.test(key);
      const declared = menu.filter((each) => each.is_ephemeral === true).map(({ command }) => command);
      const expected = key.startsWith('all_chat_administrators') ? ['help', 'settings'] : ['help'];
      expect({ key, declared }).toEqual({ key, declared: isGroups ? expected : [] });
    }
  });

  test('menus of groups are registered first, and those without a language first of all: they name ephemeral commands', async () => {
    await setStage();
    const all = Object.keys(languages).length;
    await stage.fake.until(() => count('setMyCommands') === 4 * all);
    const sent = stage.fake.calls
      .filter(({ method }) => method === 'setMyCommands')
      .map(({ values }) => values);
    const scopes = sent.map(
      ({ scope, language_code: language = '' }) => `${(scope as { type: string }).type}:${language}`,
    );

    expect(scopes.slice(0, 2)).toEqual(['all_group_chats:', 'all_chat_administrators:']);

    const isOfGroups = scopes.map((scope) => /^all_(group_chats|chat_administrators):/.test(scope));
    expect(isOfGroups).toEqual(scopes.map((_, index) => index < 2 * all));
  });

  test('menus are registered after the pause that Telegram wants, without another start', async () => {
    const { clock } = await setTimedStage({ start: false });
    stage.fake.fault({ method: 'setMyCommands', kind: 429, retryAfter: 40 });
    await stage.adapter.start();

    await passUntil(clock, 5_000, () => stage.logged.join().includes('menus registered'));
    expect(stage.fake.menus.size).toBe(4 * Object.keys(languages).length);
  });

  test('menus are registered once, however many processes start', async () => {
    const { ann } = await setStage({ start: false, members: createFakeMembers().join });
    const all = 4 * Object.keys(languages).length;

    await Promise.all([stage.adapter, stage.another(), stage.another()].map((each) => each.start()));
    await stage.fake.until(() => stage.logged.join().includes('menus registered'));
    await stage.another().start();
    ann.types(ann.chat, '/help');
    await stage.fake.until(() => stage.desk.heard[0]);

    expect(count('setMyCommands')).toBe(all);
  });
});
