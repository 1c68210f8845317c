import type { ClientConfig } from 'pg';
import { takeEncryption } from './encryption.ts';

/** Where the database is, as `STORE_URL` says. */
export interface Address {
  /** For every connection, with the password. */
  readonly config: ClientConfig;
  /** Without password and options, for messages. */
  readonly shown: string;
  /** The schema that everything is kept in; undefined: the first of the user's own search path. */
  readonly schema: string | undefined;
  /** The first statements on every connection. As options of the connection, poolers would refuse or ignore them. */
  readonly setUp: string;
}

export const STATEMENT_MS = 30_000;
/** A process that freezes in a transaction, or vanishes, keeps its locks for no longer. */
const SILENCE_MS = 5_000;

/**
 * What the program depends on, whatever the server, the database or the user has set; no version has all of the last. What is read-only
 * stays so: writes fail there, and say why.
 */
const SETTINGS = `SET default_transaction_isolation = 'read committed'; SET lock_timeout = 0; SET DateStyle = ISO;
SET statement_timeout = ${STATEMENT_MS}; SET idle_in_transaction_session_timeout = ${SILENCE_MS};
SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('idle_session_timeout', 'transaction_timeout');`;

/** `url`: checked by the settings, as the name of the schema is. */
export function addressOf(url: string): Address {
  const parts = new URL(url);
  const { searchParams } = parts;
  const schema = searchParams.get('schema') ?? undefined;
  searchParams.delete('schema');
  const encryption = takeEncryption(searchParams);
  const user = parts.username === '' ? '' : `${parts.username}@`;
  return {
    config: {
      connectionString: parts.href,
      keepAlive: true,
      ...encryption,
    },
    shown: `postgres://${user}${parts.host}${parts.pathname}`,
    schema,
    setUp: schema === undefined ? SETTINGS : `SET search_path = ${schema}; ${SETTINGS}`,
  };
}
