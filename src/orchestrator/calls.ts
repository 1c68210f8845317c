import Bottleneck from 'bottleneck';
import type { Pace } from '../generation-client/call.ts';

/**
 * Calls a second to the service, for every process-wide caller at once: moderators' commands go before
 * submissions, those before looks and catalog reads.
 *
 * One Bottleneck limiter passes about 400 calls a second (each takes a timer of its own), far above what any
 * service grants; a larger limit is spread over several limiters.
 */
export interface Calls {
  readonly pace: Pace;
  readonly waiting: () => number;
  stop(): Promise<void>;
}

const priorities = { moderator: 1, submit: 3, look: 6, read: 6 } as const;
const MOST_PER_LIMITER = 200;

export function createCalls(perSecond: number): Calls {
  const count = Math.max(1, Math.ceil(perSecond / MOST_PER_LIMITER));
  const limiters = Array.from(
    { length: count },
    () => new Bottleneck({ minTime: (1000 * count) / perSecond }),
  );
  const shortest = (): Bottleneck =>
    limiters.reduce((best, limiter) => (queued(limiter) < queued(best) ? limiter : best));
  return {
    pace: (lane, attempt) => shortest().schedule({ priority: priorities[lane] }, attempt),
    waiting: () => limiters.reduce((sum, limiter) => sum + queued(limiter), 0),
    async stop() {
      await Promise.all(limiters.map((limiter) => limiter.disconnect(false)));
    },
  };
}

const queued = (limiter: Bottleneck): number => limiter.counts().QUEUED ?? 0;
