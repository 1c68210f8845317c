// @module-tag slow
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { jobsOf, settings, swap } from '../stage/lines.ts';
import { names, peopleOn, useStage } from '../stage/stage.ts';

/** Removing a result for somebody who can be seen in it. Who may, and what happens after a kill: test/unit/app/jobs/removals.test.ts. */

useStage();

const sample = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../src/generation-service/samples/${name}.jpg`, import.meta.url));

/** One for each platform, because what is removed on one of them is refused on all. */
const photos = { discord: await sample('portrait'), telegram: await sample('group') };
const copyOf = (picture: Buffer): Promise<Buffer> =>
  sharp(picture).flop().resize(640).jpeg({ quality: 60 }).toBuffer();
/** One person of the group. */
const other = await sharp(photos.telegram)
  .extract({ left: 900, top: 0, width: 600, height: 1000 })
  .jpeg()
  .toBuffer();

describe.each(names)('/settings remove on %s', (name) => {
  it('/settings remove takes the result away, and refuses copies of its photo from everybody, but no other photo', async () => {
    const { mod, ann, bob } = peopleOn(name, 'removal');
    const result = await ann.types({ ...swap, photos: { photo: photos[name] } }).result();
    const job = ann.actionOf(result, 'Again').split(':').at(-1) ?? '';
    // The end of the job is stored a moment after its result is seen.
    await jobsOf(ann, ({ text }) => text.includes('done'), 'the job to be done');

    await mod.types(settings('remove', { result: job, reason: 'she asked' })).says('refused from now on');

    await eventually(() => ann.again(result) === undefined, 'the result to go');
    await bob
      .types({ ...swap, photos: { photo: await copyOf(photos[name]) } })
      .says('This photo cannot be used here.');
    await bob.types({ ...swap, photos: { photo: other } }).result();
    await mod.types(settings('remove', { result: job })).says('was removed before');
  });
});
