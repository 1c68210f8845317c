import { expect, test } from 'vitest';
import type { Reply } from '../../../../../src/command/reply.ts';
import type { View } from '../../../../../src/command/view.ts';
import { en } from '../../../../../src/words/en/words.ts';
import { buttonsOf, createFakeChat, labelsOf, photo } from '../../../../fakes/call.ts';

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

test('a question for the gender shows the last choice first, and does not choose it by itself', async () => {
  const chat = createFakeChat();
  await chat.type('/faceswap 12', photo);
  expect(buttonsOf(chat.last).map(({ label, style }) => [label, style])[0]).toEqual(['male', undefined]);

  chat.state.order = { recent: [], used: [], gender: 'girl' };
  await chat.type('/faceswap 12', photo);
  const styles = buttonsOf(chat.last).map(({ label, style }) => `${label} ${style}`);
  expect(styles.slice(0, 2)).toEqual(['girl primary', 'male undefined']);
  expect(styles).toHaveLength(5);
  expect(chat.state.generated).toEqual([]);

  await chat.choose('girl');
  expect(chat.state.generated[0]?.request).toMatchObject({ gender: 'girl' });
});
