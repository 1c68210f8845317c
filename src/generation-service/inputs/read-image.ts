import { createFairBudget } from '../../base/fair-budget.ts';
import type { Conversion } from '../../picture/conversion.ts';
import type { Decoder } from '../../picture/decoder.ts';
import { inspectPicture } from '../../picture/inspect.ts';
import { PictureRefused } from '../../picture/refused.ts';
import { invalidImage } from '../interface/http-error.ts';
import { fetchPublic } from './fetch-public.ts';

export type ReadImage = (value: unknown, field: string) => Promise<Buffer>;

const maxBytes = 30 * 1024 * 1024;
const maxPixels = 50_000_000;
const leastSide = 8;
/** Each may be of `maxBytes`, in memory. */
const linksAtOnce = { total: 16, perPerson: 4 };
const normal: Conversion = {
  maxPixels,
  failOn: 'truncated',
  // Nothing that is rendered is larger, so a bigger photo only costs time and room.
  longestSide: 2200,
  to: { format: 'jpeg', quality: 94 },
};

/** Reads one image field: base64, a data URI or a public URL in; an upright JPEG of bounded size out. */
export function createReadImage(options: { allowPrivateUrls: boolean; decoder: Decoder }): ReadImage {
  const limits = { maxBytes, timeoutMs: 15_000, allowPrivateUrls: options.allowPrivateUrls };
  const links = createFairBudget(linksAtOnce);
  let sent = 0;
  return async (value, field) => {
    if (typeof value !== 'string' || value.trim() === '') throw invalidImage(`${field} is empty.`);
    if (!/^https?:\/\//i.test(value)) {
      sent += 1;
      return normalise(decode(value, field), field, `sent:${sent}`, options.decoder);
    }
    // Those who link are told apart by where they link to: one host that is slow or hostile delays its own pictures.
    const host = URL.canParse(value) ? new URL(value).host : '';
    const held = await links.take(host, 1);
    try {
      return await normalise(await fetchPublic(value, limits), field, `link:${host}`, options.decoder);
    } finally {
      held.release();
    }
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

async function normalise(bytes: Buffer, field: string, sender: string, decoder: Decoder): Promise<Buffer> {
  try {
    const { width, height } = inspectPicture(bytes, maxPixels);
    if (Math.min(width, height) < leastSide) throw new PictureRefused('broken');
    return await decoder.convert(bytes, normal, sender);
  } catch (error) {
    if (error instanceof PictureRefused) throw invalidImage(`${field} ${problems[error.reason]}`);
    throw error;
  }
}

const problems: Record<PictureRefused['reason'], string> = {
  format: 'is not a JPEG, PNG or WebP image.',
  pixels: `has more than ${maxPixels} pixels.`,
  broken: 'is not a usable JPEG, PNG or WebP image.',
  'too-complex': 'takes too much work to decode. Save it again as an ordinary JPEG.',
};
