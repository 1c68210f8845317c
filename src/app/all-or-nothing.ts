import type { Log } from '../log.ts';

/** Opens everything, or nothing: what was opened before something failed is closed again, the last first. */
export const allOrNothing = async <T extends object>(
  log: Log,
  open: (opened: AsyncDisposableStack) => Promise<T>,
): Promise<T & { stop(): Promise<void> }> => {
  const opened = new AsyncDisposableStack();
  try {
    return { ...(await open(opened)), stop: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync().catch((second: unknown) => log.warn({ err: second }, 'closing failed'));
    throw error;
  }
};
