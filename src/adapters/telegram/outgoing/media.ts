import { InputFile } from 'grammy';
import type { Message } from 'grammy/types';
import type { PhotoRef } from '../../../command/photo.ts';
import type { Media, View } from '../../../command/view.ts';
import { photosIn } from '../api/picture-refs.ts';

const MOST_PHOTO_BYTES = 10 * 1024 * 1024;
const MOST_SIDES = 10_000;
const WIDEST_RATIO = 20;

export type Upload = Extract<Media, { kind: 'image' | 'video' }>;
export type Shape = 'photo' | 'video' | 'document';

export function uploadOf(view: View): Upload | undefined {
  return view.media === undefined || view.media.kind === 'link' ? undefined : view.media;
}

/** Telegram limits a photo's bytes, sides and ratio; others are sent as a file. */
export function shapeOf(upload: Upload): Shape {
  if (upload.as === 'file') return 'document';
  if (upload.kind === 'video') return 'video';
  if (upload.bytes.byteLength > MOST_PHOTO_BYTES) return 'document';
  const { width, height } = upload;
  const ratio = Math.max(width, height) / Math.max(1, Math.min(width, height));
  return width + height > MOST_SIDES || ratio > WIDEST_RATIO ? 'document' : 'photo';
}

export function fileOf(upload: Upload): InputFile {
  return new InputFile(upload.bytes, upload.name);
}

export function pictureIn(message: Message | true): PhotoRef | undefined {
  return message === true ? undefined : photosIn(message).photos[0];
}

const BLANK_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKklEQVR42u3MQREAAAwCIPsHNYch9ttBANKjCAQCgUAgEAgEAoFAIPgeDOiOYNN7571CAAAAAElFTkSuQmCC';

/** Replaces a picture in a message that is too old to be deleted. */
export const blankPicture: Upload = {
  kind: 'image',
  bytes: Buffer.from(BLANK_PNG, 'base64'),
  type: 'image/png',
  name: 'removed.png',
  as: 'inline',
  alt: '',
  width: 64,
  height: 64,
};
