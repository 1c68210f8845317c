import { editDistance } from '../../base/edit-distance.ts';
import type { Words } from '../../words/words.ts';
import { type Action, type Command, requireAction } from '../command.ts';
import { UserError } from '../errors.ts';
import { type Given, OPTION_KINDS, type Option } from '../option.ts';
import { albumOf, type PhotoRef } from '../photo.ts';
import { rankAll } from '../search/fuzzy.ts';
import { type Piece, phraseOf, placeText } from './assign-text.ts';
import { couldBeValue, isYesOrNo } from './could-be-value.ts';
import { joinTimes, looksLikeTime } from './join-times.ts';
import { type AssignedValue, besideProse, isProse } from './prose-edges.ts';
import { type Token, tokens, withoutTrailing } from './tokens.ts';

/** The text grammar: the subcommand, then `option=value`, values that find their option, and free text. */

/** A line that begins with the name of a command, divided once; its values are read by `parseLine`. */
export interface CommandLine {
  readonly name: string;
  /** The bot that it is for, in `/name@bot`. */
  readonly bot: string | undefined;
  /** The command of this name, if there is one. */
  readonly command: Command | undefined;
  /** For a command that has some; it may be one that does not exist. */
  readonly subcommand: string | undefined;
  /** Everything after the names. */
  readonly pieces: readonly Token[];
}

/** A line whose values have found their options. */
export interface TextLine {
  readonly command: Command;
  readonly subcommand: string | undefined;
  readonly given: Given;
}

/** The commands and names that lines are read with. */
export interface Grammar {
  readonly commands: readonly Command[];
  readonly words: Words;
  /** Whether a phrase is a known name of a filter, style or alias. */
  known(option: Option, phrase: string): boolean;
  /** Whether a phrase is a known name but for a typo. */
  resembles(option: Option, phrase: string): boolean;
}

/**
 * The command name at the start of a line, with an optional bot name. Right-to-left keyboards put invisible marks
 * before it.
 */
const COMMAND_HEAD = /^[\s\p{Cf}]*\/([a-z0-9][a-z0-9_-]{0,63})(?:@(\w{1,64}))?(?=\s|$)/iu;
const LONGEST_NAME = 5;
/** The most typos in the name of an option that is still understood. */
const MOST_TYPOS = 2;

/** The name of a command at the start of a text, and everything after it; `bot` is the bot that is named in `/name@bot`. */
export function headOf(text: string) {
  const [whole, name, bot] = COMMAND_HEAD.exec(text) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  return { name: name.toLowerCase(), bot, rest: text.slice(whole.length) };
}

/** Divides a line; undefined if it does not begin with the name of a command. */
export function readCommandLine(text: string, commands: readonly Command[]): CommandLine | undefined {
  const head = headOf(text);
  if (head === undefined) return undefined;
  // People type /start before they know a command.
  const name = head.name === 'start' ? 'help' : head.name;
  const command = commands.find((each) => each.name === name);
  const pieces = tokens(head.rest);
  const about = { name, bot: head.bot, command };
  if (command?.subcommands === undefined) return { ...about, subcommand: undefined, pieces };
  const [first, ...rest] = pieces;
  return { ...about, subcommand: first?.raw.toLowerCase() ?? '', pieces: rest };
}

/** Up to three commands whose names are most like a typed one. */
export const nearestCommands = (name: string, commands: readonly Command[]): readonly string[] =>
  rankAll(name, [commands], (command) => [command.name], 3).map((command) => `/${command.name}`);

/** Photos fill the empty image options in order; one that takes albums takes all that are left. */
export function givePhotos(action: Action, given: Given, photos: readonly PhotoRef[]): Given {
  const filled: Record<string, Given[string]> = { ...given };
  const left = [...photos];
  for (const [name, option] of Object.entries(action.options)) {
    if (option.kind !== 'image' || filled[name] !== undefined) continue;
    const photo = albumOf(left.splice(0, option.album ? left.length : 1));
    if (photo !== undefined) filled[name] = photo;
  }
  return filled;
}

/** Whether a word is never part of prose: "8s", "16:9", "v6.1", a link. */
function isUnmistakable(text: string): boolean {
  const digit = text.search(/\d/);
  return text.includes('://') || (digit !== -1 && /[a-z:.]/i.test(text.slice(digit)));
}

/** The value without a comma behind it, as in "12, female". */
const withoutComma = (typed: string): string => withoutTrailing(typed, ',;') || typed.slice(0, 1);

/** Refuses `gendr=female` and another command's `ratio=square`, which are mistakes, not parts of a prompt. */
function refuseMistaken(
  { key }: Token,
  options: readonly (readonly [string, Option])[],
  { commands, words }: Grammar,
): void {
  if (key === undefined) return;
  const typed = key.toLowerCase();
  const elsewhere = commands.some(({ action }) => Object.hasOwn(action?.options ?? {}, typed));
  const near = options
    .map(([name]) => name)
    .filter(
      (name) => editDistance(typed, name, MOST_TYPOS) <= Math.min(MOST_TYPOS, Math.floor(name.length / 3)),
    );
  if (near.length > 0 || elsewhere) throw new UserError(words.error.unknownOption(key, near));
}

