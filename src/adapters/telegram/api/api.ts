import { Api, type RawApi } from 'grammy';
import type { Clock } from '../../../base/clock.ts';
import { toFault } from './fault.ts';
import { createPost } from './post.ts';

type Signal = Parameters<RawApi['getMe']>[0];

/** Every call to Telegram: with a timeout, and with errors that are safe to log. */
export type Calls = <T>(
  method: string,
  run: (raw: RawApi, signal: Signal) => Promise<T>,
  limits?: CallLimits,
) => Promise<T>;

interface CallLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const ORDINARY_TIMEOUT_MS = 15_000;
/** grammY's own timeout; ours, on the clock, is shorter. */
const BACKSTOP_SECONDS = 500;

export function createCalls(options: {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly clock: Clock;
}): Calls {
  const { raw } = new Api(options.token, {
    timeoutSeconds: BACKSTOP_SECONDS,
    fetch: createPost(),
    ...(options.apiUrl === undefined ? {} : { apiRoot: withoutSlash(options.apiUrl) }),
  });
  return async (method, run, limits = {}) => {
    const abort = new AbortController();
    const abortCall = (): void => abort.abort();
    const cancel = options.clock.after(limits.timeoutMs ?? ORDINARY_TIMEOUT_MS, abortCall);
    limits.signal?.addEventListener('abort', abortCall, { once: true });
    if (limits.signal?.aborted) abortCall();
    try {
      // grammY's signal type is a polyfill's, without the newer members; only `abort` is used.
      return await run(raw, abort.signal as Signal);
    } catch (thrown) {
      throw toFault(method, thrown);
    } finally {
      cancel();
      limits.signal?.removeEventListener('abort', abortCall);
    }
  };
}

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
