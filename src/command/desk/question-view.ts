import type { Words } from '../../words/words.ts';
import type { Suggestion } from '../desk.ts';
import type { Draft } from '../draft.ts';
import type { KnownNames } from '../known-names.ts';
import type { Option, Options } from '../option.ts';
import type { Question } from '../reply.ts';
import { catalogOf } from '../search/complete.ts';
import { shorten } from '../shorten.ts';
import type { Button, Line, View } from '../view.ts';

/** Asks for a missing option: with buttons if there are choices, else as the next message. */

const PER_PAGE = 8;
/** Most choices in a form (Discord). */
const MOST_IN_FORM = 25;

export function rows(buttons: readonly Button[], width: number): readonly (readonly Button[])[] {
  return Array.from({ length: Math.ceil(buttons.length / width) }, (_, row) =>
    buttons.slice(row * width, (row + 1) * width),
  );
}

function choicesOf(option: Option, draft: Draft, options: Options, knownNames: KnownNames, words: Words) {
  switch (option.kind) {
    case 'choice':
      return option.choices.map((value) => ({ value, label: words.choices[value] ?? value }));
    case 'flag':
      return [
        { value: 'yes', label: words.yes },
        { value: 'no', label: words.no },
      ];
    case 'reference':
      return knownNames
        .references(draft.place.community, catalogOf(option, draft.given, options), option.model)
        .flat();
    case 'alias':
      return option.fresh ? [] : knownNames.aliases(draft.place.community);
    case 'text':
      // A suggested text is too long for a button, so its number is used.
      return option.ideas === undefined
        ? []
        : words.ideas[option.ideas].map((label, index) => ({ value: `#${index}`, label }));
    default:
      return [];
  }
}

/** A choice can be typed as well as pressed. */
export function awaits(option: Option): 'text' | 'image' {
  return option.kind === 'image' ? 'image' : 'text';
}

function questionKind(option: Option, any: boolean): Question['kind'] {
  if (option.kind === 'image' || option.kind === 'reference') return option.kind;
  if (option.kind === 'alias' && any) return 'reference';
  return option.kind === 'choice' || option.kind === 'flag' ? 'choice' : 'text';
}

interface Asking {
  readonly draft: Draft;
  readonly options: Options;
  readonly knownNames: KnownNames;
  readonly words: Words;
  /** The option's description in the caller's language. */
  describe(option: string): string;
}

export function questionFor(name: string, option: Option, asking: Asking): Question {
  const choices = choicesOf(option, asking.draft, asking.options, asking.knownNames, asking.words);
  return {
    option: name,
    label: asking.describe(name),
    kind: questionKind(option, choices.length > 0),
    ...(choices.length > 0 && option.kind !== 'text' ? { choices: choices.slice(0, MOST_IN_FORM) } : {}),
    ...(option.kind === 'text' ? { max: option.max } : {}),
  };
}

function howTo(option: Option, any: boolean, words: Words): string {
  switch (option.kind) {
    case 'image':
      return words.ask.photo;
    case 'reference':
    case 'alias':
      if ('fresh' in option && option.fresh) return words.ask.write;
      return any ? words.ask.pickOrType : words.ask.type;
    case 'choice':
    case 'flag':
      return words.ask.choose;
    default:
      return any ? words.ask.writeOrIdea : words.ask.write;
  }
}

/** ◀ and ▶, each only where there is a page to go to. */
export function pager(draft: string, page: number, pages: number, words: Words): readonly Button[] {
  return [
    ...(page > 0 ? [{ action: `page:${draft}:${page - 1}`, label: words.ask.previous }] : []),
    ...(page < pages - 1 ? [{ action: `page:${draft}:${page + 1}`, label: words.ask.next }] : []),
  ];
}

function width(option: Option): number {
  if (option.kind === 'text') return 1;
  return option.kind === 'reference' || option.kind === 'alias' ? 2 : 5;
}

function isBarred({ orUnless = {} }: Option, { given }: Draft): boolean {
  return Object.entries(orUnless).some(([name, values]) =>
    values.includes(String(given[name]).toLowerCase()),
  );
}

export function askView(name: string, option: Option, page: number, asking: Asking): View {
  const { draft, words } = asking;
  const choices = choicesOf(option, draft, asking.options, asking.knownNames, words).filter(
    fitsButton(draft.id, name),
  );
  const pages = Math.max(1, Math.ceil(choices.length / PER_PAGE));
  const shown = Math.min(Math.max(0, page), pages - 1);
  const buttons = choices.slice(shown * PER_PAGE, (shown + 1) * PER_PAGE).map(
    ({ value, label }): Button => ({
      action: `pick:${draft.id}:${name}:${value}`,
      label: shorten(label, 60),
    }),
  );
  const last: readonly Button[] = [
    ...pager(draft.id, shown, pages, words),
    ...(option.or === undefined || isBarred(option, draft)
      ? []
      : [{ action: `ask:${draft.id}:${option.or}`, label: words.ask.instead(option.or) }]),
  ];
  const lines: Line[] = [
    words.ask.option(name, asking.describe(name)),
    howTo(option, choices.length > 0, words),
  ];
  if (pages > 1) lines.push(words.ask.pages(shown + 1, pages));
  return {
    tone: 'ask',
    title: words.ask.title([draft.command, draft.subcommand].filter(Boolean).join(' ')),
    lines,
    buttons: [...rows(buttons, width(option)), ...(last.length > 0 ? [last] : [])],
  };
}

/** Telegram's callback data holds 64 bytes; what does not fit can still be typed. */
function fitsButton(draft: string, option: string) {
  return ({ value }: Suggestion): boolean => Buffer.byteLength(`pick:${draft}:${option}:${value}`) <= 64;
}
