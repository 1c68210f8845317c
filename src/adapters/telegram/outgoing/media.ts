import { createHash } from 'node:crypto';
import { InputFile } from 'grammy';
import type { Message } from 'grammy/types';
import type { Clock } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import type { Media, View } from '../../../command/view.ts';
import { isFault, isMessageKindBarred } from '../api/fault.ts';
import { photosIn, readPhoto } from '../api/refs.ts';
import { type ApiSignal, limitedTo } from '../api/signals.ts';

const MOST_PHOTO_BYTES = 10 * 1024 * 1024;
const MOST_SIDES = 10_000;
const WIDEST_RATIO = 20;

/** The timeout of a sheet is shorter than a result's, because its message can be read without it. */
const SHEET_TIMEOUT_MS = 10_000;
const MOST_KNOWN = 500;

export type Upload = Extract<Media, { kind: 'image' | 'video' }>;
type Shape = 'photo' | 'video' | 'document';

/** The picture or video of a view that must be uploaded. */
export const uploadOf = (view: View): Upload | undefined =>
  view.media === undefined || view.media.kind === 'link' ? undefined : view.media;

/** How to send a file: as a photo only within Telegram's limits on its bytes, sides and ratio, else as a document. */
export function shapeOf(upload: Upload): Shape {
  if (upload.as === 'file') return 'document';
  if (upload.kind === 'video') return 'video';
  if (upload.bytes.byteLength > MOST_PHOTO_BYTES) return 'document';
  const { width, height } = upload;
  const ratio = Math.max(width, height) / Math.max(1, Math.min(width, height));
  return width + height > MOST_SIDES || ratio > WIDEST_RATIO ? 'document' : 'photo';
}

const fileOf = (upload: Upload): InputFile => new InputFile(upload.bytes, upload.name);

/** The reference to the picture of a message that was sent or edited. */
export const pictureIn = (message: Message | true): PhotoRef | undefined =>
  message === true ? undefined : photosIn(message).photos[0];

const BLANK_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKklEQVR42u3MQREAAAwCIPsHNYch9ttBANKjCAQCgUAgEAgEAoFAIPgeDOiOYNN7571CAAAAAElFTkSuQmCC';

/** The picture that replaces another one in a message that is too old to be deleted. */
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

/** One attempt to send a file. `file`: the bytes, or the id of a file that Telegram already has. */
export interface Attempt {
  readonly shape: Shape;
  readonly file: InputFile | string;
  readonly signal?: ApiSignal;
}

type Send<T> = (attempt: Attempt) => Promise<T>;

/** Whether the error is about the sheet, so that the message should be shown without it. */
export const isSheetFault = (thrown: unknown): boolean =>
  isFault(thrown, 'refused', 'too-large', 'unreachable') || isMessageKindBarred(thrown);

/**
 * Sends a picture or video, and once more as a document if Telegram refuses it, because it accepts any file as a document.
 */
async function orAsDocument<T>(upload: Upload, send: Send<T>): Promise<T> {
  const shape = shapeOf(upload);
  const file = fileOf(upload);
  try {
    return await send({ file, shape });
  } catch (error) {
    if (shape === 'document' || !isFault(error, 'refused')) throw error;
    return await send({ file, shape: 'document' });
  }
}

/** Uploads the media of views; a sheet only once, because many people see the same sheets. */
export function createMediaUploads(clock: Clock) {
  /** The file ids of sheets at Telegram, by the hash of their content. */
  const known = new Map<string, string>();

  const sendSheet = async <T extends Message | true>(upload: Upload, send: Send<T>): Promise<T> => {
    const key = createHash('sha256').update(upload.bytes).digest('base64url');
    const shape = shapeOf(upload);
    const sendSoon = (file: Attempt['file']): Promise<T> =>
      limitedTo(clock, SHEET_TIMEOUT_MS, (signal) => send({ shape, file, signal }));
    const file = known.get(key);
    const sent = await (file === undefined
      ? sendSoon(fileOf(upload))
      : sendSoon(file).catch((error: unknown) => {
          if (!isFault(error, 'refused')) throw error;
          return sendSoon(fileOf(upload));
        }));
    const picture = pictureIn(sent);
    known.delete(key);
    if (picture !== undefined && 'ref' in picture) known.set(key, readPhoto(picture).file_id);
    keepLatest(known, MOST_KNOWN);
    return sent;
  };

  return <T extends Message | true>(view: View, upload: Upload, send: Send<T>): Promise<T> =>
    view.tiles === undefined ? orAsDocument(upload, send) : sendSheet(upload, send);
}
