import { expect, test } from 'vitest';
import type { Place } from '../../../../../src/command/place.ts';
import { alice, bob, buttonsOf, createFakeChat, photo, room } from '../../../../fakes/call.ts';

const hour = 3_600_000;
const elsewhere: Place = { ...room, community: 'web:elsewhere', channel: 'elsewhere' };

const blockedAlice = () => {
  const chat = createFakeChat();
  chat.state.blocked.add('web:alice');
  return chat;
};

test('a blocked person is told once in some hours', async () => {
  const chat = blockedAlice();
  expect(await chat.type('/faceswap 12 male', photo)).toMatch(/blocked/);
  expect(chat.last).not.toHaveProperty('known');
  const lines = [
    '/faceswap 12 male',
    '/usage',
    // Not for them, wrong, too long, or no command at all: nothing of that is explained.
    '/settings show',
    '/alias',
    '/faceswp 12',
    '/faceswap gender=nobody',
    `/animate ${'long '.repeat(3_000)}`,
    '/privacy now',
  ];
  for (const line of lines) {
    await chat.type(line, photo);
    expect(chat.last, line).toMatchObject({ kind: 'note', known: true });
  }
  chat.state.now += 6 * hour;
  await chat.type('/usage');
  expect(chat.last).not.toHaveProperty('known');
});

test('each person is told separately in each community', async () => {
  const chat = blockedAlice();
  chat.state.blocked.add('web:bob');
  for (const each of [chat, chat.as(alice, elsewhere), chat.as(bob)]) {
    await each.type('/usage');
    expect(each.last).toMatchObject({ kind: 'note' });
    expect(each.last).not.toHaveProperty('known');
  }
});

test('commands open to blocked people are answered once in ten minutes', async () => {
  const chat = blockedAlice();
  expect(await chat.type('/help')).toMatch(/faceswap/);
  expect(await chat.type('/privacy')).not.toMatch(/blocked/);
  for (const line of ['/help', '/privacy', '/help faceswap'])
    expect(await chat.type(line)).toMatch(/blocked/);
  chat.state.now += hour;
  expect(await chat.type('/help')).toMatch(/faceswap/);
});

test('they can finish deleting their data', async () => {
  const chat = blockedAlice();
  await chat.type('/privacy');
  const [first] = buttonsOf(chat.last);
  await chat.press(first?.action ?? '');
  await chat.choose('Cancel');
  await chat.choose(first?.label ?? '');
  await chat.choose('Yes, delete everything');
  expect(chat.last).toMatchObject({ kind: 'replace', view: { tone: 'done' } });
});

test('a blocked moderator can still moderate', async () => {
  const chat = blockedAlice();
  chat.state.moderators.add('web:alice');
  expect(await chat.type('/settings resume')).not.toMatch(/blocked/);
  expect(chat.state.did).toEqual(['resume']);
});
