import { checkLimit, createTally } from './limits.ts';
import { PictureRefused } from './refused.ts';
import type { ByteRange, Structure } from './structure.ts';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const APP1 = 0xe1;
const APP2 = 0xe2;

/** Markers without a length: stuffed zeros, TEM, restarts and SOI. */
function isBare(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** SOF0 to SOF15, without DHT, JPG and DAC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function isProgressive(marker: number): boolean {
  return (marker & 0x03) === 2;
}

/** Goes from marker to marker as libjpeg does: bytes between two segments are skipped. */
export function inspectJpeg(bytes: Buffer): Structure {
  let frame: { marker: number; width: number; height: number; components: number } | undefined;
  const tally = createTally();
  const exif: ByteRange[] = [];

  for (let at = 2; at < bytes.length; ) {
    at = bytes.indexOf(0xff, at);
    if (at === -1) break;
    for (; bytes[at] === 0xff; at += 1) tally('jpegStops');
    const marker = bytes[at];
    at += 1;
    if (marker === undefined || marker === END_OF_IMAGE) break;
    if (isBare(marker)) continue;
    if (at + 2 > bytes.length) break;
    const from = at + 2;
    const to = Math.min(bytes.length, at + bytes.readUInt16BE(at));
    if (to < from) throw new PictureRefused('broken', 'segment length');
    tally('jpegSegments');

    if (isFrame(marker)) {
      if (frame !== undefined || to - from < 6) throw new PictureRefused('broken', 'frame header');
      const [height, width] = [bytes.readUInt16BE(from + 1), bytes.readUInt16BE(from + 3)];
      frame = { marker, width, height, components: bytes[from + 5] ?? 0 };
      if (isProgressive(marker)) checkLimit('bufferedBytes', width * height * frame.components * 2);
    } else if (marker === START_OF_SCAN) {
      if (frame === undefined) throw new PictureRefused('broken', 'scan without a frame');
      tally('jpegScans');
      // A baseline frame with all components in one scan: decoders read no further.
      if (!isProgressive(frame.marker) && bytes[from] === frame.components) break;
    } else if (marker === APP1 && bytes.toString('latin1', from, from + 4) === 'Exif') {
      exif.push({ from, to });
    } else if (marker === APP2) tally('profileBytes', to - from);
    at = to;
  }
  return { width: frame?.width ?? 0, height: frame?.height ?? 0, exif, isWhole: true };
}
