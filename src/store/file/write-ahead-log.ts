import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';

/** SQLite's log beside the file. It is written in the event loop, but the disk is waited for in another thread. */
export interface WriteAheadLog {
  /** Something was written that must survive a power cut: it does after a moment, also when nobody waits for that. */
  promised(): void;
  /** Resolves when everything promised so far does. Whoever waits at the same time shares one wait. */
  onDisk(): Promise<void>;
  /** Throws what kept the latest of these waits from its end. */
  check(): void;
  close(): void;
}

export interface WriteAheadLogParts {
  /** Throws when the log is no longer where it will be looked for. */
  readonly present?: () => void;
  /** Writes everything that the log holds to the disk in another way. */
  readonly rewrite?: () => void;
  readonly force?: (file: number) => Promise<void>;
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
  { present = () => undefined, rewrite = () => undefined, force = forceFile }: WriteAheadLogParts = {},
): WriteAheadLog {
  let file: number | undefined;
  let promised = 0;
  let safe = 0;
  let failed: unknown;
  /** What the system could not write it may have given up, and the next wait would not say so. */
  let isDoubtful = false;
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
    if (isDoubtful) rewrite();
    else {
      isDoubtful = true;
      await force(file);
    }
    isDoubtful = false;
    present();
    safe = upTo;
  };
  const begin = (): Promise<void> => {
    underWay = sync()
      .then(
        () => {
          failed = undefined;
        },
        (error: unknown) => {
          failed = error ?? new Error('The disk failed.');
          throw error;
        },
      )
      .finally(() => {
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
    check() {
      if (failed !== undefined) throw failed;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      if (underWay === undefined) closeFile();
    },
  };
}
