const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** No connection was made, so the request cannot have taken effect. */
export function isConnectError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CONNECT_CODES.has(String(error.code));
}
