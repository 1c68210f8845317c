import { shorten } from '../../../command/shorten.ts';
import {
  barText,
  type ChannelSpan,
  channelText,
  type Line,
  type PersonSpan,
  personText,
  type Span,
  toneMarks,
  type View,
} from '../../../command/view.ts';
import { codeSpan, escapeText, linkSpan, plain } from './escape.ts';

const snowflake = /^\d{15,21}$/;

const bold = (text: string): string => {
  const inside = escapeText(text);
  return inside === '' ? '' : `**${inside}**`;
};

/** Discord puts the name in its place; with `allowed_mentions` empty nobody is called. The id tells namesakes apart. */
const person = (who: PersonSpan): string =>
  snowflake.test(who.person) ? `<@${who.person}> (${who.person})` : escapeText(personText(who));

/** Discord shows it by its name to those who may see it; calling nobody, it is no mention. */
const channel = (where: ChannelSpan): string =>
  snowflake.test(where.channel) ? `<#${where.channel}>` : escapeText(channelText(where));

const span = (each: Span, most: number): string => {
  if (typeof each === 'string') return spaced(each, escapeText(shorten(each, most)));
  if ('bold' in each) return bold(shorten(each.bold, most));
  if ('code' in each) return codeSpan(shorten(each.code, most));
  if ('link' in each) return linkSpan(shorten(each.link, most), each.url, false);
  if ('command' in each) return bold(`/${each.command}`);
  if ('person' in each) return person(each);
  if ('channel' in each) return channel(each);
  return escapeText(shorten(each.quote, most));
};

/** The blanks around a piece of text keep it apart from its neighbours. */
const spaced = (text: string, written: string): string =>
  `${/^\s/.test(text) ? ' ' : ''}${written}${written !== '' && /\s$/.test(text) ? ' ' : ''}`;

/** A quotation stands on a line of its own. */
const isQuote = (each: Span): each is { readonly quote: string } =>
  typeof each === 'object' && 'quote' in each;

const writeLine = (line: Line, most: number): string => {
  const spans = typeof line === 'string' ? [line] : line;
  let written = '';
  let fresh = true;
  for (const each of spans) {
    const text = span(each, most);
    if (text === '') continue;
    if (isQuote(each)) {
      written += `${fresh ? '' : '\n'}> ${text}\n`;
      fresh = true;
    } else {
      written += text;
      fresh = false;
    }
  }
  return written.trim();
};

/** Plain words without any markup, for forms and their labels. */
export const plainLine = (line: Line): string =>
  plain(
    (typeof line === 'string' ? [line] : line)
      .map((each) => {
        if (typeof each === 'string') return each;
        if ('command' in each) return `/${each.command}`;
        if ('channel' in each) return channelText(each);
        return 'person' in each ? personText(each) : Object.values(each)[0];
      })
      .join(''),
  );

const isLink = (each: Span): boolean => typeof each === 'object' && 'link' in each;

const withoutLinks = (line: Line): Line =>
  typeof line === 'string' ? line : line.filter((each) => !isLink(each));

/** Addresses can be long: those that do not fit are left out, rather than what stands beside and after them. */
const withLinksThatFit = (lines: readonly Line[], most: number): readonly Line[] => {
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
};

/** Tried in turn until it fits: what is too long is cut before it is escaped, never after. */
const lengths = [Number.POSITIVE_INFINITY, 900, 500, 250, 120, 60];

/** Rather a little of every line than all of the first ones and nothing of the last. */
const lengthForAll = (lines: readonly Line[], most: number): number =>
  lengths.find(
    (length) => lines.reduce((left, line) => left - writeLine(line, length).length - 1, most) >= 0,
  ) ?? Number.POSITIVE_INFINITY;

/** Title, bar and lines within Discord's limit; what does not fit is left out with a sign that it was. */
export const writeLines = ({ tone, title, bar, lines }: View, most: number): string => {
  const written: string[] = [];
  let left = most;
  const add = (line: Line, longest = Number.POSITIVE_INFINITY): boolean => {
    for (const length of lengths) {
      if (length > longest) continue;
      const text = writeLine(line, length);
      if (text.length + 1 > left - 2) continue;
      written.push(text);
      left -= text.length + 1;
      return true;
    }
    return false;
  };
  if (title !== undefined) add([toneMarks[tone], ...(typeof title === 'string' ? [{ bold: title }] : title)]);
  if (bar !== undefined) add(barText(bar));
  const kept = withLinksThatFit(lines, left - 2);
  const longest = lengthForAll(kept, left - 2);
  for (const line of kept)
    if (!add(line, longest)) {
      written.push('…');
      break;
    }
  return written.join('\n');
};
