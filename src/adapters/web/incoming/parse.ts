import { z } from 'zod';
import { parseJson } from '../../../base/parse-json.ts';
import { MOST_PHOTOS } from '../../../command/photo.ts';

/** One part of a multipart form: a field or a file. */
export interface FormPart {
  readonly name: string;
  readonly isFile: boolean;
  /** A view into the body's memory, so bytes that are kept must be copied. */
  readonly bytes: Buffer;
}

/** The most parts of a form: more than any valid message has. */
const MOST_PARTS = 16;
/** The longest head of a part: `Content-Disposition` with a file name, and `Content-Type`. */
const MOST_HEAD_BYTES = 4_096;

function boundaryIn(type: string): string | undefined {
  return /^multipart\/form-data\s*;\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*$/i.exec(
    type.slice(0, 200),
  )?.[1];
}

const DISPOSITION = /^content-disposition: *form-data; *name="([^"\r\n]*)"(; *filename\*?=)?/im;

/**
 * Reads the parts of a `multipart/form-data` body. The built-in `formData()` is not used, because it blocks for a minute on
 * 20 MB of empty fields.
 */
export function readMultipart(
  type: string,
  bytes: Uint8Array,
): readonly FormPart[] | 'malformed' | 'too-many' {
  const boundary = boundaryIn(type);
  if (boundary === undefined) return 'malformed';
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const opening = delimiter.subarray(2);
  if (!body.subarray(0, opening.length).equals(opening)) return 'malformed';

  const parts: FormPart[] = [];
  let at = opening.length;
  while (body.toString('latin1', at, at + 2) !== '--') {
    if (parts.length === MOST_PARTS) return 'too-many';
    const head = body.subarray(at, at + MOST_HEAD_BYTES);
    const headEnd = head.indexOf('\r\n\r\n');
    const start = at + headEnd + 4;
    const end = headEnd < 0 ? -1 : body.indexOf(delimiter, start);
    const [named, name = '', file] = DISPOSITION.exec(head.toString('utf8', 0, Math.max(0, headEnd))) ?? [];
    if (end < 0 || named === undefined) return 'malformed';
    parts.push({ name, isFile: file !== undefined, bytes: body.subarray(start, end) });
    at = end + delimiter.length;
  }
  return parts;
}

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
export const pressed = z.object({ id, room: name, message: z.string().max(120), action: z.string().max(64) });
export const answered = z.object({
  id,
  room: name,
  draft: z.string().max(64),
  answers: z
    .record(name, z.string().max(MOST_TEXT))
    .refine((answers) => Object.keys(answers).length <= 10, 'too many answers'),
});
export const completing = z.object({
  room: name,
  command: name,
  subcommand: name.exactOptional(),
  option: name,
  typed: z.string().max(200),
});
export const removing = z.object({ room: name, message: z.string().max(120) });
export const identity = z.object({ person: name.exactOptional(), locale: name.exactOptional() });

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
