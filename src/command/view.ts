/**
 * What a message shows, as plain data. Adapters escape every string in it: text can never act as markdown,
 * mention or link. Only `link` makes a link, and only our own code makes a `link`.
 */

export type Span =
  | string
  | { readonly bold: string }
  | { readonly code: string }
  | { readonly quote: string }
  | { readonly link: string; readonly url: string }
  | CommandSpan
  | PersonSpan
  | ChannelSpan;

/** One of our own commands, by its name: where the platform can, touching it types it. */
export interface CommandSpan {
  readonly command: string;
}

/** Somebody, by the platform's id: shown with a name, never called by it. */
export interface PersonSpan {
  readonly person: string;
  readonly name?: string;
}

/** Where the platform does not put the name itself. */
export const personText = ({ person, name }: PersonSpan): string =>
  name === undefined || name === '' ? person : `${name} (${person})`;

/** A channel, or a topic of a chat, by the platform's ids: shown in the platform's own way of leading there. */
export interface ChannelSpan {
  readonly channel: string;
  readonly thread?: string;
  /** How to call it where the platform leads to none: "here". */
  readonly name?: string;
}

export const channelText = ({ channel, thread, name }: ChannelSpan): string =>
  name ?? (thread === undefined ? channel : `${channel}/${thread}`);

/** One paragraph. */
export type Line = string | readonly Span[];

export interface Button {
  /** Verb and opaque ids, at most 64 bytes of ASCII (Telegram's limit): never trusted when it comes back. */
  readonly action: string;
  readonly label: string;
  readonly style?: 'primary' | 'danger';
}

/** A picture or video to show in the message. `inline` shows it, `file` offers it, a link points to it. */
export type Media =
  | {
      readonly kind: 'image' | 'video';
      readonly bytes: Uint8Array;
      readonly type: string;
      readonly name: string;
      readonly as: 'inline' | 'file';
      readonly spoiler?: boolean;
      /** What a screen reader says. */
      readonly alt: string;
    }
  | { readonly kind: 'link'; readonly url: string; readonly label: string; readonly spoiler?: boolean };

export interface View {
  readonly tone: 'info' | 'busy' | 'done' | 'failed' | 'ask';
  readonly title?: Line;
  readonly lines: readonly Line[];
  /** A progress bar, 0 to below 1. */
  readonly bar?: number;
  readonly media?: Media;
  readonly buttons?: readonly (readonly Button[])[];
}

/** What stands before a title, where a message has no colour to tell by: the same everywhere. */
export const toneMarks: Readonly<Record<View['tone'], string>> = {
  info: '',
  busy: '⏳ ',
  done: '✨ ',
  failed: '⚠️ ',
  ask: '❔ ',
};

/** Never full: the service gives no percentage, so 100% would be a claim. */
export const barText = (share: number): string => {
  const cells = 12;
  const bounded = Math.min(Math.max(share, 0), 0.99);
  const filled = Math.floor(bounded * cells);
  return `${'▰'.repeat(filled)}${'▱'.repeat(cells - filled)} ${Math.floor(bounded * 100)}%`;
};
