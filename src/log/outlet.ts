/** The part of a stream that is used here. */
export interface Outflow {
  readonly writableLength: number;
  write(text: string): unknown;
  on(event: 'error', listener: () => void): unknown;
}

/** What may wait for a reader who has stopped reading. */
const MOST_WAITING = 4 * 1024 ** 2;

/**
 * Lines that nobody can hold us up with: while nobody reads them they are left out, and when nobody can read them any
 * more (a closed pipe) all are.
 */
export function createOutlet(stream: Outflow): { write(line: string): void } {
  let isClosed = false;
  let leftOut = 0;
  stream.on('error', () => {
    isClosed = true;
  });
  return {
    write(line) {
      if (isClosed) return;
      if (stream.writableLength > MOST_WAITING) {
        leftOut += 1;
        return;
      }
      if (leftOut > 0) stream.write(`${notice(leftOut)}\n`);
      leftOut = 0;
      stream.write(line);
    },
  };
}

const notice = (lines: number): string =>
  JSON.stringify({
    level: 'warn',
    time: new Date().toISOString(),
    lines,
    msg: 'lines were dropped: the output was not read',
  });
