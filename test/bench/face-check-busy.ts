/**
 * Whether photos are looked at on a machine that other work keeps busy, and how long that takes: each with a finder and a decoder that
 * have to be started first, beside so many processes that do nothing but count. Argument: how many (1).
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import sharp from 'sharp';
import { createFaceCheckPort } from '../../src/app/photos/face-check-port.ts';
import { createUsePhoto } from '../../src/app/photos/use-photo.ts';
import { createPlatformRegistry } from '../../src/app/platforms/registry.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createFaceFinder } from '../../src/faces/finder.ts';
import { createCheckedPhotos } from '../../src/media/checked-photos.ts';
import { createDecoder } from '../../src/picture/decoder.ts';
import { wordsFor } from '../../src/words/words.ts';
import { idleAdapter } from '../fakes/adapter.ts';
import { ann, photo, room } from '../fakes/call.ts';

const busyCount = Number(process.argv[2] ?? 1);

const sample = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../src/generation-service/samples/${name}.jpg`, import.meta.url));

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#20c020' } });

const FACES_IN_ROW = 13;
const FACE_PIXELS = 150;

async function crowd(): Promise<Buffer> {
  const face = await sharp(await sample('portrait'))
    .resize(FACE_PIXELS, FACE_PIXELS, { fit: 'cover', position: 'top' })
    .toBuffer();
  const faces = Array.from({ length: FACES_IN_ROW ** 2 }, (_, index) => ({
    input: face,
    left: (index % FACES_IN_ROW) * FACE_PIXELS,
    top: Math.floor(index / FACES_IN_ROW) * FACE_PIXELS,
  }));
  const side = FACES_IN_ROW * FACE_PIXELS;
  return plain(side, side).composite(faces).jpeg().toBuffer();
}

const photos = {
  'nobody (3000 x 2000)': await plain(3_000, 2_000).jpeg().toBuffer(),
  'one person': await sample('portrait'),
  'five people': await sample('group'),
  '169 faces': await crowd(),
};

/** Looks at one photo, and says what was asked about it. */
async function look(bytes: Buffer): Promise<string> {
  const decoder = createDecoder({ clock: systemClock });
  const finder = createFaceFinder();
  let failure: unknown;
  const fail = ({ err }: { readonly err?: unknown }): void => {
    failure = err;
  };
  const faceCheckOf = createFaceCheckPort({
    finder,
    decoder,
    clock: systemClock,
    usePhoto: createUsePhoto(createPlatformRegistry([{ ...idleAdapter, photo: async () => bytes }])),
    checkedPhotos: createCheckedPhotos(systemClock),
    log: { debug: fail, warn: fail },
    counted: () => undefined,
  });
  const result = await faceCheckOf({ caller: ann, place: room, event: 'e' }, wordsFor('en')).check(
    photo,
    'one',
  );
  finder.close();
  decoder.close();
  return failure === undefined ? (result?.wrong ?? 'nothing') : `not looked at: ${failure}`;
}

const busy = Array.from({ length: busyCount }, () => spawn(process.execPath, ['-e', 'for (;;);']));

try {
  for (const [name, bytes] of Object.entries(photos)) {
    const began = performance.now();
    const asked = await look(bytes);
    console.log(
      `${name.padEnd(22)} ${(performance.now() - began).toFixed(0).padStart(6)} ms, asks: ${asked}`,
    );
  }
} finally {
  // The busy processes never end by themselves.
  for (const each of busy) each.kill('SIGKILL');
}
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
