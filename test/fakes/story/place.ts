import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openStoreAt } from '../open-store-at.ts';
import { createTestDatabase } from '../postgres.ts';

/** A store in which the story takes place. */
export interface StoryPlace extends AsyncDisposable {
  readonly url: string;
  /** Puts a store that was kept in this place. */
  load(kept: Uint8Array): Promise<void>;
  /** The store as it is, also while it is open. */
  keep(): Promise<Uint8Array>;
  sql(text: string): Promise<Readonly<Record<string, unknown>>[]>;
}

/** The databases in which the story is told. */
export const DATABASES = ['sqlite', 'postgres'] as const;
/** The keys of plain and of encrypted stores. */
export const KEYS = { plain: [], encrypted: [Buffer.alloc(32, 7)] } as const;
const fixtures = new URL('../../fixtures/story/', import.meta.url).pathname;
/** The folders of stores that were left behind, named by the schemas of SQLite and PostgreSQL; the latest is the last. */
export const leftBehind = (): readonly string[] => readdirSync(fixtures).toSorted();
/** A file of a version that left stores behind, named by its schemas. */
export const fixtureOf = (schemas: string, name: string): string => join(fixtures, schemas, name);

/** Makes an empty place for the story. */
export const createPlace = (database: (typeof DATABASES)[number]): Promise<StoryPlace> =>
  database === 'sqlite' ? createFile() : createDatabase();

async function createFile(): Promise<StoryPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-story-'));
  const path = join(folder, 'darkroom.sqlite');
  const sql: StoryPlace['sql'] = async (text) => {
    const raw = new DatabaseSync(path, { timeout: 30_000 });
    try {
      return raw.prepare(text).all();
    } finally {
      raw.close();
    }
  };
  return {
    url: `sqlite:${path}`,
    load: async (kept) => writeFileSync(path, gunzipSync(kept)),
    async keep() {
      const copy = join(folder, 'copy.sqlite');
      await sql(`VACUUM INTO '${copy}'`);
      return gzipSync(readFileSync(copy), { level: 9 });
    },
    sql,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  };
}

async function createDatabase(): Promise<StoryPlace> {
  const { url, query, ...database } = await createTestDatabase();
  return {
    url,
    async load(kept) {
      await query(gunzipSync(kept).toString());
      await query('RESET search_path');
    },
    async keep() {
      await query(
        "UPDATE members SET name = 'machine:1', started_at = '2026-01-04', seen_at = '2026-01-05', joined_at = '2026-01-04'",
      );
      const program = join(process.env.POSTGRES_BIN ?? '', 'pg_dump');
      const text = execFileSync(program, ['--inserts', '--no-owner', '--no-privileges', `--dbname=${url}`]);
      // Any connection can run the file once psql's own commands are left out.
      return gzipSync(text.toString().replaceAll(/^\\.*\n/gm, ''), { level: 9 });
    },
    sql: query,
    [Symbol.asyncDispose]: database[Symbol.asyncDispose],
  };
}

/** Opens the store as a program with this clock does. */
export const openAt = (
  url: string,
  keys: readonly Uint8Array[],
  time: { now: number },
  replaced: () => void = () => undefined,
) =>
  openStoreAt(url, keys, {
    now: () => time.now,
    machine: { wall: () => time.now, passed: () => time.now },
    replaced,
  });
