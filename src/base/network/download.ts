import { isIP } from 'node:net';
import { Agent, type buildConnector, type Dispatcher, request } from 'undici';
import type { Clock } from '../clock.ts';
import { isPublicAddress, publicLookup } from './public-address.ts';
import {
  type BodyLimits,
  LEAST_RATE,
  parseLength,
  type RateWatch,
  readBody,
  watchRate,
} from './read-body.ts';
import { refuseSmallPieces } from './small-pieces.ts';

/** Thrown if the address is not allowed; the message says which one would be, as the end of a sentence about it. */
export class DownloadRefused extends Error {
  override readonly name = 'DownloadRefused';
}

/** Thrown if the server does not have the file (yet): a new result may appear a moment later. */
export class DownloadMissing extends Error {
  override readonly name = 'DownloadMissing';
}

const MAX_REDIRECTS = 3;
const NOT_PUBLIC = 'must be publicly accessible';
const MISSING_STATUSES: readonly number[] = [401, 403, 404, 410];
const TIMEOUTS = { headersTimeout: 15_000, bodyTimeout: 30_000 };
/** Timeout of a whole download, without the time in which it waits for memory. */
const MAX_MS = 120_000;

/** A downloaded file. */
export interface Download {
  readonly bytes: Buffer;
  /** Content-Type; empty when missing. */
  readonly type: string;
}

/** The lanes of calls to the service: results are downloaded in that of polls, previews in that of lists. */
type Lane = 'poll' | 'read';

/** Limits of one download. */
export interface DownloadLimits extends Pick<BodyLimits, 'maxBytes' | 'reserve'> {
  readonly signal?: AbortSignal;
  /** The lane in which a download from the service's own host waits for its turn; by default `poll`. */
  readonly lane?: Lane;
  /** Called when the download's turn has come. */
  readonly begun?: () => void;
  /** Called with the size of a file that is too large; undefined: the server does not say it. */
  readonly tooLarge?: (bytes: number | undefined) => void;
}

/** Downloads files, see `createDownloads`. */
export type Downloads = ReturnType<typeof createDownloads>;

/**
 * The origin of a URL, in which all local names are one host: a service on this machine may use another name than the
 * configured one.
 */
const originOf = ({ protocol, hostname, port }: URL): string =>
  `${protocol}//${/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? 'localhost' : hostname}:${port}`;

export interface DownloadOptions {
  /** Waits until the service may be called once more. */
  readonly turn?: (lane: Lane) => Promise<void>;
  readonly allowHttp?: boolean;
  /** Allows private addresses, for tests with a server on this machine. */
  readonly allowPrivate?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Creates the downloads of this process: of public addresses only, bounded in size, time and redirects. `serviceUrl`: the
 * configured service is trusted although it may be on a private network.
 */
export function createDownloads(
  serviceUrl: string | undefined,
  clock: Clock,
  { turn = async () => undefined, allowHttp = false, allowPrivate = false, headers }: DownloadOptions = {},
) {
  const serviceOrigin = serviceUrl === undefined ? undefined : originOf(new URL(serviceUrl));
  const agentWith = (connect: buildConnector.BuildOptions): Dispatcher =>
    new Agent({ connect, ...TIMEOUTS }).compose(refuseSmallPieces);
  const publicAgent = agentWith({ lookup: publicLookup, timeout: 10_000 });
  const trustedAgent = agentWith({ timeout: 10_000 });
  const isOfService = (url: URL): boolean => originOf(url) === serviceOrigin;

  const allowed = (url: string): URL => {
    const parsed = URL.canParse(url) && url.length <= 4096 ? new URL(url) : undefined;
    if (parsed?.username || parsed?.password) throw new DownloadRefused('must not contain credentials');
    if (parsed !== undefined && isOfService(parsed)) return parsed;
    if (parsed?.protocol !== 'https:' && !(allowHttp && parsed?.protocol === 'http:'))
      throw new DownloadRefused(allowHttp ? 'must be http or https' : 'must be https');
    const host = parsed.hostname.replace(/^\[|\]$/g, '');
    // A literal address is not resolved, so `publicLookup` would not check it.
    if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw new DownloadRefused(NOT_PUBLIC);
    return parsed;
  };

  const get = async (
    url: string,
    limits: DownloadLimits,
    watch: RateWatch,
    redirects = 0,
  ): Promise<Download | 'too-large'> => {
    const target = allowed(url);
    if (redirects > MAX_REDIRECTS) throw new DownloadRefused('redirects too often');
    if (isOfService(target)) await watch.pausedFor(turn(limits.lane ?? 'poll'));
    if (redirects === 0) limits.begun?.();
    const { signal: given } = limits;
    const answer = await request(target, {
      dispatcher: allowPrivate || isOfService(target) ? trustedAgent : publicAgent,
      ...(headers && { headers }),
      signal: given === undefined ? watch.signal : AbortSignal.any([watch.signal, given]),
    }).catch(notPublic);

    const { statusCode, body } = answer;
    const { location } = answer.headers;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      await body.dump();
      const next = URL.canParse(location, target.href) ? new URL(location, target).href : '';
      return get(next, limits, watch, redirects + 1);
    }
    if (statusCode !== 200) {
      await body.dump();
      const Answered = MISSING_STATUSES.includes(statusCode) ? DownloadMissing : Error;
      throw new Answered(`answered with HTTP ${statusCode}`);
    }
    // Destroying the stream early emits an error, which is expected.
    body.on('error', () => {});
    const bytes = await readBody(body, {
      ...limits,
      rate: watch,
      announced: parseLength(answer.headers['content-length']),
    });
    if (bytes === 'too-large') {
      limits.tooLarge?.(parseLength(answer.headers['content-length']));
      body.destroy();
      return bytes;
    }
    return { bytes, type: String(answer.headers['content-type'] ?? '') };
  };

  return {
    /** Downloads a file; `too-large` as soon as that is known. Throws `DownloadRefused`, `DownloadMissing` or `TooSlow`. */
    async get(url: string, limits: DownloadLimits): Promise<Download | 'too-large'> {
      const watch = watchRate(clock, LEAST_RATE, MAX_MS);
      try {
        return await get(url, limits, watch);
      } finally {
        watch.stop();
      }
    },
    /** Whether a link may be shown to people: public https, or the service's own origin. */
    mayLink(url: string): boolean {
      try {
        return allowed(url) !== undefined;
      } catch {
        return false;
      }
    },
    /** Aborts the downloads under way. */
    async close(): Promise<void> {
      await Promise.all([publicAgent.destroy(), trustedAgent.destroy()]);
    },
  };
}

/** Converts the error of `publicLookup` for a name that resolves to a private address. */
function notPublic(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ENOTPUBLIC') {
    throw new DownloadRefused(NOT_PUBLIC, { cause: error });
  }
  throw error;
}
