import { UserError } from './errors.ts';
import type { Arguments, Given, Option, Options } from './option.ts';

const yes = ['yes', 'y', 'true', 'on', '1'];
const no = ['no', 'n', 'false', 'off', '0'];
const aliasName = /^[a-z0-9-]{1,32}$/;

const readText = (name: string, value: string, min: number, max: number): string => {
  const text = value.trim();
  const length = [...text].length;
  if (length < min)
    throw new UserError(`\`${name}\` is empty. Write at least ${min} character${min === 1 ? '' : 's'}.`);
  if (length > max)
    throw new UserError(`\`${name}\` has ${length} characters; at most ${max} are allowed. Shorten it.`);
  return text;
};

const readValue = (name: string, option: Option, value: Given[string]): unknown => {
  switch (option.kind) {
    case 'image':
      if (typeof value === 'object') return value;
      throw new UserError(`\`${name}\` must be a photo. Attach a JPEG, PNG or WebP image.`);
    case 'flag': {
      if (typeof value === 'boolean') return value;
      const word = String(value).toLowerCase();
      if (yes.includes(word)) return true;
      if (no.includes(word)) return false;
      throw new UserError(`\`${name}\` is yes or no; "${value}" is neither.`);
    }
    case 'choice': {
      const choice = option.choices.find((each) => each.toLowerCase() === String(value).trim().toLowerCase());
      if (choice !== undefined) return choice;
      throw new UserError(`\`${name}\` cannot be "${value}". Choose one of: ${option.choices.join(', ')}.`);
    }
    case 'integer': {
      const number = typeof value === 'number' ? value : Number(String(value).trim() || Number.NaN);
      if (Number.isInteger(number) && number >= option.min && number <= option.max) return number;
      throw new UserError(
        `\`${name}\` is a whole number from ${option.min} to ${option.max}; "${value}" is not.`,
      );
    }
    case 'alias': {
      const alias = String(value).trim().toLowerCase();
      if (aliasName.test(alias)) return alias;
      throw new UserError(
        `\`${name}\` is 1 to 32 of a-z, 0-9 and "-"; "${value}" is not. For example: halloween.`,
      );
    }
    case 'text':
      return readText(name, String(value), option.min ?? 1, option.max);
    case 'reference':
    case 'command':
    case 'user':
      return readText(name, String(value), 1, 100);
  }
};

/** The one validator of all platforms: what came in becomes what `run` may rely on, or words that say the rule. */
export const readArguments = <O extends Options>(options: O, given: Given): Arguments<O> => {
  const read: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    const value = given[name];
    if (value !== undefined) read[name] = readValue(name, option, value);
    else if ('default' in option && option.default !== undefined) read[name] = option.default;
    else if (option.required) throw new UserError(`\`${name}\` is missing: ${option.description}.`);
  }
  return read as Arguments<O>;
};
