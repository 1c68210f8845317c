/** Where the database is, as `STORE_URL` says. */
export interface Address {
  /** For `pg`, with the password. */
  readonly url: string;
  /** Without password and options, for messages. */
  readonly shown: string;
  /** The schema that everything is kept in; undefined: the first of the user's own search path. */
  readonly schema: string | undefined;
}

/** `url`: checked by the settings, as the name of the schema is. */
export function addressOf(url: string): Address {
  const parts = new URL(url);
  const schema = parts.searchParams.get('schema') ?? undefined;
  parts.searchParams.delete('schema');
  const user = parts.username === '' ? '' : `${parts.username}@`;
  return { url: parts.href, shown: `postgres://${user}${parts.host}${parts.pathname}`, schema };
}
