import { createLoweredLimits } from '../../../base/lowered-limits.ts';
import type { MediaLimits } from '../../adapter.ts';
import type { Card } from './refs.ts';

const mebibyte = 1024 * 1024;
const mostImageBytes = 10 * mebibyte;
const mostFileBytes = 50 * mebibyte;

const keyOf = ({ chat, message }: Card): string => `${chat}:${message}`;

/** How large a file may be. A self-hosted Bot API server, or a proxy in front of it, may accept less than Telegram. */
export const createSizeLimits = () => {
  const limits = createLoweredLimits([20, 10, 5, 1].map((each) => each * mebibyte));
  return {
    of(card: Card): MediaLimits {
      const bytes = limits.of(keyOf(card), mostFileBytes);
      return { imageBytes: Math.min(bytes, mostImageBytes), fileBytes: bytes, videoBytes: bytes };
    },
    /** A file within the limit was refused. False when there is nothing lower to try. */
    lower: (card: Card) => limits.lower(keyOf(card), mostFileBytes),
  };
};

export type SizeLimits = ReturnType<typeof createSizeLimits>;
