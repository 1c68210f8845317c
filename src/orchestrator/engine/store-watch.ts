import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';

/**
 * Whether the store can be written. While it cannot (a full disk), no step begins, because its outcome could not be
 * saved; outcomes of steps that were running are written as soon as possible.
 */
export interface StoreWatch {
  isWell(): boolean;
  /** Something broke: tells whether that was for want of a store, and from then on tries again and again. */
  isStoreFailure(error: unknown): boolean;
  /** This has happened and could not be written down. Of two for one job the later counts. */
  writeLater(id: string, write: () => void): void;
  stop(): void;
}

export interface StoreWatchOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Throws when nothing can be written. */
  readonly tryToWrite: () => void;
  /** Nothing can be written from now on. */
  readonly troubled?: () => void;
  /** It can be written to again. */
  readonly recovered: () => void;
}

const EVERY_MS = 2_000;

export function createStoreWatch({
  clock,
  log,
  tryToWrite,
  troubled,
  recovered,
}: StoreWatchOptions): StoreWatch {
  /** As many as were under way when it began: nothing new is. */
  const pending = new Map<string, () => void>();
  let cancel: (() => void) | undefined;
  let stopped = false;

  const writePending = (): void => {
    tryToWrite();
    for (const [id, write] of pending) {
      write();
      pending.delete(id);
    }
  };
  const plan = (): void => {
    cancel = stopped ? () => undefined : clock.after(EVERY_MS, tryAgain);
  };
  const tryAgain = (): void => {
    try {
      writePending();
    } catch {
      plan();
      return;
    }
    cancel = undefined;
    log.info('the store is writable again: work resumes');
    recovered();
  };

  return {
    isWell: () => cancel === undefined,
    isStoreFailure(error) {
      if (cancel !== undefined) return true;
      try {
        writePending();
        return false;
      } catch {
        log.error({ err: error }, 'the store is not writable: work is suspended until it is');
        plan();
        troubled?.();
        return true;
      }
    },
    writeLater(id, write) {
      pending.delete(id);
      pending.set(id, write);
    },
    stop() {
      stopped = true;
      cancel?.();
    },
  };
}
