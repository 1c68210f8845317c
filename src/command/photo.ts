import type { Platform } from './place.ts';

/**
 * A reference to a photo, never its bytes: records must not contain pictures. Only the platform's adapter reads `ref`.
 * A link is public https and is passed to the service unchanged; the bot never fetches it.
 */
export type PhotoRef =
  | { readonly from: Platform; readonly ref: string; readonly spoiler?: boolean }
  | { readonly from: 'link'; readonly url: string; readonly spoiler?: boolean };
