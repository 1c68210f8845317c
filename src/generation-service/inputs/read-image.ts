import { systemClock } from '../../base/clock.ts';
import { createFairBudget, withSlot } from '../../base/limits/fair-budget.ts';
import { createDownloads, DownloadMissing, DownloadRefused } from '../../base/network/download.ts';
import type { Conversion } from '../../picture/conversion.ts';
import type { Decoder } from '../../picture/decoder.ts';
import { inspectPicture } from '../../picture/inspect.ts';
import { PictureRefused } from '../../picture/structure.ts';
import { invalidImage } from '../interface/http-error.ts';

const MAX_BYTES = 30 * 1024 * 1024;
const LINK_LIMITS = { maxBytes: MAX_BYTES, timeoutMs: 15_000 };

/** Creates a function that downloads a public http(s) address into memory, or throws INVALID_IMAGE. */
export function createFetchLink(allowPrivate: boolean) {
  const headers = { accept: 'image/*', 'user-agent': 'darkroom-generation-service' };
  const downloads = createDownloads(undefined, systemClock, { allowHttp: true, allowPrivate, headers });
  return async (address: string, { maxBytes, timeoutMs } = LINK_LIMITS): Promise<Buffer> => {
    // One timeout for all redirects together, so that a slow server cannot gain time by redirecting.
    const signal = AbortSignal.timeout(timeoutMs);
    const found = await downloads.get(address, { maxBytes, signal }).catch((error: unknown) => {
      if (error instanceof DownloadRefused || error instanceof DownloadMissing)
        throw invalidImage(`The image URL ${error.message}.`);
      throw invalidImage(
        signal.aborted ? 'The image URL took too long.' : 'The image URL could not be read.',
      );
    });
    if (found === 'too-large') throw invalidImage(`The image is larger than ${maxBytes} bytes.`);
    return found.bytes;
  };
}

export type ReadImage = ReturnType<typeof createReadImage>;

const MAX_PIXELS = 50_000_000;
const LEAST_SIDE = 8;
/** Limits of concurrent downloads, in total and for each host; each may take `MAX_BYTES` of memory. */
const LINKS_AT_ONCE = { total: 16, perPerson: 4 };
const NORMAL: Conversion = {
  maxPixels: MAX_PIXELS,
  failOn: 'truncated',
  // Nothing that is rendered is larger, so a bigger photo only costs time and memory.
  longestSide: 2200,
  to: { format: 'jpeg', quality: 94 },
};

/**
 * Creates a function that reads one image field: base64, a data URI or a public URL in; an upright JPEG of bounded size out.
 */
export function createReadImage({
  allowPrivateUrls,
  decoder,
}: {
  allowPrivateUrls: boolean;
  decoder: Decoder;
}) {
  const fetchLink = createFetchLink(allowPrivateUrls);
  const links = createFairBudget(LINKS_AT_ONCE);
  let sent = 0;
  const normalised = async (bytes: Buffer, field: string, sender: string): Promise<Buffer> => {
    try {
      const { width, height } = inspectPicture(bytes, MAX_PIXELS);
      if (Math.min(width, height) < LEAST_SIDE) throw new PictureRefused('broken');
      return await decoder.convert(bytes, NORMAL, sender);
    } catch (error) {
      if (error instanceof PictureRefused) throw invalidImage(`${field} ${PROBLEMS[error.reason]}`);
      throw error;
    }
  };
  return async (value: string, field: string): Promise<Buffer> => {
    if (!/^https?:\/\//i.test(value)) {
      sent += 1;
      return normalised(decode(value, field), field, `sent:${sent}`);
    }
    // Links are grouped by host, so that a slow or hostile host delays its own pictures only.
    const host = URL.canParse(value) ? new URL(value).host : '';
    return withSlot(links, host, async () => normalised(await fetchLink(value), field, `link:${host}`));
  };
}

function decode(value: string, field: string): Buffer {
  // Only the start is searched for a data URI's header, so that this is cheap for a value of many megabytes.
  const header = /^data:image\/[a-z.+-]{1,20}(?:;[a-z0-9=-]{1,40})*;base64,/i.exec(value.slice(0, 120))?.[0];
  const text = header === undefined ? value : value.slice(header.length);
  if (text.length > MAX_BYTES * 1.4) throw invalidImage(`${field} is larger than ${MAX_BYTES} bytes.`);
  // Node skips characters that are not base64, so the decoded length is compared with the expected one.
  const compact = text.replace(/\s+/g, '');
  const bytes = Buffer.from(compact, 'base64');
  const promised = Math.floor((compact.replace(/=+$/, '').length * 3) / 4);
  if (bytes.length === 0 || bytes.length !== promised) {
    throw invalidImage(`${field} is neither base64 nor a public http(s) URL.`);
  }
  return bytes;
}

const PROBLEMS: Record<PictureRefused['reason'], string> = {
  format: 'is not a JPEG, PNG or WebP image.',
  pixels: `has more than ${MAX_PIXELS} pixels.`,
  broken: 'is not a usable JPEG, PNG or WebP image.',
  'too-complex': 'takes too much work to decode. Save it again as an ordinary JPEG.',
};
