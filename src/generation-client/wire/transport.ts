import { type Dispatcher, Pool } from 'undici';
import { refuseSmallPieces } from '../../base/network/small-pieces.ts';

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

/**
 * Keep-alive connections to the service. Each lane has a pool of its own, so that calls that hang in one do not take the
 * connections of the others.
 */
export function openPools(
  { origin }: URL,
  { connectMs, bodyMs }: Timeouts,
  connections: number,
): Record<Lane, Dispatcher> {
  const options = {
    connections,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: connectMs },
    bodyTimeout: bodyMs,
    // Shorter than what servers allow: a run call on a connection that is just being closed has an unknown outcome.
    keepAliveTimeout: 3_000,
    keepAliveMaxTimeout: 60_000,
    keepAliveTimeoutThreshold: 2_000,
  };
  const open = (): Dispatcher => new Pool(origin, options).compose(refuseSmallPieces);
  return { submit: open(), poll: open(), read: open(), moderator: open(), background: open() };
}
