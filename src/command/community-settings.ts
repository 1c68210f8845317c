import { z } from 'zod';
import { LANGUAGES, type Language, languageName, type Words } from '../words/words.ts';
import type { Option } from './option.ts';
import { type Caller, type Place, placeShape } from './place.ts';
import { localTime } from './time-zone.ts';

/**
 * The settings of a community. What is stored and its type come from the two tables here, so that no field can be set that is
 * not read again. The row of a simple setting also defines `/settings`, the console's form and the audit line.
 */

export type SettingValue = string | number | boolean;

/** What a simple setting needs in every language. */
interface SettingWords {
  /** In `/settings show` and in the console. */
  readonly name: string;
  /** Its command's description. */
  readonly description: string;
  /** The description of the command's option. */
  readonly option: string;
  /** The answer to a change, in one or more lines. */
  set(value: string, detail: string): string;
}

type OneOf<Each> = Each extends unknown ? Omit<Each, 'description' | 'required'> : never;

interface Row<Value extends SettingValue> {
  /** As wide as in every version: a record that does not fit counts as damaged. */
  readonly stored: z.ZodType<Value>;
  /** The value where no moderator has chosen one. */
  readonly standard: Value;
  /** `/settings timezone`, `settings.timezone` in the audit trail. */
  readonly command: string;
  readonly option: { readonly name: string } & OneOf<
    Extract<Option, { kind: 'choice' | 'integer' | 'flag' | 'text' | 'time-zone' }>
  >;
  /** A value, for `/help`. */
  readonly example: Value;
  words(words: Words): SettingWords;
  /** The value as people read it; left out: as it is stored. */
  text?(value: Value, words: Words): string;
  /** What `words.set` gets beside it. */
  detail?(value: Value, now: number): string;
}

const textOf = (value: SettingValue, words: Words): string =>
  typeof value === 'boolean' ? words[value ? 'yes' : 'no'] : String(value);

function simple<Value extends SettingValue>(row: Row<Value>) {
  const { stored, standard, command, example, words, text = textOf, detail = () => '' } = row;
  const { name, ...input } = row.option;
  const option: Option = { ...input, description: (language) => words(language).option, required: true };
  return {
    field: stored.exactOptional(),
    read: (value: unknown): SettingValue => stored.parse(value),
    standard,
    command,
    option: { name, ...option },
    example: `/settings ${command} ${example}`,
    words,
    text: (value: SettingValue, language: Words): string => text(stored.parse(value), language),
    /** The answer to a change. */
    said(given: SettingValue, language: Words, now: number): readonly string[] {
      const value = stored.parse(given);
      return words(language).set(text(value, language), detail(value, now)).split('\n');
    },
  };
}

/** One value each. */
export const SIMPLE_SETTINGS = {
  timeZone: simple({
    stored: z.string(),
    standard: 'UTC',
    command: 'timezone',
    option: { name: 'name', kind: 'time-zone' },
    example: 'Europe/Berlin',
    words: ({ settings }) => settings.timeZone,
    detail: localTime,
  }),
  /** Where a platform does not send a person's language, and in messages to everybody. */
  language: simple({
    stored: z.string(),
    standard: 'automatic',
    command: 'language',
    option: { name: 'language', kind: 'choice', choices: ['automatic', ...LANGUAGES] },
    example: 'de',
    words: ({ settings }) => settings.language,
    text: (value, { settings }) =>
      value === 'automatic' ? settings.language.automatic : languageName(value),
  }),
};

export type SimpleSetting = keyof typeof SIMPLE_SETTINGS;

/** Only owners can change it. */
const byOwner = z.literal(true).exactOptional();

/** Those with rules and commands of their own. */
const SPECIAL_SETTINGS = {
  /** Daily credits of a person here; undefined: the owner's default. */
  credits: z.number().min(0).exactOptional(),
  /** An owner set them, so no maximum applies. */
  creditsByOwner: byOwner,
  /** For people (by id) and for Discord roles (`roleKey`). */
  allowances: z.array(z.object({ who: z.string(), credits: z.number().min(0), byOwner })).exactOptional(),
  /** `reason`: may be empty; `lost`: automatically, because the community's settings were damaged. */
  paused: z.object({ reason: z.string(), lost: z.literal(true).exactOptional(), byOwner }).exactOptional(),
  /** Where the audit trail and reports go. */
  log: placeShape.exactOptional(),
  /** Where jobs are accepted; undefined: everywhere. */
  channels: z.array(placeShape).exactOptional(),
  blocked: z.array(z.object({ user: z.string(), reason: z.string() })),
  bannedWords: z.array(z.string()),
};

export type SpecialSetting = keyof typeof SPECIAL_SETTINGS;

type Fields = { readonly [Name in SimpleSetting]: (typeof SIMPLE_SETTINGS)[Name]['field'] };
const fields = Object.fromEntries(
  Object.entries(SIMPLE_SETTINGS).map(([name, { field }]) => [name, field]),
) as Fields;

export const settingsShape = z.object({ ...SPECIAL_SETTINGS, ...fields });
export type CommunitySettings = Readonly<z.infer<typeof settingsShape>>;

const isSimple = (name: string): name is SimpleSetting => Object.hasOwn(SIMPLE_SETTINGS, name);
export const simpleSettings: readonly SimpleSetting[] = Object.keys(SIMPLE_SETTINGS).filter(isSimple);

type ValueOf<Name extends SimpleSetting> = NonNullable<CommunitySettings[Name]>;
const standards: { readonly [Name in SimpleSetting]: { readonly standard: ValueOf<Name> } } = SIMPLE_SETTINGS;

/** What was chosen, or the standard. */
export const settingIn = <Name extends SimpleSetting>(
  settings: CommunitySettings,
  name: Name,
): ValueOf<Name> => settings[name] ?? standards[name].standard;

export type Pause = NonNullable<CommunitySettings['paused']>;

/** Why nothing can be made there. `channels`: those in which jobs are accepted. */
export type GateRefusal =
  | { readonly code: 'unapproved' | 'blocked' | 'banned-word' }
  | { readonly code: 'paused'; readonly pause: Pause }
  | { readonly code: 'other-channel'; readonly channels: readonly Place[] };

/** A community's approval, blocks, pause, channels, blocked words and language. Answered from memory where possible. */
export interface CommunityGate {
  /** No owner has approved this place, which is needed, and the caller is no owner. */
  unapproved(caller: Caller, place: Place): Promise<boolean>;
  blocked(caller: Caller, place: Place): Promise<boolean>;
  /** Why this person cannot make anything of these texts there now. Undefined: they can. */
  refusal(caller: Caller, place: Place, texts: readonly string[]): Promise<GateRefusal | undefined>;
  /** The one that the community chose. */
  language(place: Place): Promise<Language | undefined>;
}
