/** Signature (8), then chunks: length (4), name (4), data, checksum (4). */
const afterSignature = 8;
const around = 12;
const headerLength = 13;

/**
 * Whether a PNG is all there, from its header to its end, told by walking over its chunks: of what was cut short or only
 * begins like one, a chat shows nothing. No pixel is decoded for it.
 */
export const isWholePng = (png: Uint8Array, mostPixels: number): boolean => {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  let hasPixels = false;
  for (let at = afterSignature; at + around <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (at === afterSignature) {
      if (name !== 'IHDR' || length !== headerLength || bytes.length < at + around + length) return false;
      const pixels = bytes.readUInt32BE(at + 8) * bytes.readUInt32BE(at + 12);
      if (pixels === 0 || pixels > mostPixels) return false;
    }
    if (name === 'IEND') return hasPixels;
    hasPixels ||= name === 'IDAT' && length > 0;
    at += around + length;
  }
  return false;
};
