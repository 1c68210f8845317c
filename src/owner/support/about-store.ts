import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { PLATFORMS } from '../../adapters/profiles.ts';
import { jobKinds } from '../../command/kinds.ts';
import { JOB_STATES } from '../../command/ports.ts';
import type { Config } from '../../config/config.ts';
import { CATALOG_PATHS } from '../../generation-client/catalogs.ts';
import { endpoints } from '../../generation-client/endpoints.ts';
import { GENERATION_ERROR_KINDS } from '../../generation-client/wire/errors.ts';
import { TROUBLES, type Trouble, type TroubleError, troublesIn } from '../../log/troubles.ts';
import { fileOf, openStoreToRead } from '../../store/store.ts';
import type { Sums } from '../../store/tables/figures.ts';
import { en } from '../../words/en/words.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
const ROOT = join(import.meta.dirname, '../../..');

const CALLS = ['probe', 'custom filters', 'aliases', 'my-aliases', 'alias-resolve'];
/** Names of errors of the system and of libraries, then those of ours that the log has most. */
const ERRORS = [
  ...['Error', 'AggregateError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
  ...['AbortError', 'TimeoutError', 'DatabaseError', 'ZodError', 'error'],
  ...['GenerationError', 'DiscordFault', 'TelegramFault', 'TookTooLong', 'DownloadRefused', 'DecoderCrashed'],
  ...['StoreError', 'StoreKeyError', 'StoreGoneError', 'StoreDamagedError', 'SealError', 'UncertainError'],
];

/** The only words that are written from what the store or another program says: all else may be about people. */
export const KNOWN: ReadonlySet<string> = new Set([
  ...['done', 'failed', 'jobs', 'polls', 'reasons', 'errors', 'refused', 'store', 'session', 'service'],
  ...[...JOB_STATES, ...jobKinds, ...PLATFORMS, ...Object.keys(en.failure), ...GENERATION_ERROR_KINDS],
  ...[...CALLS, ...Object.keys(endpoints), ...Object.keys(CATALOG_PATHS).map((name) => `catalog ${name}`)],
  ...ERRORS,
]);

/** Numbers of the store and the latest warnings and errors, as far as it can be read; the checks say why not. */
export async function aboutStore({ store: { url, keys } }: Config, now: number) {
  const kind = fileOf(url) === undefined ? 'postgres' : 'sqlite';
  const found: { store: object; troubles: readonly object[] } = { store: { kind }, troubles: [] };
  try {
    const store = await openStoreToRead(url, keys);
    try {
      found.troubles = troublesIn(await store.entry(TROUBLES.namespace, TROUBLES.key)).map(scrubbed);
      const { version, bytes, tables, jobs } = await store.survey();
      const rows = await store.figures.read('day', now - DAYS * DAY_MS, now + DAY_MS);
      found.store = {
        kind,
        encrypts: store.encrypts,
        migrations: version,
        bytes,
        rows: tables,
        jobsByState: knownOf(Object.entries(jobs)),
        // Figures of communities are their credits, which are left out.
        figuresOf30Days: knownOf(sumUp(rows.map(({ sums }) => sums))),
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

/** Names such as `failed/face-swap-v6` and `errors/catalog face-v6: unavailable`, each part of which is known. */
function knownOf(counts: readonly (readonly [string, number])[]): Record<string, number> {
  return Object.fromEntries(counts.filter(([name]) => name.split(/\/|: /).every((part) => KNOWN.has(part))));
}

function scrubbed({ level, places, error, first, last, count }: Trouble) {
  return {
    level,
    places: places.filter(isPlace),
    ...(error === undefined ? {} : { error: scrubbedError(error) }),
    first: new Date(first).toISOString(),
    last: new Date(last).toISOString(),
    count,
  };
}

function scrubbedError({ name, code, kind, status, frames }: TroubleError) {
  return {
    name: KNOWN.has(name) ? name : '(not shown)',
    ...(code !== undefined && isCode(code) ? { code } : {}),
    ...(kind !== undefined && KNOWN.has(kind) ? { kind } : {}),
    ...(status === undefined ? {} : { status }),
    frames: frames.filter(isPlace),
  };
}

/** A line of a file of this program. */
function isPlace(frame: string): boolean {
  const file = /^((?:src|commands)\/(?:[\w-]+\/)*[\w.-]+\.ts):\d{1,5}$/.exec(frame)?.[1];
  return file !== undefined && existsSync(join(ROOT, file));
}

const systemCodes = new Set([...getSystemErrorMap().values()].map(([code]) => code));

/** Whether it is a code of the system, of Node and its libraries, or of PostgreSQL. */
function isCode(code: string): boolean {
  return (
    systemCodes.has(code) ||
    /^(UND_)?ERR_[A-Z_0-9]{2,36}$/.test(code) ||
    /^([0-9][0-9A-Z]|XX|P0|F0|HV)[0-9A-Z]{3}$/.test(code)
  );
}
