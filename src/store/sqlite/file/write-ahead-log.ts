import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import { afterAnswersAreSent } from '../../../base/clock.ts';

interface SyncSteps {
  /** Throws when the log file was removed or replaced. */
  readonly check?: () => void;
  /** Copies the whole log into the database file instead. */
  readonly rewrite?: () => void;
  readonly sync?: (file: number) => Promise<void>;
}

/** So long after a write a sync begins that nobody awaits. One that is awaited usually comes first and covers it. */
const UNAWAITED_SYNC_MS = 50;

const attempt = async (work: () => void): Promise<void> => work();
const openFile = promisify(open);
const syncFile = promisify(fdatasync);

/**
 * Syncs SQLite's write-ahead log to disk. With `synchronous = NORMAL` a commit appends to the log without a sync. FULL would sync in
 * the event loop, once per commit; here syncs are shared and run in another thread.
 */
export function createWriteAheadLog(
  path: string,
  { check = () => undefined, rewrite = () => undefined, sync: syncLog = syncFile }: SyncSteps = {},
) {
  let file: number | undefined;
  let written = 0;
  let synced = 0;
  /** How much of `written` the running sync covers. */
  let syncing = 0;
  let failed: unknown;
  /** After a failed sync the system may drop the unwritten pages, and the next sync would succeed without them. */
  let isDoubtful = false;
  let underWay: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  const patient = new Set<() => void>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const closeFile = (): void => {
    if (file !== undefined) close(file, () => undefined);
    file = undefined;
  };
  const sync = async (): Promise<void> => {
    const upTo = written;
    syncing = upTo;
    try {
      // Windows syncs only files that are open for writing; SQLite keeps this file while the database is open.
      file ??= await openFile(path, 'r+');
      const saved = isDoubtful ? attempt(rewrite) : syncLog(file);
      isDoubtful = true;
      // The check runs at the same time, because it takes as long as a short sync.
      const checked = attempt(check);
      await Promise.allSettled([saved, checked]);
      await saved;
      isDoubtful = false;
      await checked;
      synced = upTo;
      failed = undefined;
    } catch (error) {
      failed = error;
      throw error;
    }
  };
  const begin = (): Promise<void> => {
    underWay = sync().finally(() => {
      underWay = undefined;
      // Callers who asked for this sync go first.
      afterAnswersAreSent(() => {
        for (const endIfSynced of patient) endIfSynced();
      });
      if (closed) closeFile();
    });
    return underWay;
  };

  /** Whether others asked for a sync of everything written so far, within this time. */
  const isSyncedByOthers = (patienceMs: number): Promise<boolean> => {
    const upTo = written;
    return new Promise((resolve) => {
      const endIfSynced = (): void => {
        if (synced >= upTo || closed) end();
      };
      const end = (): void => {
        patient.delete(endIfSynced);
        clearTimeout(impatience);
        resolve(synced >= upTo);
      };
      const impatience = setTimeout(end, patienceMs);
      patient.add(endIfSynced);
      endIfSynced();
    });
  };
  /** When everything written so far is on disk. `patienceMs`: so long it waits for a sync that others ask for. */
  const onDisk = async (patienceMs = 0): Promise<void> => {
    if (patienceMs > 0 && (await isSyncedByOthers(patienceMs))) return;
    if (synced === written || closed) return;
    if (underWay === undefined) return begin();
    if (syncing === written) return underWay;
    // The running sync may have started before the latest write.
    following ??= underWay
      .catch(() => undefined)
      .then(() => {
        following = undefined;
        return closed ? undefined : begin();
      });
    return following;
  };
  return {
    /** Something was written that must survive a power cut: it is synced soon, even when no caller waits. */
    written(): void {
      written += 1;
      timer ??= setTimeout(() => {
        timer = undefined;
        // `check` and the next caller of `onDisk` get the error.
        onDisk().catch(() => undefined);
      }, UNAWAITED_SYNC_MS).unref();
    },
    onDisk,
    check(): void {
      if (failed !== undefined) throw failed;
    },
    close(): void {
      closed = true;
      clearTimeout(timer);
      for (const endIfSynced of patient) endIfSynced();
      if (underWay === undefined) closeFile();
    },
  };
}
