import { type Logger, pino, stdTimeFunctions } from 'pino';
import { keepLatest } from '../base/keep-latest.ts';
import { prettyLine } from './pretty.ts';
import { createRedactor } from './redact.ts';
import { createSafeCopy } from './safe.ts';

/** The number of a level; `silent` is above all levels. */
const numberOf = (level: string): number => pino.levels.values[level] ?? Number.POSITIVE_INFINITY;

/** The part of a stream that the log uses. */
interface LogStream {
  readonly writableLength: number;
  write(text: string): unknown;
  on(event: 'error', listener: () => void): unknown;
}

/** Unread bytes above which lines are dropped. */
const MOST_UNREAD_BYTES = 4 * 1024 ** 2;

/** Wraps an output stream: drops lines while the reader does not keep up, and all lines after the pipe was closed. */
export function createOutlet(stream: LogStream): { write(line: string): void } {
  let isClosed = false;
  let leftOut = 0;
  stream.on('error', () => {
    isClosed = true;
  });
  return {
    write(line) {
      if (isClosed) return;
      if (stream.writableLength > MOST_UNREAD_BYTES) {
        leftOut += 1;
        return;
      }
      if (leftOut > 0) {
        const msg = 'lines were dropped: the output was not read';
        const notice = { level: 'warn', time: new Date().toISOString(), lines: leftOut, msg };
        stream.write(`${JSON.stringify(notice)}\n`);
      }
      leftOut = 0;
      stream.write(line);
    },
  };
}

const WINDOW_MS = 60_000;
const MOST_PER_WINDOW = 10;
const MOST_KINDS = 500;

/**
 * Limits repeated lines of one kind, because in an outage every job logs the same error. Returns undefined if a line is to be
 * dropped, otherwise how many of its kind were dropped before it.
 */
function createRepeatLimit(now: () => number): (kind: string) => number | undefined {
  const kinds = new Map<string, { since: number; count: number; suppressed: number }>();
  return (kind) => {
    const at = now();
    const known = kinds.get(kind);
    if (known !== undefined && Math.abs(at - known.since) < WINDOW_MS) {
      known.count += 1;
      if (known.count <= MOST_PER_WINDOW) return 0;
      known.suppressed += 1;
      return undefined;
    }
    kinds.delete(kind);
    kinds.set(kind, { since: at, count: 1, suppressed: 0 });
    keepLatest(kinds, MOST_KINDS);
    return known?.suppressed ?? 0;
  };
}

/** The logger of the program: pino, whose lines contain no secrets. */
export type Log = Logger;

/** The root logger of the process. */
export interface RootLog extends Log {
  /** Switches this log and all its children to debug, and back at the next call. */
  switchDebug(): void;
}

/** Level numbers of pino. */
const WARN_LEVEL = 40;
const FATAL_LEVEL = 60;

interface LogOptions {
  readonly level: string;
  /** Every configured secret; removed from all lines in every encoding. */
  readonly secrets: readonly string[];
  readonly stream?: { write(line: string): unknown };
  readonly pretty?: boolean;
  readonly now?: () => number;
}

/** The outlet of standard output, shared by all logs of the process. */
let standardOutput: ReturnType<typeof createOutlet> | undefined;

/**
 * The room's entry: creates the log, as JSON lines or readable ones in a terminal. Values are made safe (`safe.ts`), and
 * secrets are removed from them and once more from the whole line (`redact.ts`).
 */
export function createLog(options: LogOptions): RootLog {
  let isDebugging = false;
  /** The level of all loggers at once; pino's own level is copied into each child when it is created. */
  const level = (): string => (isDebugging ? 'debug' : options.level);
  let isAnnouncing = false;
  const scrub = createRedactor(options.secrets);
  const safeCopy = createSafeCopy(scrub);
  const repeats = createRepeatLimit(options.now ?? Date.now);
  standardOutput ??= createOutlet(process.stdout);
  const target = options.stream ?? standardOutput;
  const pretty = options.pretty ?? (options.stream === undefined && process.stdout.isTTY === true);

  const log = pino(
    {
      level: 'trace',
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      // Values are sanitised already; pino's own error serialiser would copy the fields again.
      serializers: { err: (value: unknown) => value },
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method, number) {
          const isTrouble = number >= WARN_LEVEL && number < FATAL_LEVEL;
          if (number < numberOf(level()) && !isAnnouncing) return;
          const [first, ...rest]: unknown[] = args;
          const words = rest.map((value) => safeCopy(value));
          if (first instanceof Error && words.length === 0) words.push(safeCopy(first.message));
          const fields = first instanceof Error ? { err: safeCopy(first) } : safeCopy(first);
          const suppressed = isTrouble ? repeats(kindOf(number, fields, words)) : 0;
          if (suppressed === undefined) return;
          if (suppressed === 0) Reflect.apply(method, this, [fields, ...words]);
          else if (typeof fields === 'string')
            Reflect.apply(method, this, [{ suppressed }, fields, ...words]);
          else Reflect.apply(method, this, [{ ...Object(fields), suppressed }, ...words]);
        },
      },
    },
    { write: (line: string) => void target.write(pretty ? prettyLine(scrub(line)) : scrub(line)) },
  );
  // `child` is wrapped because pino passes the bindings of child loggers to no hook.
  const child = log.child;
  return Object.assign(log, {
    child(this: Log, bindings: object) {
      return Reflect.apply(child, this, [safeCopy(bindings)]);
    },
    switchDebug: () => {
      isDebugging = !isDebugging && numberOf(options.level) > numberOf('debug');
      // This line is shown at every log level.
      isAnnouncing = true;
      log.info({ logLevel: level() }, 'the log level was set');
      isAnnouncing = false;
    },
  });
}

/** The kind of a line for the repeat limit: its level, message and error. */
function kindOf(level: number, fields: unknown, [words]: readonly unknown[]): string {
  const { err } = Object(fields);
  return JSON.stringify([level, typeof fields === 'string' ? fields : words, Object(err).message]);
}
