import { de } from './de.ts';
import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';

export type { Words };

/** By language code. */
export const languages: Readonly<Record<string, Words>> = { en, de, es, fr, pt };

/** `de-AT` gives German; unknown languages give English. */
export function wordsFor(locale: string): Words {
  const code = locale.toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return (Object.hasOwn(languages, code) ? languages[code] : undefined) ?? en;
}
