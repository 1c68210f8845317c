import { de } from './de/words.ts';
import { en, type Words } from './en/words.ts';
import { es } from './es/words.ts';
import { fr } from './fr/words.ts';
import { type InEveryLanguage, LANGUAGES, type Language } from './language.ts';
import { pt } from './pt/words.ts';

export type { Words };

/** A problem that owners are notified of, because only they can solve it. */
export type OwnerTrouble = keyof Words['owner']['notices'];

/** The words of every language, by its code. */
export const languages: InEveryLanguage<Words> = { en, de, es, fr, pt };

/** The language of a locale (`de-AT` is German); undefined if Darkroom does not speak it. */
export function languageOf(locale: string): Language | undefined {
  const code = locale.trim().toLowerCase().split(/[-_]/, 1)[0];
  return LANGUAGES.find((language) => language === code);
}

/** A language's name in that language. */
export function languageName(code: string): string {
  return (new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code).replace(/^./, (letter) =>
    letter.toLocaleUpperCase(code),
  );
}

/** The words for a locale; English for unknown languages. */
export const wordsFor = (locale: string): Words => languages[languageOf(locale) ?? 'en'];
