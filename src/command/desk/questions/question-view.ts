import { defined } from '../../../base/defined.ts';
import type { Words } from '../../../words/words.ts';
import { type FilterOrder, isLastOption, LAST_OPTIONS } from '../../catalog-port.ts';
import type { Suggestion } from '../../desk.ts';
import type { Draft } from '../../draft.ts';
import type { FaceCheckResult } from '../../face-check-port.ts';
import type { SavedFace } from '../../faces-port.ts';
import { type Given, OPTION_KINDS, type Option, type Options } from '../../option.ts';
import type { Question, Reply } from '../../reply.ts';
import { filterKey } from '../../request.ts';
import { catalogOf, type KnownNames, nameInLabel } from '../../search/complete.ts';
import { inOrder, lastFirst } from '../../search/preferred.ts';
import { shorten } from '../../shorten.ts';
import type { Button, Media, Tile, View } from '../../view.ts';
import { pager, rows, sheetText, slicePage, TILES_PER_PAGE, tilesOf } from './paging.ts';

/** Asks for a missing option: with buttons if there are choices, else as the next message. */

const PER_PAGE = 8;
/** Most choices in a form (Discord). */
const MOST_IN_FORM = 25;

/** The draft that a question belongs to, and where its choices come from. */
interface QuestionContext {
  readonly draft: Draft;
  readonly options: Options;
  readonly knownNames: KnownNames;
  /** The caller's saved faces, the default first. */
  readonly faces: readonly SavedFace[];
  /** Only the caller sees the question. */
  readonly isAlone: boolean;
  readonly words: Words;
  /** The option's description in the caller's language. */
  describe(option: string): string;
  /** The filters that come first in the list, and the caller's last choices. */
  readonly order: FilterOrder;
  /** See `lastChoicesToOffer`. */
  readonly again: ReturnType<typeof lastChoicesToOffer>;
  /** The pictures of what can be chosen, as one. */
  sheet(tiles: readonly Tile[], alt: string): Promise<Media | undefined>;
}

/** Whether what can be chosen depends on what the caller chose before. */
export const dependsOnLastChoices = (name: string, option: Option): boolean =>
  option.kind === 'reference' || isLastOption(name);

/** The value that the caller chose last for an option, if it can still be chosen. */
function lastOf(name: string, option: Option, { last = {} }: FilterOrder): string | undefined {
  const value = isLastOption(name) ? last[name] : undefined;
  if (option.kind === 'flag') return value;
  return option.kind === 'choice' && option.choices.some((each) => each === value) ? value : undefined;
}

/**
 * What the caller chose last for options that are not asked for, and that were not given: it is offered beside the question, and
 * nothing is assumed. A value that counts anyway is not offered.
 */
export function lastChoicesToOffer(
  asked: readonly string[],
  options: Options,
  given: Given,
  order: FilterOrder,
) {
  return LAST_OPTIONS.flatMap((name) => {
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined || asked.includes(name) || given[name] !== undefined) return [];
    const value = lastOf(name, option, order);
    const isStandard = option.kind === 'choice' && option.default === value;
    return value === undefined || isStandard ? [] : [{ name, option, value }];
  });
}

/** `recent`: how many of them, at the beginning, the caller used last. */
function choicesOf(
  name: string,
  option: Option,
  about: QuestionContext,
): { readonly items: readonly Suggestion[]; readonly recent: number } {
  if (option.kind !== 'reference')
    return { items: lastFirst(plainChoicesOf(option, about), lastOf(name, option, about.order)), recent: 0 };
  const { draft, knownNames, order } = about;
  const catalog = catalogOf(option, draft.given, about.options);
  const all = knownNames.references(draft.place.community, catalog, option.model).flat();
  return inOrder(all, ({ value }) => filterKey(catalog, value), order);
}

