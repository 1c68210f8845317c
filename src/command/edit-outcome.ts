import type { PhotoRef } from './photo.ts';
import type { CardRef } from './place.ts';

/**
 * What became of an edit.
 * `gone`: the message or our access to it no longer exists, trying again is pointless. `stands`: the message is there,
 * only it may not show this.
 * `later`: the platform asks us to wait; cosmetic edits may be dropped instead.
 */
export type Drawn =
  | { readonly state: 'drawn'; readonly card?: CardRef; readonly result?: PhotoRef }
  | { readonly state: 'gone'; readonly stands?: true }
  | { readonly state: 'later'; readonly afterMs: number };
