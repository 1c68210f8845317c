import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';

/** Every language has the same words as English: same keys, same parameters. */
export type Words = Widen<typeof en>;

type Widen<T> = T extends string
  ? string
  : T extends (...parameters: infer P) => string
    ? (...parameters: P) => string
    : { readonly [K in keyof T]: Widen<T[K]> };

/** By language code, as locales begin. */
export const languages: Readonly<Record<string, Words>> = { en, de, es, fr, pt };

/** `de-AT` speaks German; a language that we do not have hears English. */
export const wordsFor = (locale: string): Words => {
  const code = locale.toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return (Object.hasOwn(languages, code) ? languages[code] : undefined) ?? en;
};
