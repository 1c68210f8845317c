import { type Logger, pino, stdTimeFunctions } from 'pino';
import { prettyLine } from './log/pretty.ts';
import { createRedactor } from './log/redact.ts';
import { createSafe } from './log/safe.ts';

export type Log = Logger;

export interface LogOptions {
  readonly level: string;
  /** Every configured secret; none of them appears in any line, in whatever form it is met. */
  readonly secrets: readonly string[];
  readonly stream?: { write(line: string): unknown };
  readonly pretty?: boolean;
}

/** JSON lines, or readable ones in a terminal. Secrets are removed from the values and once more from the line. */
export function createLog(options: LogOptions): Log {
  const scrub = createRedactor(options.secrets);
  const safe = createSafe(scrub);
  const target = options.stream ?? pino.destination({ fd: 1, sync: true });
  const pretty = options.pretty ?? (options.stream === undefined && process.stdout.isTTY === true);

  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      // Values arrive here already made safe; pino's own error serialiser would copy the fields again.
      serializers: { err: (value: unknown) => value },
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method) {
          const [first, ...rest]: unknown[] = args;
          const words = rest.map((value) => safe(value));
          if (first instanceof Error) {
            const message = words.length > 0 ? words : [safe(first.message)];
            Reflect.apply(method, this, [{ err: safe(first) }, ...message]);
          } else Reflect.apply(method, this, [safe(first), ...words]);
        },
      },
    },
    { write: (line: string) => void target.write(pretty ? prettyLine(scrub(line)) : scrub(line)) },
  );
  // Children print their bindings ahead of every line and pino passes those to no hook.
  const child = log.child;
  return Object.assign(log, {
    child(this: Log, bindings: object) {
      return Reflect.apply(child, this, [safe(bindings)]);
    },
  });
}
