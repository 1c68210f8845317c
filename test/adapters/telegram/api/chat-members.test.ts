import { describe, expect, test } from 'vitest';
import type { Caller, Place } from '../../../../src/command/place.ts';
import { passUntil, setStage, setTimedStage, stage } from '../../../fakes/telegram/stage.ts';

const caller = (id: number | string): Caller => ({
  platform: 'telegram',
  id: String(id),
  name: '',
  locale: 'en',
});

const inside = (chat: number): Place => ({
  platform: 'telegram',
  community: `telegram:${chat}`,
  channel: String(chat),
  direct: false,
});

const isModerator = (id: number | string, chat: number): Promise<boolean> =>
  stage.adapter.isModerator(caller(id), inside(chat));

/** An administrator who is asked about while the test's own time passes. */
const inTime = async () => {
  const { clock, ann } = await setTimedStage();
  const group = stage.fake.group('Club', { administrators: [ann] });
  const ask = async (): Promise<unknown> => {
    let answer: unknown;
    void isModerator(ann.user.id, group.id).then(
      (yes) => (answer = yes),
      (error: unknown) => (answer = error),
    );
    await passUntil(clock, 500, () => answer !== undefined);
    return answer;
  };
  return { ask };
};

describe('moderators', () => {
  test('moderators are the administrators of the community, checked with Telegram each time', async () => {
    const { ann, group } = await setStage();
    expect(await isModerator(ann.user.id, group.id)).toBe(false);

    stage.fake.promote(group, ann);
    expect(await isModerator(ann.user.id, group.id)).toBe(true);
    expect(await isModerator(ann.user.id, stage.fake.group('Other').id)).toBe(false);
  });

  test('moderators are found in the list of administrators when getChatMember fails', async () => {
    const { ann } = await setStage();
    const group = stage.fake.group('Club', { administrators: [ann] });
    stage.fake.fault({ method: 'getChatMember', kind: 400, times: 2 });

    expect(await isModerator(ann.user.id, group.id)).toBe(true);
    expect(await isModerator(stage.fake.person('Bob').user.id, group.id)).toBe(false);
  });

  test('moderators are unknown, which is an error, when Telegram cannot be asked', async () => {
    const { ask } = await inTime();
    stage.fake.fault({ method: 'getChatMember', kind: 'reset', times: 9 });
    expect(await ask()).toMatchObject({ message: expect.stringContaining('getChatMember') });
  });

  test('moderators are requested again after rate limits and lost requests, for a limited time', async () => {
    const { ask } = await inTime();
    stage.fake.fault({ method: 'getChatMember', kind: 429, retryAfter: 4 });
    stage.fake.fault({ method: 'getChatMember', kind: 502 });

    expect(await ask()).toBe(true);

    stage.fake.fault({ method: 'getChatMember', kind: 429, retryAfter: 600 });
    expect(await ask()).toMatchObject({ kind: 'rate-limited' });
  });

  test('an anonymous administrator moderates their own chat only, and channels and private chats have no moderators', async () => {
    const { ann, group } = await setStage();
    const other = stage.fake.group('Other');
    const hidden = `anonymous:${group.id}`;
    const telegramItself = '777000';

    expect(await isModerator(hidden, group.id)).toBe(true);
    expect(await isModerator(hidden, other.id)).toBe(false);
    expect(await isModerator(`channel:${group.id}`, group.id)).toBe(false);
    expect(await isModerator(telegramItself, group.id)).toBe(false);

    const alone: Place = { ...inside(ann.user.id), community: `telegram:dm:${ann.user.id}`, direct: true };
    expect(await stage.adapter.isModerator(caller(ann.user.id), alone)).toBe(false);
  });
});

test('members are those who have not left and may write, and nobody where Telegram does not say', async () => {
  const { ann, group } = await setStage();
  const isMember = async (): Promise<unknown> =>
    stage.adapter.isMember?.(caller(ann.user.id), inside(group.id));

  expect(await isMember()).toBe(false);

  stage.fake.demote(group, ann);
  expect(await isMember()).toBe(true);

  stage.fake.restrict(group, ann, { is_member: true, can_send_messages: true });
  expect(await isMember()).toBe(true);

  stage.fake.restrict(group, ann, { is_member: true, can_send_messages: false });
  expect(await isMember()).toBe(false);

  stage.fake.restrict(group, ann, { is_member: false, can_send_messages: true });
  expect(await isMember()).toBe(false);

  stage.fake.demote(group, ann);
  stage.fake.fault({ method: 'getChatMember', kind: 400, description: 'CHAT_ADMIN_REQUIRED' });
  expect(await isMember()).toBe(false);
  expect(await stage.adapter.isMember?.(caller(`channel:${group.id}`), inside(group.id))).toBe(false);

  // A bot that is no longer there may not write there either, and that is what it then says.
  stage.fake.close(group);
  expect(await isMember()).toBe(true);
});

test.each([
  { kind: 403, outcome: { state: 'gone' } },
  { kind: 400, outcome: { state: 'later', unsent: true } },
  { kind: 413, outcome: { state: 'later', unsent: true } },
  { kind: 'lost', outcome: { state: 'later', unsent: undefined } },
] as const)('a result that is shared in Telegram and answered with $kind', async ({ kind, outcome }) => {
  const { ann, group } = await setStage();
  stage.fake.fault({ method: 'sendMessage', kind });
  const view = { tone: 'done', lines: ['Look'] } as const;
  const share = { caller: caller(ann.user.id), job: 'job-1' };

  const said = await stage.adapter.say({ place: inside(group.id) }, view, share);

  expect({ ...said, unsent: 'unsent' in said ? said.unsent : undefined }).toMatchObject(outcome);
  expect(stage.fake.fromBot(group)).toHaveLength(kind === 'lost' ? 1 : 0);
});
