import { pictureType } from '../base/picture-type.ts';

/** This file recognises formats by their first bytes: names and declared types cannot be trusted. */

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

const starts = (bytes: Uint8Array, ...head: readonly number[]): boolean =>
  head.every((byte, index) => bytes[index] === byte);

const HEIC_BRANDS = ['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'];

/** The name of a format that is not accepted, for the error message. */
export function unsupportedFormat(bytes: Uint8Array): string | undefined {
  if (ascii(bytes, 4, 8) === 'ftyp') {
    const brand = ascii(bytes, 8, 12);
    if (HEIC_BRANDS.includes(brand)) return 'HEIC';
    if (brand.startsWith('avi')) return 'AVIF';
    return 'video';
  }
  if (ascii(bytes, 0, 4) === 'GIF8') return 'GIF';
  if (starts(bytes, 0x49, 0x49, 0x2a, 0x00) || starts(bytes, 0x4d, 0x4d, 0x00, 0x2a)) return 'TIFF';
  if (ascii(bytes, 0, 2) === 'BM') return 'BMP';
  if (ascii(bytes, 0, 5) === '%PDF-') return 'PDF';
  if (ascii(bytes, 0, 4) === 'PK\x03\x04') return 'ZIP';
  if (starts(bytes, 0x1f, 0x8b)) return 'GZIP';
  if (/^\s*(<\?xml|<svg)/i.test(ascii(bytes, 0, 256))) return 'SVG';
  return undefined;
}

/** Whether the bytes are text, which is not a video but probably an error page: every video has zero bytes at its start. */
const isText = (bytes: Uint8Array): boolean => !/[^\t\n\r\x20-\x7e\x80-\xff]/.test(ascii(bytes, 0, 64));

const VIDEO_NAME = /\.(mp4|m4v|mov|webm|mkv)$/i;

/** Whether a download is declared as a video and its bytes do not contradict that. */
export function isDeclaredVideo(bytes: Uint8Array, declared: string, url: string): boolean {
  if (isText(bytes) || pictureType(bytes) !== undefined || unsupportedFormat(bytes) !== undefined)
    return false;
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === '' || type === 'application/octet-stream' || type === 'binary/octet-stream')
    return VIDEO_NAME.test(new URL(url).pathname);
  return type.startsWith('video/');
}

/** Types of the first box of older files, which have no `ftyp`. */
const OLDER_BOXES = ['moov', 'mdat', 'wide', 'free', 'skip'];

export function videoType(bytes: Uint8Array): 'video/mp4' | 'video/webm' | undefined {
  const box = ascii(bytes, 4, 8);
  if (
    (OLDER_BOXES.includes(box) && !isText(bytes)) ||
    (box === 'ftyp' && unsupportedFormat(bytes) === 'video')
  )
    return 'video/mp4';
  return starts(bytes, 0x1a, 0x45, 0xdf, 0xa3) ? 'video/webm' : undefined;
}
