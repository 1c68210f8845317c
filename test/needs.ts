/**
 * What some tests need and a machine may lack. A test says so with the tag of that name, and is skipped where it is missing.
 * A `skipIf` at the same test overrides its tags: for Vitest it sets `skip`, to true or to false.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const { CHROMIUM_PATH, DEMAND_BROWSER, DEMAND_POSTGRES, POSTGRES_BIN, POSTGRES_URL } = process.env;

export const postgresUrl = POSTGRES_URL;

const DEBIAN = '/usr/lib/postgresql';
/** The newest version that Debian has installed. */
const debianPrograms = (): string | undefined => {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0];
  return newest === undefined ? undefined : join(DEBIAN, newest, 'bin');
};
/** The folder of `initdb`, `pg_ctl` and the other programs of PostgreSQL. */
export const postgresPrograms = POSTGRES_BIN ?? debianPrograms();

/** The path at which Debian has it. */
export const pgBouncer = '/usr/sbin/pgbouncer';

export const chromiumPath = CHROMIUM_PATH ?? '/usr/bin/chromium';

declare module 'vitest' {
  interface TestTags {
    tags: 'slow' | 'longest' | Need['name'];
  }
}

interface Need {
  readonly name: 'postgres' | 'postgres-programs' | 'pgbouncer' | 'browser';
  readonly description: string;
  readonly isThere: boolean;
  /** Tests must not be skipped for want of it. */
  readonly isDemanded: boolean;
}

export const NEEDS: readonly Need[] = [
  {
    name: 'postgres',
    description: 'a PostgreSQL server (POSTGRES_URL)',
    isThere: postgresUrl !== undefined,
    isDemanded: DEMAND_POSTGRES === '1',
  },
  {
    name: 'postgres-programs',
    description: "PostgreSQL's programs (POSTGRES_BIN), to start servers of its own",
    isThere: postgresPrograms !== undefined,
    isDemanded: DEMAND_POSTGRES === '1',
  },
  {
    name: 'pgbouncer',
    description: `PgBouncer (${pgBouncer})`,
    isThere: existsSync(pgBouncer),
    isDemanded: DEMAND_POSTGRES === '1',
  },
  {
    name: 'browser',
    description: `a browser (${chromiumPath}, or CHROMIUM_PATH)`,
    isThere: existsSync(chromiumPath),
    isDemanded: DEMAND_BROWSER === '1',
  },
];

/** Runs before the slow tests: says loudly which of them are skipped, or refuses to skip them. */
export default function tellWhatIsMissing(): void {
  for (const { description, isThere, isDemanded } of NEEDS) {
    if (isThere) continue;
    if (isDemanded) throw new Error(`Tests are demanded that need ${description}.`);
    const words = `! SKIPPED: tests that need ${description} !`;
    const line = '!'.repeat(words.length);
    console.warn(`\n${line}\n${words}\n${line}\n`);
  }
}
