import { expect, test } from 'vitest';
import { buttonsOf, createFakeChat, direct, photo } from '../../../fakes/call.ts';

test('a written answer names its question, so that the question’s message can be removed', async () => {
  const chat = createFakeChat();
  chat.state.bannedWords.push('forbidden');
  await chat.type('/animate', photo);
  expect(chat.last).toMatchObject({ kind: 'ask', draft: 'draft-1' });
  await chat.type('a forbidden answer');
  expect(chat.last).not.toHaveProperty('answers');
  await chat.type('waves');
  expect(chat.last).toMatchObject({ kind: 'card', answers: 'draft-1' });
});

test('so does a late photo, and the next question of the draft', async () => {
  const chat = createFakeChat(undefined, direct);
  await chat.type('/faceswap 12');
  expect(chat.last).toMatchObject({ kind: 'ask', draft: 'draft-1' });
  await chat.type('hello?');
  expect(chat.last).toMatchObject({ kind: 'ask', answers: 'draft-1' });
  await chat.type('', photo);
  expect(chat.last).toMatchObject({ kind: 'ask', answers: 'draft-1' });
  await chat.press(buttonsOf(chat.last)[0]?.action ?? '');
  expect(chat.last).toMatchObject({ kind: 'card', replaces: true });
  expect(chat.last).not.toHaveProperty('answers');
});
