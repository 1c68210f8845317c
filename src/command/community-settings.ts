import { z } from 'zod';
import { languageSetting } from './language-setting.ts';
import { placeShape } from './place.ts';
import type { SettingRow, SettingValue } from './setting-row.ts';
import { timeZoneSetting } from './time-zone-setting.ts';

/**
 * The settings of a community. The stored shape and its type come from the tables of fields here, so nothing is set that is not read
 * again.
 */

/** The row of each simple setting, from which its command, form, audit line and tests are made; a new one is added here. */
const ROWS = { timeZone: timeZoneSetting, language: languageSetting };

/** The name of a simple setting. */
export type SimpleSetting = keyof typeof ROWS;

/** The rows of all simple settings. */
export const SIMPLE_SETTINGS: Readonly<Record<SimpleSetting, SettingRow<SettingValue>>> = ROWS;

/** The stored fields of the simple settings. */
const SIMPLE_FIELDS = {
  timeZone: ROWS.timeZone.shape.exactOptional(),
  language: ROWS.language.shape.exactOptional(),
} satisfies Readonly<Record<SimpleSetting, z.ZodType>>;

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

/** The value of each simple setting: one value, or an object where its row has several options. */
type Values = { readonly [Name in SimpleSetting]: z.output<(typeof ROWS)[Name]['shape']> };

const isSimple = (name: string): name is SimpleSetting => Object.hasOwn(SIMPLE_SETTINGS, name);
/** The names of all simple settings, in the order in which they are shown. */
export const simpleSettings: readonly SimpleSetting[] = Object.keys(SIMPLE_SETTINGS).filter(isSimple);

/** The rows with the types of their values. */
const STANDARDS: { readonly [Name in SimpleSetting]: SettingRow<Values[Name]> } = ROWS;

/** The value that a moderator chose, or the standard. */
export const settingIn = <Name extends SimpleSetting>(settings: Partial<Values>, name: Name): Values[Name] =>
  settings[name] ?? STANDARDS[name].standard;

/** The pause of a community, during which no jobs are accepted. */
export type Pause = NonNullable<CommunitySettings['paused']>;
