import { type Dispatcher, Pool } from 'undici';
import { refuseSmallPieces } from '../../base/network/small-pieces.ts';

/** Timeouts of an attempt. */
export interface Timeouts {
  connectMs: number;
  /** From the request to the first byte of the response. */
  headersMs: number;
  /** `headersMs` of idempotent calls: a poll that hangs must not delay a result. */
  repeatableMs: number;
  /** Longest pause between two chunks of the response. */
  bodyMs: number;
  /** From the first byte to the end of a small response to an idempotent call. */
  beginningMs: number;
  /** Limit of the whole attempt, including the wait for a connection. */
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

/** Queues of calls; each lane has a share of the rate limit. `background`: no person waits for these calls. */
export type Lane = 'moderator' | 'submit' | 'poll' | 'read' | 'background';

/**
 * Opens pools of keep-alive connections to the service. Each lane has a pool of its own, so that calls that hang in one do not
 * take the connections of the others.
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
    // Shorter than servers usually allow: a run call on a connection that is just being closed has an unknown outcome.
    keepAliveTimeout: 3_000,
    keepAliveMaxTimeout: 60_000,
    keepAliveTimeoutThreshold: 2_000,
  };
  const open = (): Dispatcher => new Pool(origin, options).compose(refuseSmallPieces);
  return { submit: open(), poll: open(), read: open(), moderator: open(), background: open() };
}
