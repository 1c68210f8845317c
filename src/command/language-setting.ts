import { z } from 'zod';
import { type InEveryLanguage, LANGUAGES } from '../words/language.ts';
import { languageName } from '../words/words.ts';
import type { SettingRow } from './setting-row.ts';

const AUTOMATIC = 'automatic';

const automatic: InEveryLanguage = {
  en: 'each person’s own, otherwise English',
  de: 'die jeder Person, sonst Englisch',
  es: 'el de cada persona; si no, inglés',
  fr: 'celle de chacun, sinon l’anglais',
  pt: 'o de cada pessoa; senão, inglês',
};

const changed: InEveryLanguage<(language: string) => string> = {
  en: (language) =>
    `The language of this community: ${language}. It is used where the platform does not tell a person’s own language, and in messages to everybody.`,
  de: (language) =>
    `Die Sprache dieser Community: ${language}. Sie gilt, wo die Plattform die Sprache einer Person nicht nennt, und für Nachrichten an alle.`,
  es: (language) =>
    `El idioma de esta comunidad: ${language}. Se usa donde la plataforma no indica el de una persona, y en los mensajes para todos.`,
  fr: (language) =>
    `La langue de cette communauté : ${language}. Elle sert là où la plateforme n’indique pas celle d’une personne, et pour les messages à tous.`,
  pt: (language) =>
    `O idioma desta comunidade: ${language}. É usado onde a plataforma não informa o de uma pessoa, e nas mensagens para todos.`,
};

/** The language for people whose platform does not send theirs, and of messages to everybody. */
export const languageSetting: SettingRow<string> = {
  shape: z.string(),
  standard: AUTOMATIC,
  command: 'language',
  options: {
    language: {
      kind: 'choice',
      choices: [AUTOMATIC, ...LANGUAGES],
      required: true,
      description: {
        en: 'A language, or automatic',
        de: 'Eine Sprache oder automatic',
        es: 'Un idioma, o automatic',
        fr: 'Une langue, ou automatic',
        pt: 'Um idioma, ou automatic',
      },
    },
  },
  example: '/settings language de',
  name: {
    en: 'Language',
    de: 'Sprache',
    es: 'Idioma',
    fr: 'Langue',
    pt: 'Idioma',
  },
  description: {
    en: 'Language where a person’s own is not known, and of messages to everybody',
    de: 'Sprache, wo die einer Person nicht bekannt ist, und von Nachrichten an alle',
    es: 'Idioma donde no se conoce el de una persona, y de los mensajes para todos',
    fr: 'Langue là où celle d’une personne n’est pas connue, et des messages à tous',
    pt: 'Idioma onde o de uma pessoa não é conhecido, e das mensagens para todos',
  },
  text: (language, words) => (language === AUTOMATIC ? automatic[words.language] : languageName(language)),
  changed: (language, words) => changed[words.language](languageSetting.text(language, words)),
};
