import { ApiError } from './api-error.ts';
import type { Message, StoredFile, World } from './world.ts';

export interface Upload {
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A request's body: the JSON, and the files beside it. */
export interface Body {
  readonly json: Readonly<Record<string, unknown>>;
  readonly uploads: readonly Upload[];
}

const list = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? (value as Record<string, unknown>[]) : [];

/** Text, files, buttons of a new or edited message; files that are not listed go away, as on the real thing. */
export const writeMessage = (world: World, message: Message, body: Body, sizeLimit: number): void => {
  const { json, uploads } = body;
  const mentions = json.allowed_mentions as { parse?: unknown[] } | undefined;
  if (!Array.isArray(mentions?.parse) || mentions.parse.length > 0)
    world.complaints.push('a message that could ping people');
  if (uploads.some((upload) => upload.bytes.byteLength > sizeLimit))
    throw new ApiError(413, 40005, 'Request entity too large');
  const content = 'content' in json ? String(json.content ?? '') : message.content;
  if (content.length > 2000) throw new ApiError(400, 50035, 'Invalid Form Body');
  const listed = 'attachments' in json ? list(json.attachments) : undefined;
  const kept = listed === undefined ? [...message.attachments] : keep(message.attachments, listed);
  for (const upload of uploads) kept.push(store(world, upload, listed ?? []));
  if (content === '' && kept.length === 0 && list(json.embeds).length === 0)
    throw new ApiError(400, 50006, 'Cannot send an empty message');
  message.content = content;
  message.attachments = kept;
  if ('components' in json) message.components = checkComponents(json.components);
  if ('embeds' in json) message.embeds = list(json.embeds);
};

const keep = (files: readonly StoredFile[], listed: readonly Record<string, unknown>[]): StoredFile[] =>
  files.filter((file) => listed.some((entry) => String(entry.id) === file.id));

const store = (world: World, upload: Upload, listed: readonly Record<string, unknown>[]): StoredFile => {
  const index = /\[(\d+)\]/.exec(upload.field)?.[1];
  const entry = listed.find((each) => String(each.id) === index);
  const file: StoredFile = {
    id: world.id(),
    name: upload.name,
    type: upload.type,
    bytes: upload.bytes,
    ...(typeof entry?.description === 'string' ? { description: entry.description } : {}),
    expired: false,
  };
  world.files.set(file.id, file);
  return file;
};

const checkComponents = (value: unknown): readonly unknown[] => {
  const rows = list(value);
  const ids = rows.flatMap((row) => list(row.components).map((each) => String(each.custom_id)));
  if (ids.some((id) => id === '' || id.length > 100))
    throw new ApiError(400, 50035, 'Invalid Form Body: must be between 1 and 100 in length');
  if (rows.length > 5 || rows.some((row) => list(row.components).length > 5))
    throw new ApiError(400, 50035, 'Invalid Form Body: too many components');
  if (new Set(ids).size !== ids.length)
    throw new ApiError(400, 50035, 'Invalid Form Body: component custom id cannot be duplicated');
  for (const row of rows) checkMenus(list(row.components));
  return rows;
};

const MENU = 3;

const checkMenus = (row: readonly Record<string, unknown>[]): void => {
  for (const { type, placeholder, options } of row) {
    if (type !== MENU) continue;
    const entries = list(options);
    const values = entries.map(({ value }) => value);
    const fits = (text: unknown, most: number): boolean =>
      typeof text === 'string' && text !== '' && [...text].length <= most;
    if (row.length > 1) throw new ApiError(400, 50035, 'Invalid Form Body: a menu needs a row of its own');
    if (entries.length === 0 || entries.length > 25)
      throw new ApiError(400, 50035, 'Invalid Form Body: must be between 1 and 25 in length');
    if (new Set(values).size !== values.length)
      throw new ApiError(400, 50035, 'Invalid Form Body: the specified option value is already used');
    if (
      (placeholder !== undefined && !fits(placeholder, 150)) ||
      !entries.every(({ label, value }) => fits(label, 100) && fits(value, 100))
    )
      throw new ApiError(400, 50035, 'Invalid Form Body: must be between 1 and 100 in length');
  }
};
