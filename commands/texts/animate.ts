import type { InEveryLanguage } from '../../src/words/language.ts';

/** The translations of the declaration of /animate, which is in English. */
export const translations = {
  de: {
    description: 'Macht aus einem Foto ein kurzes Video',
    menu: 'Animieren',
    options: {
      photo: 'Das Bild, mit dem es beginnt',
      prompt: 'Was geschehen soll',
      model: 'simple ist am schnellsten, performance am besten',
      duration: 'Länge des Videos',
      aspect: 'Form des Videos (außer auto: model performance)',
    },
  },
  es: {
    description: 'Convierte una foto en un vídeo corto',
    menu: 'Animar',
    options: {
      photo: 'La imagen con la que empieza',
      prompt: 'Qué debe pasar',
      model: 'simple es el más rápido, performance el mejor',
      duration: 'Duración del vídeo',
      aspect: 'Forma del vídeo (distinta de auto: model performance)',
    },
  },
  fr: {
    description: 'Transforme une photo en courte vidéo',
    menu: 'Animer',
    options: {
      photo: 'L’image de départ',
      prompt: 'Ce qui doit se passer',
      model: 'simple est le plus rapide, performance le meilleur',
      duration: 'Durée de la vidéo',
      aspect: 'Forme de la vidéo (autre que auto : model performance)',
    },
  },
  pt: {
    description: 'Transforma uma foto em um vídeo curto',
    menu: 'Animar',
    options: {
      photo: 'A imagem com que começa',
      prompt: 'O que deve acontecer',
      model: 'simple é o mais rápido, performance o melhor',
      duration: 'Duração do vídeo',
      aspect: 'Forma do vídeo (diferente de auto: model performance)',
    },
  },
};

/** The rules that it states when it refuses values. */
export const rules = {
  aspect: {
    en: 'An aspect other than auto needs model performance. Use model=performance, or leave aspect out.',
    de: 'Ein anderes aspect als auto braucht model performance. Nimm model=performance oder lass aspect weg.',
    es: 'Un aspect distinto de auto necesita model performance. Usa model=performance, o quita aspect.',
    fr: 'Un aspect autre que auto demande model performance. Prenez model=performance, ou retirez aspect.',
    pt: 'Um aspect diferente de auto precisa de model performance. Use model=performance, ou deixe aspect de fora.',
  },
  simple: {
    en: 'Model simple makes 4s videos only. Use duration=4s, or model advanced.',
    de: 'Model simple macht nur 4s lange Videos. Nimm duration=4s oder model advanced.',
    es: 'Model simple hace solo vídeos de 4s. Usa duration=4s, o model advanced.',
    fr: 'Model simple ne fait que des vidéos de 4s. Prenez duration=4s, ou model advanced.',
    pt: 'Model simple só faz vídeos de 4s. Use duration=4s, ou model advanced.',
  },
} satisfies Readonly<Record<string, InEveryLanguage>>;
