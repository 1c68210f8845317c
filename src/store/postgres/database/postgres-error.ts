import { StoreError } from '../../records/store-error.ts';

const WAS_CUT = 'the connection was cut. Is PostgreSQL running, and is it PostgreSQL that listens there?';
const DAMAGED = 'its data is damaged. Restore a backup.';
const SLOW = 'it takes too long to answer. Look at its load, its disk and its locks (pg_stat_activity).';
/** For errors of prepared statements, which belong to a session. */
const SHARED =
  'a connection pooler shares sessions (PgBouncer with pool_mode = transaction or statement). Set STORE_URL to PostgreSQL itself, or set pool_mode = session.';
const RESTARTING = 'it is starting up or shutting down. Try again in a moment.';
const UNREACHABLE = 'the machine cannot be reached. Check the host in STORE_URL and the network.';
const UNKNOWN_AUTHORITY =
  'its certificate is from an authority that is not known here. Set sslrootcert in STORE_URL to the file of that authority; sslmode=no-verify encrypts without a check.';

/** Errors of the database and of the way to it, as sentences for the owner. None of them contains the password. */
const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no machine of this name. Check the host in STORE_URL.',
  EAI_AGAIN: 'the name of the machine could not be looked up. Check the host in STORE_URL and the network.',
  ECONNREFUSED: 'nothing listens there. Is PostgreSQL running, and are host and port right?',
  ECONNRESET: WAS_CUT,
  EPIPE: WAS_CUT,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: 'it does not answer. Check the host in STORE_URL and the network.',
  '28P01':
    'the password is wrong, or there is no such user. In STORE_URL special characters of a password are written as %40.',
  '28000':
    'this user may not log in from here, or not without encryption. Check the user in STORE_URL and pg_hba.conf; add ?sslmode=require if the server wants encryption, sslcert and sslkey if it wants a certificate of yours.',
  '3D000': 'there is no such database. Create it first: createdb NAME.',
  '3F000': 'there is no such schema, or no schema that tables can be made in.',
  '42501': 'this user may not do that. It must own the schema: GRANT CREATE, USAGE ON SCHEMA … TO …',
  '53300': 'it has no connection left. Raise max_connections, or run fewer processes.',
  '53200': 'its memory is used up.',
  '26000': SHARED,
  '42P05': SHARED,
  '57P01': RESTARTING,
  '57P02': RESTARTING,
  '57P03': RESTARTING,
  '57014': SLOW,
  '25P03': 'the connection was lost while this program stood still.',
  '25006':
    'it is read-only: a standby, or a database that was set to read-only. STORE_URL must name the primary server.',
  '53100': 'its disk is full. Free some space there, or enlarge it.',
  '58030': 'its disk fails.',
  XX001: DAMAGED,
  XX002: DAMAGED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'its certificate has expired, or the clock of this machine is wrong.',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet, or the clock of this machine is wrong.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another name than the host in STORE_URL. Use the name in the certificate, or sslmode=verify-ca, which does not compare names.',
};

function codeOf(error: unknown): string | undefined {
  // `net` reports the failures of a host's several addresses together.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Messages of `pg` and of poolers, which have no code of their own. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/password must be a (non-empty )?string/, 'it asks for a password, and STORE_URL has none.'],
  [
    /does not support SSL/,
    'it takes no encrypted connections. Set ssl = on there, or leave sslmode out of STORE_URL.',
  ],
  [
    /unsupported startup parameter/,
    'the connection pooler refuses an option of STORE_URL. Leave it out, or connect to PostgreSQL itself.',
  ],
  [/Query read timeout/, SLOW],
  [/timeout/i, 'it does not answer. Check host and port in STORE_URL and the network.'],
];

/** Undefined: none of those that an owner is likely to meet. */
function wordsOf(error: unknown): string | undefined {
  const [, said] = MESSAGES.find(([message]) => message.test(textOf(error))) ?? [];
  return WORDS[codeOf(error) ?? ''] ?? said ?? (isConnectionLoss(error) ? WAS_CUT : undefined);
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why the database cannot be written to, in a sentence that anybody may read. */
export const databaseTrouble = (error: unknown): string =>
  wordsOf(error) ?? 'it cannot be written to. The log says why.';

/** Two transactions were in each other's way, and this one was undone: the same can be tried again. */
export const isTransactionConflict = (error: unknown): boolean =>
  ['40P01', '40001'].includes(codeOf(error) ?? '');

/** Cut by the server: it was shut down, crashed, is starting, or has given up a silent connection. */
const CUT = /^(08(?!P01)...|57P0[1235]|25P03|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/;
/** Messages of `pg` itself, which have no code. */
const CUT_MESSAGE =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout exceeded)/;

/** The connection was lost: the statement may have taken effect or not. */
export const isConnectionLoss = (error: unknown): boolean =>
  CUT.test(codeOf(error) ?? '') || (error instanceof Error && CUT_MESSAGE.test(error.message));

/** Another session held a lock for longer than this one would wait. */
export const isLocked = (error: unknown): boolean => codeOf(error) === '55P03';

/** The unique index of this name refused it. */
export const isTaken = (error: unknown, index: string): boolean =>
  codeOf(error) === '23505' && error instanceof Error && 'constraint' in error && error.constraint === index;

/** The owner's message when the store cannot be used at the start. `store`: its address without the password. */
export function startError(error: unknown, store: string, use: 'opened' | 'read' | 'replaced'): StoreError {
  if (error instanceof StoreError) return error;
  const why = wordsOf(error) ?? textOf(error);
  return new StoreError(`The store ${store} cannot be ${use} (STORE_URL): ${why}`, { cause: error });
}
