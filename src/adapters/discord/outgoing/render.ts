import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIStringSelectComponent,
  ButtonStyle,
  ComponentType,
  type RawFile,
} from 'discord.js';
import { shorten } from '../../../command/shorten.ts';
import type { Button, Media, View } from '../../../command/view.ts';
import { linkSpan } from './escape.ts';
import { writeLines } from './lines.ts';
import { menuOf } from './menu.ts';

/** Discord's limits on one message. */
const CONTENT_LIMIT = 2000;
const MOST_ROWS = 5;
const MOST_IN_ROW = 5;
const LABEL_LIMIT = 80;
const ALT_LIMIT = 1024;

type Row =
  | APIActionRowComponent<APIButtonComponentWithCustomId>
  | APIActionRowComponent<APIStringSelectComponent>;

/** The whole content of a message: sending it twice changes nothing. */
export interface Payload {
  readonly body: {
    readonly content: string;
    readonly components: readonly Row[];
    readonly attachments: readonly {
      readonly id: string;
      readonly filename: string;
      readonly description: string;
    }[];
    readonly allowed_mentions: { readonly parse: readonly never[] };
  };
  readonly files: readonly RawFile[];
  /** Sent instead where the file is refused. */
  readonly withoutFile?: Payload;
}

export interface Extras {
  /** The result of a spoiler photo is a spoiler. */
  readonly spoiler?: boolean;
  /** Added after the view's buttons. */
  readonly buttons?: readonly APIButtonComponentWithCustomId[];
  /** What a menu shows while nothing is chosen. */
  readonly placeholder?: string;
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

function renderComponents(view: View, { buttons = [], placeholder }: Extras): readonly Row[] {
  const menu = menuOf(view.tiles ?? [], placeholder);
  if (menu === undefined) return renderButtons(view, buttons, MOST_ROWS);
  return [
    { type: ComponentType.ActionRow, components: [menu] },
    ...renderButtons(view, buttons, MOST_ROWS - 1),
  ];
}

function renderButtons(
  view: View,
  extra: readonly APIButtonComponentWithCustomId[],
  mostRows: number,
): readonly Row[] {
  const used = new Set<string>();
  // Discord refuses a message in which two buttons have the same id.
  const fresh = (each: APIButtonComponentWithCustomId): boolean =>
    !used.has(each.custom_id) && used.add(each.custom_id) !== undefined;
  const given = (view.buttons ?? [])
    .map((row) =>
      row.map((each) => button(`${ACTION_PREFIX}${each.action}`, each.label, each.style)).filter(fresh),
    )
    .filter((row) => row.length > 0);
  const rows = [...given, extra.filter(fresh)].filter((row) => row.length > 0);
  const fits = rows.length <= mostRows && rows.every((row) => row.length <= MOST_IN_ROW);
  return (fits ? rows : repack(rows.flat(), mostRows)).map((components) => ({
    type: ComponentType.ActionRow,
    components,
  }));
}

function repack<T>(all: readonly T[], mostRows: number): T[][] {
  return Array.from({ length: Math.min(mostRows, Math.ceil(all.length / MOST_IN_ROW)) }, (_, row) =>
    all.slice(row * MOST_IN_ROW, (row + 1) * MOST_IN_ROW),
  );
}

function fileName(media: Exclude<Media, { kind: 'link' }>, spoiler: boolean): string {
  const safe =
    media.name
      .replaceAll(/[^\w.-]/g, '_')
      .replace(/^SPOILER_/, '')
      .slice(-80) || 'result';
  return spoiler ? `SPOILER_${safe}` : safe;
}

/** Shares the memory: a video can be large. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

export function renderView(view: View, extras: Extras = {}): Payload {
  const { media } = view;
  const hidden = media?.spoiler === true || extras.spoiler === true;
  // Discord hides the preview of a hidden link.
  const hide = (text: string): string => (hidden ? `||${text}||` : text);
  const link = media?.kind === 'link' ? hide(linkSpan(media.label, media.url, true)) : '';
  const text = writeLines(view, CONTENT_LIMIT - link.length - 1);
  const content = [text, link].filter((part) => part !== '').join('\n');
  const file = media === undefined || media.kind === 'link' ? undefined : media;
  const name = file === undefined ? '' : fileName(file, hidden);
  return {
    body: {
      content: content === '' && file === undefined ? '…' : content,
      components: renderComponents(view, extras),
      attachments:
        file === undefined ? [] : [{ id: '0', filename: name, description: shorten(file.alt, ALT_LIMIT) }],
      allowed_mentions: { parse: [] },
    },
    files: file === undefined ? [] : [{ name, data: asBuffer(file.bytes), contentType: file.type }],
  };
}
