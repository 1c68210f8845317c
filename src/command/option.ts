import type { FilterListName, FilterModel } from '../kinds/choices.ts';
import type { InEveryLanguage, Language } from '../words/language.ts';
import type { Album, PhotoRef } from './photo.ts';
import type { Question } from './reply.ts';

/** The options of a command. Every platform's registration, parser and help are made from these. */

/** A description in every language; or in English, with the other languages in `translations` of the command. */
export type Description = string | InEveryLanguage;

/** A description in a language. */
export const descriptionIn = (said: Description, { language }: { readonly language: Language }): string =>
  typeof said === 'string' ? said : said[language];

interface Described {
  readonly description: Description;
  /** Required by the platform where possible, otherwise asked for. */
  readonly required?: boolean;
  /** An alternative option, offered when this one is asked for; `required`: one of the two is. */
  readonly or?: string;
  /** Values of other options that rule out the alternative. */
  readonly orUnless?: Readonly<Record<string, readonly string[]>>;
}

/** Suggested texts, offered as buttons when this option is asked for. In a typed line, words that fit nothing else become this text. */
export type Ideas = 'motion' | 'transition' | 'portrait' | 'group';

/** An option of a command: its description, whether it is required, and the kind of its value. */
export type Option = Described &
  /** `album`: of several photos each makes a job of its own. */
  (
    | { readonly kind: 'image'; readonly album?: true }
    | { readonly kind: 'text'; readonly max: number; readonly min?: number; readonly ideas?: Ideas }
    /** `minors`: values that stand for children where those are not accepted; they are understood and refused with the reason. */
    | {
        readonly kind: 'choice';
        readonly choices: readonly string[];
        readonly minors?: readonly string[];
        readonly default?: string;
      }
    | { readonly kind: 'flag'; readonly default?: boolean }
    | { readonly kind: 'integer'; readonly min: number; readonly max: number }
    /**
     * A filter or style: catalog number, catalog name, alias name or UUID. `by` is the option that selects one of the
     * `lists`.
     */
    | {
        readonly kind: 'reference';
        readonly model: FilterModel | 'any';
        readonly catalog:
          | FilterListName
          | { readonly by: string; readonly lists: Readonly<Record<string, FilterListName>> };
      }
    /** An alias name of this community; `fresh` for a new one. */
    | { readonly kind: 'alias'; readonly fresh?: boolean }
    /** The name of one of the caller's saved faces; `fresh` for a new one. */
    | { readonly kind: 'face'; readonly fresh?: boolean }
    /** A person of this community; the value is the platform's user id. `roles`: or a Discord role, see `roleKey`. */
    | { readonly kind: 'user'; readonly roles?: true }
    /** One of the channels or topics that `/settings channels` opened, which may be deleted by now; the value is its `channelId`. */
    | { readonly kind: 'channel' }
    /** An IANA time zone; the value is its name as it is written. */
    | { readonly kind: 'time-zone' }
    /** A day or a time of the community's time zone; the value is a local time (`readLocalTime`). */
    | { readonly kind: 'time' }
    /** The name of a command. */
    | { readonly kind: 'command' }
  );

/** The facts about a kind of option that texts, questions and forms depend on. */
interface KindTraits {
  /** How it is asked for where there is nothing to choose from. */
  readonly asked: Question['kind'];
  /** Buttons in a row. */
  readonly perRow: 1 | 2 | 5;
  /** The length of the longest value; undefined for a value that is only compared with a list. */
  readonly longest?: number;
  /** Its value is a name, which may be a known one. `any`: nearly any word could be such a name. */
  readonly name?: true | 'any';
  /** The option takes the words that are for no other option. */
  readonly takesRest?: true;
}

/** The facts about each kind of option. */
export const OPTION_KINDS: Readonly<Record<Option['kind'], KindTraits>> = {
  image: { asked: 'image', perRow: 2 },
  text: { asked: 'text', perRow: 1 },
  choice: { asked: 'choice', perRow: 5, takesRest: true },
  flag: { asked: 'choice', perRow: 5 },
  integer: { asked: 'text', perRow: 5, takesRest: true },
  reference: { asked: 'reference', perRow: 2, longest: 100, name: true, takesRest: true },
  alias: { asked: 'text', perRow: 2, name: 'any', takesRest: true },
  face: { asked: 'text', perRow: 2, name: 'any' },
  user: { asked: 'text', perRow: 5, longest: 100, takesRest: true },
  channel: { asked: 'text', perRow: 5, longest: 100, takesRest: true },
  'time-zone': { asked: 'text', perRow: 5, takesRest: true },
  time: { asked: 'text', perRow: 5, takesRest: true },
  command: { asked: 'text', perRow: 5, longest: 100 },
};

/** The options of a command, by name. */
export type Options = Readonly<Record<string, Option>>;

/** Whether an action makes a job of each of several photos. */
export const takesAlbums = ({ options }: { readonly options: Options }): boolean =>
  Object.values(options).some((option) => option.kind === 'image' && option.album);

/** Whether an option is required, and no other can be given instead. */
export const isAlwaysRequired = ({ required, or }: Option): boolean => required === true && or === undefined;

type Value<O extends Option> = O extends { kind: 'image' }
  ? PhotoRef
  : O extends { kind: 'choice'; choices: readonly (infer C)[] }
    ? C
    : O extends { kind: 'flag' }
      ? boolean
      : O extends { kind: 'integer' }
        ? number
        : string;

type Present<O extends Option> = O extends { or: string }
  ? false
  : O extends { required: true } | { default: unknown }
    ? true
    : false;

/** The arguments that a command's `run` receives, derived from its declaration. */
export type Arguments<O extends Options> = {
  readonly [K in keyof O]: Present<O[K]> extends true ? Value<O[K]> : Value<O[K]> | undefined;
};

/** Values as an adapter read them, by option name, not yet validated. */
export type Given = Readonly<Record<string, PhotoRef | Album | string | number | boolean>>;
