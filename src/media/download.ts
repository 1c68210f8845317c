import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { isPublicAddress, publicLookup } from './address.ts';

/** A link that came from outside, followed with care. */

export class DownloadRefused extends Error {
  override readonly name = 'DownloadRefused';
}

/** The far side says that there is nothing (for us); of a result that was made just now that may be too early. */
export class DownloadMissing extends Error {
  override readonly name = 'DownloadMissing';
}

const hops = 3;
const missing: readonly number[] = [401, 403, 404, 410];
const timeouts = { headersTimeout: 15_000, bodyTimeout: 30_000 };

export interface Download {
  readonly bytes: Buffer;
  /** What the far side says that it is; empty when it says nothing. */
  readonly type: string;
}

export interface Downloads {
  /** `too-large` as soon as that is known. Throws DownloadRefused for an address that we do not visit. */
  get(url: string, maxBytes: number, signal: AbortSignal): Promise<Download | 'too-large'>;
  /** Whether people may be handed this link: public https, or the service's own origin. */
  mayLink(url: string): boolean;
  close(): Promise<void>;
}

/** This machine has several names; a service that was given one may answer with another. */
const originOf = ({ protocol, hostname, port }: URL): string =>
  `${protocol}//${/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? 'localhost' : hostname}:${port}`;

/** `home`: the origin of the configured service, trusted although it may be on our own network. */
export const createDownloads = (home: string): Downloads => {
  const homeOrigin = originOf(new URL(home));
  const outside = new Agent({ connect: { lookup: publicLookup, timeout: 10_000 }, ...timeouts });
  const atHome = new Agent({ connect: { timeout: 10_000 }, ...timeouts });

  const allowed = (url: string): URL | undefined => {
    const parsed = URL.canParse(url) && url.length <= 4096 ? new URL(url) : undefined;
    if (parsed === undefined || parsed.username !== '' || parsed.password !== '') return undefined;
    if (originOf(parsed) === homeOrigin) return parsed;
    if (parsed.protocol !== 'https:') return undefined;
    const host = parsed.hostname.replace(/^\[|\]$/g, '');
    // A literal address is never looked up, so the guard in `lookup` would not see it.
    return isIP(host) !== 0 && !isPublicAddress(host) ? undefined : parsed;
  };

  const get = async (
    url: string,
    maxBytes: number,
    signal: AbortSignal,
    hop = 0,
  ): Promise<Download | 'too-large'> => {
    const target = allowed(url);
    if (target === undefined || hop > hops) throw new DownloadRefused('not a link that may be followed');
    const dispatcher = originOf(target) === homeOrigin ? atHome : outside;
    const { statusCode, headers, body } = await request(target, { dispatcher, signal }).catch(notPublic);

    const location = headers.location;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      await body.dump();
      if (!URL.canParse(location, target.href)) throw new DownloadRefused('not a link that may be followed');
      return get(new URL(location, target).href, maxBytes, signal, hop + 1);
    }
    if (statusCode !== 200) {
      await body.dump();
      const Answered = missing.includes(statusCode) ? DownloadMissing : Error;
      throw new Answered(`download answered ${statusCode}`);
    }
    const bytes = await collect(body, maxBytes, Number(headers['content-length'] ?? 0));
    return bytes === 'too-large' ? bytes : { bytes, type: String(headers['content-type'] ?? '') };
  };

  return {
    get: (url, maxBytes, signal) => get(url, maxBytes, signal),
    mayLink: (url) => allowed(url) !== undefined,
    async close() {
      await Promise.all([outside.close(), atHome.close()]);
    },
  };
};

/** A name that leads inside is as good as an address that does. */
const notPublic = (error: unknown): never => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOTPUBLIC') {
    throw new DownloadRefused('not a link that may be followed', { cause: error });
  }
  throw error;
};

const collect = async (
  body: Readable,
  maxBytes: number,
  announced: number,
): Promise<Buffer | 'too-large'> => {
  // Leaving early destroys the stream, which it reports as an error that is ours and no news.
  body.on('error', () => {});
  if (announced > maxBytes) {
    body.destroy();
    return 'too-large';
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) return 'too-large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};
