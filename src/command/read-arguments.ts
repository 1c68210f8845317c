import type { Words } from '../words/words.ts';
import { decompose } from './decompose.ts';
import { UserError } from './errors.ts';
import { photoFromLink } from './link.ts';
import { type Arguments, type Given, OPTION_KINDS, type Option, type Options } from './option.ts';
import type { PhotoRef } from './photo.ts';
import { shorten } from './shorten.ts';
import { readLocalTime, timeZoneNamed, timeZonesLike } from './time-zone.ts';

/** Reads the values that were given for the options of a command, for all platforms. */

/** The words that set a flag. */
export const YES_WORDS = ['yes', 'y', 'true', 'on', '1'];
/** The words that leave a flag unset. */
export const NO_WORDS = ['no', 'n', 'false', 'off', '0'];
/** The form of a name that people give to an alias or a saved face. */
export const ALIAS_NAME = /^[a-z0-9-]{1,32}$/;

type Value = Given[string];

/** Whether a flag is set by this value. */
export const isYes = (value: Value | undefined): boolean =>
  YES_WORDS.includes(String(value).trim().toLowerCase());

/** The typed value, shortened for quoting. */
const quoted = (value: Value): string => shorten(typeof value === 'object' ? '…' : String(value), 60);

function readImage(name: string, value: Value, words: Words): PhotoRef {
  // The desk asks what to make of the other photos when everything else is known.
  if (typeof value === 'object' && value.from === 'album') return value.photos[0];
  if (typeof value === 'object' && value.from !== 'link') return value;
  if (typeof value !== 'object' && !/^\w+:\/\//.test(String(value).trim()))
    throw new UserError(words.error.notPhoto(name));
  const link = photoFromLink(typeof value === 'object' ? value.url : String(value));
  if (link === undefined) throw new UserError(words.error.badLink(name));
  return typeof value === 'object' && value.spoiler ? { ...link, spoiler: true } : link;
}

/** Whitespace and invisible characters: a text of only these is empty. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]+/gu;

/** A ligature counts as its letters, up to eighteen; no language needs more than three. */
function refuseTooLong(name: string, option: Option, text: string, words: Words): void {
  const max = option.kind === 'text' ? option.max : OPTION_KINDS[option.kind].longest;
  if (max === undefined) return;
  const characters = [...text].length;
  const length = characters > max ? characters : Math.floor(decompose(text).length / 3);
  if (length > max) throw new UserError(words.error.tooLong(name, length, max));
}

const typedText = (value: Value): string => (typeof value === 'object' ? '' : String(value).trim());

/** Call this before any work that grows with the length of a text. */
export function refuseTooLongTexts(options: Options, given: Given, words: Words): void {
  for (const [name, option] of Object.entries(options)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined) refuseTooLong(name, option, typedText(value), words);
  }
}

function readText(name: string, option: Option, value: Value, min: number, words: Words): string {
  const text = typedText(value);
  if ([...text].length < min || text.replace(UNSEEN, '') === '')
    throw new UserError(words.error.empty(name, min));
  refuseTooLong(name, option, text, words);
  return text;
}

/** A mention on Discord, a link, or the id. */
const readChannel = (typed: string): string =>
  /^<#(\d+)>$/.exec(typed)?.[1] ?? typed.slice(typed.lastIndexOf('/') + 1).replace(/^#/, '');

/** As it is stored, or in the person's language. */
export const choiceNamed = (said: string, choices: readonly string[], words: Words): string | undefined =>
  choices.find((each) => [each, words.choices[each]].some((name) => name?.toLowerCase() === said));

function readValue(name: string, option: Option, value: Value, words: Words): unknown {
  const said = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
  switch (option.kind) {
    case 'image':
      return readImage(name, value, words);
    case 'flag': {
      if (isYes(value)) return true;
      if (NO_WORDS.includes(said)) return false;
      throw new UserError(words.error.notFlag(name, quoted(value)));
    }
    case 'choice': {
      const choice = choiceNamed(said, option.choices, words);
      if (choice !== undefined) return choice;
      if (choiceNamed(said, option.minors ?? [], words) !== undefined)
        throw new UserError(words.failure['no-minors'], 'limit');
      throw new UserError(words.error.notChoice(name, quoted(value), option.choices));
    }
    case 'integer': {
      const number = /^\+?\d{1,15}$/.test(said) ? Number(said) : Number.NaN;
      if (number >= option.min && number <= option.max) return number;
      throw new UserError(words.error.notInteger(name, quoted(value), option.min, option.max));
    }
    case 'alias':
    case 'face': {
      if (ALIAS_NAME.test(said)) return said;
      throw new UserError(words.error.notAlias(name, quoted(value)));
    }
    case 'time-zone': {
      const zone = timeZoneNamed(typedText(value));
      if (zone !== undefined) return zone;
      throw new UserError(words.error.notTimeZone(name, quoted(value), timeZonesLike(said)));
    }
    case 'time': {
      const time = readLocalTime(said);
      if (time !== undefined) return time;
      throw new UserError(words.error.notTime(name, quoted(value)));
    }
    case 'text':
      return readText(name, option, value, option.min ?? 1, words);
    case 'channel':
      return readChannel(readText(name, option, value, 1, words));
    case 'reference':
    case 'command':
    case 'user':
      return readText(name, option, value, 1, words);
  }
}

type Read<O extends Options> =
  | { readonly args: Arguments<O>; readonly missing?: undefined }
  | { readonly args: Partial<Arguments<O>>; readonly missing: readonly [string, ...string[]] };

/**
 * Reads the given values, for all platforms, and fills in defaults; throws a UserError that states the rule. A value for an option
 * that there is not is refused: without it, the command would do something else than what was asked for. `missing`: required
 * options without a value.
 */
export function readArguments<O extends Options>(options: Options, given: Given, words: Words): Read<O> {
  const args: Record<string, unknown> = {};
  const missing: string[] = [];
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(options, name));
  if (unknown !== undefined) throw new UserError(words.error.unknownOption(shorten(unknown, 32), []));
  for (const [name, option] of Object.entries(options)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined) args[name] = readValue(name, option, value, words);
    else if ('default' in option && option.default !== undefined) args[name] = option.default;
    else if (option.required && (option.or === undefined || given[option.or] === undefined))
      missing.push(name);
  }
  return { args, missing: missing.length === 0 ? undefined : missing } as Read<O>;
}
