import type { SignIn } from '../../../sign-in/sign-in.ts';
import type { AdapterOptions } from '../../adapter.ts';
import type { Chat } from './chat.ts';
import type { Content } from './content.ts';
import type { MediaStore } from './media.ts';
import type { IsKept } from './message.ts';
import type { Photos } from './photos.ts';

export interface WebOptions extends AdapterOptions {
  /** Photos for people who have none, as JPEGs. */
  readonly samples: readonly { readonly name: 'portrait' | 'group'; readonly bytes: Uint8Array }[];
  /** The preview at this address as a small JPEG; undefined if it is not there in time. Never rejects. */
  readonly preview: (url: string) => Promise<Uint8Array | undefined>;
  /** Present when there is a password. */
  readonly signIn?: SignIn | undefined;
  /** Visitors may act as the owner. The caller decides whether that person is one. */
  readonly hasOwner: boolean;
}

/** What the parts of the playground share; each names what it needs of it. */
export interface WebParts extends WebOptions {
  readonly photos: Photos;
  readonly media: MediaStore;
  readonly chat: Chat;
  readonly content: Content;
  readonly isKept: IsKept;
  /** Resolves when the stored chat is loaded. */
  readonly open: () => Promise<unknown>;
}
