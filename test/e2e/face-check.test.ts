// @module-tag slow
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { createFaceFinder } from '../../src/faces/finder.ts';
import type { Line } from './stage/chat.ts';
import { swap } from './stage/lines.ts';
import { photoOf } from './stage/pictures.ts';
import { names, peopleOn, stage, useStage } from './stage/stage.ts';

/** The check of a photo before anything is spent, in the whole program. The questions: test/unit/command/desk/questions. */

const group = readFileSync(new URL('../../src/generation-service/samples/group.jpg', import.meta.url));
const nobody = await photoOf('#20c020');
const finder = createFaceFinder();
afterAll(() => finder.close());

useStage({ isPatient: true, env: { FACE_CHECK: 'on' } });

const swapped = (photo: Uint8Array): Line => ({ ...swap, photos: { photo } });
const lastSent = (): Buffer => Buffer.from(String(stage.recorder.runs().at(-1)?.body.base64), 'base64');
const isMade = (text: string): boolean => text.includes('AI-generated');

describe.each(names)('on %s', (name) => {
  it('a photo of several people leads to a numbered picture, and the one that is pressed after a restart is alone in what is sent', async () => {
    const { ann, bob } = peopleOn(name, 'several');
    const before = stage.recorder.runs().length;
    const question = await ann.types(swapped(group)).says('Whose face');

    expect(question.buttons).toEqual(['1', '2', '3', '4', '5', 'Everybody']);
    expect((await sharp(question.media?.bytes).metadata()).format).toBe('jpeg');

    await stage.restart('stop');
    if (!question.private) await bob.presses(question, '2').says('belongs to someone else');

    expect(stage.recorder.runs()).toHaveLength(before);

    await ann.presses(question, '2').until(({ text }) => isMade(text), 'the result');
    const sent = lastSent();

    expect(await finder.find(sent)).toHaveLength(1);

    const { width = 0, height = 0 } = await sharp(sent).metadata();
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(512);
    expect(stage.recorder.runs()).toHaveLength(before + 1);
  });

  it('a photo without a face is told of, and used anyway if the person says so', async () => {
    const { ann } = peopleOn(name, 'nobody');
    const question = await ann.types(swapped(nobody)).says('No face found');

    expect(question.buttons).toEqual(['Use it anyway']);

    await ann.presses(question, 'Use it anyway').until(({ text }) => isMade(text), 'the result');
    expect((await sharp(lastSent()).metadata()).width).toBe(300);
  });
});
