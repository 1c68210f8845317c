import type { InEveryLanguage } from '../../src/words/language.ts';

/** The translations of the declaration of /groupswap, which is in English. */
export const translations = {
  de: {
    description: 'Setzt alle auf einem Gruppenfoto in einen Stil oder in eine beschriebene Szene',
    options: {
      photo: 'Das Gruppenfoto',
      photo2: 'Ein weiteres Foto (look classic oder prompt)',
      photo3: 'Ein drittes Foto (look classic oder prompt)',
      style: 'Stil: Nummer, Name, Alias oder UUID',
      prompt: 'Die Szene in deinen Worten, statt eines Stils',
      look: 'Look des Bildes',
      outpaint: 'Das Bild über seinen Rand hinaus erweitern',
    },
  },
  es: {
    description: 'Pone a todos los de una foto de grupo en un estilo o en una escena que describes',
    options: {
      photo: 'La foto de grupo',
      photo2: 'Otra foto (look classic o prompt)',
      photo3: 'Una tercera foto (look classic o prompt)',
      style: 'Estilo: número, nombre, alias o UUID',
      prompt: 'La escena con tus palabras, en lugar de un estilo',
      look: 'Aspecto de la imagen',
      outpaint: 'Ampliar la imagen más allá de su marco',
    },
  },
  fr: {
    description: 'Met tout un groupe dans un style ou dans une scène que vous décrivez',
    options: {
      photo: 'La photo de groupe',
      photo2: 'Une autre photo (look classic ou prompt)',
      photo3: 'Une troisième photo (look classic ou prompt)',
      style: 'Style : numéro, nom, alias ou UUID',
      prompt: 'La scène avec vos mots, à la place d’un style',
      look: 'Rendu de l’image',
      outpaint: 'Agrandir l’image au-delà de son cadre',
    },
  },
  pt: {
    description: 'Põe todos de uma foto de grupo em um estilo ou em uma cena que você descreve',
    options: {
      photo: 'A foto de grupo',
      photo2: 'Outra foto (look classic ou prompt)',
      photo3: 'Uma terceira foto (look classic ou prompt)',
      style: 'Estilo: número, nome, alias ou UUID',
      prompt: 'A cena nas suas palavras, em vez de um estilo',
      look: 'Visual da imagem',
      outpaint: 'Ampliar a imagem além da moldura',
    },
  },
};

/** The rules that it states when it refuses values. */
export const rules = {
  classicNoPrompt: {
    en: 'Look classic does not take a prompt. Use look realistic or stylized.',
    de: 'Look classic geht nicht mit einem prompt. Nimm look realistic oder stylized.',
    es: 'Look classic no admite prompt. Usa look realistic o stylized.',
    fr: 'Look classic n’accepte pas de prompt. Prenez look realistic ou stylized.',
    pt: 'Look classic não aceita prompt. Use look realistic ou stylized.',
  },
  outpaint: {
    en: '"outpaint" works with a style of look realistic or stylized only. Leave it out.',
    de: '„outpaint“ geht nur mit einem Stil von look realistic oder stylized. Lass es weg.',
    es: '«outpaint» funciona solo con un estilo de look realistic o stylized. Quítalo.',
    fr: '« outpaint » ne fonctionne qu’avec un style de look realistic ou stylized. Retirez-le.',
    pt: '“outpaint” só funciona com um estilo de look realistic ou stylized. Deixe de fora.',
  },
  onePhoto: {
    en: 'More than one photo works only with look classic or with a prompt. Use one of these, or send one photo.',
    de: 'Mehrere Fotos gehen nur mit look classic oder mit einem prompt. Nimm eines davon oder schick nur ein Foto.',
    es: 'Varias fotos funcionan solo con look classic o con un prompt. Usa uno de los dos, o envía una sola foto.',
    fr: 'Plusieurs photos ne fonctionnent qu’avec look classic ou un prompt. Utilisez l’un des deux, ou envoyez une seule photo.',
    pt: 'Mais de uma foto só funciona com look classic ou com um prompt. Use um dos dois, ou envie uma foto só.',
  },
  classicNeedsNumber: {
    en: 'Look classic works with catalog styles only. Choose a style by number.',
    de: 'Look classic geht nur mit Stilen aus dem Katalog. Wähle einen Stil nach Nummer.',
    es: 'Look classic funciona solo con estilos del catálogo. Elige un estilo por número.',
    fr: 'Look classic ne fonctionne qu’avec les styles du catalogue. Choisissez un style par numéro.',
    pt: 'Look classic só funciona com estilos do catálogo. Escolha um estilo pelo número.',
  },
} satisfies Readonly<Record<string, InEveryLanguage>>;
