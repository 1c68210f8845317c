/**
 * The content of a message as plain data. Adapters escape every string: text can never act as markdown, mention or
 * link. Only `link` makes a link, and only our own code makes a `link`.
 */

import type { Area } from '../base/area.ts';

/** A part of a line that is shown in its own way. */
export type Span =
  | string
  | { readonly bold: string }
  | { readonly code: string }
  | { readonly quote: string }
  | { readonly link: string; readonly url: string }
  | CommandSpan
  | PersonSpan
  | ChannelSpan;

/** A command by name; tapping it types it, where the platform can do that. */
export interface CommandSpan {
  readonly command: string;
}

/** A person, or a Discord role, by platform id: shown by name, without a notification. */
export interface PersonSpan {
  readonly person: string;
  readonly isRole?: true;
  readonly name?: string;
}

/** A person as text, for platforms that do not insert the name themselves. */
export const personText = ({ person, name }: PersonSpan): string =>
  name === undefined || name === '' ? person : `${name} (${person})`;

/** A channel or topic by platform id, shown as the platform's link to it. */
export interface ChannelSpan {
  readonly channel: string;
  readonly thread?: string;
  /** The channel's text on a platform without links to channels: "here". */
  readonly name?: string;
}

/** A channel as text, for platforms without links to channels. */
export const channelText = ({ channel, thread, name }: ChannelSpan): string =>
  name ?? (thread === undefined ? channel : `${channel}/${thread}`);

/** A paragraph of a message. */
export type Line = string | readonly Span[];

/** A button of a message. */
export interface Button {
  /** Verb and opaque ids, at most 64 bytes of ASCII (Telegram's limit); untrusted when it comes back. */
  readonly action: string;
  readonly label: string;
  readonly style?: 'primary' | 'danger';
  /** One of the answers to a question: a platform may show many of them as a menu. */
  readonly choice?: true;
  /** The area of the view's picture that stands for this button; a platform may make it pressable there. */
  readonly spot?: Area;
}

interface MediaFile {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly name: string;
  readonly as: 'inline' | 'file';
  readonly spoiler?: boolean;
  /** A photo can be seen in it, so it is never stored. */
  readonly showsPhoto?: true;
  /** Whoever saves it from the message has the service's own picture or video: neither the bot nor the platform has encoded it anew. */
  readonly isOriginal?: true;
  /** The text that a screen reader says. */
  readonly alt: string;
}

/** A picture or video: `inline` shows it, `file` attaches it, a link points to it. */
export type Media =
  | (MediaFile & { readonly kind: 'image'; readonly width: number; readonly height: number })
  | (MediaFile & { readonly kind: 'video' })
  | { readonly kind: 'link'; readonly url: string; readonly label: string; readonly spoiler?: boolean };

/** A picture of our own drawing. */
export const inlineJpeg = (
  name: string,
  alt: string,
  { bytes, width, height }: { readonly bytes: Uint8Array; readonly width: number; readonly height: number },
) => ({ kind: 'image', as: 'inline', type: 'image/jpeg', name, alt, bytes, width, height }) as const;

/** An entry of a list to choose from: a tile of a grid, an entry of a menu, or a button with its number. */
export interface Tile {
  /** The same rules as for the `action` of a `Button`. */
  readonly action: string;
  /** The tile's number on the sheet; a letter for a tile without a number. */
  readonly label: string;
  readonly name: string;
  /** The address of its picture. */
  readonly preview?: string;
}

/** The content of a message. */
export interface View {
  readonly tone: 'info' | 'busy' | 'done' | 'failed' | 'ask';
  readonly title?: Line;
  readonly lines: readonly Line[];
  /** A progress bar, 0 to below 1. */
  readonly bar?: number;
  readonly media?: Media;
  /**
   * For a cosmetic edit of a message that shows its result already: the result stays. A message that had a link in its place shows this
   * line.
   */
  readonly keepsMedia?: Line;
  /** At most 25. `media` is their sheet, where the platform shows no pictures of its own for them. */
  readonly tiles?: readonly Tile[];
  readonly buttons?: readonly (readonly Button[])[];
}

/** The view for a message that has no media to keep. */
export function withoutMedia({ keepsMedia, ...view }: View): View {
  return keepsMedia === undefined ? view : { ...view, lines: [...view.lines, keepsMedia] };
}

/** Symbol before a title: a colour alone is not read out, and not everybody sees it. */
export const TONE_MARKS: Readonly<Record<View['tone'], string>> = {
  info: '',
  busy: '⏳ ',
  done: '✨ ',
  failed: '⚠️ ',
  ask: '❔ ',
};

/** A progress bar of characters. It is never full, because the service gives no percentage. */
export function barText(share: number): string {
  const cells = 12;
  const bounded = Math.min(Math.max(share, 0), 0.99);
  const filled = Math.floor(bounded * cells);
  return `${'▰'.repeat(filled)}${'▱'.repeat(cells - filled)} ${Math.floor(bounded * 100)}%`;
}
