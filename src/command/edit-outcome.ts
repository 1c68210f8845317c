import type { PhotoRef } from './photo.ts';
import type { CardRef } from './place.ts';

/**
 * The outcome of an edit. `gone`: the message or our access to it no longer exists, so do not retry. `messageRemains`: the
 * message exists but may not show this. `later`: the platform asks us to wait; cosmetic edits may be dropped.
 * `unsent`: it certainly did not arrive. `refused`: the platform will never take this content; `reason`: for the log.
 */
export type Drawn =
  | { readonly state: 'drawn'; readonly card?: CardRef; readonly result?: PhotoRef }
  | { readonly state: 'gone'; readonly messageRemains?: true }
  | { readonly state: 'later'; readonly afterMs: number; readonly unsent?: true }
  | { readonly state: 'refused'; readonly reason: string };
