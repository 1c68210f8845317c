import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';
import { eventually } from '../../../eventually.ts';
import type { FakePerson } from '../../../fakes/telegram/people.ts';
import { setStage, stage } from '../stage.ts';

const webhook = { url: 'http://127.0.0.1:1/telegram', secret: 'a-secret' };
const says = ({ user: from, chat }: FakePerson, update_id: number, text = '/help'): Update =>
  ({ update_id, message: { message_id: update_id, date: 1, chat, from, text } }) as unknown as Update;
const post = async (update: Update): Promise<number> => {
  const headers = { 'x-telegram-bot-api-secret-token': webhook.secret };
  const request = new Request(webhook.url, { method: 'POST', headers, body: JSON.stringify(update) });
  return (await stage.adapter.webhook?.(request))?.status ?? 0;
};

test('what there is no room for is refused, and comes again', async () => {
  let full = new Set([1]);
  const { ann } = await setStage({ webhook, inbox: { put: async () => ({ full, claimed: [] }) } });
  expect(await Promise.all([post(says(ann, 1)), post(says(ann, 2))])).toEqual([503, 200]);
  expect(stage.logged.join()).toContain('they come again later');
  full = new Set();
  expect(await post(says(ann, 1))).toBe(200);
});

test('many updates are stored in few writes, not one each', async () => {
  let writes = 0;
  await setStage({
    webhook,
    inbox: {
      put: async () => {
        writes += 1;
        return { full: new Set<number>(), claimed: [] };
      },
    },
  });
  const ann = stage.fake.person('Ann');
  await Promise.all(Array.from({ length: 1_000 }, (_, id) => post(says(ann, id))));
  expect(writes).toBeLessThanOrEqual(100);
});

test('what a version without an inbox left is handled, and not what it had handled', async () => {
  await setStage({ webhook, start: false });
  const { state, fake, desk } = stage;
  const ann = fake.person('Ann');
  fake.openPrivate(ann);
  const updates = ['done', 'left', 'unconfirmed', 'new'].map((text, index) =>
    says(ann, 199 + index, `/help ${text}`),
  );
  await state.set('telegram:kept', updates.slice(0, 2));
  await state.set('telegram:handled:1', [199]);
  await state.set('telegram:handled:2', [201]);
  await stage.adapter.start();
  expect(await Promise.all(updates.slice(2).map(post))).toEqual([200, 200]);
  await eventually(() => desk.heard.length === 2 && stage.unhandled() === 0, 'the answers');
  expect(desk.heard.map((each) => each.line).toSorted()).toEqual(['/help left', '/help new']);
  expect(await state.get('telegram:kept')).toBeUndefined();
});
