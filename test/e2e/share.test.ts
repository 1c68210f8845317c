// @module-tag slow
import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { hidden, sharedIn } from './stage/lines.ts';
import { colourOf, made } from './stage/pictures.ts';
import { names, peopleOn, useStage } from './stage/stage.ts';

useStage();

describe.each(names)('on %s', (name) => {
  it.concurrent('Share shows a private result to everybody, once; Delete takes that back', async () => {
    const { ann } = peopleOn(name, 'share');
    const result = await hidden(ann);

    expect(result.private).toBe(true);

    const first = ['Again', 'Other filter', 'Animate', 'Before / after', 'Share', 'As a file'];
    expect(result.buttons).toEqual([...first, 'Delete', 'Report']);
    expect(sharedIn(ann)).toEqual([]);

    const press = ann.actionOf(result, 'Share');
    ann.presses(result, 'Share');
    const seen = await eventually(() => sharedIn(ann)[0], 'the shared result');

    expect(seen).toMatchObject({ private: false, buttons: ['Delete', 'Report'] });
    expect(seen.text).toContain('Shared by Ann share');
    expect(seen.text).toContain('AI-generated');
    expect(await colourOf(seen.media?.bytes ?? Buffer.of())).toEqual(await colourOf(made));

    const after = await eventually(() => {
      const card = ann.again(result);
      return card?.buttons.includes('Share') === false && card;
    }, 'the button to go');
    expect(after.text).toContain('Shared with everybody');
    expect(await colourOf(after.media?.bytes ?? Buffer.of())).toEqual(await colourOf(made));

    await ann.forges(after, press).says('has been shared before');
    expect(sharedIn(ann)).toHaveLength(1);

    ann.presses(seen, 'Delete');
    await eventually(() => ann.again(seen) === undefined, 'the shared result to go');

    expect(ann.again(after)?.media).toBeDefined();
  });
});
