import { Pool } from 'undici';
import { type Exchange, exchange } from './exchange.ts';

export type Timeouts = {
  connectMs: number;
  /** From the request to the first byte of the answer. */
  headersMs: number;
  /** The same for a call that may simply be made again: a look that hangs must not hold a result back. */
  repeatableMs: number;
  /** Between two pieces of the answer. */
  bodyMs: number;
  /** From the first byte to the end of such a call's answer, if it is a small one. */
  beginningMs: number;
  /** For the whole attempt, waiting for a free connection included: a trickle must not last forever. */
  totalMs: number;
};

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  headersMs: 60_000,
  repeatableMs: 15_000,
  bodyMs: 30_000,
  beginningMs: 15_000,
  totalMs: 120_000,
};

/** Whose turn an HTTP call takes when calls are scarce. */
export type Lane = 'moderator' | 'submit' | 'look' | 'read';

export type Transport = {
  send: <T>(
    request: Omit<Exchange<T>, 'headersMs' | 'beginningMs'> & { lane: Lane; repeatable: boolean },
  ) => Promise<T>;
  close: () => Promise<void>;
};

/**
 * Pooled keep-alive connections to the one origin of the service. Submissions and looks have pools of their own: those
 * that hang leave no connection free in theirs, and the others must not wait for that.
 */
export function createTransport(baseUrl: string, timeouts: Timeouts, connections: number): Transport {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const options = {
    connections,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: timeouts.connectMs },
    bodyTimeout: timeouts.bodyMs,
    // Shorter than what servers grant: a run call on a connection that is just being closed has an unknown outcome.
    keepAliveTimeout: 3_000,
    keepAliveMaxTimeout: 60_000,
    keepAliveTimeoutThreshold: 2_000,
  };
  const others = new Pool(base.origin, options);
  const pools: Record<Lane, Pool> = {
    submit: new Pool(base.origin, options),
    look: new Pool(base.origin, options),
    read: others,
    moderator: others,
  };
  return {
    send: ({ lane, repeatable, ...request }) => {
      const headersMs = repeatable ? Math.min(timeouts.headersMs, timeouts.repeatableMs) : timeouts.headersMs;
      // A run call's answer is waited for: cut off, nobody would know what became of the job.
      const beginningMs = repeatable ? timeouts.beginningMs : undefined;
      const whole = { ...request, path: prefix + request.path, headersMs, beginningMs };
      return exchange(pools[lane], whole, timeouts.totalMs);
    },
    // Waits for what is under way, which its own deadline bounds: cutting off a run call would leave it uncertain.
    async close() {
      await Promise.all([pools.submit.close(), pools.look.close(), others.close()]);
    },
  };
}
