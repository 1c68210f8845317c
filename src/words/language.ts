/** The codes of all languages that Darkroom speaks; a new language is added here. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt'] as const;

/** The code of a language that Darkroom speaks. */
export type Language = (typeof LANGUAGES)[number];

/** The languages into which English texts are translated. */
export type OtherLanguage = Exclude<Language, 'en'>;

/** What is said in each language: texts that stand beside the declaration of the thing that they name. */
export type InEveryLanguage<Said = string> = Readonly<Record<Language, Said>>;

/** Makes what is said in each language; the compiler demands a new language here. */
export const inEachLanguage = <Said>(say: (language: Language) => Said): InEveryLanguage<Said> => ({
  en: say('en'),
  de: say('de'),
  es: say('es'),
  fr: say('fr'),
  pt: say('pt'),
});
