// @module-tag slow
import { describe, expect, it } from 'vitest';
import { suspiciousStripes } from '../fakes/content-pictures.ts';
import { swap } from './stage/lines.ts';
import { photoOf } from './stage/pictures.ts';
import { names, peopleOn, stage, useStage } from './stage/stage.ts';

/** A photo that the model takes for nudity, for which a pattern of stripes stands, in the whole program. */

const stripes = await suspiciousStripes();
const plain = await photoOf('#20c020');

useStage({ isPatient: true, env: { FACE_CHECK: 'off', CONTENT_CHECK: 'on' } });

describe.each(names)('on %s', (name) => {
  it('a photo over the threshold is refused, costs nothing and is never sent; another one is made', async () => {
    const { ann } = peopleOn(name, 'refused');
    const before = stage.recorder.runs().length;

    await ann
      .types({ ...swap, photos: { photo: stripes } })
      .until(({ text }) => text.includes('was not sent'), 'the refusal');
    expect(stage.recorder.runs()).toHaveLength(before);

    await ann
      .types({ ...swap, photos: { photo: plain } })
      .until(({ text }) => text.includes('AI-generated'), 'the result');
    expect(stage.recorder.runs()).toHaveLength(before + 1);
  });
});
