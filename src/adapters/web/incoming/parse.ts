import { z } from 'zod';
import { parseJson } from '../../../base/parse-json.ts';
import { MOST_PHOTOS } from '../../../command/photo.ts';
import type { FormPart } from '../../../sign-in/multipart.ts';

/** The page makes the id of a message, so that a retry is the same message. */
const id = z.string().regex(/^[\w-]{8,64}$/);
const name = z.string().regex(/^[\w-]{1,32}$/);

export const MOST_PHOTO_BYTES = 20 * 1024 * 1024;
export const MOST_TEXT = 4_000;

/** The text of a message, in which multipart forms encode a line break as CRLF. */
const text = z
  .string()
  .max(2 * MOST_TEXT)
  .transform((typed) => typed.replaceAll('\r\n', '\n'))
  .pipe(z.string().max(MOST_TEXT));
const messageFields = z.object({ id, room: name, text });
export const pressShape = z.object({
  id,
  room: name,
  message: z.string().max(120),
  action: z.string().max(64),
});
export const answerShape = z.object({
  id,
  room: name,
  draft: z.string().max(64),
  answers: z
    .record(name, z.string().max(MOST_TEXT))
    .refine((answers) => Object.keys(answers).length <= 10, 'too many answers'),
});
export const completionShape = z.object({
  room: name,
  command: name,
  subcommand: name.exactOptional(),
  option: name,
  typed: z.string().max(200),
});
export const deletionShape = z.object({ room: name, message: z.string().max(120) });
export const identityShape = z.object({ person: name.exactOptional(), locale: name.exactOptional() });

export type IncomingMessage = z.infer<typeof messageFields> & { readonly photos: readonly Uint8Array[] };

/** The longest field in bytes: in UTF-8 a character takes at most four. */
const MOST_FIELD_BYTES = 4 * 2 * MOST_TEXT;

/** Reads a message with its photos; returns the reason if it must be refused. */
export function readMessage(
  parts: readonly FormPart[],
): IncomingMessage | 'malformed' | 'too-many' | 'too-large' {
  const field = (wanted: string): string | undefined => {
    const found = parts.find((part) => part.name === wanted && !part.isFile)?.bytes;
    return found !== undefined && found.byteLength <= MOST_FIELD_BYTES ? found.toString('utf8') : undefined;
  };
  const fields = messageFields.safeParse({ id: field('id'), room: field('room'), text: field('text') });
  if (!fields.success) return 'malformed';
  const photos = parts.filter((part) => part.name === 'photos' && part.isFile).map((part) => part.bytes);
  if (photos.length > MOST_PHOTOS) return 'too-many';
  if (photos.some((photo) => photo.byteLength > MOST_PHOTO_BYTES)) return 'too-large';
  if (photos.length === 0 && fields.data.text.trim() === '') return 'malformed';
  return { ...fields.data, photos };
}

const given = z.record(name, z.string().max(200));

/** Reads the options that were already typed; malformed input counts as none. */
export function readGiven(text: string): Readonly<Record<string, string>> {
  return given.safeParse(parseJson(text.slice(0, 4_000))).data ?? {};
}
