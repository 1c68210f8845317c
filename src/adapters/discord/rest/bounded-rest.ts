import {
  DefaultRestOptions,
  type InternalRequest,
  REST,
  type RESTOptions,
  RequestMethod,
  type RouteLike,
} from 'discord.js';
import { backoff } from '../../../base/backoff.ts';
import { type Clock, sleep, waitAtMost } from '../../../base/clock.ts';
import { readBody } from '../../../base/network/read-body.ts';
import { DiscordFault, readRefusal, toFault } from './fault.ts';

/** How long a request may take, and whether it may be sent again. */
export interface Bounds {
  /**
   * Whether the request may be sent again when it is unknown whether it took effect; default: true for all methods but POST.
   */
  readonly repeatable?: boolean;
  /** The timeout of one attempt. */
  readonly timeoutMs?: number;
  /** The timeout of all attempts together, with the pauses between them. */
  readonly totalTimeoutMs?: number;
}

/** The pause before the next attempt to reach Discord: exponential backoff with jitter. */
export const pauseAfterFailures = (failures: number): number =>
  backoff(failures, 2_000, 5 * 60_000) * (0.5 + Math.random() / 2);

const MOST_ATTEMPTS = 4;
/** The pause after a 429 that does not say how long to wait. */
const DEFAULT_RETRY_AFTER_MS = 1_000;
/** Discord's own pauses are shorter; the library would obey a pause of any length. */
const MOST_RETRY_AFTER_SECONDS = 3600;
/** The longest answer that is read: far more than the longest list of servers. */
const MOST_RESPONSE_BYTES = 32 * 1024 ** 2;

/**
 * Replaces the library's way to send a request, which repeats a 429 without Retry-After at once, obeys a pause of any
 * length, reads answers of any length, and throws when the body of an error has not the shape that Discord documents.
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

/** The name of a request in errors and logs: its route without ids and tokens. */
export const requestName = ({ method, fullRoute }: InternalRequest): string =>
  `${method} ${fullRoute
    .replace(/^\/(interactions|webhooks)\/[^/]+\/[^/]+/, '/$1/:id/:token')
    .replaceAll(/(?<=\/)\d+/g, ':id')}`;

/** Writes a route as Discord documents it: the library encodes the @ of `@original`. */
const asDocumented = (route: RouteLike): RouteLike =>
  `/${route.slice(1).replace('%40original', '@original')}`;

/**
 * A `REST` of discord.js whose requests have timeouts, are repeated only where that is safe, and fail with a `DiscordFault`
 * alone.
 */
export class BoundedRest extends REST {
  readonly #clock: Clock;

  constructor(clock: Clock, options: Partial<RESTOptions>) {
    super({
      ...options,
      // With retries the library would repeat a POST that may have taken effect.
      retries: 0,
      // The library would wait for minutes; here the caller's bounds decide.
      rejectOnRateLimit: () => true,
      timeout: 120_000,
      makeRequest: makeBoundedRequest,
      // The library makes a queue for every interaction, so idle queues are removed each minute instead of each hour.
      handlerSweepInterval: 60_000,
    });
    this.#clock = clock;
  }

  override async request(asked: InternalRequest, bounds: Bounds = {}): Promise<unknown> {
    const request = { ...asked, fullRoute: asDocumented(asked.fullRoute) };
    const { repeatable = request.method !== RequestMethod.Post, totalTimeoutMs = 20_000 } = bounds;
    const until = this.#clock.now() + totalTimeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#requestOnce(request, bounds);
      } catch (error) {
        const fault = toFault(requestName(request), error);
        const { kind } = fault;
        const isLimited = kind === 'rate-limited';
        const again = isLimited || kind === 'unsent' || (kind === 'unknown' && repeatable);
        const random = Math.ceil(Math.random() * 250 * 2 ** attempt);
        const pause = isLimited ? Math.max(fault.retryAfterMs, 50) : random;
        if (!again || attempt >= MOST_ATTEMPTS || this.#clock.now() + pause > until) throw fault;
        await sleep(this.#clock, pause);
      }
    }
  }

  async #requestOnce(request: InternalRequest, { timeoutMs = 15_000 }: Bounds): Promise<unknown> {
    const finished = new AbortController();
    try {
      const sent = super.request({ ...request, signal: finished.signal });
      const answer = await waitAtMost(this.#clock, timeoutMs, sent);
      if (answer === undefined) throw new DiscordFault(requestName(request), 'unknown', 'no answer in time');
      // Discord answers with JSON or an empty body, so anything else comes from a proxy.
      if (answer instanceof ArrayBuffer && answer.byteLength > 0)
        throw new DiscordFault(requestName(request), 'unknown', 'an answer that is not Discord’s');
      return answer;
    } finally {
      finished.abort();
    }
  }
}

/** Sends requests with another `REST`, but with bounds of its own; made by `DiscordApi.within`. */
export class RestWithin extends REST {
  readonly #rest: BoundedRest;
  readonly #bounds: Bounds;

  constructor(rest: BoundedRest, bounds: Bounds) {
    // Requests are sent by the other `REST`, so there are no hashes and queues to sweep here.
    super({ hashSweepInterval: 0, handlerSweepInterval: 0 });
    this.#rest = rest;
    this.#bounds = bounds;
  }

  override request(request: InternalRequest): Promise<unknown> {
    return this.#rest.request(request, this.#bounds);
  }
}
