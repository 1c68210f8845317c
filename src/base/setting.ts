import { z } from 'zod';

/** A kind of setting: how its text becomes a value, and how that is described. */
export interface SettingKind<Value> {
  readonly schema: z.ZodType<Value, string>;
  /** The end of the sentence "Allowed: …" in an error. */
  readonly allowed: string;
  /**
   * Who may see the value. `nobody`: it is not shown even if malformed; an address that may contain a password is shown up to
   * its scheme at most.
   */
  readonly shownTo: 'nobody' | 'nobody after the scheme' | 'owner';
}

/** The description of a setting. */
export interface SettingDescription extends Omit<SettingKind<unknown>, 'schema'> {
  readonly meaning: string;
  /** The default in the tables: the value, or the meaning of being unset. */
  readonly unset: string;
}

/** The descriptions of all settings, for error messages, the table in docs/settings.md and `.env.example`. */
export const settingDescriptions = z.registry<SettingDescription>();

/** Declares a setting with a default value. */
export function withDefault<Value>({ schema, ...kind }: SettingKind<Value>, preset: string, meaning: string) {
  const setting = z.prefault(schema, preset);
  settingDescriptions.add(setting, { ...kind, meaning, unset: `\`${preset}\`` });
  return setting;
}

/** Declares a setting that may be unset. */
export function optionalSetting<Value>(
  { schema, ...kind }: SettingKind<Value>,
  meaning: string,
  unset = 'unset',
) {
  const setting = z.optional(schema);
  settingDescriptions.add(setting, { ...kind, meaning, unset });
  return setting;
}

/**
 * Makes a kind of setting from a parser. `read` throws a RangeError whose message says what is wrong; that message is shown to
 * the owner, so it must not contain the text itself (which may be a secret).
 */
export function parsed<Value>(
  shownTo: SettingKind<Value>['shownTo'],
  allowed: string,
  read: (text: string) => Value,
): SettingKind<Value> {
  const schema = z.string().transform((text, context) => {
    try {
      return read(text.trim());
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      context.addIssue(error.message);
      return z.NEVER;
    }
  });
  return { schema, allowed, shownTo };
}

function numberBetween(what: string, shape: RegExp, least: number, most: number) {
  return parsed('owner', `a ${what} from ${least} to ${most}`, (text) => {
    if (!shape.test(text)) throw new RangeError(`not a ${what}`);
    const value = Number(text);
    if (value < least) throw new RangeError('too small');
    if (value > most) throw new RangeError('too large');
    return value;
  });
}

/** A whole number within limits. */
export const wholeNumber = (least: number, most: number) =>
  numberBetween('whole number', /^-?\d{1,15}$/, least, most);

/** A number within limits, with up to six decimals. */
export const decimal = (least: number, most: number) =>
  numberBetween('number', /^-?\d{1,9}(\.\d{1,6})?$/, least, most);

/** One of several words; upper and lower case are the same. */
export function oneOf<const T extends string>(...choices: readonly T[]) {
  const allowed = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  return parsed('owner', allowed, (text) => {
    const found = choices.find((each) => each === text.toLowerCase());
    if (found === undefined) throw new RangeError('not one of the choices');
    return found;
  });
}

/** A secret of printable ASCII without spaces, which fits into a header or an address unescaped. */
export function secretText(least: number, most: number) {
  return parsed('nobody', `${least} to ${most} printable characters without spaces`, (text) => {
    if (!/^[\x21-\x7e]+$/.test(text)) throw new RangeError('contains spaces or unusual characters');
    if (text.length < least) throw new RangeError('too short');
    if (text.length > most) throw new RangeError('too long');
    return text;
  });
}

/** A text that matches a pattern; `wrong` is the error for others. */
export function matching(shownTo: 'nobody' | 'owner', allowed: string, shape: RegExp, wrong: string) {
  return parsed(shownTo, allowed, (text) => {
    if (!shape.test(text)) throw new RangeError(wrong);
    return text;
  });
}

/** An http(s) address without a slash at its end, so that paths can be appended. */
export function webAddress(endsIn = '') {
  const end = endsIn && ` that ends in ${endsIn}`;
  return parsed('owner', `an http(s) address without user name, query or fragment${end}`, (text) => {
    const url = URL.parse(text);
    if (url === null) throw new RangeError('not an address');
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new RangeError('not http or https');
    if (url.username !== '' || url.password !== '') throw new RangeError('contains a user name or password');
    if (url.search !== '' || url.hash !== '') throw new RangeError('contains a query or fragment');
    const address = url.href.replace(/\/+$/, '');
    if (!address.endsWith(endsIn)) throw new RangeError(`does not end in ${endsIn}`);
    return address;
  });
}

/** Parses a list separated by commas, with optional spaces around its items, and removes repetitions. */
export function listOf(items: string): readonly string[] {
  const list = items.split(',').map((item) => item.trim());
  if (list.includes('')) throw new RangeError('an item of the list is empty');
  return [...new Set(list)];
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/;

/** A list of host names with optional ports. */
export const hostList = parsed('owner', 'a list of host or host:port, separated by commas', (text) =>
  listOf(text.toLowerCase()).map((item) => {
    const found = HOST.exec(item);
    if (found === null) throw new RangeError('an item is not host or host:port');
    const port = Number(found[1] ?? 1);
    if (port < 1 || port > 65_535) throw new RangeError('a port is not 1 to 65535');
    return item;
  }),
);
