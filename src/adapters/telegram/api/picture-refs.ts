import type { Document, Message } from 'grammy/types';
import { defined } from '../../../base/defined.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import { photoRef } from './refs.ts';

/** Telegram's limit for downloads by bots; ours for photos is the same. */
export const MOST_DOWNLOAD_BYTES = 20 * 1024 * 1024;

type Carrier = Pick<Message, 'photo' | 'document' | 'has_media_spoiler'>;

export interface Pictures {
  readonly photos: readonly PhotoRef[];
  /** There was a picture, but it is too large for a bot to download. */
  readonly tooLarge: boolean;
}

const IMAGE_NAME = /\.(jpe?g|png|webp|heic|heif|avif|tiff?|bmp|gif)$/i;

/** Hints only: the type is read from its first bytes later. */
function looksLikeImage(document: Document): boolean {
  return (
    document.mime_type?.startsWith('image/') === true ||
    ((document.mime_type === undefined || document.mime_type === 'application/octet-stream') &&
      IMAGE_NAME.test(document.file_name ?? ''))
  );
}

function refOf(file: { file_id: string; file_size?: number }, spoiler: boolean): PhotoRef {
  return photoRef({ file_id: file.file_id, ...defined({ size: file.file_size }) }, spoiler);
}

/** The picture that a message carries, in its largest size. */
export function photosIn(message: Carrier): Pictures {
  const spoiler = message.has_media_spoiler === true;
  const sizes = [...(message.photo ?? [])].sort((a, b) => b.width * b.height - a.width * a.height);
  const file =
    sizes[0] ?? (message.document && looksLikeImage(message.document) ? message.document : undefined);
  if (file === undefined) return { photos: [], tooLarge: false };
  if ((file.file_size ?? 0) > MOST_DOWNLOAD_BYTES) return { photos: [], tooLarge: true };
  return { photos: [refOf(file, spoiler)], tooLarge: false };
}
