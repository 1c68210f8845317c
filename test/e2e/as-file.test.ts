// @module-tag slow
/** The service's own picture as a file. */
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/base/clock.ts';
import { eventually } from '../eventually.ts';
import { hidden, swap } from './stage/lines.ts';
import { colourOf, made } from './stage/pictures.ts';
import { names, peopleOn, stage, useStage } from './stage/stage.ts';

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

  it('As a file works after a kill, is private where the result is, and says when the service no longer keeps it', async () => {
    const { ann, mod } = peopleOn(name, 'as-file-later');
    const shown = await ann.types(swap).result();
    const old = await ann.types(swap).result('another result');
    const own = await hidden(ann);
    await stage.restart('kill');

    const seen = await ann
      .presses(shown, 'As a file')
      .until(({ id, media }) => id !== shown.id && media !== undefined, 'the file');
    // The minute is each person's own.
    await mod
      .presses(shown, 'As a file')
      .until(
        ({ id, media }) => id !== shown.id && id !== seen.id && media !== undefined,
        'the moderator’s file',
      );
    const alone = await ann
      .presses(own, 'As a file')
      .until(({ id, media }) => id !== own.id && media !== undefined, 'the private file');

    expect(await colourOf(seen.media?.bytes ?? Buffer.of())).toEqual(await colourOf(made));
    expect(alone.private).toBe(true);

    // The service keeps results for an hour, and deletes older ones with the next.
    stage.laterAtService(2 * HOUR_MS);
    await ann.types(swap).result('a later result');
    await ann.presses(old, 'As a file').says('The result of this job is no longer available.');
  });
});
