/** The translations of the declaration of /transition, which is in English. */
export const translations = {
  de: {
    description: 'Macht ein kurzes Video von einem Foto zum anderen',
    options: {
      first: 'Das Bild, mit dem es beginnt',
      last: 'Das Bild, mit dem es endet',
      prompt: 'Was dazwischen geschieht',
      duration: 'Länge des Videos',
    },
  },
  es: {
    description: 'Hace un vídeo corto que va de una foto a otra',
    options: {
      first: 'La imagen con la que empieza',
      last: 'La imagen con la que termina',
      prompt: 'Qué pasa entre las dos',
      duration: 'Duración del vídeo',
    },
  },
  fr: {
    description: 'Crée une courte vidéo d’une photo à une autre',
    options: {
      first: 'L’image de départ',
      last: 'L’image de fin',
      prompt: 'Ce qui se passe entre les deux',
      duration: 'Durée de la vidéo',
    },
  },
  pt: {
    description: 'Faz um vídeo curto que vai de uma foto a outra',
    options: {
      first: 'A imagem com que começa',
      last: 'A imagem com que termina',
      prompt: 'O que acontece no meio',
      duration: 'Duração do vídeo',
    },
  },
};
