// @module-tag slow
/** The service's own picture as a file. */
import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { swap } from './stage/lines.ts';
import { colourOf, made } from './stage/pictures.ts';
import { names, peopleOn, useStage } from './stage/stage.ts';

useStage();

describe.each(names)('on %s', (name) => {
  it.concurrent('As a file sends the service’s picture for its requester, once a minute, and Delete takes it away', async () => {
    const { ann, bob } = peopleOn(name, 'as-file');
    const result = await ann.types(swap).result();

    await bob.presses(result, 'As a file').says('This button belongs to someone else.');
    const seen = await ann
      .presses(result, 'As a file')
      .until(({ id, media }) => id !== result.id && media !== undefined, 'the file');

    // A person of the fake Discord sees by its type what is in an attachment.
    expect(seen.media?.kind).toBe(name === 'telegram' ? 'file' : 'image');
    expect(await colourOf(seen.media?.bytes ?? Buffer.of())).toEqual(await colourOf(made));
    expect(Buffer.from(seen.media?.bytes ?? []).includes('compositeWithTrainedAlgorithmicMedia')).toBe(true);
    expect(seen).toMatchObject({ private: false, buttons: ['Delete', 'Report'] });
    expect(seen.text).toContain('AI-generated');

    await ann.presses(result, 'As a file').says('It was just sent');

    ann.presses(seen, 'Delete');
    await eventually(() => ann.again(seen) === undefined, 'the file to go');
    expect(ann.again(result)?.media).toBeDefined();
  });
});
