import { z } from 'zod';
import { keepLatest } from '../base/keep-latest.ts';

/** Where the store has the latest of all processes, in one small record: for the support file. */
export const TROUBLES = { namespace: 'troubles', key: 'latest' } as const;

const MOST = 100;

const troubleError = z.object({
  name: z.string().max(40),
  /** A code of the system or a library, such as ENOSPC. */
  code: z.string().max(40).optional(),
  /** The kind of one of our own errors. */
  kind: z.string().max(40).optional(),
  /** HTTP status. */
  status: z.int().optional(),
  /** Where in the program: file and line. */
  frames: z.array(z.string().max(200)).max(10).readonly(),
});
/** Warnings and errors of the log that were alike: nothing that a person, a platform or a service wrote. */
const trouble = z.object({
  level: z.enum(['warn', 'error', 'fatal']),
  /** Where in the program it was logged: file and line, the innermost first. Messages may name people. Missing in records from before it. */
  places: z.array(z.string().max(200)).max(10).readonly().default([]),
  error: troubleError.optional(),
  first: z.int(),
  last: z.int(),
  count: z.int().nonnegative(),
});
const troubles = z.array(trouble).max(MOST);

export type Trouble = Readonly<z.infer<typeof trouble>>;
export type TroubleError = Readonly<z.infer<typeof troubleError>>;

export interface Troubles {
  seen(level: number, args: readonly unknown[]): void;
  /** Those since the last time. */
  take(): readonly Trouble[];
  /** Sets how they are saved. */
  saveBy(how: () => Promise<void>): void;
  /** Before the process ends by an error. */
  save(): Promise<void>;
}

const LEVELS: Readonly<Record<number, Trouble['level']>> = { 40: 'warn', 50: 'error', 60: 'fatal' };
const MOST_FRAMES = 6;
/** A few, because one line may log the troubles of many. */
const MOST_PLACES = 3;
/** Limit for a stack, which may be any text. */
const MOST_LINES = 50;
const LONGEST_LINE = 500;
const UNKNOWN = '';

export function createTroubles(now: () => number): Troubles {
  const kinds = new Map<string, Trouble>();
  let save = async (): Promise<void> => undefined;
  return {
    seen(number, args) {
      const level = LEVELS[number];
      if (level === undefined) return;
      const what = { level, places: framesOf(new Error()).slice(0, MOST_PLACES), error: errorOf(args[0]) };
      const key = JSON.stringify(what);
      const at = now();
      const before = kinds.get(key);
      kinds.delete(key);
      kinds.set(key, { ...what, first: before?.first ?? at, last: at, count: (before?.count ?? 0) + 1 });
      keepLatest(kinds, MOST);
    },
    take() {
      const all = [...kinds.values()];
      kinds.clear();
      return all;
    },
    saveBy(how) {
      save = how;
    },
    save: () => save(),
  };
}

function errorOf(first: unknown): TroubleError | undefined {
  try {
    const error: unknown = first instanceof Error ? first : Object(first).err;
    return error instanceof Error ? factsOf(error) : undefined;
  } catch {
    // A getter may throw; logging must not fail because of it.
    return undefined;
  }
}

function factsOf(error: Error): TroubleError {
  const fieldOf = (name: string, shape: RegExp): string | undefined => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' && shape.test(value) ? value : undefined;
  };
  const kind = fieldOf('kind', /^[a-z-]{1,40}$/);
  // An error of ours may carry a code of the service, which can be any text.
  const code = kind === undefined ? fieldOf('code', /^[A-Z0-9_]{4,40}$/) : undefined;
  const status: unknown = Reflect.get(error, 'status');
  return {
    name: fieldOf('name', /^[A-Za-z]{1,40}$/) ?? UNKNOWN,
    ...(code === undefined ? {} : { code }),
    ...(kind === undefined ? {} : { kind }),
    ...(Number.isInteger(status) && Number(status) > 99 && Number(status) < 600
      ? { status: Number(status) }
      : {}),
    frames: framesOf(error),
  };
}

/** The message, which may have any lines, stands before the first frame. */
function framesOf({ stack, message }: Error): readonly string[] {
  if (typeof stack !== 'string') return [];
  const at = stack.indexOf(message);
  const lines = stack.slice(at < 0 ? 0 : at + message.length, 20_000).split('\n', MOST_LINES);
  return lines
    .filter((line) => line.length < LONGEST_LINE && !/node_modules|\/src\/log\//.test(line))
    .flatMap((line) => {
      const [, file, row] =
        /^ {4}at .*\/((?:src|commands)\/[\w./-]{1,150}\.ts):(\d{1,5}):\d{1,5}\)?$/.exec(line) ?? [];
      return file === undefined ? [] : [`${file}:${row}`];
    })
    .slice(0, MOST_FRAMES);
}

export const troubleRecords = {
  isValid: (_: string, value: unknown): boolean => troubles.safeParse(value).success,
};

export const troublesIn = (value: unknown): readonly Trouble[] => troubles.safeParse(value).data ?? [];

/** Those alike are counted together; the latest stay. */
export function withTroubles(before: readonly Trouble[], more: readonly Trouble[]): readonly Trouble[] {
  const all = new Map<string, Trouble>();
  for (const each of [...before, ...more]) {
    const key = JSON.stringify([each.level, each.places, each.error]);
    const known = all.get(key);
    all.set(key, {
      ...each,
      first: Math.min(each.first, known?.first ?? each.first),
      last: Math.max(each.last, known?.last ?? each.last),
      count: Math.min(each.count + (known?.count ?? 0), Number.MAX_SAFE_INTEGER),
    });
  }
  return [...all.values()].toSorted((one, other) => one.last - other.last).slice(-MOST);
}
