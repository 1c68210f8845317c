/** The translations of the declaration of /jobs, which is in English. */
export const translations = {
  de: { description: 'Deine laufenden, wartenden und letzten Aufträge' },
  es: { description: 'Tus trabajos en curso, en cola y recientes' },
  fr: { description: 'Vos tâches en cours, en attente et récentes' },
  pt: { description: 'Suas tarefas em andamento, na fila e recentes' },
};