function placeValues(
  action: Action,
  pieces: readonly Token[],
  photos: readonly PhotoRef[],
  grammar: Grammar,
): Given {
  const options = Object.entries(action.options);
  const textName = options.find(([, option]) => option.kind === 'text')?.[0];

  // Named values first, then photos, so that unnamed values never take their place. Named text keeps its position among
  // the words.
  const named: Record<string, Given[string]> = {};
  const loose: Piece[] = [];
  for (const piece of joinTimes(pieces, action.options)) {
    const name = options.find(([each]) => each === piece.key?.toLowerCase())?.[0];
    if (name === undefined) {
      refuseMistaken(piece, options, grammar);
      loose.push({ ...piece, text: piece.key === undefined ? piece.text : piece.raw });
      continue;
    }
    if (named[name] !== undefined || (name === textName && loose.some((each) => each.isText)))
      throw new UserError(grammar.words.error.twice(name));
    if (name === textName) loose.push({ ...piece, isText: true });
    else named[name] = piece.quoted ? piece.text : withoutComma(piece.text);
  }
  const given: Record<string, Given[string]> = { ...givePhotos(action, named, photos) };

  const place = (typed: string, among = options): string | undefined => {
    const phrase = withoutComma(typed);
    const found = among.find(
      ([name, option]) => given[name] === undefined && couldBeValue(name, option, phrase, grammar.known),
    );
    if (found === undefined) return undefined;
    const [name, option] = found;
    given[name] = option.kind === 'flag' && phrase.toLowerCase() === name ? true : phrase;
    return name;
  };
  const isName = (phrase: string): boolean =>
    options.some(([, option]) => option.kind === 'reference' && grammar.known(option, phrase));
  /** Places a flag and its answer as one value: "outpaint no". */
  const placeFlag = (flag: Piece | undefined, answer: Piece | undefined): string | undefined => {
    if (flag === undefined || answer === undefined || answer.isText || !isYesOrNo(answer.text))
      return undefined;
    const name = options.find(([each, { kind }]) => kind === 'flag' && each === flag.text.toLowerCase())?.[0];
    if (name === undefined || given[name] !== undefined) return undefined;
    given[name] = answer.text;
    return name;
  };
  /** Where there is no text, a phrase in quotes is the name of a filter, known or not; an alias comes before it. */
  const placeQuoted = (phrase: string): string | undefined => {
    const [first] = options.filter(([name]) => given[name] === undefined);
    if (textName !== undefined || first?.[1].kind !== 'reference') return undefined;
    given[first[0]] = phrase;
    return first[0];
  };
  /** The first `count` pieces together as one value: a single word, or a name of several ("Pop Art"). */
  const placeRun = (count: number): string | undefined => {
    const run = loose.slice(0, count);
    if (run.length < count || run.some((piece) => piece.isText || (count > 1 && piece.quoted)))
      return undefined;
    const phrase = phraseOf(run);
    if (count > 1) return isName(phrase) ? place(phrase) : undefined;
    return place(phrase) ?? (run[0]?.quoted ? placeQuoted(phrase) : undefined);
  };

  // From the front, longest name first; then from the back, values after the text. Words in between are prose ("a
  // simple zoom") unless they can only be values.
  const takeFirst = (): AssignedValue | undefined => {
    const flag = placeFlag(loose[0], loose[1]);
    if (flag !== undefined) return { name: flag, pieces: loose.splice(0, 2) };
    for (let count = LONGEST_NAME; count > 0; count -= 1) {
      const name = placeRun(count);
      if (name !== undefined) return { name, pieces: loose.splice(0, count) };
    }
    return undefined;
  };
  const takeLast = (): AssignedValue | undefined => {
    const flag = placeFlag(loose.at(-2), loose.at(-1));
    if (flag !== undefined) return { name: flag, pieces: loose.splice(-2) };
    const last = loose.at(-1);
    // An option that nearly any word could be a value of takes words at the front only.
    const others = options.filter(([, { kind }]) => OPTION_KINDS[kind].name !== 'any');
    // The later of two times is for the last option.
    const isTime = ([, { kind }]: (typeof options)[number]): boolean => kind === 'time';
    const fromBack = others.some(isTime) && looksLikeTime(loose.at(-2)?.text ?? '');
    const among = fromBack ? others.toReversed() : others;
    const name = last === undefined || last.isText ? undefined : place(last.text, among);
    return name === undefined ? undefined : { name, pieces: loose.splice(-1) };
  };
  // Both lists start next to the words in between.
  const before: AssignedValue[] = [];
  const after: AssignedValue[] = [];
  for (let taken = takeFirst(); taken !== undefined; taken = takeFirst()) before.unshift(taken);
  for (let taken = takeLast(); taken !== undefined; taken = takeLast()) after.unshift(taken);
  const text = loose.filter(
    (piece) => piece.isText || piece.quoted || !isUnmistakable(piece.text) || place(piece.text) === undefined,
  );
  const placed = placeText(action, given, text, textName, grammar.words, grammar.resembles);
  if (textName === undefined || placed[textName] === undefined || !isProse(action.options[textName]))
    return { ...given, ...placed };
  const whole = besideProse(action.options, textName, given, { before, after }, text);
  return { ...whole.given, [textName]: phraseOf(whole.text) };
}

/** Gives the pieces of a line and its photos to the options of its command. Throws only UserError. */
export function parseLine(
  { name, command, subcommand, pieces }: CommandLine,
  photos: readonly PhotoRef[],
  grammar: Grammar,
): TextLine {
  if (command === undefined)
    throw new UserError(grammar.words.error.unknownCommand(name, nearestCommands(name, grammar.commands)));
  const action = requireAction(command, subcommand, grammar.words);
  return { command, subcommand, given: placeValues(action, pieces, photos, grammar) };
}
