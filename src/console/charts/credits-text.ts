import { moneyText, type Price } from '../../words/money.ts';
import type { Words } from '../../words/words.ts';
import { numberText } from './scale.ts';

/** Writes credits with what they cost the owner, if a price is set. */
export function creditsText(credits: number, price: Price | undefined, words: Words): string {
  const number = numberText(credits, words);
  return price === undefined ? number : `${number} (${moneyText(credits, price, words.language)})`;
}
