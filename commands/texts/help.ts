/** The translations of the declaration of /help, which is in English. */
export const translations = {
  de: {
    description: 'Alle Befehle anzeigen oder einen erklären',
    options: { command: 'Der Befehl, der erklärt werden soll' },
  },
  es: {
    description: 'Ver todos los comandos, o explicar uno',
    options: { command: 'El comando que se debe explicar' },
  },
  fr: {
    description: 'Voir toutes les commandes, ou en expliquer une',
    options: { command: 'La commande à expliquer' },
  },
  pt: { description: 'Ver todos os comandos, ou explicar um', options: { command: 'O comando a explicar' } },
};
