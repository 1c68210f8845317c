import type { Area } from '../base/area.ts';

/** How a picture is re-encoded: always upright, and without metadata except `xmp`. */
export interface Conversion {
  readonly maxPixels: number;
  /** The option of sharp that decides which errors make a picture unreadable. */
  readonly failOn: 'truncated' | 'error' | 'warning';
  /** The part of the upright picture to use; absent: all of it. */
  readonly part?: Area;
  /** Enlarges a part until each side has at least this many pixels, or as many as the whole picture has. */
  readonly leastSide?: number;
  /** Reduces the picture until neither side is longer; never enlarges it. */
  readonly longestSide?: number;
  /** Makes a square with this many pixels a side instead, from the middle or the upper middle, where faces are. */
  readonly square?: number;
  /** The output format. JPEG has no transparency: transparent parts become white. */
  readonly to:
    | { readonly format: 'png' }
    | { readonly format: 'jpeg'; readonly quality: number }
    | GreySquare;
  readonly xmp?: string;
  /** Draws the visible mark into the corner; not together with `leastSide`. */
  readonly hasMark?: boolean;
  /** A lower CPU time limit than the one for the picture's size. */
  readonly cpuMs?: number;
}

/** Pixels without a file format: one byte of brightness for each pixel of a square, to which the picture is squeezed. */
export interface GreySquare {
  readonly format: 'grey';
  readonly side: number;
}

/** One JPEG composed of several pictures, with a drawing over them. */
export interface Composition {
  readonly width: number;
  readonly height: number;
  /** The colour as `#rrggbb`. */
  readonly background: string;
  readonly pictures: readonly {
    readonly bytes: Uint8Array;
    /** The part of the picture to use; absent: all of it. */
    readonly part?: Area;
    readonly left: number;
    readonly top: number;
    /** The size that the picture fills; the longer side is cropped. */
    readonly width: number;
    readonly height: number;
    /** Draws the visible mark into its corner. */
    readonly hasMark?: boolean;
  }[];
  /** The drawing, made by this program of paths and shapes only, because fonts differ between machines. */
  readonly svg: string;
  readonly quality: number;
  readonly xmp?: string;
}

export type DecodeTask = {
  /** CPU time limit of all threads together. */
  readonly cpuMs: number;
} & ({ readonly bytes: Uint8Array; readonly conversion: Conversion } | { readonly composition: Composition });

/** A request to the decoder process, which handles one at a time. */
export type DecodeRequest = DecodeTask & {
  /** Repeated in the answer, so that it cannot be taken for that of another picture. */
  readonly id: number;
};

export type DecodeAnswer =
  | { readonly state: 'done'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly state: 'refused'; readonly id: number; readonly reason: DecodeRefusal };

export type DecodeRefusal = 'pixels' | 'broken' | 'too-complex';

const REASONS: readonly unknown[] = ['pixels', 'broken', 'too-complex'];

export function isDecodeAnswer(message: unknown): message is DecodeAnswer {
  if (typeof message !== 'object' || message === null || !('state' in message)) return false;
  if (!('id' in message) || typeof message.id !== 'number') return false;
  if (message.state === 'done') return 'bytes' in message && message.bytes instanceof Uint8Array;
  return message.state === 'refused' && 'reason' in message && REASONS.includes(message.reason);
}
