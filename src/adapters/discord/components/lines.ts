import {
  channelMention,
  HeadingLevel,
  heading,
  bold as inBold,
  quote,
  roleMention,
  userMention,
} from 'discord.js';
import { shorten } from '../../../command/shorten.ts';
import {
  barText,
  type ChannelSpan,
  channelText,
  type Line,
  type PersonSpan,
  personText,
  type Span,
  TONE_MARKS,
  type View,
} from '../../../command/view.ts';
import { codeSpan, escapeText, linkSpan, singleLine } from './escape.ts';

const SNOWFLAKE = /^\d{15,21}$/;

function bold(text: string): string {
  const inside = escapeText(text);
  return inside === '' ? '' : inBold(inside);
}

/**
 * Mentions a person or role: Discord shows the name, and the id after it distinguishes namesakes. Empty `allowed_mentions`
 * prevent notifications.
 */
function person(who: PersonSpan): string {
  if (!SNOWFLAKE.test(who.person)) return escapeText(personText(who));
  const mention = who.isRole ? roleMention(who.person) : userMention(who.person);
  return `${mention} (${who.person})`;
}

/** Mentions a channel, whose name Discord shows to people who may see it. */
const channel = (where: ChannelSpan): string =>
  SNOWFLAKE.test(where.channel) ? channelMention(where.channel) : escapeText(channelText(where));

function span(each: Span, most: number): string {
  if (typeof each === 'string') return keepEdgeSpaces(each, escapeText(shorten(each, most)));
  if ('bold' in each) return bold(shorten(each.bold, most));
  if ('code' in each) return codeSpan(shorten(each.code, most));
  if ('link' in each) return linkSpan(shorten(each.link, most), each.url);
  if ('command' in each) return bold(`/${each.command}`);
  if ('person' in each) return person(each);
  if ('channel' in each) return channel(each);
  return escapeText(shorten(each.quote, most));
}

/** Restores the spaces at the ends of a span, which escaping trims: they separate it from the next span. */
function keepEdgeSpaces(text: string, written: string): string {
  const before = /^\s/.test(text) ? ' ' : '';
  const after = written !== '' && /\s$/.test(text) ? ' ' : '';
  return `${before}${written}${after}`;
}

/** Whether the span is a quote, which needs a line of its own. */
const isQuote = (each: Span): each is { readonly quote: string } =>
  typeof each === 'object' && 'quote' in each;

function writeLine(line: Line, most: number): string {
  const spans = typeof line === 'string' ? [line] : line;
  let written = '';
  let atLineStart = true;
  for (const each of spans) {
    const text = span(each, most);
    if (text === '') continue;
    if (isQuote(each)) {
      written += `${atLineStart ? '' : '\n'}${quote(text)}\n`;
      atLineStart = true;
    } else {
      written += text;
      atLineStart = false;
    }
  }
  return written.trim();
}

/** Writes a line without markup, for forms and their labels. */
export function plainLine(line: Line): string {
  return singleLine(
    (typeof line === 'string' ? [line] : line)
      .map((each) => {
        if (typeof each === 'string') return each;
        if ('command' in each) return `/${each.command}`;
        if ('channel' in each) return channelText(each);
        return 'person' in each ? personText(each) : Object.values(each)[0];
      })
      .join(''),
  );
}

const isLink = (each: Span): boolean => typeof each === 'object' && 'link' in each;

const withoutLinks = (line: Line): Line =>
  typeof line === 'string' ? line : line.filter((each) => !isLink(each));

/** Leaves out links that do not fit, so that long links do not displace the text around them. */
function withLinksThatFit(lines: readonly Line[], most: number): readonly Line[] {
  if (!lines.some((line) => typeof line !== 'string' && line.some(isLink))) return lines;
  const lengthOf = (line: Line): number => writeLine(line, Number.POSITIVE_INFINITY).length + 1;
  let spare = lines.reduce((left, line) => left - lengthOf(withoutLinks(line)), most);
  return lines.map((line) => {
    const bare = withoutLinks(line);
    const extra = lengthOf(line) - lengthOf(bare);
    if (extra > Math.max(0, spare)) return bare;
    spare -= extra;
    return line;
  });
}

/** The lengths to which a span is cut, tried in turn until the text fits. Text is cut before it is escaped, never after. */
const SPAN_LENGTHS = [Number.POSITIVE_INFINITY, 900, 500, 250, 120, 60];

/** The longest length of spans at which all lines fit, so that lines are shortened before any is left out. */
function lengthForAll(lines: readonly Line[], most: number): number {
  const fits = (longest: number): boolean =>
    lines.reduce((left, line) => left - writeLine(line, longest).length - 1, most) >= 0;
  return SPAN_LENGTHS.find(fits) ?? Number.POSITIVE_INFINITY;
}

const asItIs = (text: string): string => text;
const asTitle = (text: string): string => heading(text, HeadingLevel.Three);

/** Writes title, bar and lines of a view within `most` characters; `…` marks lines that were left out. */
export function writeLines({ tone, title, bar, lines }: View, most: number): string {
  const written: string[] = [];
  let left = most;
  const add = (line: Line, longest = Number.POSITIVE_INFINITY, format = asItIs): boolean => {
    for (const length of SPAN_LENGTHS) {
      if (length > longest) continue;
      const text = format(writeLine(line, length));
      if (text.length + 1 > left - 2) continue;
      written.push(text);
      left -= text.length + 1;
      return true;
    }
    return false;
  };
  if (title !== undefined && writeLine(title, 1) !== '')
    add([TONE_MARKS[tone], ...(typeof title === 'string' ? [title] : title)], undefined, asTitle);
  if (bar !== undefined) add(barText(bar));
  const kept = withLinksThatFit(lines, left - 2);
  const longest = lengthForAll(kept, left - 2);
  for (const line of kept)
    if (!add(line, longest)) {
      written.push('…');
      break;
    }
  return written.join('\n');
}
