/** The part of a stream that is used here. */
export interface LogStream {
  readonly writableLength: number;
  write(text: string): unknown;
  on(event: 'error', listener: () => void): unknown;
}

/** Unread bytes above which lines are dropped. */
const MAX_UNREAD_BYTES = 4 * 1024 ** 2;

/** Drops lines while the reader does not keep up, and all lines after the pipe was closed. */
export function createOutlet(stream: LogStream): { write(line: string): void } {
  let isClosed = false;
  let leftOut = 0;
  stream.on('error', () => {
    isClosed = true;
  });
  return {
    write(line) {
      if (isClosed) return;
      if (stream.writableLength > MAX_UNREAD_BYTES) {
        leftOut += 1;
        return;
      }
      if (leftOut > 0) stream.write(`${notice(leftOut)}\n`);
      leftOut = 0;
      stream.write(line);
    },
  };
}

function notice(lines: number): string {
  return JSON.stringify({
    level: 'warn',
    time: new Date().toISOString(),
    lines,
    msg: 'lines were dropped: the output was not read',
  });
}
