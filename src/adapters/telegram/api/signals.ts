import type { RawApi } from 'grammy';
import type { Clock } from '../../../base/clock.ts';

/** Node's signals, as grammY takes them: its types name those of a package for older versions of Node. */
export type ApiSignal = AbortSignal & NonNullable<Parameters<RawApi['getMe']>[0]>;

export const forApi = (signal: AbortSignal): ApiSignal => signal as ApiSignal;

/** Gives a call a signal that is aborted after `ms`, or with the signal from outside. */
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
