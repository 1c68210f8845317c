import type { InEveryLanguage } from '../words/language.ts';
import type { Words } from '../words/words.ts';

/** The names of the buttons of a job, by their verbs. What they do is in `commands/buttons`, where they are shown in `src/cards/card.ts`. */
const NAMES = {
  again: { en: 'Again', de: 'Noch einmal', es: 'Otra vez', fr: 'Encore', pt: 'De novo' },
  retry: { en: 'Retry', de: 'Nochmal versuchen', es: 'Reintentar', fr: 'Réessayer', pt: 'Tentar de novo' },
  other: {
    en: 'Other filter',
    de: 'Anderer Filter',
    es: 'Otro filtro',
    fr: 'Autre filtre',
    pt: 'Outro filtro',
  },
  animate: { en: 'Animate', de: 'Animieren', es: 'Animar', fr: 'Animer', pt: 'Animar' },
  compare: {
    en: 'Before / after',
    de: 'Vorher / nachher',
    es: 'Antes / después',
    fr: 'Avant / après',
    pt: 'Antes / depois',
  },
  file: { en: 'As a file', de: 'Als Datei', es: 'Como archivo', fr: 'En fichier', pt: 'Como arquivo' },
  share: { en: 'Share', de: 'Teilen', es: 'Compartir', fr: 'Partager', pt: 'Compartilhar' },
  cancel: { en: 'Cancel', de: 'Abbrechen', es: 'Cancelar', fr: 'Annuler', pt: 'Cancelar' },
  delete: { en: 'Delete', de: 'Löschen', es: 'Borrar', fr: 'Supprimer', pt: 'Apagar' },
  report: { en: 'Report', de: 'Melden', es: 'Denunciar', fr: 'Signaler', pt: 'Denunciar' },
  'held-look': { en: 'Look', de: 'Ansehen', es: 'Mirar', fr: 'Regarder', pt: 'Olhar' },
  'held-show': { en: 'Show', de: 'Zeigen', es: 'Mostrar', fr: 'Montrer', pt: 'Mostrar' },
  'held-remove': { en: 'Remove', de: 'Entfernen', es: 'Quitar', fr: 'Retirer', pt: 'Remover' },
  show: { en: 'Show', de: 'Zeigen', es: 'Mostrar', fr: 'Montrer', pt: 'Mostrar' },
} as const satisfies Readonly<Record<string, InEveryLanguage>>;

/** The verb of a button that has a name. */
export type NamedButton = keyof typeof NAMES;

const isNamed = (verb: string): verb is NamedButton => Object.hasOwn(NAMES, verb);

/** The verbs of all buttons that have a name. */
export const namedButtons: readonly NamedButton[] = Object.keys(NAMES).filter(isNamed);

/** The name of a button in a language. */
export const buttonName = (verb: NamedButton, { language }: Pick<Words, 'language'>): string =>
  NAMES[verb][language];
