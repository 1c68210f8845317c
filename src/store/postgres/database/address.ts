import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { StoreError } from '../../records/store-error.ts';

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
 * What the program depends on, even if the server, the database or the user has other defaults; no version has all of the
 * last. What is read-only stays so: writes fail there, and say why.
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

type Encryption = Pick<ClientConfig, 'ssl' | 'sslnegotiation'>;

const FILES = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const;
/** The well-known authorities, which Node brings along. */
const SYSTEM = 'system';

/** The modes mean what they mean to PostgreSQL's own programs; to `pg` all would mean `verify-full`, with a warning. */
function takeEncryption(options: URLSearchParams): Encryption {
  const take = (name: string): string | undefined => {
    const value = options.get(name) ?? undefined;
    options.delete(name);
    return value;
  };
  const sslmode = take('sslmode');
  const root = take(FILES.ca);
  const files = {
    ...fileOf('ca', root === SYSTEM ? undefined : root),
    ...fileOf('cert', take(FILES.cert)),
    ...fileOf('key', take(FILES.key)),
  };
  const mode = sslmode ?? (root !== undefined || Object.keys(files).length > 0 ? 'verify-full' : undefined);
  if (mode === undefined) return {};
  // These would overrule what is decided here.
  for (const name of ['ssl', 'uselibpqcompat']) take(name);
  const isDirect = take('sslnegotiation') === 'direct';
  if (mode === 'disable') return { ssl: false };
  return { ssl: checksOf(mode, root, files), ...(isDirect ? { sslnegotiation: 'direct' } : {}) };
}

function checksOf(mode: string, root: string | undefined, files: ConnectionOptions): ConnectionOptions {
  if (root === SYSTEM && mode !== 'verify-full')
    throw new StoreError('STORE_URL: sslrootcert=system needs sslmode=verify-full.');
  if (mode === 'verify-full') return files;
  if (mode === 'verify-ca' && root === undefined)
    throw new StoreError(
      "STORE_URL: sslmode=verify-ca needs sslrootcert, the file of the server's authority. Without one use verify-full.",
    );
  const isChecked = mode !== 'no-verify' && root !== undefined;
  return isChecked
    ? { ...files, checkServerIdentity: () => undefined }
    : { ...files, rejectUnauthorized: false };
}

function fileOf(part: keyof typeof FILES, path: string | undefined): ConnectionOptions {
  if (path === undefined) return {};
  try {
    return { [part]: readFileSync(path, 'utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new StoreError(`STORE_URL: ${FILES[part]} cannot be read: ${path} (${code}).`);
  }
}
