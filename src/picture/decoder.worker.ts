/** The child process that decodes pictures, one request at a time. It holds no secrets and can be killed. */
import sharp, { type Sharp } from 'sharp';
import { pixelsOf } from '../base/area.ts';
import { sayReady, sendToParent } from '../base/worker-side.ts';
import { composePictures } from './compose.ts';
import type { Conversion, DecodeAnswer, DecodeRefusal, DecodeRequest } from './conversion.ts';
import { keepOrientationOnly } from './exif.ts';
import { inspectPicture } from './inspect.ts';
import { markFor } from './mark.ts';
import { decodeOnlyPhotos } from './only-photos.ts';
import { PictureRefused } from './structure.ts';

decodeOnlyPhotos();

const WATCH_EVERY_MS = 50;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Draws the visible mark over a picture that will have its final size; `conversion` has led to that size. */
async function drawMark(picture: Sharp, { part, longestSide, square }: Conversion): Promise<void> {
  const { autoOrient, hasAlpha } = await picture.metadata();
  const whole = part === undefined ? autoOrient : pixelsOf(part, autoOrient);
  const scale = Math.min(1, (longestSide ?? Infinity) / Math.max(whole.width, whole.height));
  const { left, top, width, height, pixels } = markFor({
    width: square ?? Math.round(whole.width * scale),
    height: square ?? Math.round(whole.height * scale),
  });
  picture.composite([{ input: pixels, raw: { width, height, channels: 4 }, left, top }]);
  // The mark would make an opaque picture one with transparency.
  if (!hasAlpha) picture.removeAlpha();
}

const say = (message: DecodeAnswer): void => sendToParent(message);

async function convert(bytes: Uint8Array, conversion: Conversion): Promise<Buffer> {
  const {
    maxPixels,
    failOn,
    part,
    leastSide = 0,
    longestSide,
    square,
    to,
    xmp,
    hasMark = false,
  } = conversion;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  keepOrientationOnly(file, inspectPicture(file, maxPixels));
  const upright = sharp(file, { limitInputPixels: maxPixels, failOn, pages: 1 })
    .autoOrient()
    .toColourspace('srgb');
  let longest = longestSide;
  let withoutEnlargement = true;
  if (part !== undefined) {
    const { autoOrient: whole } = await upright.metadata();
    const cut = pixelsOf(part, whole);
    const scale = Math.min(leastSide, whole.width, whole.height) / Math.min(cut.width, cut.height);
    withoutEnlargement = scale <= 1;
    if (scale > 1)
      longest = Math.min(longest ?? Infinity, Math.ceil(scale * Math.max(cut.width, cut.height)));
    upright.extract(cut);
  }
  if (longest !== undefined)
    upright.resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement });
  if (square !== undefined) {
    const { autoOrient } = await upright.metadata();
    const scale = square / Math.min(autoOrient.width, autoOrient.height);
    const width = Math.round(autoOrient.width * scale);
    const height = Math.round(autoOrient.height * scale);
    const place = { left: Math.floor((width - square) / 2), top: Math.floor((height - square) / 4) };
    upright.resize({ width, height, fit: 'fill' }).extract({ ...place, width: square, height: square });
  }
  if (to.format === 'grey')
    return upright
      .flatten({ background: '#ffffff' })
      .greyscale()
      .resize(to.side, to.side, { fit: 'fill', kernel: 'linear' })
      .toColourspace('b-w')
      .raw()
      .toBuffer();
  if (hasMark) await drawMark(upright, conversion);
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
  // The parent kills this process after that answer: decoding cannot be stopped in any other way.
  const watch = setInterval(() => {
    if (cpuMs() - begun > request.cpuMs) say({ state: 'refused', id, reason: 'too-complex' });
  }, WATCH_EVERY_MS);
  try {
    const made =
      'composition' in request
        ? composePictures(request.composition)
        : convert(request.bytes, request.conversion);
    say({ state: 'done', id, bytes: await made });
  } catch (error) {
    say({ state: 'refused', id, reason: reasonOf(error) });
  } finally {
    clearInterval(watch);
  }
});
await sayReady();
