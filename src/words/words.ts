import { de } from './de/words.ts';
import { en, type Words } from './en/words.ts';
import { es } from './es/words.ts';
import { fr } from './fr/words.ts';
import { pt } from './pt/words.ts';

export type { Words };

/** A problem that owners get a notice of, because only they can fix it. */
export type OwnerTrouble = keyof Words['owner']['notices'];

/** By language code. Adding a language is adding it here. */
const all = { en, de, es, fr, pt } satisfies Record<string, Words>;

export type Language = keyof typeof all;
export const languages: Readonly<Record<Language, Words>> = all;

const isLanguage = (code: string): code is Language => Object.hasOwn(all, code);

export const LANGUAGES: readonly Language[] = Object.keys(all).filter(isLanguage);

/** `de-AT` is German; undefined: none of ours. */
export function languageOf(locale: string): Language | undefined {
  const code = locale.trim().toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return isLanguage(code) ? code : undefined;
}

/** A language's name in that language. */
export function languageName(code: string): string {
  return (new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code).replace(/^./, (letter) =>
    letter.toLocaleUpperCase(code),
  );
}

/** Unknown languages give English. */
export const wordsFor = (locale: string): Words => languages[languageOf(locale) ?? 'en'];
