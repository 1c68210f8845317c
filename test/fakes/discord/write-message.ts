import { ApiError } from './api-error.ts';
import { checkV2, filesOf, textIn, V2 } from './components.ts';
import type { Message, StoredFile, World } from './world.ts';

/** A file in the body of a request. */
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

/** Fields that a message made of components cannot have. */
const LEGACY_FIELDS = ['content', 'embeds', 'sticker_ids', 'poll'];
const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

const refuseLegacyFields = (message: Message, json: Body['json'], isNew: boolean): void => {
  const given = LEGACY_FIELDS.filter((name) => name in json && (isNew || !isEmpty(json[name])));
  const wasLegacy = (message.flags & V2) === 0;
  // `null` takes away content, and only an empty list takes away embeds.
  const left =
    wasLegacy &&
    ((message.content !== '' && json.content !== null) ||
      (message.embeds.length > 0 && !(Array.isArray(json.embeds) && json.embeds.length === 0)));
  if (given.length > 0 || left)
    throw new ApiError(400, 50035, 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2');
};

/** Writes text, files and buttons of a new or edited message; files that are not listed go away, as on the real Discord. */
export const writeMessage = (world: World, message: Message, body: Body, sizeLimit: number): void => {
  const { json, uploads } = body;
  const mentions = json.allowed_mentions as { parse?: unknown[] } | undefined;
  if (!Array.isArray(mentions?.parse) || mentions.parse.length > 0)
    world.complaints.push('a message that could ping people');
  if (uploads.some((upload) => upload.bytes.byteLength > sizeLimit))
    throw new ApiError(413, 40005, 'Request entity too large');
  const isMadeOfComponents = ((message.flags | Number(json.flags ?? 0)) & V2) !== 0;
  // Discord takes such a message, but Darkroom never sends one.
  if (!isMadeOfComponents) world.complaints.push('a message that is not made of components');
  if ('flags' in json && (message.flags & ~Number(json.flags) & V2) !== 0)
    throw new ApiError(400, 50035, 'Invalid Form Body: IS_COMPONENTS_V2 cannot be taken away');
  if (isMadeOfComponents) refuseLegacyFields(message, json, !world.messages.has(message.id));
  const listed = 'attachments' in json ? list(json.attachments) : undefined;
  const kept = listed === undefined ? [...message.attachments] : keep(message.attachments, listed);
  const stored = uploads.map((upload) => store(world, upload, listed ?? []));
  const files = [...kept, ...stored];
  const names = [...namesOf(message, listed), ...stored.map(({ name }) => name)];
  if (isMadeOfComponents) {
    if ('components' in json) message.components = checkV2(json.components, names);
    message.flags |= V2;
    message.content = textIn(message.components);
    message.embeds = [];
  } else if ('content' in json) message.content = String(json.content ?? '');
  const seen = filesOf({ ...message, attachments: files });
  if ('attachments' in json && seen.length < files.length) world.complaints.push('a file that nobody sees');
  message.attachments = files;
  for (const file of stored) world.files.set(file.id, file);
};

/** The files that stay and can be referred to: those that are listed need their name next to their id. */
const namesOf = (
  message: Message,
  listed: readonly Record<string, unknown>[] | undefined,
): readonly string[] =>
  message.attachments
    .filter(
      ({ id, name }) =>
        listed === undefined || listed.some((each) => String(each.id) === id && each.filename === name),
    )
    .map(({ name }) => name);

const keep = (files: readonly StoredFile[], listed: readonly Record<string, unknown>[]): StoredFile[] =>
  files.filter((file) => listed.some((entry) => String(entry.id) === file.id));

const store = (world: World, upload: Upload, listed: readonly Record<string, unknown>[]): StoredFile => {
  const index = /\[(\d+)\]/.exec(upload.field)?.[1];
  const entry = listed.find((each) => String(each.id) === index);
  return {
    id: world.id(),
    name: upload.name,
    type: upload.type,
    bytes: upload.bytes,
    ...(typeof entry?.description === 'string' ? { description: entry.description } : {}),
    isSpoiler: entry?.is_spoiler === true,
    expired: false,
  };
};
