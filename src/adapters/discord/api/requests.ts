import {
  DefaultRestOptions,
  type RawFile,
  REST,
  type RESTOptions,
  RequestMethod,
  type RouteLike,
} from 'discord.js';
import { backoff } from '../../../base/backoff.ts';
import { type Clock, sleep, waitAtMost } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import type { Records } from '../../../base/keyv/records.ts';
import { readBody } from '../../../base/network/read-body.ts';
import type { ConnectParts } from '../../adapter.ts';
import { DiscordFault, isRefusal, readRefusal, TOKEN_REFUSED, toFault } from './fault.ts';

export interface DiscordConfig {
  readonly token: string;
  /** REST root, ends in `/api`; default: Discord's own. */
  readonly apiUrl?: string | undefined;
  readonly cdnHosts: readonly string[];
  /** With it, interactions come by HTTP and there is no gateway connection. */
  readonly publicKey?: string | undefined;
}

/** What the parts of the adapter have in common. */
export interface Common extends Requests, Pick<ConnectParts, 'members' | 'clock' | 'log' | 'words'> {
  /** What the adapter stores, but for the notes of owed answers. */
  readonly state: Records;
  /** Aborts when the adapter stops. */
  readonly stop: AbortSignal;
}

export interface RequestOptions {
  readonly query?: URLSearchParams;
  readonly body?: unknown;
  readonly files?: readonly RawFile[];
  /** May be sent again when it is unknown whether it took effect; default: all but POST. */
  readonly repeatable?: boolean;
  /** For one attempt. */
  readonly timeoutMs?: number;
  /** For all attempts and the pauses between them. */
  readonly totalTimeoutMs?: number;
}

/** `doing`: for errors, e.g. "edit a card". */
export type Send = (
  doing: string,
  method: Method,
  route: RouteLike,
  options?: RequestOptions,
) => Promise<unknown>;

const methods = {
  GET: RequestMethod.Get,
  POST: RequestMethod.Post,
  PATCH: RequestMethod.Patch,
  PUT: RequestMethod.Put,
  DELETE: RequestMethod.Delete,
};

export type Method = keyof typeof methods;

/** Until it is tried again to reach Discord. */
export const pauseAfter = (failures: number): number =>
  backoff(failures, 2_000, 5 * 60_000) * (0.5 + Math.random() / 2);

const MOST_ATTEMPTS = 4;
/** For a 429 that does not say how long to wait. */
const DEFAULT_RETRY_AFTER_MS = 1_000;
/** Discord bans an IP address after 10,000 refused requests in ten minutes. */
const REFUSED_TOKEN_PAUSE_MS = 60_000;

/** Discord's own pauses are shorter; the library would keep to any. */
const MOST_RETRY_AFTER_SECONDS = 3600;
/** Far more than the longest list of servers. */
const MOST_RESPONSE_BYTES = 32 * 1024 ** 2;

/**
 * The library repeats a 429 without Retry-After at once, keeps to a pause of any length, reads answers of any length, and
 * throws when an error is not what Discord describes.
 */
const makeBoundedRequest: RESTOptions['makeRequest'] = async (url, init) => {
  const response = await DefaultRestOptions.makeRequest(url, init);
  const { status, headers } = response;
  for (const name of ['Retry-After', 'X-RateLimit-Reset-After'])
    if (Number(headers.get(name)) > MOST_RETRY_AFTER_SECONDS)
      headers.set(name, String(MOST_RETRY_AFTER_SECONDS));
  if (status === 429 && !(Number(headers.get('Retry-After')) > 0))
    headers.set('Retry-After', String(DEFAULT_RETRY_AFTER_MS / 1000));
  const read = async (): Promise<Buffer> => {
    const body = await readBody(response.body, { maxBytes: MOST_RESPONSE_BYTES });
    if (body === 'too-large') throw new Error('The answer is too long.');
    return body;
  };
  const readJson = async (): Promise<unknown> => JSON.parse((await read()).toString('utf8'));
  return {
    ...response,
    arrayBuffer: async () => new Uint8Array(await read()).buffer,
    json: status < 400 ? readJson : () => readJson().then(readRefusal, () => readRefusal(undefined)),
  };
};

