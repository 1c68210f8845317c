import { en } from './en.ts';

/** Every language has the same words as English: same keys, same parameters. */
export type Words = Widen<typeof en>;

type Widen<T> = T extends string
  ? string
  : T extends (...parameters: infer P) => string
    ? (...parameters: P) => string
    : { readonly [K in keyof T]: Widen<T[K]> };

export const languages: Readonly<Record<string, Words>> = { en };

/** `de-AT` speaks German; a language that we do not have hears English. */
export const wordsFor = (locale: string): Words =>
  languages[locale.toLowerCase().split(/[-_]/, 1)[0] ?? ''] ?? en;
