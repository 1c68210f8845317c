// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { startWorkerProcess } from '../../../src/base/worker-pool.ts';
import type { Conversion, DecodeAnswer, DecodeTask } from '../../../src/picture/conversion.ts';
import {
  cpuMsFor,
  createDecoder,
  type Decoder,
  decoderProgram,
  wallMsFor,
} from '../../../src/picture/decoder.ts';
import { eventually } from '../../eventually.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import * as hostile from '../../fakes/hostile-pictures.ts';
import { isAlive } from '../../is-alive.ts';
import { folderForEach } from '../../temp-folder.ts';

const how: Conversion = {
  maxPixels: 40_000_000,
  failOn: 'error',
  longestSide: 4096,
  to: { format: 'jpeg', quality: 92 },
};

const size = { width: 64, height: 48 };
const program = new URL('../../fakes/odd-decoder.ts', import.meta.url);

/** A picture that tells the odd decoder what to do. */
const told = (...words: readonly string[]): Buffer =>
  hostile.polyglot(hostile.plainPng(size), Buffer.from(`\ndo ${words.join('\n')}`));

const plain = told('answer');

let decoder: Decoder;
afterEach(() => decoder?.close());
const tooComplex = { reason: 'too-complex' };

describe('the decoder', () => {
  it.each([
    { what: 'a plain JPEG', bytes: hostile.plainJpeg(size) },
    { what: 'as many scans as are allowed', bytes: hostile.manyScansJpeg({ width: 2000, height: 2000 }, 60) },
    { what: 'as many segments', bytes: hostile.manySegmentsJpeg(size, 1_000, 2_000) },
    { what: 'a maze of EXIF directories', bytes: hostile.exifMazeJpeg(size) },
    { what: 'as large a colour profile', bytes: hostile.profiledJpeg(size, Buffer.alloc(4_000_000)) },
    { what: 'as many chunks', bytes: hostile.manyChunksPng(size, 19_000, 'tEXt') },
    { what: 'packed text', bytes: hostile.inflatingPng(size, 'zTXt', 200_000_000) },
    { what: 'packed international text', bytes: hostile.inflatingPng(size, 'iTXt', 200_000_000) },
    { what: 'a packed profile', bytes: hostile.inflatingPng(size, 'iCCP', 200_000_000) },
    { what: 'as many frames', bytes: hostile.animatedWebp(size, 1_000) },
    {
      what: 'a large canvas with a small frame',
      bytes: hostile.animatedWebp({ width: 3000, height: 3000 }, 3),
    },
  ])('the decoder decodes within its limits what passes the inspection: $what', async ({ bytes }) => {
    decoder = createDecoder({ clock: createFakeClock() });
    const jpeg = await decoder.convert(bytes, how, 'ann');

    expect((await sharp(jpeg).metadata()).format).toBe('jpeg');
  });

  it('the decoder reuses a process for the next picture, and does not change its input', async () => {
    decoder = createDecoder({ clock: createFakeClock() });
    const photo = hostile.exifMazeJpeg(size);
    const before = Buffer.from(photo);
    await decoder.convert(photo, how, 'ann');
    const [pid] = decoder.pids();
    await decoder.convert(photo, how, 'bob');

    expect(decoder.pids()).toEqual([pid]);
    expect(photo.equals(before)).toBe(true);
  });

  it('the decoder passes no environment variables to its processes', async () => {
    decoder = createDecoder({ clock: createFakeClock(), program });
    const environment = JSON.parse((await decoder.convert(told('environment'), how, 'ann')).toString());

    expect(Object.keys(environment).filter((name) => name in process.env)).toEqual([]);
  });

  it('the decoder ends an idle process, and starts another when needed', async () => {
    const clock = createFakeClock();

    decoder = createDecoder({ clock, program });
    await decoder.convert(plain, how, 'ann');
    const [pid = 0] = decoder.pids();
    await clock.advance(60_000);

    expect(decoder.pids()).toEqual([]);

    await eventually(() => !isAlive(pid));

    expect(await decoder.convert(plain, how, 'ann')).toEqual(plain);
    expect(clock.pending).toBe(1);
  });
});

