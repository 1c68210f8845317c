/**
 * Compatibility letters taken apart (NFKD), without accents and other marks, for comparing. The marks go first, too:
 * Unicode wants each run of them sorted, which takes quadratic time where a text is nothing but marks.
 */
export const decompose = (text: string): string =>
  /[\u0080-\uffff]/.test(text) ? text.replace(/\p{M}/gu, '').normalize('NFKD').replace(/\p{M}/gu, '') : text;
