/** A part of a picture, in shares of its width and height. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The area of a whole picture. */
export const WHOLE: Area = { left: 0, top: 0, width: 1, height: 1 };

/** Converts an area to pixels of a picture of this size; at least one pixel each way. */
export function pixelsOf(area: Area, size: { readonly width: number; readonly height: number }): Area {
  const left = Math.min(size.width - 1, Math.max(0, Math.round(area.left * size.width)));
  const top = Math.min(size.height - 1, Math.max(0, Math.round(area.top * size.height)));
  const width = Math.min(size.width - left, Math.max(1, Math.round(area.width * size.width)));
  const height = Math.min(size.height - top, Math.max(1, Math.round(area.height * size.height)));
  return { left, top, width, height };
}

/** Converts pixels of a picture of this size to shares. */
export function sharesOf(pixels: Area, size: { readonly width: number; readonly height: number }): Area {
  const { left, top, width, height } = pixels;
  return {
    left: left / size.width,
    top: top / size.height,
    width: width / size.width,
    height: height / size.height,
  };
}
