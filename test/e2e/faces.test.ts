// @module-tag slow
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openStoreToRead } from '../../src/store/store.ts';
import { allOf } from '../all-of.ts';
import type { Line, Person } from './stage/chat.ts';
import { photo as plain } from './stage/lines.ts';
import { colourOf, photoOf } from './stage/pictures.ts';
import { names, stage, useStage } from './stage/stage.ts';

/** Saved faces as people use them. The rules of /face: test/unit/commands/face.test.ts. */

const green = await photoOf('#20c020');
/** Lies on its side, and tells where it was taken. */
const located = await sharp({
  create: {
    width: 320,
    height: 200,
    channels: 3,
    background: '#2020c0',
    noise: { type: 'gaussian', mean: 128, sigma: 40 },
  },
})
  .withExif({ IFD0: { Artist: 'Ann of Darkroom Lane' } })
  .withMetadata({ orientation: 6 })
  .jpeg()
  .toBuffer();

const key = randomBytes(32);
useStage({ env: { STORE_KEY: key.toString('base64'), CONSENT: 'required' } });

const face = (subcommand: string, name: string, photo?: Uint8Array): Line => ({
  command: `face ${subcommand}`,
  given: { name },
  ...(photo === undefined ? {} : { photos: { photo } }),
});
const swap = (given: Record<string, string>): Line => ({ command: 'faceswap', given });
const lastSent = (): Buffer => Buffer.from(String(stage.recorder.runs().at(-1)?.body.base64), 'base64');
const saveFirst = async (person: Person, photo: Uint8Array): Promise<void> => {
  const line = { ...face('save', 'me', photo), given: { name: 'me', gender: 'female' } };
  const question = await person.types(line).says('agreed');
  await person.presses(question, 'I confirm, continue').says('"me" is saved');
};
/** All bytes that the program has stored. */
const written = (): Buffer => {
  const data = join(stage.folder, 'data');
  return Buffer.concat(readdirSync(data).map((name) => readFileSync(join(data, name))));
};
const tracesOf = (picture: Buffer): readonly (string | Buffer)[] => {
  const part = picture.subarray(picture.length / 2, picture.length / 2 + 30);
  const base64 = [0, 1, 2].map((skipped) => part.subarray(skipped, skipped + 27).toString('base64'));
  return [part, part.toString('hex'), ...base64];
};

describe.each(names)('on %s', (name) => {
  it('a face is saved cleaned and encrypted, and used without anything more being asked', async () => {
    const ann = stage.platforms[name].room().person('Ann');
    await saveFirst(ann, located);
    const list = await ann.types({ command: 'face list' }).says('default');

    expect(list.private).toBe(true);
    expect(list.text).toMatch(/me .*female/);

    const swapped = await ann.types(swap({ face: 'me', filter: '12' })).result();
    const sent = lastSent();
    const { width, height, exif } = await sharp(sent).metadata();

    expect({ width, height, exif }).toEqual({ width: 200, height: 320, exif: undefined });
    expect(stage.recorder.runs().at(-1)?.body).toMatchObject({ gender: 1 });
    // The photo that was sent is the one that is stored, byte for byte: nothing of it can be found.
    for (const picture of [sent, located])
      expect(tracesOf(picture).filter((trace) => written().includes(trace))).toEqual([]);

    await stage.restart('kill');
    await ann
      .presses(swapped, 'Again')
      .until(({ id, media }) => id !== swapped.id && media !== undefined, 'a second one');

    expect(lastSent()).toEqual(sent);

    const both = await ann
      .presses(swapped, 'Before / after')
      .until(({ id, text }) => id !== swapped.id && text.includes('Before / after'), 'both');
    expect({ private: swapped.private, both: both.private }).toEqual({ private: false, both: true });

    // The saved face works in a direct chat, too.
    await ann
      .at('direct')
      .types(swap({ face: 'me', filter: '3' }))
      .result();
    await ann.types(face('delete', 'me')).says('"me" was deleted');
    await ann.presses(swapped, 'Again').says('no saved face "me"');
  });

  it('the default face is a button wherever a photo is asked for, also after a restart, for its owner alone', async () => {
    const room = stage.platforms[name].room();
    const ann = room.person('Anna');
    const bob = room.person('Bob');

    await saveFirst(ann, plain);
    await ann.types(face('save', 'secretive', green)).says('"secretive" is saved');
    await ann.types(face('default', 'secretive')).says('default');
    const question = await ann.types(swap({ filter: '12', gender: 'male' })).offers('Use my saved face');
    const action = ann.actionOf(question, 'Use my saved face');

    // Whoever reads along learns nothing.
    expect(JSON.stringify([question, action])).not.toContain('secretive');

    await stage.restart('kill');
    await bob.presses(question, 'Use my saved face').says('belongs to someone else');
    await ann.presses(question, 'Use my saved face').result();

    expect(await colourOf(lastSent())).toEqual(await colourOf(green));
  });
});

it('the audit trail says who saved a face and when, in no community and without its name', async () => {
  const ann = stage.platforms.telegram.room().person('Annelie');
  await saveFirst(ann, plain);
  await ann.types(face('save', 'confidential', green)).says('saved');
  await ann.types(face('default', 'confidential')).says('default');
  await ann.types(face('delete', 'confidential')).says('deleted');
  const store = await openStoreToRead(`sqlite:${join(stage.folder, 'data', 'darkroom.sqlite')}`, [key]);
  const lines = (await allOf(store.audit.since(0))).filter(({ actor }) => actor === ann.key);
  await store.close();
  const own = { community: ann.key.replace(':', ':dm:'), actor: ann.key, detail: {} };

  expect(lines.map(({ at: _, ...line }) => line)).toEqual(
    ['save', 'save', 'default', 'delete'].map((what) => ({ ...own, action: `face.${what}` })),
  );
});

it('on Telegram a face can be saved of a photo in reply or in an album; not of a link, and not by who is anonymous', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann of replies');
  const said = (text: string) => telegram.says(ann.chat, text);
  ann.replies(ann.types(ann.chat, '', { photo: green }), '/face save me male');
  ann.presses(await said('agreed'), 'I confirm, continue');
  await said('"me" is saved');
  ann.sendsAlbum(ann.chat, [plain, green], '/face save album');
  await said('"album" is saved');
  ann.types(ann.chat, '/face save linked https://pictures.example/me.jpg');
  await said('not a link');
  const group = telegram.group('Anonymous club', { botHearsAll: true, administrators: [ann] });
  ann.types(group, '/face list', { anonymous: true });
  await telegram.says(group, 'under your own name');
});
