import type { MediaLimits } from '../../adapter.ts';
import { createLoweredLimits } from '../../limits.ts';
import { type MessageCard, messageKey } from './refs.ts';

const MEBIBYTE = 1024 * 1024;
const MOST_IMAGE_BYTES = 10 * MEBIBYTE;
const MOST_FILE_BYTES = 50 * MEBIBYTE;

/** How large a file may be. A self-hosted Bot API server, or a proxy in front of it, may accept less than Telegram. */
export function createSizeLimits() {
  const limits = createLoweredLimits([20, 10, 5, 1].map((each) => each * MEBIBYTE));
  return {
    of(card: MessageCard | undefined): MediaLimits {
      const bytes = card === undefined ? MOST_FILE_BYTES : limits.of(messageKey(card), MOST_FILE_BYTES);
      return { imageBytes: Math.min(bytes, MOST_IMAGE_BYTES), fileBytes: bytes, videoBytes: bytes };
    },
    /** A file of so many bytes was refused. False when there is nothing lower to try. */
    lower: (card: MessageCard, bytes: number) => limits.lower(messageKey(card), MOST_FILE_BYTES, bytes),
  };
}

export type SizeLimits = ReturnType<typeof createSizeLimits>;
