/** Calls of the system that precede the connection. */
const CONNECT_CALLS: readonly unknown[] = ['connect', 'bind', 'getaddrinfo'];

/** Errors without such a call: a certificate that is not accepted, or no TLS at all. Other `ERR_SSL_` codes can come later. */
const CONNECT_CODES =
  /^(UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SSL_(WRONG_VERSION_NUMBER|.*HANDSHAKE_FAILURE)|(CERT|CRL|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)_\w+)$/;

/** Node's message when the other side ends the TLS handshake; the code is that of an interrupted request. */
const HANDSHAKE_ENDED = /before secure TLS connection was established/;

/** No connection was made, so the request cannot have taken effect. */
export function isConnectError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // One error per address of the host.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isConnectError);
  if ('syscall' in error) return CONNECT_CALLS.includes(error.syscall);
  return HANDSHAKE_ENDED.test(error.message) || ('code' in error && CONNECT_CODES.test(String(error.code)));
}
