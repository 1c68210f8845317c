const connectCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** No connection was made, so the request cannot have taken effect. */
export const isConnectError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && connectCodes.has(String(error.code));
