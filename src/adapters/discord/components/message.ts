import {
  type APIActionRowComponent,
  type APIAllowedMentions,
  type APIButtonComponentWithCustomId,
  type APIComponentInContainer,
  type APIComponentInMessageActionRow,
  type APIContainerComponent,
  ButtonStyle,
  ComponentType,
  MessageFlags,
  type RawFile,
  type RESTAPIAttachment,
  spoiler,
} from 'discord.js';
import { defined } from '../../../base/defined.ts';
import { shorten } from '../../../command/shorten.ts';
import type { Button, Media, View } from '../../../command/view.ts';
import { MEANWHILE_ID } from '../payloads/message-parts.ts';
import { escapeText, linkSpan } from './escape.ts';
import { writeLines } from './lines.ts';
import { menuOf, splitChoices } from './select-menu.ts';

/**
 * Renders a view as a Discord message (`renderView`). Messages are plain objects of the types in discord-api-types: the
 * library's builders took 44 µs of CPU time for a message with a picture and five buttons, 80 times that of plain objects,
 * and check again what the types ensure.
 */

/** Discord's limits on one message. */
const TEXT_LIMIT = 4000;
/** A link longer than this is shown as text only, because it would leave no room for the other text. */
const LONGEST_LINK = 3500;
const MOST_COMPONENTS = 40;
const MOST_IN_ROW = 5;
const LABEL_LIMIT = 80;

const ACCENTS: Readonly<Record<View['tone'], number | undefined>> = {
  info: undefined,
  busy: 0xf0b232,
  done: 0x23a55a,
  failed: 0xf23f43,
  ask: 0x5865f2,
};

/**
 * A file of a message: the component that shows it, and its attachment. Discord shows an attachment only where a component
 * refers to it.
 */
interface RenderedFile {
  readonly shown: APIComponentInContainer;
  readonly attachment: RESTAPIAttachment;
  readonly upload?: RawFile;
}

const ALT_LIMIT = 1024;

const safeName = (name: string): string => name.replaceAll(/[^\w.-]/g, '_').slice(-80) || 'result';

/** Makes a Buffer of the same memory, without a copy, because a video can be large. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A file that the message already has, and that an edit keeps. */
export interface KeptFile {
  readonly id: string;
  readonly url: string;
  readonly hidden: boolean;
  readonly alt?: string;
}

function fileNamed(
  filename: string,
  { id, hidden, alt = '' }: Omit<KeptFile, 'url'>,
  isAttached = false,
): RenderedFile {
  const media = { url: `attachment://${filename}` };
  const text = shorten(alt, ALT_LIMIT);
  // Discord refuses an empty description.
  const described = text === '' ? {} : { description: text };
  return {
    shown: isAttached
      ? { type: ComponentType.File, file: media, spoiler: hidden }
      : { type: ComponentType.MediaGallery, items: [{ media, spoiler: hidden, ...described }] },
    attachment: { id, filename, is_spoiler: hidden, ...described },
  };
}

/** The complete content of a message, so that an edit with it is idempotent. */
export interface Payload {
  readonly body: {
    readonly flags: MessageFlags.IsComponentsV2;
    readonly components: [APIContainerComponent];
    readonly attachments: RESTAPIAttachment[];
    readonly allowed_mentions: APIAllowedMentions;
  };
  readonly files: RawFile[];
  /** The payload that is sent instead if Discord refuses the file. */
  readonly withoutFile?: Payload;
}

/** The body of a new message; a private one is ephemeral, which only answers to interactions can be. */
export const newMessage = ({ body, files }: Payload, isPrivate: boolean) => ({
  ...body,
  flags: isPrivate ? body.flags | MessageFlags.Ephemeral : body.flags,
  files,
});

/**
 * The body of an edit. `content` and `embeds` are emptied, because Discord refuses the components flag beside those of older
 * messages.
 */
export const editedMessage = ({ body, files }: Payload) => ({
  ...body,
  // Discord accepts null, which removes the content, but the type of `@discordjs/core` does not allow it.
  content: null as unknown as string,
  embeds: [],
  files,
});

/** The parts of a rendered message that its view does not have. */
export interface Extras {
  /** Hides the media as a spoiler, because the photo was one. */
  readonly spoiler?: boolean;
  /** Buttons that are added after the view's own. */
  readonly buttons?: readonly APIButtonComponentWithCustomId[];
  /** The text that a menu shows while nothing is chosen. */
  readonly placeholder?: string;
  /** The file that is shown if the view has no media. */
  readonly kept?: KeptFile;
  /** Marks a message that says that the answer takes longer, so that `isMeanwhile` recognises it. */
  readonly isMeanwhile?: true;
}

