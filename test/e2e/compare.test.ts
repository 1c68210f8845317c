// @module-tag slow
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Person, Seen } from './stage/chat.ts';
import { photo, swap } from './stage/lines.ts';
import { colourOf, made } from './stage/pictures.ts';
import { names, peopleOn, useStage } from './stage/stage.ts';

useStage();

const LABEL = 'Before / after';
const comparison = (person: Person, result: Seen): Promise<Seen> =>
  person
    .presses(result, LABEL)
    .until(({ id, media }) => id !== result.id && media !== undefined, 'the comparison');
/** The colours of the upper left and the upper right, away from the labels. */
const halves = async ({ media }: Seen): Promise<readonly (readonly number[])[]> => {
  const bytes = media?.bytes ?? Buffer.of();
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const size = { width: Math.floor(width * 0.4), height: Math.floor(height * 0.5) };
  const part = (left: number) =>
    sharp(bytes)
      .extract({ left, top: 0, ...size })
      .png()
      .toBuffer();
  return [await colourOf(await part(0)), await colourOf(await part(Math.ceil(width * 0.58)))];
};

describe.each(names)('on %s', (name) => {
  it.concurrent('a comparison shows the photo beside the result, and costs nothing', async () => {
    const { ann, bob } = peopleOn(name, 'compare');
    const result = await ann.types(swap).result();
    // Only a part of the answer is compared, because it also tells the minutes until midnight.
    const used = async () =>
      /You used \d+ of/.exec((await ann.types({ command: 'usage' }).says('You used')).text)?.[0];
    const before = await used();

    expect(before).toBeDefined();

    await bob.presses(result, LABEL).says('This button belongs to someone else.');
    const seen = await comparison(ann, result);

    expect(await halves(seen)).toEqual([await colourOf(photo), await colourOf(made)]);
    expect(seen).toMatchObject({ private: false, buttons: ['Delete', 'Report'] });
    expect(seen.text).toContain('AI-generated');
    expect(await used()).toBe(before);

    await bob.presses(seen, 'Delete').says('This button belongs to someone else.');
    ann.presses(seen, 'Delete');
    await eventually(() => ann.again(seen) === undefined, 'the comparison to go');

    expect(ann.again(result)?.media).toBeDefined();
  });
});
