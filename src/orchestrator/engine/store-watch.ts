import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import { OrderRefused } from '../job/order-refused.ts';

/** Knows whether the store can be written, see `createStoreWatch`. */
export type StoreWatch = ReturnType<typeof createStoreWatch>;

const EVERY_MS = 2_000;

/**
 * Watches whether the store can be written. While it cannot (a full disk), no step begins, because its outcome could
 * not be saved; outcomes of running steps are written as soon as possible. Who else reacts to this:
 * docs/architecture.md.
 */
export function createStoreWatch(options: {
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Rejects when nothing can be written. */
  readonly tryToWrite: () => Promise<void>;
  /** Whether this process still has a session with the store; if not, others may have taken over its jobs. */
  readonly isMember: () => boolean;
  /** Called when the store has become unwritable. */
  readonly troubled: (error: unknown) => void;
  /** Called when the store is writable again. */
  readonly recovered: () => void;
}) {
  const { clock, log, tryToWrite, isMember, troubled, recovered } = options;
  /**
   * Writes that failed and are retried, by name. Bounded by the steps that were under way: none begin while the store
   * is unwritable.
   */
  const pending = new Map<string, () => Promise<unknown>>();
  let cancel: (() => void) | undefined;
  let checking: Promise<boolean> | undefined;
  let stopped = false;

  const writePending = async (): Promise<void> => {
    if (!isMember()) throw new Error('This process has no session with the store.');
    await tryToWrite();
    for (const [name, write] of pending) {
      await write();
      if (pending.get(name) === write) pending.delete(name);
    }
  };
  const plan = (): void => {
    cancel = stopped ? () => undefined : clock.after(EVERY_MS, () => void tryAgain());
  };
  const tryAgain = async (): Promise<void> => {
    try {
      do await writePending();
      while (pending.size > 0);
    } catch {
      plan();
      return;
    }
    cancel = undefined;
    log.info('the store is writable again: work resumes');
    recovered();
  };
  const check = async (error: unknown): Promise<boolean> => {
    try {
      await writePending();
      return false;
    } catch (refused) {
      log.error({ err: error }, 'the store is not writable: work is suspended until it is');
      plan();
      // Without a session `writePending` has not tried to write, so the original error tells more.
      troubled(isMember() ? refused : error);
      return true;
    }
  };

  const isStoreFailure = async (error: unknown): Promise<boolean> => {
    while (cancel === undefined) {
      checking ??= check(error).finally(() => {
        checking = undefined;
      });
      if (await checking) return true;
      // A write that was added after the check had passed its writes needs another check.
      if (pending.size === 0) return false;
    }
    return true;
  };

  return {
    isWritable: (): boolean => cancel === undefined && isMember(),
    /** Returns whether the store is the reason of a failure. If it is, writing is retried until it succeeds. */
    isStoreFailure,
    /** Runs `work` and checks the store if it fails, so that an outage is noticed when nothing else is going on. */
    async watched<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof OrderRefused)) await isStoreFailure(error);
        throw error;
      }
    },
    /**
     * Retries a write of something that has already happened. A later write with the same name replaces an earlier one.
     */
    writeLater(name: string, write: () => Promise<unknown>): void {
      pending.delete(name);
      pending.set(name, write);
    },
    /** Whether a write of this name is still to be retried. */
    isPending: (name: string): boolean => pending.has(name),
    stop(): void {
      stopped = true;
      cancel?.();
    },
  };
}
