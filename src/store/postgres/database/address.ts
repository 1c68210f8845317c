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
  /** The first statement on every connection. As an option of the connection, poolers would refuse or ignore it. */
  readonly setUp: string;
}

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
    setUp: schema === undefined ? '' : `SET search_path = ${schema};`,
  };
}
