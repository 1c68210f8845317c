import { type Logger, pino, stdTimeFunctions } from 'pino';
import { createOutlet } from './outlet.ts';
import { prettyLine } from './pretty.ts';
import { createRedactor } from './redact.ts';
import { createRepeatLimit } from './repeats.ts';
import { createSafe } from './safe.ts';

export type Log = Logger;

/** pino's level numbers. */
const WARN_LEVEL = 40;
const FATAL_LEVEL = 60;

export interface LogOptions {
  readonly level: string;
  /** Every configured secret; removed from all lines in every encoding. */
  readonly secrets: readonly string[];
  readonly stream?: { write(line: string): unknown };
  readonly pretty?: boolean;
  readonly now?: () => number;
}

/** One for all logs of the process. */
let standardOutput: ReturnType<typeof createOutlet> | undefined;

/** JSON lines, or readable ones in a terminal. Secrets are removed from the values and once more from the line. */
export function createLog(options: LogOptions): Log {
  const scrub = createRedactor(options.secrets);
  const safe = createSafe(scrub);
  const repeats = createRepeatLimit(options.now ?? Date.now);
  standardOutput ??= createOutlet(process.stdout);
  const target = options.stream ?? standardOutput;
  const pretty = options.pretty ?? (options.stream === undefined && process.stdout.isTTY === true);

  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      // Values are sanitised already; pino's own error serialiser would copy the fields again.
      serializers: { err: (value: unknown) => value },
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method, level) {
          const [first, ...rest]: unknown[] = args;
          const words = rest.map((value) => safe(value));
          if (first instanceof Error && words.length === 0) words.push(safe(first.message));
          const fields = first instanceof Error ? { err: safe(first) } : safe(first);
          const isLimited = level >= WARN_LEVEL && level < FATAL_LEVEL;
          const suppressed = isLimited ? repeats(kindOf(level, fields, words)) : 0;
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
  // pino passes the bindings of child loggers to no hook.
  const child = log.child;
  return Object.assign(log, {
    child(this: Log, bindings: object) {
      return Reflect.apply(child, this, [safe(bindings)]);
    },
  });
}

/** Lines with the same level, message and error are of one kind. */
function kindOf(level: number, fields: unknown, [words]: readonly unknown[]): string {
  const { err } = Object(fields);
  return JSON.stringify([level, typeof fields === 'string' ? fields : words, Object(err).message]);
}
