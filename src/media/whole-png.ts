/** Signature (8), then chunks: length (4), name (4), data, checksum (4). */
const afterSignature = 8;
const around = 12;
const headerLength = 13;
/** As numbers: whoever sends millions of chunks is not to keep us busy with their names. */
const names = { IHDR: 0x49484452, IDAT: 0x49444154, IEND: 0x49454e44 };

/**
 * Whether a PNG is all there, from its header to its end, told by walking over its chunks: of what was cut short or only
 * begins like one, a chat shows nothing. No pixel is decoded for it.
 */
export const isWholePng = (png: Uint8Array, mostPixels: number): boolean => {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  let hasPixels = false;
  for (let at = afterSignature; at + around <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.readUInt32BE(at + 4);
    if (at === afterSignature) {
      if (name !== names.IHDR || length !== headerLength || bytes.length < at + around + length) return false;
      const pixels = bytes.readUInt32BE(at + 8) * bytes.readUInt32BE(at + 12);
      if (pixels === 0 || pixels > mostPixels) return false;
    }
    if (name === names.IEND) return hasPixels;
    hasPixels ||= name === names.IDAT && length > 0;
    at += around + length;
  }
  return false;
};
