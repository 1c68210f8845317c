import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import type { Clock } from '../base/clock.ts';
import { isPublicAddress, publicLookup } from '../base/public-address.ts';
import {
  type BodyLimits,
  type LeastRate,
  leastRate,
  type RateWatch,
  readBody,
  watchRate,
} from '../base/read-body.ts';

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
/** Of one whole download, the time in which it waits for memory not counted. */
const longestMs = 120_000;

export interface Download {
  readonly bytes: Buffer;
  /** What the far side says that it is; empty when it says nothing. */
  readonly type: string;
  /** Bytes behind it, in the same memory, that are nobody's. */
  readonly spareBytes?: number | undefined;
}

export type DownloadLimits = Pick<BodyLimits, 'maxBytes' | 'reserve' | 'spareBytes'>;

export interface Downloads {
  /**
   * `too-large` as soon as that is known. Throws DownloadRefused for an address that we do not visit, and TooSlow for one
   * that sends next to nothing.
   */
  get(url: string, limits: DownloadLimits): Promise<Download | 'too-large'>;
  /** Whether people may be handed this link: public https, or the service's own origin. */
  mayLink(url: string): boolean;
  close(): Promise<void>;
}

/** This machine has several names; a service that was given one may answer with another. */
const originOf = ({ protocol, hostname, port }: URL): string =>
  `${protocol}//${/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? 'localhost' : hostname}:${port}`;

/** `home`: the origin of the configured service, trusted although it may be on our own network. */
export const createDownloads = (home: string, clock: Clock, rate: LeastRate = leastRate): Downloads => {
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
    limits: DownloadLimits,
    watch: RateWatch,
    hop = 0,
  ): Promise<Download | 'too-large'> => {
    const target = allowed(url);
    if (target === undefined || hop > hops) throw new DownloadRefused('not a link that may be followed');
    const dispatcher = originOf(target) === homeOrigin ? atHome : outside;
    const { statusCode, headers, body } = await request(target, {
      dispatcher,
      signal: watch.signal,
    }).catch(notPublic);

    const location = headers.location;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      await body.dump();
      if (!URL.canParse(location, target.href)) throw new DownloadRefused('not a link that may be followed');
      return get(new URL(location, target).href, limits, watch, hop + 1);
    }
    if (statusCode !== 200) {
      await body.dump();
      const Answered = missing.includes(statusCode) ? DownloadMissing : Error;
      throw new Answered(`download answered ${statusCode}`);
    }
    // Leaving early destroys the stream, which it reports as an error that is ours and no news.
    body.on('error', () => {});
    const bytes = await readBody(body, { ...limits, rate: watch, announced: announcedBy(headers) });
    if (bytes === 'too-large') {
      body.destroy();
      return bytes;
    }
    return { bytes, type: String(headers['content-type'] ?? ''), spareBytes: limits.spareBytes };
  };

  return {
    async get(url, limits) {
      const watch = watchRate(clock, rate, longestMs);
      try {
        return await get(url, limits, watch);
      } finally {
        watch.stop();
      }
    },
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

const announcedBy = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): number | undefined => {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined;
};