describe('a picture that keeps the decoder busy', () => {
  it('a picture that keeps the decoder busy is refused after the time limit, and the process is killed and replaced', async () => {
    const clock = createFakeClock();

    decoder = createDecoder({ clock, program, atOnce: 1 });
    const hanging = decoder.convert(told('hang'), how, 'mallory');
    const refused = expect(hanging).rejects.toMatchObject(tooComplex);
    await eventually(() => decoder.pids().length === 1 && clock.pending === 1);
    const [pid = 0] = decoder.pids();
    const next = decoder.convert(plain, how, 'ann');

    await clock.advance(wallMsFor(size.width * size.height) - 1);

    expect(decoder.pids()).toEqual([pid]);

    await clock.advance(1);
    await refused;
    await eventually(() => !isAlive(pid));

    expect(await next).toEqual(plain);
  });

  it('a picture is not refused because the machine is busy', async () => {
    const clock = createFakeClock();

    decoder = createDecoder({ clock, program });
    const waiting = decoder.convert(told('hang'), how, 'ann').catch(() => undefined);
    await eventually(() => decoder.pids().length === 1 && clock.pending === 1);
    const pids = decoder.pids();
    await clock.advance(8 * cpuMsFor(size.width * size.height));

    expect(decoder.pids()).toEqual(pids);

    decoder.close();
    await waiting;
  });

  it('a picture that keeps the decoder busy is refused, and the process killed, after its CPU time limit', async () => {
    decoder = createDecoder({ clock: createFakeClock(), program });
    await expect(decoder.convert(told('slow'), how, 'mallory')).rejects.toMatchObject(tooComplex);
    expect(decoder.pids()).toEqual([]);
  });

  it('a picture that keeps the decoder busy releases its slot when it is aborted', async () => {
    const clock = createFakeClock();

    decoder = createDecoder({ clock, program, atOnce: 1 });
    const controller = new AbortController();
    const hanging = decoder.convert(told('hang'), how, 'ann', controller.signal);
    await eventually(() => decoder.pids().length === 1 && clock.pending === 1);
    const [pid = 0] = decoder.pids();
    controller.abort(new Error('given up'));

    await expect(hanging).rejects.toThrow('given up');

    await eventually(() => !isAlive(pid));

    expect(await decoder.convert(plain, how, 'ann')).toEqual(plain);
  });
});

describe('a decoder that crashes', () => {
  const inFolder = folderForEach();

  it('a decoder that crashes is tried once more, because it may not be the picture’s fault', async () => {
    decoder = createDecoder({ clock: createFakeClock(), program });
    const photo = told('crash-once', inFolder('crashed'));

    expect(await decoder.convert(photo, how, 'ann')).toEqual(photo);
  });

  it.each(['crash', 'lie'])(
    'a decoder that crashes twice means that the picture is refused (%s)',
    async (behaviour) => {
      decoder = createDecoder({ clock: createFakeClock(), program });
      await expect(decoder.convert(told(behaviour), how, 'ann')).rejects.toMatchObject(tooComplex);
      expect(await decoder.convert(plain, how, 'ann')).toEqual(plain);
    },
  );

  it('a decoder that crashes before it was ready does not refuse the picture', async () => {
    const missing = new URL('../../fakes/no-such-decoder.ts', import.meta.url);
    decoder = createDecoder({ clock: createFakeClock(), program: missing });
    await expect(decoder.convert(plain, how, 'ann')).rejects.toThrow('could not be started');
  });
});

it('slots of the decoder are shared, and nobody waits for more than one picture of another person', async () => {
  const clock = createFakeClock();

  decoder = createDecoder({ clock, program });
  const hostileOnes = ['mallory', 'trudy', 'eve'].flatMap((person) =>
    Array.from({ length: 3 }, () => decoder.convert(told('hang'), how, person).catch(() => undefined)),
  );
  await eventually(() => decoder.pids().length === 3 && clock.pending === 3);
  const calm = decoder.convert(plain, how, 'ann');
  // After one deadline the pictures in hand are refused, and hers is the next.
  await clock.advance(wallMsFor(size.width * size.height));

  expect(await calm).toEqual(plain);

  decoder.close();
  await Promise.all(hostileOnes);
});

describe('its process', () => {
  const conversion = { maxPixels: 40_000_000, failOn: 'error', to: { format: 'png' } } as const;
  const never = new AbortController().signal;
  const start = () => startWorkerProcess<DecodeTask, DecodeAnswer>(decoderProgram(), systemClock, never);

  it('the decoder’s process reports that a picture has used its CPU time while it is still being decoded', async () => {
    const worker = await start();
    const bytes = hostile.plainPng({ width: 8000, height: 5000, channels: 3 });

    const answer = await worker.ask({ bytes, conversion, cpuMs: 0 }, 60_000);

    expect(answer).toMatchObject({ state: 'refused', ...tooComplex });

    worker.kill();
  });

  it('the decoder’s process decodes only JPEG, PNG and WebP', async () => {
    const worker = await start();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const ask = (bytes: Buffer) => worker.ask({ bytes, conversion, cpuMs: 5_000 }, 60_000);

    for (const bytes of [svg, Buffer.from('GIF89a\x01\0\x01\0', 'latin1'), Buffer.alloc(0)])
      expect(await ask(bytes)).toMatchObject({ state: 'refused', reason: 'broken' });
    expect(await ask(hostile.plainJpeg({ width: 9, height: 9 }))).toMatchObject({ state: 'done' });

    worker.kill();
  });

  it('the decoder’s process ends with its parent process, however that ended', async () => {
    const source = `
      import { systemClock } from ${JSON.stringify(new URL('../../../src/base/clock.ts', import.meta.url).href)};
      import { startWorkerProcess } from ${JSON.stringify(new URL('../../../src/base/worker-pool.ts', import.meta.url).href)};
      import { decoderProgram } from ${JSON.stringify(new URL('../../../src/picture/decoder.ts', import.meta.url).href)};
      const decoder = await startWorkerProcess(decoderProgram(), systemClock, new AbortController().signal);
      process.stdout.write(String(decoder.pid));
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });

    const [printed] = await once(parent.stdout, 'data');
    const pid = Number(String(printed));

    expect(process.kill(pid, 0)).toBe(true);

    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await eventually(() => !isAlive(pid), 'its end');
  });
});
