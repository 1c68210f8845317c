import { inspectPicture } from '../../src/picture/inspect.ts';

/** The size of a picture; undefined: the bytes are no picture. */
export const sizeOf = (
  bytes: Uint8Array,
): { readonly width: number; readonly height: number } | undefined => {
  try {
    return inspectPicture(bytes, Number.POSITIVE_INFINITY);
  } catch {
    return undefined;
  }
};
