/** The translations of the declaration of /usage, which is in English. */
export const translations = {
  de: { description: 'Heute verbrauchte und übrige Credits' },
  es: { description: 'Créditos usados y restantes hoy' },
  fr: { description: 'Crédits utilisés et restants aujourd’hui' },
  pt: { description: 'Créditos usados e restantes hoje' },
};