/** Discord's REST API, as the bot or with an interaction's token. Neither needs the gateway. */
export function createRequests({ token, apiUrl }: Pick<DiscordConfig, 'token' | 'apiUrl'>, clock: Clock) {
  const restOptions = {
    ...defined({ api: apiUrl?.replace(/\/+$/, '') }),
    // The library would repeat a POST that may have taken effect.
    retries: 0,
    // It would wait for minutes, but the caller decides how long to wait.
    rejectOnRateLimit: () => true,
    timeout: 120_000,
    makeRequest: makeBoundedRequest,
    // The library makes a queue for every interaction: they are removed each minute, not each hour.
    handlerSweepInterval: 60_000,
  };
  const bot = new REST(restOptions).setToken(token);
  // Interaction endpoints do not count against 50 requests a second, and need no bot token.
  const interactionRest = new REST({ ...restOptions, globalRequestsPerSecond: Number.MAX_SAFE_INTEGER });
  let refusedUntil: number | undefined;

  const createSend = (rest: REST): Send => {
    const sendOnce: Send = async (doing, method, route, { query, body, files, timeoutMs = 15_000 } = {}) => {
      const over = new AbortController();
      const sent = rest.request({
        method: methods[method],
        fullRoute: route,
        auth: rest === bot,
        signal: over.signal,
        ...defined({ query, body, files: files && [...files] }),
      });
      try {
        const answer = await waitAtMost(clock, timeoutMs, sent);
        if (answer === undefined) throw new DiscordFault(doing, 'unknown', 'no answer in time');
        // Discord answers with JSON or an empty body: anything else comes from a proxy.
        if (answer instanceof ArrayBuffer && answer.byteLength > 0)
          throw new DiscordFault(doing, 'unknown', 'an answer that is not Discord’s');
        return answer;
      } finally {
        over.abort();
      }
    };
    return async (doing, method, route, options = {}) => {
      const { repeatable = method !== 'POST', totalTimeoutMs = 20_000 } = options;
      const until = clock.now() + totalTimeoutMs;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await sendOnce(doing, method, route, options);
        } catch (error) {
          const fault = toFault(doing, error);
          const { kind } = fault;
          const isLimited = kind === 'rate-limited';
          const again = isLimited || kind === 'unsent' || (kind === 'unknown' && repeatable);
          const random = Math.ceil(Math.random() * 250 * 2 ** attempt);
          const pause = isLimited ? Math.max(fault.retryAfterMs, 50) : random;
          if (!again || attempt >= MOST_ATTEMPTS || clock.now() + pause > until) throw fault;
          await sleep(clock, pause);
        }
      }
    };
  };
  const sendAsBot = createSend(bot);

  const pausedFor = (doing: string, ms: number): DiscordFault =>
    new DiscordFault(doing, 'rate-limited', 'the token is refused', 401, { retryAfterMs: ms });

  const asBot: Send = async (doing, ...rest) => {
    const leftMs = (refusedUntil ?? 0) - clock.now();
    if (leftMs > 0) throw pausedFor(doing, leftMs);
    try {
      const answer = await sendAsBot(doing, ...rest);
      refusedUntil = undefined;
      return answer;
    } catch (error) {
      if (!isRefusal(error, 401)) throw error;
      // The library drops a refused token; it is set again so that the next attempt can succeed.
      bot.setToken(token);
      refusedUntil = clock.now() + REFUSED_TOKEN_PAUSE_MS;
      throw pausedFor(doing, REFUSED_TOKEN_PAUSE_MS);
    }
  };

  return {
    asBot,
    withToken: createSend(interactionRest),
    /** Set while Discord refuses the bot's token. */
    tokenFault: () => (refusedUntil === undefined ? undefined : TOKEN_REFUSED),
  };
}

type Requests = ReturnType<typeof createRequests>;
