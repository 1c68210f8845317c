import type { InlineKeyboardMarkup, MessageEntity } from 'grammy/types';
import { sizeOf } from '../picture-size.ts';
import { withEffects } from './effects.ts';
import type { Payload } from './payload.ts';
import { badRequest, Refusal } from './refusal.ts';
import type { World } from './world.ts';

const megabyte = 1024 * 1024;

/** The part of a message that an edit exchanges. */
export type Content = Record<string, unknown>;

const wordsOf = (
  text: unknown,
  entities: unknown,
  limit: number,
  what: string,
): { text: string; entities: MessageEntity[] } => {
  const words = String(text ?? '');
  const given = (Array.isArray(entities) ? entities : []) as MessageEntity[];
  if (words.length > limit) throw badRequest(`${what} is too long`);
  if (!words.isWellFormed()) throw badRequest('strings must be encoded in UTF-8');
  for (const { offset, length } of given)
    if (offset < 0 || length < 1 || offset + length > words.length)
      throw badRequest(`entity beyond the text at ${offset}+${length}`);
  return { text: words, entities: withEffects(words, given) };
};

/** The text of a new or edited message, or a refusal as Telegram’s. */
export const textContent = (values: Payload['values']): Content => {
  const { text, entities } = wordsOf(values.text, values.entities, 4096, 'message');
  if (text.trim() === '') throw badRequest('message text is empty');
  return { text, entities };
};

/** The caption of a new or edited message, or a refusal as Telegram’s. */
export const captionContent = (values: Payload['values']): Content => {
  const { text, entities } = wordsOf(values.caption, values.caption_entities, 1024, 'message caption');
  return text === '' ? {} : { caption: text, caption_entities: entities };
};

/** Checks a keyboard as Telegram does: data of 1 to 64 bytes, addresses that are addresses. */
export const checkKeyboard = (markup: unknown): InlineKeyboardMarkup | undefined => {
  if (typeof markup !== 'object' || markup === null || !('inline_keyboard' in markup)) return undefined;
  const keyboard = markup as InlineKeyboardMarkup;
  for (const button of keyboard.inline_keyboard.flat()) {
    if (button.text === '') throw badRequest('inline keyboard button text is empty');
    if ('callback_data' in button) {
      const bytes = Buffer.byteLength(button.callback_data);
      if (bytes < 1 || bytes > 64) throw badRequest('BUTTON_DATA_INVALID');
    } else if (!('url' in button) || !/^(https?|tg):\/\//.test(button.url))
      throw badRequest('BUTTON_URL_INVALID');
  }
  return keyboard.inline_keyboard.length === 0 ? undefined : keyboard;
};

interface Uploaded {
  readonly bytes: Uint8Array;
  readonly name: string;
}

const photoContent = (world: World, { bytes }: Uploaded, spoiler: boolean): Content => {
  if (bytes.length > 10 * megabyte) throw badRequest('PHOTO_SAVE_FILE_INVALID');
  const size = sizeOf(bytes);
  if (size === undefined) throw badRequest('IMAGE_PROCESS_FAILED');
  const { width, height } = size;
  const ratio = Math.max(width, height) / Math.min(width, height);
  if (width + height > 10_000 || ratio > 20) throw badRequest('PHOTO_INVALID_DIMENSIONS');
  return { photo: photoSizes(world, bytes, width, height), ...(spoiler ? { has_media_spoiler: true } : {}) };
};

/** Telegram offers every photo in several sizes; the last is the largest. */
export const photoSizes = (world: World, bytes: Uint8Array, width: number, height: number) => {
  const file = (each: Uint8Array, w: number, h: number) => {
    const file_id = world.store(each, 'photos', 'jpg');
    return {
      file_id,
      file_unique_id: world.files.get(file_id)?.unique,
      file_size: each.length,
      width: w,
      height: h,
    };
  };
  return [file(bytes.slice(0, 64), Math.ceil(width / 4), Math.ceil(height / 4)), file(bytes, width, height)];
};

/** Stores a file and describes it as Telegram does. */
export const documentOf = (world: World, bytes: Uint8Array, name: string, mime: string | undefined) => {
  const file_id = world.store(bytes, 'documents', name.split('.').at(-1) ?? 'bin');
  return {
    file_id,
    file_unique_id: world.files.get(file_id)?.unique,
    file_name: name,
    ...(mime === undefined ? {} : { mime_type: mime }),
    file_size: bytes.length,
  };
};

const mimes: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };

/** A photo, a video or a file of a new or edited message, or a refusal as Telegram’s. */
export const mediaContent = (
  world: World,
  type: string,
  file: Uploaded | undefined,
  spoiler: boolean,
): Content => {
  if (file === undefined || file.bytes.length === 0) throw badRequest('file must be non-empty');
  if (file.bytes.length > 50 * megabyte) throw new Refusal(413, 'Request Entity Too Large');
  if (type === 'photo') return photoContent(world, file, spoiler);
  const extension = file.name.split('.').at(-1) ?? '';
  if (type === 'document') return { document: documentOf(world, file.bytes, file.name, mimes[extension]) };
  if (type !== 'video') throw badRequest(`media of type ${type}`);
  const video = documentOf(world, file.bytes, file.name, 'video/mp4');
  return {
    video: { ...video, width: 64, height: 96, duration: 4 },
    ...(spoiler ? { has_media_spoiler: true } : {}),
  };
};
