import type { Context } from 'hono';
import type { Language } from '../words/language.ts';
import { languageOf } from '../words/words.ts';

/** Chooses the first of the browser's languages that we support; undefined if we support none of them. */
export function acceptedLanguage(context: Context): Language | undefined {
  return (context.req.header('accept-language') ?? '')
    .slice(0, 200)
    .split(',')
    .map((each) => languageOf(each.split(';', 1)[0] ?? ''))
    .find((each) => each !== undefined);
}
