import { describe, expect, test } from 'vitest';
import { alice, buttonsOf, createFakeChat, direct, photo, photo2 } from '../../fakes/call.ts';

const photo3 = { from: 'web', ref: 'photo-3' } as const;
const labels = (chat: ReturnType<typeof createFakeChat>) => buttonsOf(chat.last).map(({ label }) => label);

describe('several photos with one command', () => {
  test('are asked about once, with the price of all, and each makes a job', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap 12 female ratio=square', photo, photo2, photo3);
    expect(labels(chat)).toEqual(['All 3 (6 credits)', 'Only the first']);
    expect(chat.state.generated).toEqual([]);
    await chat.choose('All 3 (6 credits)');
    expect(chat.state.generated).toMatchObject([
      { request: { photo, gender: 'female', ratio: 'square' }, others: [photo2, photo3] },
    ]);
  });

  test('or the first of them makes one', async () => {
    const chat = createFakeChat();
    await chat.type('/groupswap 3', photo, photo2, photo3);
    await chat.choose('Only the first');
    expect(chat.state.generated).toMatchObject([{ request: { kind: 'multi-swap-realistic', photo } }]);
    expect(chat.state.generated[0]?.others).toBeUndefined();
  });

  test('wait until everything else is known, and for consent', async () => {
    const chat = createFakeChat();
    chat.state.consented.clear();
    await chat.type('/faceswap', photo, photo2);
    await chat.choose('7 · Noir');
    await chat.choose('female');
    await chat.choose('All 2 (4 credits)');
    await chat.choose('I confirm, continue');
    expect(chat.state.generated).toMatchObject([{ request: { photo }, others: [photo2] }]);
  });

  test('can be the answer to a question', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap 12 female');
    await chat.type('', photo, photo2);
    await chat.choose('All 2 (4 credits)');
    expect(chat.state.generated).toMatchObject([{ request: { photo }, others: [photo2] }]);
  });

  test('that came without a command are kept for the command that is chosen', async () => {
    const chat = createFakeChat(alice, direct);
    await chat.type('12 female', photo, photo2);
    await chat.choose('/faceswap');
    await chat.choose('All 2 (4 credits)');
    expect(chat.state.generated).toMatchObject([{ request: { photo }, others: [photo2] }]);
  });

  test('make one group picture where they can', async () => {
    for (const line of ['/groupswap 3 classic', '/groupswap prompt="a band"']) {
      const chat = createFakeChat();
      await chat.type(line, photo, photo2, photo3);
      expect(chat.state.generated).toMatchObject([{ request: { photos: [photo, photo2, photo3] } }]);
      await chat.type(line, photo, photo2, photo3, photo);
      await chat.choose('All 4 (8 credits)');
      expect(chat.state.generated[1]).toMatchObject({
        request: { photos: [photo] },
        others: [photo2, photo3, photo],
      });
    }
  });

  test('a group style is asked for, and a prompt instead makes one picture', async () => {
    const chat = createFakeChat();
    await chat.type('/groupswap', photo, photo2);
    await chat.choose('Give "prompt" instead');
    await chat.type('a rock band');
    expect(chat.state.generated).toMatchObject([{ request: { photos: [photo, photo2] } }]);
  });
});
