import type { InlineKeyboard } from 'grammy';
import type { MessageEntity } from 'grammy/types';
import { defined } from '../../../base/defined.ts';
import { shorten as shortenName } from '../../../command/shorten.ts';
import {
  barText,
  type ChannelSpan,
  channelText,
  type Line,
  personText,
  type Span,
  type Tile,
  TONE_MARKS,
  type View,
} from '../../../command/view.ts';
import { linkOf } from '../api/refs.ts';
import { cutTo } from './cut-to.ts';
import { keyboardOf } from './keyboard.ts';
import { codeText, inert } from './neutralize.ts';

/**
 * A view as text, entities and keyboard. Formatting is sent as entities, so Telegram reads nothing in the text as markup.
 */
export interface Rendered {
  readonly text: string;
  readonly entities: MessageEntity[];
  readonly keyboard: InlineKeyboard | undefined;
}

export const TEXT_LIMIT = 4096;
export const CAPTION_LIMIT = 1024;
/** Telegram refuses longer ephemeral messages, although the Bot API documents a higher limit. */
export const EPHEMERAL_LIMIT = 1024;
/** The lengths to which the names of tiles are cut, tried in turn until all of them fit. */
const NAME_LENGTHS = [60, 40, 30, 20, 12, 6];

interface Part {
  text: string;
  readonly format?: 'bold' | 'code' | 'blockquote' | 'expandable_blockquote';
  readonly url?: string;
}

/** Links to a channel or topic. The general topic has no id in messages, and id 1 in links. */
function channelPart(span: ChannelSpan): Part {
  const url = linkOf({ chat: Number(span.channel), message: Number(span.thread ?? 1) });
  if (span.name !== undefined || url === undefined) return { text: inert(channelText(span)) };
  return { text: inert(url.replace('https://', '')), url };
}

/** A quote of more characters is expandable: Telegram shows its beginning, and the rest at a tap. */
const LONG_QUOTE = 200;

const quotePart = (text: string): Part => ({
  text,
  format: text.length > LONG_QUOTE ? 'expandable_blockquote' : 'blockquote',
});

function partOf(span: Span): Part {
  if (typeof span === 'string') return { text: inert(span) };
  if ('bold' in span) return { text: inert(span.bold), format: 'bold' };
  if ('code' in span) return { text: codeText(span.code), format: 'code' };
  if ('quote' in span) return quotePart(inert(span.quote));
  // A command is not neutralized, because Telegram makes it a link that sends the command.
  if ('command' in span) return { text: `/${span.command}`, format: 'bold' };
  // A person is not mentioned, because a mention would notify them.
  if ('person' in span) return { text: inert(personText(span)) };
  if ('channel' in span) return channelPart(span);
  return { text: inert(span.link), url: span.url };
}

const partsOf = (line: Line): Part[] => (typeof line === 'string' ? [line] : line).map(partOf);

/** A longer line counts as a paragraph. */
const PARAGRAPH = 90;

/** Whether an empty line precedes this line: between headings and paragraphs of longer texts, but not on cards. */
function isApart({ tone, title, lines, media }: View, index: number): boolean {
  if (media !== undefined || (tone !== 'info' && tone !== 'ask')) return false;
  const before = lines[index - 1];
  const line = lines[index];
  if (line === undefined) return false;
  if (before === undefined) return title !== undefined && lines.length > 1;
  const isHeading = typeof line !== 'string' && line.length === 1 && isBold(line[0]);
  return isHeading || [before, line].some((each) => typeof each === 'string' && each.length > PARAGRAPH);
}

const isBold = (span: Span | undefined): boolean => typeof span === 'object' && 'bold' in span;

