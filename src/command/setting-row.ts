import type { z } from 'zod';
import type { InEveryLanguage } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import type { Options } from './option.ts';

/** The value of one option of a setting. */
export type SettingPart = string | number | boolean;

/** The value of a simple setting, as it is stored: that of its only option, or those of its options, by name. */
export type SettingValue = SettingPart | Readonly<Record<string, SettingPart>>;

/** Defines `/settings`, the console's form, the audit line and the rules of one simple setting. */
export interface SettingRow<Value extends SettingValue> {
  /** The stored shape. It is as wide as in every version, because a record that does not fit counts as damaged. */
  readonly shape: z.ZodType<Value>;
  /** The value where no moderator has chosen one. */
  readonly standard: Value;
  /** `/settings timezone`, `settings.timezone` in the audit trail. */
  readonly command: string;
  /** What a moderator gives; all are required. */
  readonly options: Options;
  /** A line for `/help`. */
  readonly example: string;
  /** Its name in `/settings show` and in the console. */
  readonly name: InEveryLanguage;
  /** The description of its command. */
  readonly description: InEveryLanguage;
  /** The value as people read it. */
  text(value: Value, words: Pick<Words, 'language'>): string;
  /** The answer to a change, in one or more lines. */
  changed(value: Value, words: Pick<Words, 'language'>, now: number): string;
}

/** The value of each option, by its name. */
export function partsOf(
  { options }: Pick<SettingRow<SettingValue>, 'options'>,
  value: SettingValue,
): Readonly<Record<string, SettingPart>> {
  if (typeof value === 'object') return value;
  return Object.fromEntries(Object.keys(options).map((name) => [name, value]));
}

/** The value that options make; throws if it cannot be stored. */
export function valueFrom(
  { options, shape }: Pick<SettingRow<SettingValue>, 'options' | 'shape'>,
  args: Readonly<Record<string, unknown>>,
): SettingValue {
  const [only = '', ...more] = Object.keys(options);
  return shape.parse(more.length === 0 ? args[only] : args);
}
