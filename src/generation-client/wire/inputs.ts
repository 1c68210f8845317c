import { z } from 'zod';
import { WirePhoto } from './request-body.ts';

/** A photo to send: its bytes, or a public link that the service fetches itself. */
export type ImageInput =
  | { bytes: Uint8Array; type: 'image/jpeg' | 'image/png' | 'image/webp' }
  | { url: string };

const PHOTO_TYPES: readonly unknown[] = ['image/jpeg', 'image/png', 'image/webp'];
/** Whether a text is a bounded, absolute http(s) link without user name and password. */
function isWebLink(text: string): boolean {
  if (text.length > 4096 || !URL.canParse(text)) return false;
  const url = new URL(text);
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  return web && url.username === '' && url.password === '' && url.hostname !== '';
}

/** A link from the service, absolute or relative to its root; undefined if it is none. */
export function webLinkFrom(text: string, baseUrl: string): string | undefined {
  const link = text.startsWith('/') && URL.canParse(text, baseUrl) ? new URL(text, baseUrl).href : text;
  return isWebLink(link) ? link : undefined;
}

/** Whether a value is a photo of an allowed type, or a public link. */
export function isImageInput(value: unknown): value is ImageInput {
  if (typeof value !== 'object' || value === null) return false;
  if ('url' in value) return typeof value.url === 'string' && isWebLink(value.url);
  if (!('bytes' in value) || !('type' in value)) return false;
  return value.bytes instanceof Uint8Array && value.bytes.length > 0 && PHOTO_TYPES.includes(value.type);
}

export const imageRule = (what: string) =>
  z.custom<ImageInput>(
    isImageInput,
    `${what} must be a JPEG, PNG or WebP picture, or a public http(s) link.`,
  );

const ONE_AT_LEAST = 'At least one photo is needed.';

export const imagesRule = (what: string) => z.array(imageRule(what), ONE_AT_LEAST).min(1, ONE_AT_LEAST);

/** Converts a photo to the form that the service expects: base64, for videos as a data URI, and a link unchanged. */
export function imageOnWire(image: ImageInput, output: 'image' | 'video'): WirePhoto | string {
  if ('url' in image) return image.url;
  return new WirePhoto(image.bytes, output === 'video' ? `data:${image.type};base64,` : '');
}
