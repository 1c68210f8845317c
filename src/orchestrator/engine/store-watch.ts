import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import { Refusal } from '../job/refusal.ts';

export type StoreWatch = ReturnType<typeof createStoreWatch>;

const EVERY_MS = 2_000;

/**
 * Whether the store can be written. While it cannot (a full disk), no step begins, because its outcome could not be
 * saved; outcomes of steps that were running are written as soon as possible. Who else knows of it: docs/architecture.md.
 */
export function createStoreWatch(options: {
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Rejects when nothing can be written. */
  readonly tryToWrite: () => Promise<void>;
  /** Whether what this process writes counts: others may have taken over from it. */
  readonly isMember: () => boolean;
  /** Nothing can be written from now on. */
  readonly troubled: (error: unknown) => void;
  /** It can be written to again. */
  readonly recovered: () => void;
}) {
  const { clock, log, tryToWrite, isMember, troubled, recovered } = options;
  /** As many as were under way when it began: nothing new is. */
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
      // Without a session nothing was tried.
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
      // Otherwise it was added when the check was past its writes.
      if (pending.size === 0) return false;
    }
    return true;
  };

  return {
    isWell: (): boolean => cancel === undefined && isMember(),
    /** Returns whether the store was the reason of a failure; from then on it is tried again and again. */
    isStoreFailure,
    /** Reports a failure of the store that `work` meets, also when nothing else is going on. */
    async watched<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Refusal)) await isStoreFailure(error);
        throw error;
      }
    },
    /** This has happened and could not be written down. The later of two with the same name counts. */
    writeLater(name: string, write: () => Promise<unknown>): void {
      pending.delete(name);
      pending.set(name, write);
    },
    /** It is still to be written down. */
    owes: (name: string): boolean => pending.has(name),
    stop(): void {
      stopped = true;
      cancel?.();
    },
  };
}
