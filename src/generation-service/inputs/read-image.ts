import sharp from 'sharp';
import { invalidImage } from '../problem.ts';
import { fetchPublic } from './fetch-public.ts';

export type ReadImage = (value: unknown, field: string) => Promise<Buffer>;

const maxBytes = 30 * 1024 * 1024;
const maxPixels = 50_000_000;
/** Nothing that is rendered is larger, so a bigger photo only costs time and room. */
const maxSide = 2200;
const accepted = new Set(['jpeg', 'png', 'webp']);

/** Reads one image field: base64, a data URI or a public URL in; an upright JPEG of bounded size out. */
export function createReadImage(options: { allowPrivateUrls: boolean }): ReadImage {
  const limits = { maxBytes, timeoutMs: 15_000, allowPrivateUrls: options.allowPrivateUrls };
  return async (value, field) => {
    if (typeof value !== 'string' || value.trim() === '') throw invalidImage(`${field} is empty.`);
    const bytes = /^https?:\/\//i.test(value) ? await fetchPublic(value, limits) : decode(value, field);
    return normalise(bytes, field);
  };
}

function decode(value: string, field: string): Buffer {
  // A data URI's header is short; looking no further keeps this cheap for a value of many megabytes.
  const header = /^data:image\/[a-z.+-]{1,20}(?:;[a-z0-9=-]{1,40})*;base64,/i.exec(value.slice(0, 120))?.[0];
  const text = header === undefined ? value : value.slice(header.length);
  if (text.length > maxBytes * 1.4) throw invalidImage(`${field} is larger than ${maxBytes} bytes.`);
  // Node skips what is not base64, so the decoded length is compared with what the text promises.
  const compact = text.replace(/\s+/g, '');
  const bytes = Buffer.from(compact, 'base64');
  const promised = Math.floor((compact.replace(/=+$/, '').length * 3) / 4);
  if (bytes.length === 0 || bytes.length !== promised) {
    throw invalidImage(`${field} is neither base64 nor a public http(s) URL.`);
  }
  return bytes;
}

async function normalise(bytes: Buffer, field: string): Promise<Buffer> {
  if (!looksAccepted(bytes)) throw invalidImage(`${field} is not a JPEG, PNG or WebP image.`);
  try {
    const image = sharp(bytes, { failOn: 'truncated', limitInputPixels: maxPixels, pages: 1 });
    const { format, width, height } = await image.metadata();
    if (format === undefined || !accepted.has(format) || width < 8 || height < 8) {
      throw invalidImage(`${field} is not a usable JPEG, PNG or WebP image.`);
    }
    return await image
      .autoOrient()
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 94, chromaSubsampling: '4:4:4' })
      .timeout({ seconds: 20 })
      .toBuffer();
  } catch (error) {
    if (error instanceof Error && error.name === 'Problem') throw error;
    throw invalidImage(`${field} could not be decoded, or has more than ${maxPixels} pixels.`);
  }
}

/** By signature, before a decoder sees a byte: only three decoders are ever reached from outside. */
function looksAccepted(bytes: Buffer): boolean {
  if (bytes.length < 12) return false;
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return true;
  if (bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return true;
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
}
