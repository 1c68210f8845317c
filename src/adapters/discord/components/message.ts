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
 * Messages are plain objects, as discord-api-types describes them: the library's builders took 44 µs of CPU time for a message
 * with a picture and five buttons, 80 times that of plain objects, and check again what the types ensure.
 */

/** Discord's limits on one message. */
const TEXT_LIMIT = 4000;
/** A longer one leaves no room for the words. */
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

/** A message's file: how it is shown, and the attachment. Discord shows no attachment by itself. */
interface RenderedFile {
  readonly shown: APIComponentInContainer;
  readonly attachment: RESTAPIAttachment;
  readonly upload?: RawFile;
}

const ALT_LIMIT = 1024;

const safeName = (name: string): string => name.replaceAll(/[^\w.-]/g, '_').slice(-80) || 'result';

/** Shares the memory: a video can be large. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A file that the message has already. */
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
  // Discord refuses an empty one.
  const described = text === '' ? {} : { description: text };
  return {
    shown: isAttached
      ? { type: ComponentType.File, file: media, spoiler: hidden }
      : { type: ComponentType.MediaGallery, items: [{ media, spoiler: hidden, ...described }] },
    attachment: { id, filename, is_spoiler: hidden, ...described },
  };
}

/** The whole content of a message: sending it twice changes nothing. */
export interface Payload {
  readonly body: {
    readonly flags: MessageFlags.IsComponentsV2;
    readonly components: [APIContainerComponent];
    readonly attachments: RESTAPIAttachment[];
    readonly allowed_mentions: APIAllowedMentions;
  };
  readonly files: RawFile[];
  /** Sent instead where the file is refused. */
  readonly withoutFile?: Payload;
}

/** Options for a new message that answers an interaction. */
export const newMessage = ({ body, files }: Payload, isPrivate: boolean) => ({
  ...body,
  flags: isPrivate ? body.flags | MessageFlags.Ephemeral : body.flags,
  files,
});

/** Options for an edit. Earlier versions made messages with content, next to which Discord refuses the flag. */
export const editedMessage = ({ body, files }: Payload) => ({
  ...body,
  // Discord takes null, which empties it; core's type does not know that.
  content: null as unknown as string,
  embeds: [],
  files,
});

export interface Extras {
  /** The result of a spoiler photo is a spoiler. */
  readonly spoiler?: boolean;
  /** Added after the view's buttons. */
  readonly buttons?: readonly APIButtonComponentWithCustomId[];
  /** What a menu shows while nothing is chosen. */
  readonly placeholder?: string;
  /** Shown where the view has no media. */
  readonly kept?: KeptFile;
  /** It says that the answer takes longer, and can be told from an answer (`isMeanwhile`). */
  readonly isMeanwhile?: true;
}

const STYLES = { primary: ButtonStyle.Primary, danger: ButtonStyle.Danger } as const;

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

/** Within so many components, of which each row is one. */
function renderRows(view: View, { buttons = [], placeholder }: Extras, most: number): Rows {
  const { entries, rows } = splitChoices(view);
  const menu = menuOf(entries, placeholder);
  const used = new Set<string>();
  // Discord refuses a message in which two buttons have the same id.
  const fresh = (each: APIButtonComponentWithCustomId): boolean =>
    !used.has(each.custom_id) && used.add(each.custom_id) !== undefined;
  const given = rows.map((row) =>
    row.map((each) => button(`${ACTION_PREFIX}${each.action}`, each.label, each.style)).filter(fresh),
  );
  const all = [...given, buttons.filter(fresh)].filter((row) => row.length > 0);
  const left = menu === undefined ? most : most - 2;
  const fits = all.every((row) => row.length <= MOST_IN_ROW) && all.flat().length + all.length <= left;
  return [...(menu === undefined ? [] : [[menu]]), ...(fits ? all : repack(all.flat(), left))].map(
    (components) => ({ type: ComponentType.ActionRow, components }),
  );
}

function repack<T>(all: readonly T[], most: number): T[][] {
  const rows = Math.min(Math.floor(most / (MOST_IN_ROW + 1)), Math.ceil(all.length / MOST_IN_ROW));
  return Array.from({ length: rows }, (_, row) => all.slice(row * MOST_IN_ROW, (row + 1) * MOST_IN_ROW));
}

function fileOf(media: Media | undefined, hidden: boolean, kept?: KeptFile): RenderedFile | undefined {
  // Discord finds a file that stays by its name only if that is given next to its id.
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
