import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Seen } from './stage/chat.ts';
import { createStage, type Stage } from './stage/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await createStage({});
});
afterAll(() => stage.close());

const isSheet = ({ media }: Seen): boolean => media?.kind === 'image';
const sizeOf = async ({ media }: Seen) => {
  const { format, width, height } = await sharp(media?.bytes).metadata();
  return { format, width, height };
};
const fourByThree = { format: 'jpeg', width: 1032, height: expect.any(Number) };

describe.each(['discord', 'telegram'] as const)('/filters on %s', (name) => {
  it('shows each page as one picture, which turning the page replaces', async () => {
    const ann = stage.platforms[name].room().member('Ann');
    // A machine too busy to draw in time shows the list alone.
    const first = await eventually(async () => {
      const answer = await ann.sends({ command: 'filters', given: { model: 'face' } }).says('Page 1 of 3');
      return isSheet(answer) && answer;
    }, 'a sheet');
    expect(first.text).toMatch(/Oil Portrait/);
    expect(await sizeOf(first)).toEqual(fourByThree);

    const second = await ann.press(first, '▶').says('Page 2 of 3');
    expect(second.text).toMatch(/Polaroid Summer/);
    expect(
      second.media && Buffer.from(second.media.bytes).equals(first.media?.bytes ?? Buffer.alloc(0)),
    ).not.toBe(true);
    if (second.media !== undefined) expect(await sizeOf(second)).toEqual(fourByThree);
  });

  it('finds one by its name', async () => {
    const ann = stage.platforms[name].room().member('Ann');
    const found = await eventually(async () => {
      const given = { model: 'realistic', search: 'golden' };
      const answer = await ann.sends({ command: 'filters', given }).says('Golden Afternoon');
      return isSheet(answer) && answer;
    }, 'a sheet');
    expect((await sizeOf(found)).width).toBeLessThanOrEqual(1032);
  });
});
