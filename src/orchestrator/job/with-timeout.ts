import type { Clock } from '../../base/clock.ts';

export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** Aborts the work after `ms` and stops waiting for it. */
export function within<T>(clock: Clock, ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.after(ms, () => {
      const error = new TookTooLong(`Not finished within ${ms} ms.`);
      controller.abort(error);
      reject(error);
    });
    work(controller.signal).then(resolve, reject).finally(cancel);
  });
}
