import { defined } from '../../../base/defined.ts';
import {
  type ChannelSpan,
  type CommandSpan,
  channelText,
  type Line,
  type Media,
  type PersonSpan,
  personText,
  type Span,
  type View,
} from '../../../command/view.ts';

/** A span for the page, in which people, channels and commands have become text. */
export type ShownSpan = Exclude<Span, CommandSpan | PersonSpan | ChannelSpan>;

/**
 * A view for the page: plain data in which every string is shown as text. The page fetches media and previews by their ids.
 */
export interface ShownView extends Omit<View, 'title' | 'lines' | 'media'> {
  readonly title?: readonly ShownSpan[];
  readonly lines: readonly (readonly ShownSpan[])[];
  readonly media?: ShownMedia;
}

interface ShownFile {
  readonly id: string;
  readonly name: string;
  readonly alt: string;
  readonly spoiler: boolean;
}

/** Media for the page. A `file` is downloaded, and is a kind of its own so that the page cannot show it like a picture. */
export type ShownMedia =
  | (ShownFile & { readonly kind: 'image' | 'video' })
  | (ShownFile & { readonly kind: 'file' })
  | { readonly kind: 'link'; readonly url: string; readonly label: string };

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

/** Makes a span for the page. Only http(s) URLs become links, because a `javascript:` URL could run code. */
function spanOf(span: Span): ShownSpan {
  if (typeof span === 'string') return span;
  if ('command' in span) return { bold: `/${span.command}` };
  if ('person' in span) return personText(span);
  if ('channel' in span) return channelText(span);
  return 'link' in span && !isWebAddress(span.url) ? span.link : span;
}

const spansOf = (line: Line): readonly ShownSpan[] => (typeof line === 'string' ? [line] : line.map(spanOf));

function mediaOf(media: Media, id: string): ShownMedia | undefined {
  if (media.kind === 'link')
    return isWebAddress(media.url) ? { kind: 'link', url: media.url, label: media.label } : undefined;
  const { name, alt, spoiler = false } = media;
  const file: ShownFile = { id, name, alt, spoiler };
  return media.as === 'file' ? { ...file, kind: 'file' } : { ...file, kind: media.kind };
}

/** Makes the id of a preview from its address; undefined if the preview is not shown. */
export type PreviewId = (url: string) => string | undefined;

/** Translates a view for the page. */
export function render(view: View, mediaId = '', previewId: PreviewId = () => undefined): ShownView {
  const { tone, title, lines, bar, tiles, buttons } = view;
  const media = view.media === undefined ? undefined : mediaOf(view.media, mediaId);
  return {
    tone,
    lines: lines.map(spansOf),
    ...defined({
      title: title === undefined ? undefined : spansOf(title),
      bar: bar === undefined ? undefined : Math.min(1, Math.max(0, bar)),
      media,
      tiles: tiles?.map(({ action, label, name, preview }) => ({
        action,
        label,
        name,
        ...defined({ preview: preview && previewId(preview) }),
      })),
      buttons: buttons?.map((row) =>
        row.map(({ action, label, style, spot }) => ({ action, label, ...defined({ style, spot }) })),
      ),
    }),
  };
}
