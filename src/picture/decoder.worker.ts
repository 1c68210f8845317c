/** The child process that decodes pictures: it holds no secrets and can be killed. One request at a time. */
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import sharp from 'sharp';
import { composePictures } from './compose.ts';
import type { Conversion, DecodeAnswer, DecodeRefusal, DecodeRequest } from './conversion.ts';
import { keepOrientationOnly } from './exif.ts';
import { inspectPicture } from './inspect.ts';
import { PictureRefused } from './refused.ts';

// No other decoders: a file in disguise reaches no other code.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

const WATCH_EVERY_MS = 50;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** SIGKILL, because a normal exit would wait for a thread that is decoding. */
function end(): void {
  return void process.kill(process.pid, 'SIGKILL');
}

function answer(message: DecodeAnswer | { state: 'ready' }): void {
  process.send?.(message, undefined, undefined, (error) => error && end());
}

async function convert(bytes: Uint8Array, conversion: Conversion): Promise<Buffer> {
  const { maxPixels, failOn, longestSide, square, to, xmp } = conversion;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  keepOrientationOnly(file, inspectPicture(file, maxPixels));
  const upright = sharp(file, { limitInputPixels: maxPixels, failOn, pages: 1 })
    .autoOrient()
    .toColourspace('srgb');
  if (longestSide !== undefined)
    upright.resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true });
  if (square !== undefined) {
    const { autoOrient } = await upright.metadata();
    const scale = square / Math.min(autoOrient.width, autoOrient.height);
    const [width, height] = [Math.round(autoOrient.width * scale), Math.round(autoOrient.height * scale)];
    const place = { left: Math.floor((width - square) / 2), top: Math.floor((height - square) / 4) };
    upright.resize({ width, height, fit: 'fill' }).extract({ ...place, width: square, height: square });
  }
  if (xmp !== undefined) upright.withXmp(xmp);
  return to.format === 'png'
    ? upright.png().toBuffer()
    : upright
        .flatten({ background: '#ffffff' })
        .jpeg({ quality: to.quality, chromaSubsampling: '4:4:4' })
        .toBuffer();
}

function reasonOf(error: unknown): DecodeRefusal {
  if (error instanceof PictureRefused && error.reason !== 'format') return error.reason;
  return error instanceof Error && error.message.includes('pixel limit') ? 'pixels' : 'broken';
}

process.on('message', async (request: DecodeRequest) => {
  const { id } = request;
  const begun = cpuMs();
  // The parent then kills this process: decoding cannot be stopped in any other way.
  const watch = setInterval(() => {
    if (cpuMs() - begun > request.cpuMs) answer({ state: 'refused', id, reason: 'too-complex' });
  }, WATCH_EVERY_MS);
  try {
    const made =
      'composition' in request
        ? composePictures(request.composition)
        : convert(request.bytes, request.conversion);
    answer({ state: 'done', id, bytes: await made });
  } catch (error) {
    answer({ state: 'refused', id, reason: reasonOf(error) });
  } finally {
    clearInterval(watch);
  }
});
process.on('disconnect', end);

// The main process has priority for CPU and memory, where the system supports that.
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {}
await writeFile('/proc/self/oom_score_adj', '500').catch(() => undefined);
answer({ state: 'ready' });
