/** At most so many characters, of which the last says that there is more. No character is cut in two. */
export const shorten = (text: string, most: number): string => {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
};
