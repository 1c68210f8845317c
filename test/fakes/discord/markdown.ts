/**
 * Discord's text as its client shows it. Knows nothing of how the bot writes: it applies the client's rules, so that
 * a test sees what a person would see and what would act.
 */
export interface Displayed {
  readonly text: string;
  readonly links: readonly string[];
  readonly mentions: readonly string[];
  /** Everything else that took effect: bold, headings, lists, spoilers, emoji, timestamps. */
  readonly effects: readonly string[];
}

interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  /** The text that is shown; a text that is given back as `inner` is displayed in turn. */
  readonly shows: (match: RegExpExecArray) => { readonly inner?: string; readonly text?: string };
  readonly list: 'links' | 'mentions' | 'effects' | 'none';
}

const inner = (match: RegExpExecArray) => ({ inner: match[1] ?? '' });
const whole = (match: RegExpExecArray) => ({ text: match[0] });

const inline: readonly Rule[] = [
  {
    name: 'escape',
    pattern: /^\\([^0-9A-Za-z\s])/,
    shows: (match) => ({ text: match[1] ?? '' }),
    list: 'none',
  },
  {
    name: 'code',
    pattern: /^(`+)([\s\S]*?[^`])\1(?!`)/,
    shows: (match) => ({ text: match[2] ?? '' }),
    list: 'effects',
  },
  {
    name: 'link',
    pattern: /^\[((?:\\.|[^\]\\])+)\]\(<?(https?:\/\/[^\s<>)]+)>?\)/,
    shows: inner,
    list: 'links',
  },
  { name: 'address', pattern: /^<?https?:\/\/[^\s<]+[^<.,:;"')\]\s]/, shows: whole, list: 'links' },
  { name: 'invitation', pattern: /^discord\.gg\/\w+/, shows: whole, list: 'links' },
  { name: 'mention', pattern: /^<(@[!&]?|#|id:)\w+>/, shows: whole, list: 'mentions' },
  { name: 'mention', pattern: /^@(everyone|here)/, shows: whole, list: 'mentions' },
  { name: 'emoji', pattern: /^<a?:\w+:\d+>/, shows: whole, list: 'effects' },
  { name: 'emoji', pattern: /^:[a-z][\w+-]*:/, shows: whole, list: 'effects' },
  { name: 'time', pattern: /^<t:-?\d+(:\w)?>/, shows: whole, list: 'effects' },
  { name: 'bold', pattern: /^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/, shows: inner, list: 'effects' },
  { name: 'underline', pattern: /^__((?:\\[\s\S]|[^\\])+?)__(?!_)/, shows: inner, list: 'effects' },
  { name: 'italic', pattern: /^\*(?!\s)((?:\\[\s\S]|[^\\*])+?)\*(?!\*)/, shows: inner, list: 'effects' },
  { name: 'italic', pattern: /^\b_((?:\\[\s\S]|[^\\_])+?)_\b/, shows: inner, list: 'effects' },
  { name: 'strike', pattern: /^~~((?:\\[\s\S]|[^\\])+?)~~/, shows: inner, list: 'effects' },
  { name: 'spoiler', pattern: /^\|\|((?:\\[\s\S]|[^\\])+?)\|\|/, shows: inner, list: 'effects' },
];

/** Marks that act at the beginning of a line only. */
const atLineStart: readonly Rule[] = [
  { name: 'quote', pattern: /^>{1,3} /, shows: () => ({ text: '' }), list: 'effects' },
  { name: 'heading', pattern: /^#{1,3} +/, shows: () => ({ text: '' }), list: 'effects' },
  { name: 'subtext', pattern: /^-# +/, shows: () => ({ text: '' }), list: 'effects' },
  { name: 'list', pattern: /^ *([-*]|\d+\.) +/, shows: () => ({ text: '' }), list: 'effects' },
];

/** Displays a text of a message as Discord’s client does. */
export const display = (content: string): Displayed => {
  const found = {
    links: [] as string[],
    mentions: [] as string[],
    effects: [] as string[],
    none: [] as string[],
  };

  const read = (source: string): string => {
    let shown = '';
    let rest = source;
    let lineStart = true;
    while (rest !== '') {
      const rules = lineStart ? [...atLineStart, ...inline] : inline;
      const before = lineStart ? '' : (shown.at(-1) ?? '');
      const hit = rules
        .filter((rule) => rule.name !== 'italic' || !/\w/.test(before) || !rest.startsWith('_'))
        .map((rule) => ({ rule, match: rule.pattern.exec(rest) }))
        .find(({ match }) => match !== null);
      if (hit?.match == null) {
        shown += rest[0];
        lineStart = rest[0] === '\n';
        rest = rest.slice(1);
        continue;
      }
      const { rule, match } = hit;
      found[rule.list].push(rule.list === 'links' ? (match[2] ?? match[0]) : `${rule.name}: ${match[0]}`);
      const part = rule.shows(match);
      shown += part.text ?? read(part.inner ?? '');
      rest = rest.slice(match[0].length);
      lineStart = false;
    }
    return shown;
  };

  const text = read(content);
  return { text, links: found.links, mentions: found.mentions, effects: found.effects };
};
