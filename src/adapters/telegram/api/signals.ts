import type { RawApi } from 'grammy';
import type { Clock } from '../../../base/clock.ts';

/** The type of Node's abort signals for grammY, whose types name those of a package for older versions of Node. */
export type ApiSignal = AbortSignal & NonNullable<Parameters<RawApi['getMe']>[0]>;

export const forApi = (signal: AbortSignal): ApiSignal => signal as ApiSignal;

/** Makes a call with a signal that aborts after `ms`, or when `outside` aborts. */
export async function limitedTo<T>(
  clock: Clock,
  ms: number,
  call: (signal: ApiSignal) => Promise<T>,
  outside?: AbortSignal,
): Promise<T> {
  const abort = new AbortController();
  const abortCall = (): void => abort.abort();
  const cancel = clock.after(ms, abortCall);
  outside?.addEventListener('abort', abortCall);
  if (outside?.aborted) abortCall();
  try {
    return await call(forApi(abort.signal));
  } finally {
    cancel();
    outside?.removeEventListener('abort', abortCall);
  }
}
