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
