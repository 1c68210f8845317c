// @module-tag slow
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { animatedWebp, manyChunksPng, manyScansJpeg } from '../fakes/hostile-pictures.ts';
import { photoOf } from './stage/pictures.ts';
import { stage, useStage } from './stage/stage.ts';

const plain = await photoOf('#c02020');
/** Small files that would keep a decoder busy for minutes. */
const busy = [
  { what: 'scans', bytes: manyScansJpeg({ width: 4000, height: 4000 }, 40_000) },
  { what: 'chunks', bytes: manyChunksPng({ width: 64, height: 64 }, 1_000_000) },
  { what: 'frames', bytes: animatedWebp({ width: 64, height: 64 }, 100_000) },
];
const located = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#20c020' } })
  .withExif({
    IFD0: { Artist: 'Ann of Darkroom Lane' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
  })
  .withMetadata({ orientation: 6 })
  .jpeg()
  .toBuffer();

useStage();

it('photos that are expensive to decode fail their jobs once without cost, and other people are served', async () => {
  const { telegram } = stage;
  const hostile = busy.map(({ what, bytes }) => {
    const document = { bytes, name: 'me.jpg', mime: 'image/jpeg' };
    const person = telegram.person(`Mallory with ${what}`);
    person.types(person.chat, '/faceswap 24 female', { document });
    person.types(person.chat, '/faceswap 25 female', { document });
    return person;
  });

  await stage.platforms.discord
    .room()
    .person('Ann calm')
    .types({ command: 'faceswap', given: { filter: '3', gender: 'female' }, photos: { photo: plain } })
    .result();
  for (const { chat, types } of hostile) {
    const said = (text: string) => telegram.fromBot(chat).filter((message) => message.text?.includes(text));
    await telegram.until(() => said('too complex to process').length === 2, 'both refusals');
    types(chat, '/usage');
    await telegram.until(() => said('You used 0 of').length === 1, 'nothing spent');
  }

  const filtersOfRuns = stage.recorder.runs().map(({ body }) => body.filter_id);
  expect(filtersOfRuns).not.toContain(24);
  expect(filtersOfRuns).not.toContain(25);
});

it.each(['discord', 'telegram'] as const)(
  'on %s a photo is sent upright and without metadata',
  async (name) => {
    expect((await sharp(located).metadata()).exif?.includes('Darkroom Lane')).toBe(true);

    const before = stage.recorder.runs().length;
    const ann = stage.platforms[name].room().person('Ann located');
    await ann
      .types({ command: 'faceswap', given: { filter: '3', gender: 'female' }, photos: { photo: located } })
      .result();
    const sent = Buffer.from(String(stage.recorder.runs()[before]?.body.base64), 'base64');
    const { width, height, exif, orientation } = await sharp(sent).metadata();

    expect({ width, height, exif, orientation: orientation ?? 1 }).toEqual({
      width: 200,
      height: 320,
      exif: undefined,
      orientation: 1,
    });
    expect(sent.includes('Darkroom Lane')).toBe(false);
  },
);

it('a public https link is passed on to the service, and the program fetches nothing itself', async () => {
  const ann = stage.telegram.person('Ann link');
  ann.types(ann.chat, '/faceswap 3 female https://pictures.example/me.jpg');
  await eventually(
    () => stage.recorder.runs().some(({ body }) => body.base64 === 'https://pictures.example/me.jpg'),
    'the address at the service',
  );
});
