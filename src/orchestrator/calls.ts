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
/**
 * Calls arrive less evenly than they begin (a submission waits for the disk first): whoever counts any second at the
 * other end must not find one too many.
 */
const UNEVEN_MS = 40;

export function createCalls(perSecond: number): Calls {
  const count = Math.max(1, Math.ceil(perSecond / MOST_PER_LIMITER));
  const limiters = Array.from({ length: count }, () => newLimiter(perSecond / count));
  const shortest = (): Bottleneck =>
    limiters.reduce((best, limiter) => (queued(limiter) < queued(best) ? limiter : best));
  return {
    pace: (lane, attempt) =>
      new Promise((resolve, reject) => {
        const begin = async (): Promise<void> => void attempt().then(resolve, reject);
        shortest().schedule({ priority: priorities[lane] }, begin).catch(reject);
      }),
    waiting: () => limiters.reduce((sum, limiter) => sum + queued(limiter), 0),
    async stop() {
      await Promise.all(limiters.map((limiter) => limiter.disconnect(false)));
    },
  };
}

const queued = (limiter: Bottleneck): number => limiter.counts().QUEUED ?? 0;

/**
 * What is limited is the beginning of calls, not how many are under way. Yet with a gap alone Bottleneck would give
 * everybody their time on arrival, and nobody could go before anybody: one at a time keeps the rest in the queue,
 * where the priority counts.
 */
const newLimiter = (perSecond: number): Bottleneck =>
  new Bottleneck({ maxConcurrent: 1, minTime: (1000 + UNEVEN_MS) / perSecond });
