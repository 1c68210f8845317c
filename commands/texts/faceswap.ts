import type { InEveryLanguage } from '../../src/words/language.ts';

/** The translations of the declaration of /faceswap, which is in English. */
export const translations = {
  de: {
    description: 'Setzt das Gesicht aus deinem Foto in einen Filter oder in eine beschriebene Szene',
    menu: 'Gesicht tauschen',
    options: {
      photo: 'Das Foto mit dem Gesicht',
      face: 'Eines deiner gespeicherten Gesichter, statt eines Fotos',
      filter: 'Filter: Nummer, Name, Alias oder UUID',
      prompt: 'Die Szene in deinen Worten, statt eines Filters',
      gender: 'Wer auf dem Foto ist',
      ratio: 'Form des Bildes',
      quality: 'v6.1 ist besser, v6 ist schneller',
      engine: 'Version des Generators',
    },
  },
  es: {
    description: 'Pone la cara de tu foto en un filtro o en una escena que describes',
    menu: 'Cambiar la cara',
    options: {
      photo: 'La foto con la cara',
      face: 'Una de tus caras guardadas, en lugar de una foto',
      filter: 'Filtro: número, nombre, alias o UUID',
      prompt: 'La escena con tus palabras, en lugar de un filtro',
      gender: 'Quién sale en la foto',
      ratio: 'Forma de la imagen',
      quality: 'v6.1 es mejor, v6 es más rápido',
      engine: 'Motor de generación',
    },
  },
  fr: {
    description: 'Met le visage de votre photo dans un filtre ou dans une scène que vous décrivez',
    menu: 'Échanger le visage',
    options: {
      photo: 'La photo avec le visage',
      face: 'Un de vos visages enregistrés, au lieu d’une photo',
      filter: 'Filtre : numéro, nom, alias ou UUID',
      prompt: 'La scène avec vos mots, à la place d’un filtre',
      gender: 'Qui est sur la photo',
      ratio: 'Forme de l’image',
      quality: 'v6.1 est meilleur, v6 est plus rapide',
      engine: 'Moteur de génération',
    },
  },
  pt: {
    description: 'Põe o rosto da sua foto em um filtro ou em uma cena que você descreve',
    menu: 'Trocar o rosto',
    options: {
      photo: 'A foto com o rosto',
      face: 'Um dos seus rostos salvos, em vez de uma foto',
      filter: 'Filtro: número, nome, alias ou UUID',
      prompt: 'A cena nas suas palavras, em vez de um filtro',
      gender: 'Quem está na foto',
      ratio: 'Forma da imagem',
      quality: 'v6.1 é melhor, v6 é mais rápido',
      engine: 'Motor de geração',
    },
  },
};

/** The rules that it states when it refuses values. */
export const rules = {
  photoOrFace: {
    en: 'Give either "photo" or "face", not both.',
    de: 'Gib entweder „photo“ oder „face“ an, nicht beides.',
    es: 'Indica «photo» o «face», no los dos.',
    fr: 'Indiquez « photo » ou « face », pas les deux.',
    pt: 'Informe “photo” ou “face”, não os dois.',
  },
  engineNeedsFilter: {
    en: '"engine" and "quality" apply to filters only. Leave them out when you give a prompt.',
    de: '„engine“ und „quality“ gelten nur für Filter. Lass sie bei einem prompt weg.',
    es: '«engine» y «quality» valen solo para filtros. Quítalos si usas un prompt.',
    fr: '« engine » et « quality » ne valent que pour les filtres. Retirez-les avec un prompt.',
    pt: '“engine” e “quality” só valem para filtros. Deixe de fora quando usar um prompt.',
  },
  qualityNeedsV6: {
    en: '"quality" applies to engine v6 only. Leave it out, or use engine v6.',
    de: '„quality“ gilt nur für engine v6. Lass es weg oder nimm engine v6.',
    es: '«quality» vale solo para engine v6. Quítalo, o usa engine v6.',
    fr: '« quality » ne vaut que pour engine v6. Retirez-le, ou prenez engine v6.',
    pt: '“quality” só vale para engine v6. Deixe de fora, ou use engine v6.',
  },
  groupNeedsNumber: {
    en: 'Gender "group" works with catalog filters only. Choose a filter by number, or another gender.',
    de: 'gender „group“ geht nur mit Filtern aus dem Katalog. Wähle einen Filter nach Nummer oder ein anderes gender.',
    es: 'gender «group» funciona solo con filtros del catálogo. Elige un filtro por número, u otro gender.',
    fr: 'gender « group » ne fonctionne qu’avec les filtres du catalogue. Choisissez un filtre par numéro, ou un autre gender.',
    pt: 'gender “group” só funciona com filtros do catálogo. Escolha um filtro pelo número, ou outro gender.',
  },
  qualityNeedsNumber: {
    en: '"quality" applies to catalog filters only; custom filters and aliases have their own. Leave it out.',
    de: '„quality“ gilt nur für Filter aus dem Katalog; eigene Filter und Aliase haben ihre eigene. Lass es weg.',
    es: '«quality» vale solo para filtros del catálogo; los filtros propios y los alias tienen la suya. Quítalo.',
    fr: '« quality » ne vaut que pour les filtres du catalogue ; les filtres personnels et les alias ont la leur. Retirez-le.',
    pt: '“quality” só vale para filtros do catálogo; filtros próprios e aliases têm a sua. Deixe de fora.',
  },
} satisfies Readonly<Record<string, InEveryLanguage>>;
