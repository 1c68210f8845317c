import { Api, type RawApi } from 'grammy';
import type { Clock } from '../../../base/clock.ts';
import { toFault } from './fault.ts';
import { createPost } from './post.ts';

type Signal = Parameters<RawApi['getMe']>[0];

type Method = keyof RawApi;

/** `undefined` for methods without parameters. */
type Payload<M extends Method> = RawApi[M] extends (signal?: Signal) => unknown
  ? undefined
  : Parameters<RawApi[M]>[0];

type Answer<M extends Method> = Awaited<ReturnType<RawApi[M]>>;

interface CallLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const ORDINARY_TIMEOUT_MS = 15_000;
/** grammY's own timeout; ours, on the clock, is shorter. */
const BACKSTOP_SECONDS = 500;

/** Every call to Telegram: with a timeout, and with errors that are safe to log. */
export function createCalls(options: {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly clock: Clock;
}) {
  const { raw } = new Api(options.token, {
    timeoutSeconds: BACKSTOP_SECONDS,
    fetch: createPost(),
    ...(options.apiUrl === undefined ? {} : { apiRoot: withoutSlash(options.apiUrl) }),
  });
  return async <M extends Method>(
    method: M,
    payload: Payload<M>,
    limits: CallLimits = {},
  ): Promise<Answer<M>> => {
    const abort = new AbortController();
    const abortCall = (): void => abort.abort();
    const cancel = options.clock.after(limits.timeoutMs ?? ORDINARY_TIMEOUT_MS, abortCall);
    limits.signal?.addEventListener('abort', abortCall, { once: true });
    if (limits.signal?.aborted) abortCall();
    try {
      // A method chosen at run time has no type of its own.
      const send = raw[method] as (...given: readonly unknown[]) => Promise<Answer<M>>;
      return await (payload === undefined ? send(abort.signal) : send(payload, abort.signal));
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

export type Calls = ReturnType<typeof createCalls>;
