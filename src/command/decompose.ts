/**
 * NFKD without accents and other marks, for comparing. Marks are also removed before: normalizing sorts each run of
 * them, which takes quadratic time for a text of nothing but marks.
 */
export function decompose(text: string): string {
  return /[\u0080-\uffff]/.test(text)
    ? text.replace(/\p{M}/gu, '').normalize('NFKD').replace(/\p{M}/gu, '')
    : text;
}
