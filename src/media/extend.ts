/** The same bytes with room for `more` behind them; without a copy when `spareBytes` of that buffer are free. */
export function extend(bytes: Uint8Array, more: number, spareBytes: number): Buffer {
  if (spareBytes >= more && bytes.byteOffset + bytes.byteLength + more <= bytes.buffer.byteLength)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength + more);
  const larger = Buffer.allocUnsafeSlow(bytes.byteLength + more);
  larger.set(bytes);
  return larger;
}
