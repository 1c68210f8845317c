import { keepLatest } from '../../../base/keep-latest.ts';
import type { MediaLimits } from '../../adapter.ts';
import type { Card } from './refs.ts';

/**
 * How large a file may be. Telegram says so, but a Bot API server of one's own, or what stands in front of it, may take
 * less: after a refusal a message is tried with less and less.
 */
export interface SizeLimits {
  of(card: Card): MediaLimits;
  /** A file within the limit was refused. False when there is nothing lower to try. */
  lower(card: Card): boolean;
}

const megabyte = 1024 * 1024;
const largestImage = 10 * megabyte;
const steps = [50, 20, 10, 5, 1].map((each) => each * megabyte);
const mostRemembered = 1_000;

const keyOf = ({ chat, message }: Card): string => `${chat}:${message}`;

export const createSizeLimits = (): SizeLimits => {
  const learned = new Map<string, number>();
  const stepOf = (card: Card): number => learned.get(keyOf(card)) ?? 0;
  return {
    of(card) {
      const bytes = steps[stepOf(card)] ?? megabyte;
      return { imageBytes: Math.min(bytes, largestImage), fileBytes: bytes, videoBytes: bytes };
    },
    lower(card) {
      const next = stepOf(card) + 1;
      if (next >= steps.length) return false;
      learned.set(keyOf(card), next);
      keepLatest(learned, mostRemembered);
      return true;
    },
  };
};
