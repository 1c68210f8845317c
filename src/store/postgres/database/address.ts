import { accessSync, constants } from 'node:fs';
import type { ClientConfig } from 'pg';
import { StoreError } from '../../records/store-error.ts';

/** How a database of `STORE_URL` is reached and set up. */
export interface DatabaseAddress {
  /** For every connection, with the password. */
  readonly config: ClientConfig;
  /** Without password and options, for messages. */
  readonly shown: string;
  /** The schema that everything is kept in; undefined: the first of the user's own search path. */
  readonly schema: string | undefined;
  /** The first statements on every connection. As options of the connection, poolers would refuse or ignore them. */
  readonly setUp: string;
}

/** The longest that one statement may take. */
export const STATEMENT_MS = 30_000;
/** A process that freezes in a transaction, or vanishes, keeps its locks for no longer. */
const TRANSACTION_SILENCE_MS = 5_000;

/**
 * Settings that the program depends on, even if the server, the database or the user has other defaults. No version of PostgreSQL has
 * all of those that are set last. A read-only database is not switched to writing: writes fail there, and say why.
 */
const SETTINGS = `SET default_transaction_isolation = 'read committed'; SET lock_timeout = 0; SET DateStyle = ISO;
SET statement_timeout = ${STATEMENT_MS}; SET idle_in_transaction_session_timeout = ${TRANSACTION_SILENCE_MS};
SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('idle_session_timeout', 'transaction_timeout');`;

/** `url`: checked by the settings, as the name of the schema is. */
export function databaseAddressOf(url: string): DatabaseAddress {
  const parts = new URL(url);
  const { searchParams } = parts;
  const schema = searchParams.get('schema') ?? undefined;
  searchParams.delete('schema');
  setEncryption(searchParams);
  const user = parts.username === '' ? '' : `${parts.username}@`;
  return {
    config: { connectionString: parts.href, keepAlive: true },
    shown: `postgres://${user}${parts.host}${parts.pathname}`,
    schema,
    setUp: schema === undefined ? SETTINGS : `SET search_path = ${schema}; ${SETTINGS}`,
  };
}

/** The modes mean what they mean to PostgreSQL's own programs; to `pg` all would mean `verify-full`, with a warning. */
function setEncryption(options: URLSearchParams): void {
  const root = options.get('sslrootcert');
  const mode = options.get('sslmode') ?? (root === null ? undefined : 'verify-full');
  // The well-known authorities, which Node brings along.
  if (root === 'system') {
    if (mode !== 'verify-full')
      throw new StoreError('STORE_URL: sslrootcert=system needs sslmode=verify-full.');
    options.set('sslmode', mode);
    options.delete('sslrootcert');
  }
  if (mode === 'verify-ca' && root === null)
    throw new StoreError(
      "STORE_URL: sslmode=verify-ca needs sslrootcert, the file of the server's authority. Without one use verify-full.",
    );
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) requireReadable(name, options.get(name));
  if (mode === undefined) return;
  // It would overrule the mode.
  options.delete('ssl');
  options.set('uselibpqcompat', String(mode !== 'no-verify'));
}

function requireReadable(name: string, path: string | null): void {
  try {
    if (path !== null) accessSync(path, constants.R_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new StoreError(`STORE_URL: ${name} cannot be read: ${path} (${code}).`);
  }
}
