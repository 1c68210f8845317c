/**
 * The same bytes with `more` behind them, to be written by the caller. In the same memory where `spareBytes` say that so
 * many behind them are nobody's: a film may be as large as a platform takes.
 */
export const extend = (bytes: Uint8Array, more: number, spareBytes: number): Buffer => {
  if (spareBytes >= more && bytes.byteOffset + bytes.byteLength + more <= bytes.buffer.byteLength)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength + more);
  const larger = Buffer.allocUnsafeSlow(bytes.byteLength + more);
  larger.set(bytes);
  return larger;
};
