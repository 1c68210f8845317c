import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
  type RawFile,
} from 'discord.js';
import { shorten } from '../../../command/shorten.ts';
import type { Button, Media, View } from '../../../command/view.ts';
import { linkSpan } from './escape.ts';
import { writeLines } from './lines.ts';

/** Discord's limits on one message. */
const CONTENT = 2000;
const ROWS = 5;
const PER_ROW = 5;
const LABEL = 80;
const ALT = 1024;

export type Row = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** A message's whole desired state: sending it twice changes nothing. */
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
  /** What is shown where its file may not be. */
  readonly without?: Payload;
}

export interface Extras {
  /** The result of a photo that was hidden stays hidden. */
  readonly spoiler?: boolean;
  /** Buttons of the adapter's own, after the view's. */
  readonly buttons?: readonly APIButtonComponentWithCustomId[];
}

export const ACTION = 'a:';

export const button = (
  customId: string,
  label: string,
  style?: Button['style'],
): APIButtonComponentWithCustomId => ({
  type: ComponentType.Button,
  custom_id: customId,
  label: [...label].slice(0, LABEL).join('') || '…',
  style:
    style === 'primary'
      ? ButtonStyle.Primary
      : style === 'danger'
        ? ButtonStyle.Danger
        : ButtonStyle.Secondary,
});

const renderButtons = (view: View, extra: readonly APIButtonComponentWithCustomId[]): readonly Row[] => {
  const used = new Set<string>();
  // Discord refuses a whole message for two buttons with the same id.
  const fresh = (each: APIButtonComponentWithCustomId): boolean =>
    !used.has(each.custom_id) && used.add(each.custom_id) !== undefined;
  const given = (view.buttons ?? [])
    .map((row) => row.map((each) => button(`${ACTION}${each.action}`, each.label, each.style)).filter(fresh))
    .filter((row) => row.length > 0);
  const rows = [...given, extra.filter(fresh)].filter((row) => row.length > 0);
  const fits = rows.length <= ROWS && rows.every((row) => row.length <= PER_ROW);
  return (fits ? rows : repack(rows.flat())).map((components) => ({
    type: ComponentType.ActionRow,
    components,
  }));
};

const repack = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.min(ROWS, Math.ceil(all.length / PER_ROW)) }, (_, row) =>
    all.slice(row * PER_ROW, (row + 1) * PER_ROW),
  );

const fileName = (media: Exclude<Media, { kind: 'link' }>, spoiler: boolean): string => {
  const safe =
    media.name
      .replaceAll(/[^\w.-]/g, '_')
      .replace(/^SPOILER_/, '')
      .slice(-80) || 'result';
  return spoiler ? `SPOILER_${safe}` : safe;
};

/** The same view always gives the same message. */
/** The same memory: a video may be as large as Discord takes. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

export const renderView = (view: View, extras: Extras = {}): Payload => {
  const { media } = view;
  const hidden = media?.spoiler === true || extras.spoiler === true;
  // Discord shows what a link leads to, and hides it where the link is hidden.
  const hide = (text: string): string => (hidden ? `||${text}||` : text);
  const link = media?.kind === 'link' ? hide(linkSpan(media.label, media.url, true)) : '';
  const text = writeLines(view, CONTENT - link.length - 1);
  const content = [text, link].filter((part) => part !== '').join('\n');
  const file = media === undefined || media.kind === 'link' ? undefined : media;
  const name = file === undefined ? '' : fileName(file, hidden);
  return {
    body: {
      content: content === '' && file === undefined ? '…' : content,
      components: renderButtons(view, extras.buttons ?? []),
      attachments:
        file === undefined ? [] : [{ id: '0', filename: name, description: shorten(file.alt, ALT) }],
      allowed_mentions: { parse: [] },
    },
    files: file === undefined ? [] : [{ name, data: asBuffer(file.bytes), contentType: file.type }],
  };
};
