import type { Clock } from '../../base/clock.ts';

export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** No await for ever: the work is told to stop after `ms`, and is not waited for any longer. */
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
