import { crc32 } from 'node:zlib';
import type { Inspected } from './inspect.ts';
import type { ByteRange } from './structure.ts';

/** TIFF's tag and type of the orientation. */
const ORIENTATION_TAG = 0x0112;
const SHORT_TYPE = 3;
const ENTRY_LENGTH = 12;
const MAX_ENTRIES = 512;
const EXIF_HEADER = 'Exif\0\0';

/** Makes minimal EXIF data: a TIFF header, one directory with one entry, and no further directory. */
function minimal(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('II*\0', 0, 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(ORIENTATION_TAG, 10);
  tiff.writeUInt16LE(SHORT_TYPE, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  return tiff;
}

/** The EXIF orientation; 1 (upright) when missing or invalid. Only a bounded part of the first directory is read. */
export function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 10 || (order !== 'II' && order !== 'MM')) return 1;
  const uint16 = (at: number): number => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return 1;
  const entries = Math.min(uint16(first), MAX_ENTRIES);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = first + 2 + entry * ENTRY_LENGTH;
    if (at + ENTRY_LENGTH > tiff.length) return 1;
    if (uint16(at) !== ORIENTATION_TAG) continue;
    const value = uint16(at + 8);
    return uint16(at + 2) === SHORT_TYPE && value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

function simplify(bytes: Buffer, { from, to }: ByteRange): void {
  const hasHeader = bytes.toString('latin1', from, from + EXIF_HEADER.length) === EXIF_HEADER;
  const isTiff = /^(II\*\0|MM\0\*)$/.test(bytes.toString('latin1', from, from + 4));
  // Data that is not EXIF is overwritten with zeros.
  const start = hasHeader ? from + EXIF_HEADER.length : from;
  const tiff = minimal(hasHeader || isTiff ? orientationOf(bytes.subarray(start, to)) : 1);
  bytes.fill(0, start, to);
  if ((hasHeader || isTiff) && to - start >= tiff.length) tiff.copy(bytes, start);
}

/**
 * Reduces all EXIF data in a file, in place, to the orientation, because directories that refer to one another would keep the
 * library busy for minutes.
 */
export function keepOrientationOnly(bytes: Buffer, { type, exif }: Inspected): void {
  for (const span of exif) {
    simplify(bytes, span);
    // In a PNG the checksum of name and data follows the data.
    if (type === 'image/png') bytes.writeUInt32BE(crc32(bytes.subarray(span.from - 4, span.to)), span.to);
  }
}
