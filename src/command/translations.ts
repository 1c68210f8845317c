import { type InEveryLanguage, inEachLanguage, type OtherLanguage } from '../words/language.ts';
import type { Description, Option, Options } from './option.ts';

/** A command is declared in English. Its translations stand in a file beside it (`commands/texts`). */

/** The names of the options that are described in English alone. */
type InEnglish<O extends Options> = {
  [Name in keyof O]: O[Name]['description'] extends string ? Name : never;
}[keyof O];

/** A description in the other languages; the compiler demands each option that is described in English alone. */
type Translated<O extends Options> = { readonly description: string } & ([InEnglish<O>] extends [never]
  ? unknown
  : { readonly options: { readonly [Name in InEnglish<O>]: string } });

/** The description of an action: in English with its translations, or in every language. */
export type DescribedAction<O extends Options> =
  | { readonly description: string; readonly translations: Readonly<Record<OtherLanguage, Translated<O>>> }
  | { readonly description: InEveryLanguage; readonly translations?: undefined };

/** The description of a command without subcommands, which can have an entry in the menu of messages. */
export type DescribedCommand<O extends Options> =
  | (DescribedAction<O> & { readonly menu?: undefined })
  | {
      readonly description: string;
      readonly menu: string;
      readonly translations: Readonly<Record<OtherLanguage, Translated<O> & { readonly menu: string }>>;
    };

/** The description of a command with subcommands. */
export type DescribedGroup = DescribedAction<Readonly<Record<never, Option>>>;

/** Any of these translations, with erased types. */
type AnyTranslations = Readonly<
  Record<
    OtherLanguage,
    {
      readonly description: string;
      readonly menu?: string;
      readonly options?: Readonly<Record<string, string>>;
    }
  >
>;

/** Adds its translations to a text. */
export function translated(
  text: Description,
  translations: AnyTranslations | undefined,
  find: (said: AnyTranslations[OtherLanguage]) => string | undefined,
): InEveryLanguage {
  if (typeof text !== 'string') return text;
  return inEachLanguage((language) =>
    language === 'en' || translations === undefined ? text : (find(translations[language]) ?? text),
  );
}

/** Adds their translations to the descriptions of options. */
export const translatedOptions = (options: Options, translations: AnyTranslations | undefined): Options =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      {
        ...option,
        description: translated(option.description, translations, (said) => said.options?.[name]),
      },
    ]),
  );
