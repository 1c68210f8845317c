/** System calls that fail before a connection exists. */
const CONNECT_CALLS: readonly unknown[] = ['connect', 'bind', 'getaddrinfo'];

/**
 * Codes of errors without a system call: a certificate that is not accepted, or no TLS at all. Other `ERR_SSL_` codes can
 * come later.
 */
const CONNECT_CODES =
  /^(UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SSL_(WRONG_VERSION_NUMBER|.*HANDSHAKE_FAILURE)|(CERT|CRL|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)_\w+)$/;

/**
 * Node's message when the other side ends the TLS handshake; its code (ECONNRESET) does not differ from an interrupted
 * request's.
 */
const HANDSHAKE_ENDED = /before secure TLS connection was established/;

/** Whether the request failed before a connection was made, so that it cannot have taken effect and may be retried. */
export function isConnectError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Node reports one error for each address of the host.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isConnectError);
  if ('syscall' in error) return CONNECT_CALLS.includes(error.syscall);
  return HANDSHAKE_ENDED.test(error.message) || ('code' in error && CONNECT_CODES.test(String(error.code)));
}