const STYLES = { primary: ButtonStyle.Primary, danger: ButtonStyle.Danger } as const;

/** The prefix of the custom ids of buttons whose press the desk handles; the action follows. */
export const ACTION_PREFIX = 'a:';

export function button(
  customId: string,
  label: string,
  style?: Button['style'],
): APIButtonComponentWithCustomId {
  return {
    type: ComponentType.Button,
    custom_id: customId,
    label: [...label].slice(0, LABEL_LIMIT).join('') || '…',
    style: style === undefined ? ButtonStyle.Secondary : STYLES[style],
  };
}

type Rows = APIActionRowComponent<APIComponentInMessageActionRow>[];

/** Lays out menu and buttons in rows, with at most `most` components, of which each row itself is one. */
function renderRows(view: View, { buttons = [], placeholder }: Extras, most: number): Rows {
  const { entries, rows } = splitChoices(view);
  const menu = menuOf(entries, placeholder);
  const used = new Set<string>();
  // Discord refuses a message in which two buttons have the same id.
  const isFirstWithId = ({ custom_id }: APIButtonComponentWithCustomId): boolean => {
    if (used.has(custom_id)) return false;
    used.add(custom_id);
    return true;
  };
  const given = rows.map((row) =>
    row.map((each) => button(`${ACTION_PREFIX}${each.action}`, each.label, each.style)).filter(isFirstWithId),
  );
  const all = [...given, buttons.filter(isFirstWithId)].filter((row) => row.length > 0);
  const left = menu === undefined ? most : most - 2;
  const fits = all.every((row) => row.length <= MOST_IN_ROW) && all.flat().length + all.length <= left;
  const buttonRows = fits ? all : repack(all.flat(), left);
  const allRows = menu === undefined ? buttonRows : [[menu], ...buttonRows];
  return allRows.map((components) => ({ type: ComponentType.ActionRow, components }));
}

/** Fills rows with buttons in their order, where the given rows do not fit. */
function repack<T>(all: readonly T[], most: number): T[][] {
  const rows = Math.min(Math.floor(most / (MOST_IN_ROW + 1)), Math.ceil(all.length / MOST_IN_ROW));
  return Array.from({ length: rows }, (_, row) => all.slice(row * MOST_IN_ROW, (row + 1) * MOST_IN_ROW));
}

function fileOf(media: Media | undefined, hidden: boolean, kept?: KeptFile): RenderedFile | undefined {
  // Discord finds a file that the edit keeps only if its name is given with its id.
  if (media === undefined || media.kind === 'link')
    return kept && fileNamed(new URL(kept.url).pathname.split('/').at(-1) ?? '', kept);
  const name = safeName(media.name);
  return {
    ...fileNamed(name, { id: '0', hidden, alt: media.alt }, media.as === 'file'),
    upload: { name, data: asBuffer(media.bytes), contentType: media.type },
  };
}

function renderLink({ label, url }: Extract<Media, { kind: 'link' }>, hidden: boolean): string {
  const link = linkSpan(label, url);
  const shown = link.length > LONGEST_LINK ? escapeText(label) : link;
  return hidden ? spoiler(shown) : shown;
}

/** Renders a view as the body and files of a message. */
export function renderView(view: View, extras: Extras = {}): Payload {
  const { media, tone } = view;
  const hidden = media?.spoiler === true || extras.spoiler === true;
  const link = media?.kind === 'link' ? renderLink(media, hidden) : '';
  const text = writeLines(view, TEXT_LIMIT - link.length - 1);
  const content = `${text}\n${link}`.trim();
  const file = fileOf(media, hidden, extras.kept);
  const first: APIComponentInContainer[] = [
    ...(content === '' && file !== undefined
      ? []
      : [{ type: ComponentType.TextDisplay as const, content: content || '…' }]),
    ...(file === undefined ? [] : [file.shown]),
  ];
  const rows = renderRows(view, extras, MOST_COMPONENTS - 1 - first.length);
  return {
    body: {
      flags: MessageFlags.IsComponentsV2,
      components: [
        {
          type: ComponentType.Container,
          ...(extras.isMeanwhile ? { id: MEANWHILE_ID } : {}),
          ...defined({ accent_color: ACCENTS[tone] }),
          components: [...first, ...rows],
        },
      ],
      attachments: file === undefined ? [] : [file.attachment],
      allowed_mentions: { parse: [] },
    },
    files: file?.upload === undefined ? [] : [file.upload],
  };
}
