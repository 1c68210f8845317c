/**
 * The process in which pictures are decoded: it can be killed, it holds no secret, and the main process goes on without
 * it. It answers one request at a time.
 */
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import sharp from 'sharp';
import type { DecodeAnswer, DecodeRequest } from './conversion.ts';
import { keepOrientationOnly } from './exif.ts';
import { inspectPicture } from './inspect.ts';
import { PictureRefused } from './refused.ts';

// Only these decoders exist here: a picture in disguise meets no other code.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

const watchEveryMs = 50;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** No ordinary way out: another thread may be inside the decoder, and a proper exit would wait for it. */
const end = (): void => void process.kill(process.pid, 'SIGKILL');

const answer = (said: DecodeAnswer): void => {
  process.send?.(said, undefined, undefined, (error) => error && end());
};

const convert = ({ bytes, conversion }: DecodeRequest): Promise<Buffer> => {
  const { maxPixels, failOn, longestSide, to, xmp } = conversion;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  keepOrientationOnly(file, inspectPicture(file, maxPixels));
  const upright = sharp(file, { limitInputPixels: maxPixels, failOn, pages: 1 })
    .autoOrient()
    .toColourspace('srgb');
  if (longestSide !== undefined)
    upright.resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true });
  if (xmp !== undefined) upright.withXmp(xmp);
  return to.format === 'png'
    ? upright.png().toBuffer()
    : upright
        .flatten({ background: '#ffffff' })
        .jpeg({ quality: to.quality, chromaSubsampling: '4:4:4' })
        .toBuffer();
};

const reasonOf = (error: unknown): 'pixels' | 'broken' | 'too-complex' => {
  if (error instanceof PictureRefused && error.reason !== 'format') return error.reason;
  return error instanceof Error && error.message.includes('pixel limit') ? 'pixels' : 'broken';
};

process.on('message', async (request: DecodeRequest) => {
  const { id } = request;
  const begun = cpuMs();
  // Whoever hears this ends us: the decoder cannot be stopped in any other way.
  const watch = setInterval(() => {
    if (cpuMs() - begun > request.cpuMs) answer({ state: 'refused', id, reason: 'too-complex' });
  }, watchEveryMs);
  try {
    answer({ state: 'done', id, bytes: await convert(request) });
  } catch (error) {
    answer({ state: 'refused', id, reason: reasonOf(error) });
  } finally {
    clearInterval(watch);
  }
});
process.on('disconnect', end);

// The rest of the program goes first, in time and in memory; where that cannot be said, it works all the same.
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {}
await writeFile('/proc/self/oom_score_adj', '500').catch(() => undefined);
answer({ state: 'ready' });
