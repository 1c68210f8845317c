import type { Options } from './option.ts';

/**
 * An option of every command that makes something. It is added to what the command declares, and the desk reads it, so that no
 * command can leave it out: a private job would become public when it is repeated.
 */
export const privateOption: Options = {
  private: {
    kind: 'flag',
    description: {
      en: 'Answer only me',
      de: 'Nur mir antworten',
      es: 'Responder solo a mí',
      fr: 'Ne répondre qu’à moi',
      pt: 'Responder só a mim',
    },
    default: false,
  },
};
