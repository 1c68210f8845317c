import type { Platform } from './place.ts';

/**
 * Where a photo can be had again, never its bytes: records outlive the process and must not hold pictures.
 * A platform's `ref` is read by its own adapter alone. A link is public https and goes to the service as it is;
 * the bot itself never fetches it.
 */
export type PhotoRef =
  | { readonly from: Platform; readonly ref: string; readonly spoiler?: boolean }
  | { readonly from: 'link'; readonly url: string; readonly spoiler?: boolean };
