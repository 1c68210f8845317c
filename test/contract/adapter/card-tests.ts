import { expect, test } from 'vitest';
import { jpeg, mp4 } from './pictures.ts';
import type { Scene } from './scene.ts';
import { busy, done } from './views.ts';

/** The card of a job, from its first appearance to its end. */
export const cardTests = (scene: Scene): void => {
  test('the card of a job is confirmed once it is visible, and becomes the result in place', async () => {
    const { card, seen } = await scene.openCard();
    expect(seen.text).toContain('Place in line: 2');
    expect(seen.buttons).toEqual(['Cancel']);
    expect((await scene.stage.adapter.draw(card, busy('About 5 s left', 0.5), 'cosmetic')).state).toBe(
      'drawn',
    );

    const bytes = await jpeg();
    const drawn = await scene.stage.adapter.draw(card, done(bytes), 'final');
    const result = await scene.last(scene.stage.bob, 1);
    expect(result.id).toBe(seen.id);
    expect(result.text).toContain('AI-generated');
    expect(result.buttons).toEqual(['Again', 'Delete']);
    expect(result.media).toEqual({ kind: 'image', bytes, spoiler: false });
    expect(drawn.state).toBe('drawn');
  });

  test('a result can be fetched again as the photo of the next job', async () => {
    const { card } = await scene.openCard();
    const bytes = await jpeg();
    const drawn = await scene.stage.adapter.draw(card, done(bytes), 'final');
    const result = drawn.state === 'drawn' ? drawn.result : undefined;
    if (result === undefined || !('ref' in result)) throw new Error('no result');
    expect(await scene.stage.adapter.photo(result, 20_000_000, AbortSignal.timeout(20_000))).toEqual(bytes);
  });

  test('a final edit may be repeated: still one message with one picture', async () => {
    const { card } = await scene.openCard();
    const bytes = await jpeg();
    await scene.stage.adapter.draw(card, done(bytes), 'final');
    expect((await scene.stage.adapter.draw(card, done(bytes), 'final')).state).toBe('drawn');
    expect((await scene.last(scene.stage.ann, 1)).media?.bytes).toEqual(bytes);
  });

  test('a video is shown as a video, a spoiler as a spoiler', async () => {
    const { card } = await scene.openCard();
    await scene.stage.adapter.draw(card, done(mp4(), 'video', true), 'final');
    expect((await scene.last(scene.stage.ann, 1)).media).toEqual({
      kind: 'video',
      bytes: mp4(),
      spoiler: true,
    });
  });

  test('a private card is for its caller only', async () => {
    const { card, seen } = await scene.openCard(true);
    expect(seen.text).toContain('Place in line: 2');
    expect((await scene.stage.bob.room()).filter((each) => each.text.includes('Place in line'))).toEqual([]);
    await scene.stage.adapter.draw(card, done(await jpeg()), 'final');
    expect((await scene.stage.bob.room()).filter((each) => each.media !== undefined)).toEqual([]);
    const mine = [...(await scene.stage.ann.room()), ...(await scene.stage.ann.inbox())];
    expect(mine.filter((each) => each.media !== undefined)).toHaveLength(1);
  });

  test('a removed card is gone; removing is repeatable', async () => {
    const { card, seen } = await scene.openCard();
    await scene.stage.mod.takeDown(seen);
    expect((await scene.stage.adapter.draw(card, busy('still', 0.6), 'final')).state).toBe('gone');
    await scene.stage.adapter.removeMessage(card);
    expect(await scene.stage.ann.room()).toEqual([]);
  });

  test('removing takes the message out of the room', async () => {
    const { card } = await scene.openCard();
    await scene.stage.adapter.removeMessage(card);
    await scene.stage.adapter.removeMessage(card);
    expect(await scene.stage.bob.room()).toEqual([]);
  });
};
