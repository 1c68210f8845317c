import { getSystemErrorMap } from 'node:util';
import type { Config } from '../../config/config.ts';
import type { Trouble, TroubleError } from '../../log/troubles.ts';
import type { Sums } from '../../store/records/figures.ts';
import { fileOf, openStoreToRead } from '../../store/store.ts';
import type { OwnTexts } from './own-texts.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;

/** Of others' errors: their names are not in our source. */
const ERRORS = [
  'Error',
  'AggregateError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
];
const DEPENDENCY_ERRORS = ['AbortError', 'TimeoutError', 'DatabaseError', 'ZodError', 'error'];

/** Numbers of the store and the latest warnings and errors, as far as it can be read; the checks say why not. */
export async function aboutStore({ store: { url, keys } }: Config, own: OwnTexts, now: number) {
  const kind = fileOf(url) === undefined ? 'postgres' : 'sqlite';
  const found: { store: object; troubles: readonly object[] } = { store: { kind }, troubles: [] };
  try {
    const store = await openStoreToRead(url, keys);
    try {
      found.troubles = (await store.troubles()).map((trouble) => scrubbed(trouble, own));
      const { version, bytes, tables, jobs } = await store.survey();
      const rows = await store.figures.read('day', now - DAYS * DAY_MS, now + DAY_MS);
      found.store = {
        kind,
        encrypts: store.encrypts,
        migrations: version,
        bytes,
        rows: tables,
        jobsByState: ownNames(Object.entries(jobs), own),
        // Of communities there are credits, which are left out.
        figuresOf30Days: ownNames(sumUp(rows.map(({ sums }) => sums)), own),
      };
    } finally {
      await store.close();
    }
  } catch {
    // What was found before is something.
  }
  return found;
}

function sumUp(all: readonly Sums[]): readonly (readonly [string, number])[] {
  const total = new Map<string, number>();
  for (const sums of all)
    for (const [group, names] of Object.entries(sums))
      for (const [name, sum] of Object.entries(names)) {
        const path = `${group}/${name}`;
        total.set(path, (total.get(path) ?? 0) + sum);
      }
  return [...total];
}

/** Names such as `failed/face-swap-v6` and `errors/catalog: unavailable`, each part of which is ours. */
function ownNames(
  counts: readonly (readonly [string, number])[],
  { isOwn }: OwnTexts,
): Record<string, number> {
  const parts = (name: string): readonly string[] => name.split(/\/|: /);
  return Object.fromEntries(
    counts.filter(([name]) => !/^(took|unseen)\//.test(name) && parts(name).every(isOwn)),
  );
}

function scrubbed({ level, text, error, first, last, count }: Trouble, own: OwnTexts) {
  return {
    level,
    text: own.isOwn(text) ? text : '(not shown: it is not a constant of the program)',
    ...(error === undefined ? {} : { error: scrubbedError(error, own) }),
    first: timeOf(first),
    last: timeOf(last),
    count,
  };
}

function scrubbedError({ name, code, kind, status, frames }: TroubleError, { isOwn, isFile }: OwnTexts) {
  const isKnown = [...ERRORS, ...DEPENDENCY_ERRORS].includes(name) || isOwn(name);
  return {
    name: isKnown ? name : '(not shown)',
    ...(code !== undefined && isCode(code) ? { code } : {}),
    ...(kind !== undefined && isOwn(kind) ? { kind } : {}),
    ...(status === undefined ? {} : { status }),
    frames: frames.filter((frame) => /:\d{1,5}$/.test(frame) && isFile(frame.replace(/:\d+$/, ''))),
  };
}

const systemCodes = new Set([...getSystemErrorMap().values()].map(([code]) => code));

/** Of the system, of Node and its libraries, or of PostgreSQL. */
function isCode(code: string): boolean {
  return (
    systemCodes.has(code) ||
    /^(UND_)?ERR_[A-Z_0-9]{2,36}$/.test(code) ||
    /^([0-9][0-9A-Z]|XX|P0|F0|HV)[0-9A-Z]{3}$/.test(code)
  );
}

/** A record may hold any number. */
function timeOf(at: number): string | undefined {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
