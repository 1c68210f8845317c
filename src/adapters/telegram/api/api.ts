import { Api, type RawApi } from 'grammy';
import type { Clock } from '../../../base/clock.ts';
import { toFault } from './fault.ts';
import { createPost } from './post.ts';

type Signal = Parameters<RawApi['getMe']>[0];

/** Every call to Telegram goes through here: bounded in time, and its errors made safe. */
export type Calls = <T>(
  method: string,
  run: (raw: RawApi, signal: Signal) => Promise<T>,
  limits?: CallLimits,
) => Promise<T>;

interface CallLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const ordinaryTimeoutMs = 15_000;
/** Our own timer rules; grammY's is only the backstop for a test clock that nobody moves. */
const backstopSeconds = 500;

export const createCalls = (options: {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly clock: Clock;
}): Calls => {
  const { raw } = new Api(options.token, {
    timeoutSeconds: backstopSeconds,
    fetch: createPost(),
    ...(options.apiUrl === undefined ? {} : { apiRoot: withoutSlash(options.apiUrl) }),
  });
  return async (method, run, limits = {}) => {
    const abort = new AbortController();
    const give = (): void => abort.abort();
    const cancel = options.clock.after(limits.timeoutMs ?? ordinaryTimeoutMs, give);
    limits.signal?.addEventListener('abort', give, { once: true });
    if (limits.signal?.aborted) give();
    try {
      // grammY's signal type comes from a polyfill that lacks the newer members; it only listens for `abort`.
      return await run(raw, abort.signal as Signal);
    } catch (thrown) {
      throw toFault(method, thrown);
    } finally {
      cancel();
      limits.signal?.removeEventListener('abort', give);
    }
  };
};

export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
