import { Pool } from 'undici';
import { type Exchange, exchange } from './exchange.ts';

export interface Timeouts {
  connectMs: number;
  /** From the request to the first byte of the response. */
  headersMs: number;
  /** The same for repeatable calls: a poll that hangs must not delay a result. */
  repeatableMs: number;
  /** Between two chunks of the response. */
  bodyMs: number;
  /** From the first byte to the end of a small response to a repeatable call. */
  beginningMs: number;
  /** For the whole attempt, including the wait for a connection. */
  totalMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  connectMs: 10_000,
  headersMs: 60_000,
  repeatableMs: 15_000,
  bodyMs: 30_000,
  beginningMs: 15_000,
  totalMs: 120_000,
};

/** Calls of one lane share its part of the calls. `background`: no caller waits for them. */
export type Lane = 'moderator' | 'submit' | 'poll' | 'read' | 'background';

interface Request<T> extends Omit<Exchange<T>, 'headersMs' | 'beginningMs'> {
  lane: Lane;
  repeatable: boolean;
}

export type Transport = ReturnType<typeof createTransport>;

/**
 * Keep-alive connections to the service. Each lane has a pool of its own, so that calls that hang in one do not take the
 * connections of the others.
 */
export function createTransport(baseUrl: string, timeouts: Timeouts, connections: number) {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const options = {
    connections,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: timeouts.connectMs },
    bodyTimeout: timeouts.bodyMs,
    // Shorter than what servers allow: a run call on a connection that is just being closed has an unknown outcome.
    keepAliveTimeout: 3_000,
    keepAliveMaxTimeout: 60_000,
    keepAliveTimeoutThreshold: 2_000,
  };
  const newPool = (): Pool => new Pool(base.origin, options);
  const pools: Record<Lane, Pool> = {
    submit: newPool(),
    poll: newPool(),
    read: newPool(),
    moderator: newPool(),
    background: newPool(),
  };
  return {
    send: <T>({ lane, repeatable, ...request }: Request<T>): Promise<T> => {
      const headersMs = repeatable ? Math.min(timeouts.headersMs, timeouts.repeatableMs) : timeouts.headersMs;
      // Not for run calls: cut off, their outcome would be unknown.
      const beginningMs = repeatable ? timeouts.beginningMs : undefined;
      const whole = { ...request, path: prefix + request.path, headersMs, beginningMs };
      return exchange(pools[lane], whole, timeouts.totalMs);
    },
    // Waits for running calls (bounded by totalMs): cutting off a run call would leave its outcome unknown.
    async close(): Promise<void> {
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}
