import type { PlatformEvent } from './chat.ts';

/** A request of somebody in the suites of kills and power cuts. */
export type Wish = Pick<PlatformEvent, 'prompt' | 'cancelAfterMs' | 'photos'>;

/** Requests in the suites of kills and power cuts: one for each end that a job can have. */
export const kinds: readonly Wish[] = [
  { prompt: 'a portrait' },
  { prompt: 'a landscape' },
  { prompt: 'refused by the service' },
  { prompt: 'turned away at first' },
  { prompt: 'failing at the service' },
  { prompt: 'cancelled early', cancelAfterMs: 0 },
  { prompt: 'cancelled later', cancelAfterMs: 15 },
  { prompt: 'an album', photos: 3 },
  { prompt: 'an album, cancelled in part', photos: 2, cancelAfterMs: 15 },
];
