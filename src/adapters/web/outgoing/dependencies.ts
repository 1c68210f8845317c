import type { SignIn } from '../../../sign-in/sign-in.ts';
import type { AdapterOptions } from '../../adapter.ts';
import type { Chat } from './chat.ts';
import type { StoredContent } from './content.ts';
import type { MediaStore } from './media.ts';
import type { IsKept } from './message.ts';
import type { PlaygroundPhotos } from './photos.ts';

/** Settings and parts of the program from which the playground is made. */
export interface WebOptions extends AdapterOptions {
  /** Sample photos for people who have none at hand, as JPEGs. */
  readonly samples: readonly { readonly name: 'portrait' | 'group'; readonly bytes: Uint8Array }[];
  /** Fetches the preview at this address as a small JPEG; undefined if it does not come in time. Never rejects. */
  readonly preview: (url: string) => Promise<Uint8Array | undefined>;
  /** Checks the password, if there is one. */
  readonly signIn?: SignIn | undefined;
  /** Whether visitors may act as the owner, whom the program's configuration then lists. */
  readonly hasOwner: boolean;
}

/** The parts of the playground that depend on each other; each function names the ones that it needs. */
export interface WebDependencies extends WebOptions {
  readonly photos: PlaygroundPhotos;
  readonly media: MediaStore;
  readonly chat: Chat;
  readonly content: StoredContent;
  readonly isKept: IsKept;
  /** Resolves when the stored chat is loaded. */
  readonly open: () => Promise<unknown>;
}
