/** Without these signs at its end. A regular expression that ends in `+$` begins anew at each sign that it meets. */
export const withoutTrailing = (text: string, signs: string): string => {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};
