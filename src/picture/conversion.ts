/** How a picture is read and written again: upright, and without metadata except what is asked for here. */
export interface Conversion {
  readonly maxPixels: number;
  /** What in it makes a picture unreadable: data that is missing, or also data that is wrong. */
  readonly failOn: 'truncated' | 'error' | 'warning';
  /** It is made smaller until neither side is longer; never larger. */
  readonly longestSide?: number;
  /** JPEG has no transparency: what shows through is white. */
  readonly to: { readonly format: 'png' } | { readonly format: 'jpeg'; readonly quality: number };
  /** XMP that the new picture carries. */
  readonly xmp?: string;
}

/** What the decoder's process is asked. One at a time. */
export interface DecodeRequest {
  /** Repeated in the answer, so that no answer is ever taken for that to another picture. */
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly conversion: Conversion;
  /** CPU time that it may use, in all its threads. */
  readonly cpuMs: number;
}

/** `ready` comes once, before everything else. */
export type DecodeAnswer =
  | { readonly state: 'ready' }
  | { readonly state: 'done'; readonly id: number; readonly bytes: Uint8Array }
  | {
      readonly state: 'refused';
      readonly id: number;
      readonly reason: 'pixels' | 'broken' | 'too-complex';
    };

const reasons: readonly unknown[] = ['pixels', 'broken', 'too-complex'];

/** The decoder meets hostile pictures: what its process says is checked like anything else from outside. */
export const isDecodeAnswer = (message: unknown): message is DecodeAnswer => {
  if (typeof message !== 'object' || message === null || !('state' in message)) return false;
  if (message.state === 'ready') return true;
  if (!('id' in message) || typeof message.id !== 'number') return false;
  if (message.state === 'done') return 'bytes' in message && message.bytes instanceof Uint8Array;
  return message.state === 'refused' && 'reason' in message && reasons.includes(message.reason);
};
