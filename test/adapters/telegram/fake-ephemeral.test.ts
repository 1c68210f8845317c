import type { Chat } from 'grammy/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';
import { readSpec } from '../../fakes/spec.ts';
import type { FakePerson } from '../../fakes/telegram/people.ts';
import { createFakeTelegram, type FakeTelegram } from '../../fakes/telegram/telegram.ts';

/** What the adapter's tests rely on: the fake refuses what Telegram refuses, and what is not promised. */

let fake: FakeTelegram;
let clock: FakeClock;
let ann: FakePerson;
let group: Chat;
beforeEach(async () => {
  clock = createFakeClock();
  fake = await createFakeTelegram({ clock, flood: 'off' });
  ann = fake.person('Ann', { client: 'new' });
  group = fake.group('Club');
  const commands = [{ command: 'usage', description: 'Credits', is_ephemeral: true }];
  await call('setMyCommands', { commands, scope: { type: 'all_group_chats' } });
});
afterEach(() => fake.stop());

const call = async (method: string, values: object): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${fake.url}/bot${fake.token}/${method}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(values),
  });
  const { result, description } = (await answer.json()) as { result?: unknown; description?: string };
  return description?.replace('Bad Request: ', '') ?? result;
};
const send = (more: object = {}, parameters: object = {}) =>
  call('sendMessage', {
    chat_id: group.id,
    text: 'For you',
    ephemeral_message_parameters: { receiver_user_id: ann.user.id, ...parameters },
    ...more,
  });
const address = (id: unknown) => ({
  chat_id: group.id,
  receiver_user_id: ann.user.id,
  ephemeral_message_id: id,
});

describe('ephemeral messages of the fake', () => {
  it('are answers to an ephemeral command or a press within 15 seconds, or come from an administrator', async () => {
    const said = ann.says(group, '/usage');
    expect(said).toMatchObject({ message_id: 0, ephemeral_message_id: 1, receiver_user: { is_bot: true } });
    expect(fake.messages(group)).toEqual([]);
    const reply = { reply_parameters: { ephemeral_message_id: said.ephemeral_message_id } };
    const press = { callback_query_id: ann.forges(undefined, 'x') };
    await clock.advance(15_000);
    expect(await send(reply)).toMatchObject({ message_id: 0, ephemeral_message_id: 1 });
    expect(await send({}, press)).toMatchObject({ ephemeral_message_id: 2 });
    await clock.advance(1);
    for (const refused of [send(reply), send({}, press), send()]) expect(await refused).toBe('BOT_NOT_ADMIN');
    fake.promoteBot(group, ann);
    expect(await send()).toMatchObject({ ephemeral_message_id: 3 });
    // Whoever is not there cannot be written to.
    expect(await send({}, { receiver_user_id: fake.person('Bob').user.id })).toBe('USER_NOT_PARTICIPANT');
  });

  it('have a triple as address, whose id is used again; edits return no message', async () => {
    fake.promoteBot(group, ann);
    ann.says(group, '/usage');
    await send();
    expect(await call('editEphemeralMessageText', { ...address(1), text: 'Edited' })).toBe(true);
    expect(fake.alone(group, ann).map(({ text }) => text)).toEqual(['Edited']);
    expect(await call('deleteMessage', { chat_id: group.id, message_id: 0 })).toBe(
      'message to delete not found',
    );
    expect(await call('deleteEphemeralMessage', address(1))).toBe(true);
    expect(await call('deleteEphemeralMessage', address(1))).toBe('ephemeral message not found');
    expect(await send()).toMatchObject({ ephemeral_message_id: 1 });
    fake.expire(group);
    expect(await call('editEphemeralMessageText', { ...address(1), text: 'Late' })).toBe(
      'ephemeral message not found',
    );
  });

  it('have at most 1,024 characters', async () => {
    fake.promoteBot(group, ann);
    ann.says(group, '/usage');
    expect(await send({ text: 'x'.repeat(1024) })).toMatchObject({ ephemeral_message_id: 1 });
    const long = { text: 'x'.repeat(1025) };
    expect(await send(long)).toBe('MEDIA_CAPTION_TOO_LONG');
    expect(await call('editEphemeralMessageText', { ...address(1), ...long })).toBe('MEDIA_CAPTION_TOO_LONG');
  });

  it('are neither sent nor shown by old clients', async () => {
    const bob = fake.person('Bob');
    expect(bob.says(group, '/usage').ephemeral_message_id).toBeUndefined();
    fake.promoteBot(group, ann);
    expect(await send({}, { receiver_user_id: bob.user.id })).toMatchObject({ message_id: 0 });
    expect(fake.alone(group, bob)).toEqual([]);
  });
});

it.skipIf(readSpec('telegram-bot-api.json') === undefined)(
  'the official description allows texts and lists where a type may be one',
  async () => {
    const rich = (text: unknown) =>
      call('sendRichMessage', { chat_id: 1, rich_message: { blocks: [{ type: 'paragraph', text }] } });
    for (const text of ['plain', ['plain', { type: 'bold', text: 'bold' }]]) await rich(text);
    expect(fake.complaints).toEqual([]);
    await rich(7);
    await send({ receiver_user_id: 1 });
    expect(fake.complaints).toHaveLength(2);
  },
);