function plainChoicesOf(option: Option, about: QuestionContext): readonly Suggestion[] {
  const { draft, knownNames, words } = about;
  switch (option.kind) {
    case 'choice':
      return option.choices.map((value) => ({ value, label: words.choices[value] ?? value }));
    case 'flag':
      return [
        { value: 'yes', label: words.yes },
        { value: 'no', label: words.no },
      ];
    case 'alias':
      return option.fresh ? [] : knownNames.aliases(draft.place.community);
    case 'face':
      return option.fresh ? [] : about.faces.map(({ name }) => ({ value: name, label: name }));
    case 'text': {
      const ideas = option.ideas === undefined ? [] : words.ideas[option.ideas];
      // A suggested text is too long for a button, so its number is used.
      return ideas.map((label, index) => ({ value: `#${index}`, label }));
    }
    default:
      return [];
  }
}

/** The question about an option, for a form of a platform. */
export function questionFor(name: string, option: Option, about: QuestionContext): Question {
  const { items: choices } = choicesOf(name, option, about);
  const { name: isNamed, asked } = OPTION_KINDS[option.kind];
  return {
    option: name,
    label: about.describe(name),
    kind: isNamed && choices.length > 0 ? 'reference' : asked,
    ...(choices.length > 0 && option.kind !== 'text' ? { choices: choices.slice(0, MOST_IN_FORM) } : {}),
    ...(option.kind === 'text' ? { max: option.max } : {}),
    ...(option.kind === 'image' && option.album ? { album: true } : {}),
  };
}

function howTo(option: Option, hasChoices: boolean, { ask }: Words): string {
  const { name: isNamed, asked } = OPTION_KINDS[option.kind];
  if (asked === 'image') return ask.photo;
  if (asked === 'choice') return ask.choose;
  if (!isNamed) return hasChoices ? ask.writeOrIdea : ask.write;
  if ('fresh' in option && option.fresh) return ask.write;
  return hasChoices ? ask.pickOrType : ask.type;
}

/** Saved faces, where a photo is asked for: all if no other person reads their names, else the default without its name. */
function faceButtons(name: string, { draft, faces, isAlone, words }: QuestionContext): readonly Button[] {
  const action = (id: string): string => `face:${draft.id}:${name}:${id}`;
  if (isAlone) return faces.map((face) => ({ action: action(face.id), label: words.face.use(face.name) }));
  return faces.slice(0, 1).map(({ id }) => ({ action: action(id), label: words.face.useDefault }));
}

function isBarred({ orUnless = {} }: Option, { given }: Draft): boolean {
  return Object.entries(orUnless).some(([name, values]) =>
    values.includes(String(given[name]).toLowerCase()),
  );
}

