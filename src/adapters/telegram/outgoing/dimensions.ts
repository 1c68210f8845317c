export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** From the first bytes of a PNG, JPEG or WebP; undefined when they say nothing. */
export const dimensions = (bytes: Uint8Array): Dimensions | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) };
    if (view.getUint16(0) === 0xffd8) return jpeg(view);
    if (view.getUint32(0) === 0x52494646 && view.getUint32(8) === 0x57454250) return webp(view);
  } catch (error) {
    // Cut off in the middle of its header.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
};

/** Start-of-frame markers; C4, C8 and CC lie among them but mean something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const jpeg = (view: DataView): Dimensions | undefined => {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    if (isFrame(view.getUint8(at + 1)))
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
  }
  return undefined;
};

const webp = (view: DataView): Dimensions | undefined => {
  const chunk = view.getUint32(12);
  if (chunk === 0x56503858) {
    const u24 = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
    return { width: u24(24) + 1, height: u24(27) + 1 };
  }
  if (chunk === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (chunk === 0x56503820)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  return undefined;
};
