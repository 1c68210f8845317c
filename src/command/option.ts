import type { PhotoRef } from './photo.ts';
import type { ListName } from './ports.ts';
import type { ModelType } from './request.ts';

/** What a command can be given. From these declarations come every platform's registration, parser and help. */

interface Described {
  readonly description: string;
  /** The command cannot run without it: the platform demands it where it can, otherwise it is asked for. */
  readonly required?: boolean;
  /** Another option that can be given in place of this one: offered when this one is asked for. */
  readonly or?: string;
  /** Values of other options with which it cannot. */
  readonly orUnless?: Readonly<Record<string, readonly string[]>>;
}

/** Ready-made texts offered as buttons when this option is asked for. */
export type Ideas = 'motion' | 'transition' | 'portrait' | 'group';

export type Option = Described &
  (
    | { readonly kind: 'image' }
    | { readonly kind: 'text'; readonly max: number; readonly min?: number; readonly ideas?: Ideas }
    | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default?: string }
    | { readonly kind: 'flag'; readonly default?: boolean }
    | { readonly kind: 'integer'; readonly min: number; readonly max: number }
    /**
     * A filter or style: catalog number, catalog name, alias name or UUID. `by` names the option whose value
     * decides which of the `lists` is meant.
     */
    | {
        readonly kind: 'reference';
        readonly model: ModelType | 'any';
        readonly catalog:
          | ListName
          | { readonly by: string; readonly lists: Readonly<Record<string, ListName>> };
      }
    /** An alias name of this community; `fresh` when it is about to be made. */
    | { readonly kind: 'alias'; readonly fresh?: boolean }
    /** A person of this community, as the platform names people; the value is the platform's user id. */
    | { readonly kind: 'user' }
    /** The name of a command. */
    | { readonly kind: 'command' }
  );

export type Options = Readonly<Record<string, Option>>;

type Value<O extends Option> = O extends { kind: 'image' }
  ? PhotoRef
  : O extends { kind: 'choice'; choices: readonly (infer C)[] }
    ? C
    : O extends { kind: 'flag' }
      ? boolean
      : O extends { kind: 'integer' }
        ? number
        : string;

type Present<O extends Option> = O extends { required: true } | { default: unknown } ? true : false;

/** The arguments that a command's `run` receives, derived from its declaration. */
export type Arguments<O extends Options> = {
  readonly [K in keyof O]: Present<O[K]> extends true ? Value<O[K]> : Value<O[K]> | undefined;
};

/** Values as an adapter read them, by option name, not yet validated. */
export type Given = Readonly<Record<string, PhotoRef | string | number | boolean>>;
