import type { Area } from '../base/area.ts';

/** How a picture is re-encoded: always upright, and without metadata except `xmp`. */
export interface Conversion {
  readonly maxPixels: number;
  /** As in sharp: what makes a picture unreadable. */
  readonly failOn: 'truncated' | 'error' | 'warning';
  /** Only this part of the upright picture. */
  readonly part?: Area;
  /** Enlarges a part until no side has fewer pixels, or as many as the whole has. */
  readonly leastSide?: number;
  /** Shrinks the picture until neither side is longer; never enlarges it. */
  readonly longestSide?: number;
  /** Instead: a square with this many pixels a side, from the middle or the upper middle, where faces are. */
  readonly square?: number;
  /** JPEG has no transparency: transparent parts become white. */
  readonly to:
    | { readonly format: 'png' }
    | { readonly format: 'jpeg'; readonly quality: number }
    | GreySquare;
  readonly xmp?: string;
  /** A lower CPU time limit than pictures of its size have. */
  readonly cpuMs?: number;
}

/** Bytes without a file format: one for each pixel of a square, whatever the shape of the picture. */
export interface GreySquare {
  readonly format: 'grey';
  readonly side: number;
}

/** One JPEG made of several pictures, with a drawing over them. */
export interface Composition {
  readonly width: number;
  readonly height: number;
  /** `#rrggbb` */
  readonly background: string;
  readonly pictures: readonly {
    readonly bytes: Uint8Array;
    /** Only this part of it. */
    readonly part?: Area;
    readonly left: number;
    readonly top: number;
    /** Filled: what is too much of the longer side is cut off. */
    readonly width: number;
    readonly height: number;
  }[];
  /** Our own: only paths and shapes, because fonts differ between machines. */
  readonly svg: string;
  readonly quality: number;
  readonly xmp?: string;
}

export type DecodeTask = {
  /** CPU time limit, all threads together. */
  readonly cpuMs: number;
} & ({ readonly bytes: Uint8Array; readonly conversion: Conversion } | { readonly composition: Composition });

/** A request to the decoder process, one at a time. */
export type DecodeRequest = DecodeTask & {
  /** Repeated in the answer, which then cannot be taken for that of another picture. */
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
