import { z } from 'zod';
import { LANGUAGES, type Language, languageName, type Words } from '../words/words.ts';
import type { Option } from './option.ts';
import { type Caller, type Place, placeShape } from './place.ts';
import { localTime } from './time-zone.ts';

/**
 * The settings of a community. The stored shape and its type come from the tables of fields here, so nothing is set that is not read
 * again.
 */

/** A value of a simple setting, as it is stored. */
export type SettingValue = string | number | boolean;

/** The settings of one value each. Their shapes are as wide as in every version, because a record that does not fit counts as damaged. */
const SIMPLE_FIELDS = {
  timeZone: z.string().exactOptional(),
  /** The language for people whose platform does not send theirs, and of messages to everybody. */
  language: z.string().exactOptional(),
};

/** The name of a setting that is one value. */
export type SimpleSetting = keyof typeof SIMPLE_FIELDS;

/** Only owners can change it. */
const byOwner = z.literal(true).exactOptional();

/** The settings with rules and commands of their own. */
const SPECIAL_SETTINGS = {
  /** Daily credits of a person here; undefined: the owner's default. */
  credits: z.number().min(0).exactOptional(),
  /** An owner set them, so no maximum applies. */
  creditsByOwner: byOwner,
  /** Daily credits of single people (by id) and Discord roles (`roleKey`). */
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

/** The name of a setting that is more than one value. */
export type SpecialSetting = keyof typeof SPECIAL_SETTINGS;

/** The stored record of a community's settings. */
export const settingsShape = z.object({ ...SPECIAL_SETTINGS, ...SIMPLE_FIELDS });
/** The settings of a community that moderators or owners have chosen. */
export type CommunitySettings = Readonly<z.infer<typeof settingsShape>>;

type ValueOf<Name extends SimpleSetting> = NonNullable<CommunitySettings[Name]>;

/** Defines `/settings`, the console's form and the audit line of one setting. */
interface SettingRow<Value extends SettingValue> {
  /** The value where no moderator has chosen one. */
  readonly standard: Value;
  /** `/settings timezone`, `settings.timezone` in the audit trail. */
  readonly command: string;
  readonly option: Option & { readonly name: string };
  /** A line for `/help`. */
  readonly example: string;
  /** Its name in `/settings show` and in the console, and the description of its command. */
  words(words: Words): { readonly name: string; readonly description: string };
  /** The value as people read it. */
  text(value: SettingValue, words: Words): string;
  /** The answer to a change, in one or more lines. */
  changed(value: SettingValue, words: Words, now: number): string;
}

/** The row of each simple setting, from which its command, form and audit line are made. */
export const SIMPLE_SETTINGS: { readonly [Name in SimpleSetting]: SettingRow<ValueOf<Name>> } = {
  timeZone: {
    standard: 'UTC',
    command: 'timezone',
    option: {
      name: 'name',
      kind: 'time-zone',
      required: true,
      description: ({ settings }) => settings.timeZone.option,
    },
    example: '/settings timezone Europe/Berlin',
    words: ({ settings }) => settings.timeZone,
    text: String,
    changed: (zone, { settings }, now) => settings.timeZone.set(String(zone), localTime(String(zone), now)),
  },
  language: {
    standard: 'automatic',
    command: 'language',
    option: {
      name: 'language',
      kind: 'choice',
      choices: ['automatic', ...LANGUAGES],
      required: true,
      description: ({ settings }) => settings.language.option,
    },
    example: '/settings language de',
    words: ({ settings }) => settings.language,
    text: (language, { settings }) =>
      language === 'automatic' ? settings.language.automatic : languageName(String(language)),
    changed: (language, words) => words.settings.language.set(SIMPLE_SETTINGS.language.text(language, words)),
  },
};

const isSimple = (name: string): name is SimpleSetting => Object.hasOwn(SIMPLE_SETTINGS, name);
/** The names of all simple settings, in the order in which they are shown. */
export const simpleSettings: readonly SimpleSetting[] = Object.keys(SIMPLE_SETTINGS).filter(isSimple);

/** Throws unless the value can be stored. */
export const readSetting = (name: SimpleSetting, value: unknown): SettingValue =>
  SIMPLE_FIELDS[name].parse(value);

/** The value that a moderator chose, or the standard. */
export const settingIn = <Name extends SimpleSetting>(
  settings: CommunitySettings,
  name: Name,
): ValueOf<Name> => settings[name] ?? SIMPLE_SETTINGS[name].standard;

/** The pause of a community, during which no jobs are accepted. */
export type Pause = NonNullable<CommunitySettings['paused']>;

/** The reason why nothing can be made in a place. `channels`: the places where jobs are accepted. */
export type GateRefusal =
  | { readonly code: 'unapproved' | 'blocked' | 'banned-word' }
  | { readonly code: 'paused'; readonly pause: Pause }
  | { readonly code: 'other-channel'; readonly channels: readonly Place[] };

/** A community's approval, blocks, pause, channels, blocked words and language. Answered from memory where possible. */
export interface CommunityGate {
  /** Whether the place needs an owner's approval and has none, and the caller is no owner. */
  unapproved(caller: Caller, place: Place): Promise<boolean>;
  blocked(caller: Caller, place: Place): Promise<boolean>;
  /**
   * The reason why this person cannot make anything of these texts there now; undefined: they can. It is asked for a new
   * command, again for a job that waits (which then fails), and before a result is shared: a rule for new jobs alone belongs
   * into the desk's `check-access.ts`.
   */
  refusal(caller: Caller, place: Place, texts: readonly string[]): Promise<GateRefusal | undefined>;
  /** The language that the community chose. */
  language(place: Place): Promise<Language | undefined>;
}
