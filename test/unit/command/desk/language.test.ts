import { expect, it } from 'vitest';
import { wordsFor } from '../../../../src/words/words.ts';
import { alice, createFakeChat, photo, room } from '../../../fakes/call.ts';

it.each([
  // What the platform tells is first.
  ['fr', 'de', 'fr'],
  ['pt-BR', 'de', 'pt'],
  ['en-GB', 'de', 'en'],
  // It tells none, or one that we do not have.
  ['', 'de', 'de'],
  ['ja', 'de', 'de'],
  ['', 'automatic', 'en'],
  ['', undefined, 'en'],
  ['ja', undefined, 'en'],
  // Of a version that had more languages.
  ['', 'tlh', 'en'],
])('a person of %j in a community of %j is answered in %s', async (locale, language, expected) => {
  const chat = createFakeChat();
  chat.state.settings = { blocked: [], bannedWords: [], ...(language === undefined ? {} : { language }) };
  const caller = { ...alice, locale };
  const { usage, error, press } = wordsFor(expected);
  expect(await chat.as(caller).type('/usage')).toContain(usage.title);
  expect(await chat.as(caller).command('animate', { photo, prompt: '' })).toContain(error.empty('prompt', 1));
  expect(await chat.as(caller).press('again:unknown')).toContain(press.notFound);
  expect((await chat.desk.inLanguage({ caller, place: room })).caller.locale.slice(0, 2)).toBe(
    expected === 'en' ? locale.slice(0, 2) : expected,
  );
});

it('answers in English while the settings cannot be read', async () => {
  const chat = createFakeChat();
  Object.defineProperty(chat.state, 'settings', {
    get: () => {
      throw new Error('the store is away');
    },
  });
  expect(await chat.as({ ...alice, locale: '' }).type('/usage')).toContain(wordsFor('en').usage.title);
});
