import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';

/** SQLite's log beside the file. It is written in the event loop, but the disk is waited for in another thread. */
export interface WriteAheadLog {
  /** Something was written that must survive a power cut: it does after a moment, also when nobody waits for that. */
  promised(): void;
  /** Resolves when everything promised so far does. Whoever waits at the same time shares one wait. */
  onDisk(): Promise<void>;
  close(): void;
}

/** So long nobody may have waited: those who do wait, soon, take along what the others wrote. */
const UNAWAITED_MS = 50;

const openFile = promisify(open);
const forceFile = promisify(fdatasync);

/**
 * With `synchronous = NORMAL` a commit appends to the log and leaves it to the system when that reaches the disk;
 * what FULL would do in addition, in the event loop and once for every commit, is done here.
 */
export function createWriteAheadLog(
  path: string,
  force: (file: number) => Promise<void> = forceFile,
): WriteAheadLog {
  let file: number | undefined;
  let promised = 0;
  let safe = 0;
  let underWay: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const closeFile = (): void => {
    if (file !== undefined) close(file, () => undefined);
    file = undefined;
  };
  const sync = async (): Promise<void> => {
    const upTo = promised;
    // Windows forces only what is open for writing; SQLite keeps this file as long as it has the database open.
    file ??= await openFile(path, 'r+');
    await force(file);
    safe = upTo;
  };
  const begin = (): Promise<void> => {
    underWay = sync().finally(() => {
      underWay = undefined;
      if (closed) closeFile();
    });
    return underWay;
  };

  const onDisk = async (): Promise<void> => {
    if (safe === promised || closed) return;
    if (underWay === undefined) return begin();
    // The one under way may have begun before the latest write.
    following ??= underWay
      .catch(() => undefined)
      .then(() => {
        following = undefined;
        return closed ? undefined : begin();
      });
    return following;
  };
  const onDiskUnawaited = (): void => {
    timer = undefined;
    // Whoever waits next is told.
    onDisk().catch(() => undefined);
  };

  return {
    promised() {
      promised += 1;
      timer ??= setTimeout(onDiskUnawaited, UNAWAITED_MS).unref();
    },
    onDisk,
    close() {
      closed = true;
      clearTimeout(timer);
      if (underWay === undefined) closeFile();
    },
  };
}