/** The message that asks for an option, with buttons for a page of its choices. */
export async function askView(
  name: string,
  option: Option,
  page: number,
  about: QuestionContext,
): Promise<View> {
  const { draft, words } = about;
  const actionFor = (value: string): string => `pick:${draft.id}:${name}:${value}`;
  // Telegram's callback data holds 64 bytes; what does not fit can still be typed.
  const { items, recent } = choicesOf(name, option, about);
  const choices = items.filter(({ value }) => Buffer.byteLength(actionFor(value)) <= 64);
  const hasPictures = choices.some(({ preview }) => preview !== undefined);
  const { list, current, pages } = slicePage(choices, hasPictures ? TILES_PER_PAGE : PER_PAGE, page);
  const other: readonly Button[] = [
    ...pager(draft.id, current, pages),
    ...(option.or === undefined || option.kind === 'image' || isBarred(option, draft)
      ? []
      : [{ action: `ask:${draft.id}:${option.or}`, label: words.ask.instead(option.or) }]),
  ];
  const title = words.ask.title([draft.command, draft.subcommand].filter(Boolean).join(' '));
  const tiles = hasPictures
    ? tilesOf(
        list.map(({ value, label, preview }) => ({
          value,
          action: actionFor(value),
          name: nameInLabel(label),
          preview,
        })),
      )
    : undefined;
  const media = tiles && (await about.sheet(tiles, sheetText(title, tiles)));
  const last = lastOf(name, option, about.order);
  const answers: readonly Button[] =
    option.kind === 'image'
      ? faceButtons(name, about)
      : list.map(({ value, label }) => ({
          action: actionFor(value),
          label: shorten(label, 60),
          ...(value === last ? { style: 'primary' as const } : {}),
        }));
  const buttons = answers.map((each) => ({ ...each, choice: true as const }));
  const again = about.again.map(
    (each): Button => ({
      action: `pick:${draft.id}:${each.name}:${each.value}`,
      label: words.ask.asLast(`${each.name} ${each.value}`),
    }),
  );
  const chosen = LAST_OPTIONS.filter(
    (each) => Object.hasOwn(about.options, each) && draft.given[each] !== undefined,
  );
  return {
    tone: 'ask',
    title,
    lines: [
      words.ask.option(name, about.describe(name)),
      ...chosen.map((each) => words.ask.chosen(each, String(draft.given[each]))),
      howTo(option, choices.length > 0, words),
      ...(recent > 0 && current === 0 ? [words.filters.recentFirst] : []),
      ...(pages > 1 ? [words.ask.pages(current + 1, pages)] : []),
    ],
    ...defined({ tiles, media }),
    buttons: [
      ...(tiles ? [] : rows(buttons, OPTION_KINDS[option.kind].perRow)),
      ...(other.length > 0 ? [other] : []),
      ...rows(again, 1),
    ],
  };
}

/** Several photos came where one is meant: `draft` continues with each of them, or with the first. */
export function albumQuestion(
  draft: string,
  photos: number,
  credits: number,
  isPrivate: boolean,
  { album }: Words,
): Reply {
  const all: Button = { action: `album:${draft}:all`, label: album.all(photos, credits), style: 'primary' };
  const first: Button = { action: `album:${draft}:first`, label: album.first };
  return {
    kind: 'message',
    audience: isPrivate ? 'caller' : 'everyone',
    view: { tone: 'ask', title: album.title(photos), lines: [album.line], buttons: [[all, first]] },
  };
}

const IN_ROW = 5;

/**
 * Asks about a photo that does not show who it should. `instead`: the command for what it shows. Presses are
 * `look:<draft>:<number of a person, anyway or a command>`.
 */
export function askWhoIsIt(
  draft: string,
  { wrong, people, sheet, spots }: FaceCheckResult,
  instead: string | undefined,
  isPrivate: boolean,
  { faceCheck: said }: Words,
): Reply {
  const button = (chosen: string, label: string): Button => ({ action: `look:${draft}:${chosen}`, label });
  const anyway = button('anyway', said.anyway);
  const faces = people.map((_, index): Button => {
    const number = String(index + 1);
    return { ...button(number, number), choice: true, ...defined({ spot: spots?.[index] }) };
  });
  const asked: Readonly<Record<FaceCheckResult['wrong'], Pick<View, 'title' | 'lines' | 'buttons'>>> = {
    'no-face': { title: said.noFace, lines: [said.noFaceLine], buttons: [[anyway]] },
    'too-few': {
      title: people.length === 0 ? said.noFace : said.oneFace,
      lines: [said.tooFewLine],
      buttons: [[anyway, ...(instead === undefined ? [] : [button(instead, said.swapOne)])]],
    },
    several: {
      title: said.whoIsIt,
      lines: [said.pressNumber, ...(instead === undefined ? [] : [said.everybodyLine])],
      buttons: [...rows(faces, IN_ROW), [instead === undefined ? anyway : button(instead, said.everybody)]],
    },
  };
  const view = { tone: 'ask', ...asked[wrong], ...defined({ media: sheet }) } as const;
  return { kind: 'message', audience: isPrivate ? 'caller' : 'caller-in-place', view };
}
