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
  if (rows.length > 5 || rows.some((row) => list(row.components).length > 5))
    throw new ApiError(400, 50035, 'Invalid Form Body: too many components');
  if (new Set(ids).size !== ids.length)
    throw new ApiError(400, 50035, 'Invalid Form Body: component custom id cannot be duplicated');
  return rows;
};