function linesOf(view: View): Part[][] {
  const lines: Part[][] = [];
  const mark = TONE_MARKS[view.tone];
  if (view.title !== undefined) {
    const title = partsOf(view.title).map((part): Part => ({ format: 'bold', ...part }));
    lines.push(mark ? [{ text: mark }, ...title] : title);
  }
  if (view.bar !== undefined) lines.push([{ text: barText(view.bar) }]);
  for (const [index, line] of view.lines.entries()) {
    if (isApart(view, index)) lines.push([]);
    lines.push(partsOf(line));
  }
  if (view.media?.kind === 'link') lines.push([{ text: inert(view.media.label), url: view.media.url }]);
  return lines;
}

const lengthOf = (lines: readonly Part[][]): number =>
  lines.flat().reduce((sum, part) => sum + part.text.length, Math.max(0, lines.length - 1));

/**
 * Shortens lines to the limit. The longest part is cut first, so that a long prompt does not displace the credits or
 * "AI-generated".
 */
function shorten(lines: Part[][], limit: number): void {
  for (let over = lengthOf(lines) - limit; over > 0; over = lengthOf(lines) - limit) {
    const longest = lines.flat().reduce((a, b) => (b.text.length > a.text.length ? b : a));
    if (longest.text.length < 8) {
      lines.pop();
      continue;
    }
    const keep = Math.max(longest.text.length - over - 1, Math.floor(longest.text.length / 2));
    longest.text = `${cutTo(longest.text, Math.min(keep, longest.text.length - 2))}…`;
  }
}

/** The names of numbered tiles, for people who cannot see the sheet; undefined if there is no room for them. */
function namesOf(tiles: readonly Tile[], room: number): string | undefined {
  const named = (most: number): string =>
    inert(
      tiles
        .map(({ label, name }) => `${label} ${shortenName(name.replace(/\s+/g, ' ').trim(), most)}`)
        .join(' · '),
    );
  return NAME_LENGTHS.map(named).find((text) => text.length <= room);
}

function entityOf(part: Part, offset: number): MessageEntity | undefined {
  const length = part.text.length;
  if (length === 0) return undefined;
  if (part.url !== undefined) return { type: 'text_link', offset, length, url: part.url };
  return part.format === undefined ? undefined : { type: part.format, offset, length };
}

/** A person who is mentioned before the text, so that a selective `force_reply` reaches them. */
export interface Mention {
  readonly id: number;
  readonly name: string;
}

/** Renders a view within a limit of characters. */
export function render(view: View, limit: number, mention?: Mention): Rendered {
  let text = '';
  const entities: MessageEntity[] = [];
  if (mention !== undefined) {
    const { id, name } = mention;
    const shown = inert(name) || '·';
    const user = { id, is_bot: false, first_name: name };
    entities.push({ type: 'text_mention', offset: 0, length: shown.length, user });
    text = `${shown}: `;
  }
  const room = limit - text.length;
  const lines = linesOf(view);
  shorten(lines, room);
  const names = view.tiles && namesOf(view.tiles, room - lengthOf(lines) - 1);
  if (names) lines.push([quotePart(names)]);
  for (const [index, line] of lines.entries()) {
    if (index > 0) text += '\n';
    for (const part of line) {
      const entity = entityOf(part, text.length);
      if (entity) entities.push(entity);
      text += part.text;
    }
  }
  return { text: text.trim() === '' ? '·' : text, entities, keyboard: keyboardOf(view) };
}

/** Whether the view's text is within the limit without being shortened. */
export const fitsUncut = (view: View, limit: number): boolean => lengthOf(linesOf(view)) <= limit;

/**
 * Divides a view into parts that each fit into a message; the last one has the buttons. A view with media is not divided.
 */
export function divide(view: View, limit: number): readonly View[] {
  const { title, bar, ...rest } = view;
  const { tone, lines } = view;
  const head = (count: number): View => ({ tone, lines: lines.slice(0, count), ...defined({ title, bar }) });
  const fitting = lines.findLastIndex((_, index) => fitsUncut(head(index + 1), limit));
  const count = Math.max(1, fitting + 1);
  if (view.media !== undefined || count >= lines.length) return [view];
  return [head(count), ...divide({ ...rest, lines: lines.slice(count) }, limit)];
}
