import type { Platform } from '../adapters/profiles.ts';

/**
 * A reference to a photo, never its bytes: records must not contain pictures. Only the platform's adapter reads `ref`.
 * `process`: the only one that has it, in its memory, where several share a store. A link is public https and is sent to the
 * service unchanged; the bot never fetches it. A face is the one that the caller has saved under this name when it is used:
 * those of other people cannot be named.
 */
export type PhotoRef =
  | { readonly from: Platform; readonly ref: string; readonly spoiler?: boolean; readonly process?: string }
  | { readonly from: 'link'; readonly url: string; readonly spoiler?: boolean }
  | { readonly from: 'face'; readonly name: string; readonly spoiler?: undefined };
