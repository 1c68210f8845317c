/** The translations of the declaration of /privacy, which is in English. */
export const translations = {
  de: { description: 'Was über dich gespeichert wird und wie du es löschst' },
  es: { description: 'Qué se guarda sobre ti y cómo borrarlo' },
  fr: { description: 'Ce qui est conservé sur vous, et comment le supprimer' },
  pt: { description: 'O que é guardado sobre você e como apagar' },
};
