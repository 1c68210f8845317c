/** The translations of the declaration of /filters, which is in English. */
export const translations = {
  de: {
    description: 'Filter und Stile durchsehen',
    options: { model: 'Welche Liste', search: 'Teil eines Namens' },
  },
  es: {
    description: 'Ver los filtros y estilos',
    options: { model: 'Qué lista', search: 'Parte de un nombre' },
  },
  fr: {
    description: 'Parcourir les filtres et les styles',
    options: { model: 'Quelle liste', search: 'Partie d’un nom' },
  },
  pt: {
    description: 'Ver os filtros e estilos',
    options: { model: 'Qual lista', search: 'Parte de um nome' },
  },
};
