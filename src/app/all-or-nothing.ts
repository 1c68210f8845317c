import type { Log } from '../log/log.ts';

export interface Opening<T> {
  /** Rejects when something could not be opened, after everything else was closed again. */
  readonly ready: Promise<T>;
  /** Closes what is open, the last first; also during opening. */
  stop(): Promise<void>;
}

/** Opens everything, or nothing. */
export function allOrNothing<T>(log: Log, open: (opened: AsyncDisposableStack) => Promise<T>): Opening<T> {
  const opened = new AsyncDisposableStack();
  const close = async (error: unknown): Promise<never> => {
    await opened.disposeAsync().catch((second: unknown) => log.warn({ err: second }, 'closing failed'));
    throw error;
  };
  return { ready: open(opened).catch(close), stop: () => opened.disposeAsync() };
}
