import { ApiError } from './api-error.ts';
import type { Message, StoredFile } from './world.ts';

/** Discord's rules for messages made of components, and what a person sees of them. */

type Part = Readonly<Record<string, unknown>>;

const ROW = 1;
const BUTTON = 2;
const MENU = 3;
const TEXT = 10;
const GALLERY = 12;
const FILE = 13;
const CONTAINER = 17;
/** A container can have rows, texts, galleries, files and separators (14). */
const IN_CONTAINER = [ROW, TEXT, GALLERY, FILE, 14];

const list = (value: unknown): readonly Part[] => (Array.isArray(value) ? (value as Part[]) : []);

const refuse = (what: string): never => {
  throw new ApiError(400, 50035, `Invalid Form Body: ${what}`);
};

/** Every component, however deep. */
const allOf = (components: unknown): readonly Part[] =>
  list(components).flatMap((each) => [each, ...allOf(each.components)]);

/** The buttons and menus of a message. */
export const partsOf = ({ components }: Pick<Message, 'components'>): readonly Part[] =>
  allOf(components).filter(({ custom_id: id }) => id !== undefined);

/** The labels of a message’s buttons, in reading order. */
export const buttonsOf = (message: Pick<Message, 'components'>): readonly string[] =>
  partsOf(message).flatMap(({ label }) => (label === undefined ? [] : [String(label)]));

/** A menu of a message, with the options that people can choose. */
export interface Menu {
  readonly custom_id: string;
  readonly placeholder?: string;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/** The menu of a message. */
export const menuOf = (message: Pick<Message, 'components'>): Menu | undefined =>
  partsOf(message).find(({ type }) => type === MENU) as Menu | undefined;

/** The text of all text components, in order. */
export const textIn = (components: unknown): string =>
  allOf(components)
    .flatMap(({ type, content }) => (type === TEXT ? [String(content)] : []))
    .join('\n');

interface Shown {
  readonly name: string;
  readonly spoiler: boolean;
  /** Attached, and not shown as a picture. */
  readonly isFile?: true;
  readonly description?: string;
}

const nameIn = (media: unknown): string =>
  /^attachment:\/\/(.+)$/.exec(String((media as Part | undefined)?.url))?.[1] ?? '';

/** The attachments that components refer to. */
const shownIn = (components: unknown): readonly Shown[] =>
  allOf(components).flatMap((each): readonly Shown[] => {
    const spoiler = each.spoiler === true;
    if (each.type === FILE) return [{ name: nameIn(each.file), spoiler, isFile: true }];
    return list(each.items).map((item) => ({
      name: nameIn(item.media),
      spoiler: item.spoiler === true,
      ...(typeof item.description === 'string' ? { description: item.description } : {}),
    }));
  });

/** The flag of messages that are made of components. */
export const V2 = 1 << 15;

/** A file as people see it in a message. */
export interface SeenFile extends StoredFile, Pick<Shown, 'spoiler' | 'isFile'> {}

/** The files that a person sees: without the flag all, else those that components show. */
export const filesOf = (message: Message): readonly SeenFile[] => {
  if ((message.flags & V2) === 0)
    return message.attachments.map((file) => ({ ...file, spoiler: file.name.startsWith('SPOILER_') }));
  return shownIn(message.components).flatMap(({ name, ...shown }) =>
    message.attachments.filter((file) => file.name === name).map((file) => ({ ...file, ...shown })),
  );
};

/** Components as Discord returns them: with addresses for the attachments. */
export const componentsJson = (
  components: unknown,
  files: readonly StoredFile[],
  addressOf: (file: StoredFile) => string,
): readonly Part[] => {
  const media = (value: unknown): Part => {
    const file = files.find(({ name }) => name === nameIn(value));
    if (file === undefined) return value as Part;
    const url = addressOf(file);
    return { id: file.id, url, proxy_url: url, content_type: file.type, attachment_id: file.id };
  };
  let count = 0;
  const described = (each: Part): Part => ({
    ...each,
    id: ++count,
    ...(each.type === CONTAINER ? { spoiler: false, accent_color: null, ...each } : {}),
    ...(each.type === FILE ? { file: media(each.file) } : {}),
    ...(each.type === GALLERY
      ? {
          items: list(each.items).map((item) => ({
            description: null,
            spoiler: false,
            ...item,
            media: media(item.media),
          })),
        }
      : {}),
    ...(each.components === undefined ? {} : { components: list(each.components).map(described) }),
  });
  return list(components).map(described);
};

const fits = (text: unknown, most: number): boolean =>
  typeof text === 'string' && text !== '' && [...text].length <= most;

const checkRow = (row: Part): void => {
  const parts = list(row.components);
  if (row.type !== ROW) refuse('only rows hold buttons');
  if (parts.length === 0 || parts.length > 5) refuse('too many components');
  for (const part of parts) {
    if (part.type !== BUTTON && part.type !== MENU) refuse('not a button or menu');
    if (!fits(part.custom_id, 100)) refuse('must be between 1 and 100 in length');
    if (part.type === MENU && parts.length > 1) refuse('a menu needs a row of its own');
    if (part.type === MENU) checkMenu(part);
    else if (!fits(part.label, 80)) refuse('must be between 1 and 80 in length');
  }
};

const checkMenu = ({ placeholder, options }: Part): void => {
  const entries = list(options);
  const values = entries.map(({ value }) => value);
  if (entries.length === 0 || entries.length > 25) refuse('must be between 1 and 25 in length');
  if (new Set(values).size !== values.length) refuse('the specified option value is already used');
  if (
    (placeholder !== undefined && !fits(placeholder, 150)) ||
    !entries.every(({ label, value }) => fits(label, 100) && fits(value, 100))
  )
    refuse('must be between 1 and 100 in length');
};

const checkIds = (rows: readonly Part[]): void => {
  const ids = allOf(rows).flatMap(({ custom_id: id }) => (id === undefined ? [] : [id]));
  if (new Set(ids).size !== ids.length) refuse('component custom id cannot be duplicated');
};

/** Checks the components of a message that is made of them. `files`: the names of its attachments. */
export const checkV2 = (components: unknown, files: readonly string[]): readonly Part[] => {
  const top = list(components);
  const all = allOf(top);
  if (all.length === 0) throw new ApiError(400, 50006, 'Cannot send an empty message');
  if (all.length > 40) refuse('must be 40 or fewer in length');
  const texts = all.filter(({ type }) => type === TEXT);
  if (texts.some(({ content }) => !fits(content, 4000) || String(content).trim() === ''))
    refuse('must be between 1 and 4000 in length');
  if (textIn(top).length - texts.length + 1 > 4000) refuse('the text is longer than 4000 in total');
  for (const each of top) {
    if (each.type !== CONTAINER && !IN_CONTAINER.includes(Number(each.type)))
      refuse('not a top level component');
    const inside = each.type === CONTAINER ? list(each.components) : [each];
    if (inside.length === 0) refuse('must be 1 or more in length');
    for (const part of inside) {
      if (!IN_CONTAINER.includes(Number(part.type))) refuse('not a component of a container');
      if (part.type === ROW) checkRow(part);
      if (part.type === GALLERY && (list(part.items).length === 0 || list(part.items).length > 10))
        refuse('must be between 1 and 10 in length');
    }
  }
  for (const { name, description } of shownIn(top)) {
    if (!files.includes(name)) refuse('UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND');
    if (description !== undefined && !fits(description, 1024)) refuse('must be between 1 and 1024 in length');
  }
  checkIds(top);
  return top;
};
