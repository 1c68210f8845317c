import { z } from 'zod';

/**
 * How the text of a setting becomes a value. `read` throws a RangeError whose message says what is wrong;
 * that message is shown to the owner, so it never repeats the text itself (which may be a secret).
 */
export function parsed<T>(read: (text: string) => T) {
  return z.string().transform((text, context) => {
    try {
      return read(text.trim());
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      context.addIssue(error.message);
      return z.NEVER;
    }
  });
}

export const wholeNumber = (least: number, most: number) =>
  parsed((text) => numberBetween(text, /^-?\d{1,15}$/, 'not a whole number', least, most));

export const decimal = (least: number, most: number) =>
  parsed((text) => numberBetween(text, /^-?\d{1,9}(\.\d{1,6})?$/, 'not a number', least, most));

function numberBetween(text: string, shape: RegExp, wrong: string, least: number, most: number): number {
  if (!shape.test(text)) throw new RangeError(wrong);
  const value = Number(text);
  if (value < least) throw new RangeError('too small');
  if (value > most) throw new RangeError('too large');
  return value;
}

export function choice<const T extends string>(...choices: readonly T[]) {
  return parsed((text) => {
    const found = choices.find((each) => each === text.toLowerCase());
    if (found === undefined) throw new RangeError('not one of the choices');
    return found;
  });
}

/** Printable ASCII without spaces: fits into a header or an address unescaped. */
export function secretText(least: number, most: number) {
  return parsed((text) => {
    if (!/^[\x21-\x7e]+$/.test(text)) throw new RangeError('contains spaces or unusual characters');
    if (text.length < least) throw new RangeError('too short');
    if (text.length > most) throw new RangeError('too long');
    return text;
  });
}

export function matching(shape: RegExp, wrong: string) {
  return parsed((text) => {
    if (!shape.test(text)) throw new RangeError(wrong);
    return text;
  });
}

/** An http(s) address without a slash at its end, so that paths can be put behind it. */
export function webAddress(endsIn = '') {
  return parsed((text) => {
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

/** A list separated by commas, spaces around its items allowed, without repetitions. */
export function listOf(items: string): readonly string[] {
  const list = items.split(',').map((item) => item.trim());
  if (list.includes('')) throw new RangeError('an item of the list is empty');
  return [...new Set(list)];
}

export const hostList = parsed((text): readonly string[] =>
  listOf(text.toLowerCase()).map((item) => {
    const [, host, port] =
      /^([a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/.exec(item)?.toSpliced(2, 1) ??
      [];
    if (host === undefined) throw new RangeError('an item is not host or host:port');
    if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
      throw new RangeError('a port is not 1 to 65535');
    return item;
  }),
);
