import { expect, test } from 'vitest';
import type { Reply } from '../../../../../src/command/reply.ts';
import type { View } from '../../../../../src/command/view.ts';
import { en } from '../../../../../src/words/en/words.ts';
import { buttonsOf, createFakeChat, labelsOf, photo, textOf } from '../../../../fakes/call.ts';

const viewOf = (reply: Reply | undefined): View =>
  reply !== undefined && 'view' in reply ? reply.view : expect.fail('nothing was shown');

/** A chat whose service has previews of its filters; `drawn`: the texts of the sheets. */
const chatWithPreviews = (count: number) => {
  const chat = createFakeChat();
  const drawn: string[] = [];
  chat.state.references = Array.from({ length: count }, (_, index) => ({
    value: `${index + 1}`,
    label: `${index + 1} · Filter ${index + 1}`,
    preview: `https://example.com/${index + 1}.jpg`,
  }));
  chat.state.ports = {
    catalog: {
      list: async () => [],
      known: () => [],
      order: async () => chat.state.order,
      async sheet(_, alt) {
        drawn.push(alt);
        return undefined;
      },
    },
  };
  return { chat, drawn };
};

test('a question for a filter has 25 tiles and their sheet, begins with recent filters, and a tile answers it', async () => {
  const { chat, drawn } = chatWithPreviews(30);

  chat.state.order = { recent: ['face:28', 'realistic:3', 'face:9'], used: ['face:9', 'face:30'] };
  const said = await chat.type('/faceswap gender=female', photo);

  expect(said).toContain(en.filters.recentFirst);
  expect(viewOf(chat.last).tiles).toHaveLength(25);
  expect(drawn).toEqual([expect.stringMatching(/: 28 Filter 28, 9 Filter 9, /)]);

  const labels = (): readonly string[] => (viewOf(chat.last).tiles ?? []).map(({ label }) => label);
  expect(labels().slice(0, 5)).toEqual(['28', '9', '30', '1', '2']);
  expect(await chat.choose('▶')).not.toContain(en.filters.recentFirst);

  await chat.type('/groupswap', photo);
  expect(labels()[0]).toBe('3');

  await chat.type('/faceswap gender=female', photo);
  await chat.press(viewOf(chat.last).tiles?.find(({ label }) => label === '12')?.action ?? '');
  expect(chat.last).toMatchObject({ kind: 'card' });
});

test('a question for a filter has buttons with names where there are no previews, and no sheet is drawn', async () => {
  const { chat, drawn } = chatWithPreviews(0);

  chat.state.references = [{ value: '12', label: '12 · Pop Art' }];
  await chat.type('/faceswap gender=female', photo);

  expect(viewOf(chat.last).tiles).toBeUndefined();
  expect(labelsOf(chat.last)).toContain('12 · Pop Art');
  expect(drawn).toEqual([]);
});

test('what was chosen last for options that were left out is offered beside a question, and counts only when it is pressed', async () => {
  const chat = createFakeChat();
  chat.state.order = { recent: [], used: [], last: { gender: 'male', ratio: 'square', look: 'classic' } };

  await chat.type('/faceswap 12', photo);
  expect(labelsOf(chat.last)).toContain('As last time: ratio square');
  expect(labelsOf(chat.last).filter((label) => label.startsWith('As last time'))).toHaveLength(1);

  await chat.choose('As last time: ratio square');
  expect(textOf(chat.last)).toContain('Chosen: ratio square');
  expect(labelsOf(chat.last)).not.toContain('As last time: ratio square');
  expect(chat.state.generated).toEqual([]);

  await chat.choose('male');
  expect(chat.state.generated[0]?.request).toMatchObject({ gender: 'male', ratio: 'square' });

  await chat.type('/faceswap 12', photo);
  await chat.choose('male');
  expect(chat.state.generated[1]?.request).not.toHaveProperty('ratio');
});

test.each([
  { why: 'was given already', line: '/groupswap look=classic', look: 'stylized' },
  { why: 'counts anyway', line: '/groupswap', look: 'realistic' },
])('a last choice is not offered where the option $why', async ({ line, look }) => {
  const chat = createFakeChat();
  chat.state.order = { recent: [], used: [], last: { look } };

  await chat.type(line, photo);

  expect(labelsOf(chat.last).some((label) => label.startsWith('As last time'))).toBe(false);
});

test('the look of last time is one press away where a style is asked for, and private is offered in a form, which nobody else sees', async () => {
  const chat = createFakeChat();
  chat.state.order = { recent: [], used: [], last: { look: 'stylized', private: 'yes' } };
  await chat.type('/groupswap', photo);

  const questions = chat.last?.kind === 'ask' ? chat.last.questions : [];
  expect(questions.map(({ option, optional = false }) => [option, optional])).toEqual([
    ['style', false],
    ['look', true],
    ['private', true],
  ]);
  expect(questions[2]?.choices?.map(({ value }) => value)).toEqual(['yes', 'no']);

  await chat.choose('As last time: look stylized');
  await chat.choose('3 · Travel Poster');
  expect(chat.state.generated[0]?.request.kind).toBe('multi-swap-stylized');
});

test('a question for the gender shows the last choice first, and does not choose it by itself', async () => {
  const chat = createFakeChat();
  await chat.type('/faceswap 12', photo);
  expect(buttonsOf(chat.last).map(({ label, style }) => [label, style])[0]).toEqual(['male', undefined]);

  chat.state.order = { recent: [], used: [], last: { gender: 'girl' } };
  await chat.type('/faceswap 12', photo);
  const styles = buttonsOf(chat.last).map(({ label, style }) => `${label} ${style}`);
  expect(styles.slice(0, 2)).toEqual(['girl primary', 'male undefined']);
  expect(styles).toHaveLength(5);
  expect(chat.state.generated).toEqual([]);

  await chat.choose('girl');
  expect(chat.state.generated[0]?.request).toMatchObject({ gender: 'girl' });
});
