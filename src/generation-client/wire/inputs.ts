import { z } from 'zod';
import { WirePhoto } from './request-body.ts';

/** A photo to send: its bytes, or a public link that the service fetches itself. */
export type ImageInput =
  | { bytes: Uint8Array; type: 'image/jpeg' | 'image/png' | 'image/webp' }
  | { url: string };

const PHOTO_TYPES: readonly unknown[] = ['image/jpeg', 'image/png', 'image/webp'];
const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && UUID_SHAPE.test(value);

/** A bounded, absolute http(s) link without user name and password. */
function isWebLink(text: string): boolean {
  if (text.length > 4096 || !URL.canParse(text)) return false;
  const url = new URL(text);
  const web = url.protocol === 'https:' || url.protocol === 'http:';
  return web && url.username === '' && url.password === '' && url.hostname !== '';
}

/** A link from the service, absolute or relative to its root; undefined: not a link. */
export function webLinkFrom(text: string, baseUrl: string): string | undefined {
  const link = text.startsWith('/') && URL.canParse(text, baseUrl) ? new URL(text, baseUrl).href : text;
  return isWebLink(link) ? link : undefined;
}

function isImageInput(value: unknown): value is ImageInput {
  if (typeof value !== 'object' || value === null) return false;
  if ('url' in value) return typeof value.url === 'string' && isWebLink(value.url);
  if (!('bytes' in value) || !('type' in value)) return false;
  return value.bytes instanceof Uint8Array && value.bytes.length > 0 && PHOTO_TYPES.includes(value.type);
}

export function photo(what: string) {
  return z.custom<ImageInput>(
    isImageInput,
    `${what} must be a JPEG, PNG or WebP picture, or a public http(s) link.`,
  );
}

export const photos = z
  .array(photo('Each photo'), 'At least one photo is needed.')
  .min(1, 'At least one photo is needed.');

export const prompt = z.string('A prompt is needed.').trim().min(1, 'A prompt is needed.');

const catalogNumber = (rule: string) => z.int(rule).min(0, rule);

const FILTER_RULE = 'The filter must be a catalog number or the UUID of a custom filter.';
const STYLE_RULE = 'The style must be a number from 1 to 25 or the UUID of a custom filter.';
const CLASSIC_RULE = 'The classic look takes a style number from its catalog, not a UUID.';

const uuid = (rule: string) => z.string(rule).regex(UUID_SHAPE, rule);

export const filter = z.union([catalogNumber(FILTER_RULE), uuid(FILTER_RULE)], FILTER_RULE);
export const style = z.union(
  [z.int(STYLE_RULE).min(1, STYLE_RULE).max(25, STYLE_RULE), uuid(STYLE_RULE)],
  STYLE_RULE,
);
export const classicStyle = catalogNumber(CLASSIC_RULE);

/** In the order of the interface's codes, from 0 on. */
const GENDERS = ['male', 'female', 'boy', 'girl', 'group'] as const;
const genderCodes = new Map<unknown, number>(GENDERS.map((name, code) => [name, code]));
export const gender = z.enum(GENDERS, 'The gender must be male, female, boy, girl or group.');

export const ratio = z.enum(
  ['portrait', 'landscape', 'square'],
  'The ratio must be portrait, landscape or square.',
);
export const quality = z.enum(['v6.1', 'v6'], 'The quality must be v6.1 or v6.');
export const outpaint = z.boolean('Outpaint must be yes or no.');
export const duration = z.enum(['4s', '6s', '8s'], 'The duration must be 4s, 6s or 8s.');
export const videoModel = z.enum(
  ['simple', 'advanced', 'performance'],
  'The model must be simple, advanced or performance.',
);
export const aspect = z.enum(
  ['auto', '16:9', '9:16', '3:2', '2:3'],
  'The aspect must be auto, 16:9, 9:16, 3:2 or 2:3.',
);

/** A value as the service takes it: photos as base64, of videos as a data URI, links as they are. */
export function onWire(field: string, value: unknown, output: 'image' | 'video'): unknown {
  if (field === 'gender') return genderCodes.get(value);
  if (Array.isArray(value)) return value.map((each) => onWire(field, each, output));
  if (!isImageInput(value)) return value;
  if ('url' in value) return value.url;
  return new WirePhoto(value.bytes, output === 'video' ? `data:${value.type};base64,` : '');
}
