/** The translations of the declaration of /face, which is in English. */
export const translations = {
  de: { description: 'Gesichter, die du für später behältst, in jeder Community' },
  es: { description: 'Caras que guardas para después, en todas las comunidades' },
  fr: { description: 'Visages que vous gardez pour plus tard, dans toutes les communautés' },
  pt: { description: 'Rostos que você guarda para depois, em todas as comunidades' },
};

/** The translations of its subcommands. */
export const subcommands = {
  save: {
    de: {
      description: 'Ein Foto verschlüsselt behalten, um es ohne erneutes Senden zu benutzen',
      options: {
        name: 'Sein Name: a-z, 0-9 und -',
        photo: 'Das Foto mit dem Gesicht',
        gender: 'Wer auf dem Foto ist',
      },
    },
    es: {
      description: 'Guardar una foto, cifrada, para usarla sin enviarla otra vez',
      options: {
        name: 'Su nombre: a-z, 0-9 y -',
        photo: 'La foto con la cara',
        gender: 'Quién está en la foto',
      },
    },
    fr: {
      description: 'Garder une photo, chiffrée, pour l’utiliser sans la renvoyer',
      options: {
        name: 'Son nom : a-z, 0-9 et -',
        photo: 'La photo avec le visage',
        gender: 'Qui est sur la photo',
      },
    },
    pt: {
      description: 'Guardar uma foto, criptografada, para usar sem enviar de novo',
      options: { name: 'O nome: a-z, 0-9 e -', photo: 'A foto com o rosto', gender: 'Quem está na foto' },
    },
  },
  list: {
    de: { description: 'Deine Gesichter' },
    es: { description: 'Tus caras' },
    fr: { description: 'Vos visages' },
    pt: { description: 'Seus rostos' },
  },
  delete: {
    de: { description: 'Ein Gesicht löschen' },
    es: { description: 'Borrar una cara' },
    fr: { description: 'Supprimer un visage' },
    pt: { description: 'Apagar um rosto' },
  },
  default: {
    de: { description: 'Das Gesicht, das angeboten wird, wo nach einem Foto gefragt wird' },
    es: { description: 'La cara que se ofrece donde se pide una foto' },
    fr: { description: 'Le visage proposé là où une photo est demandée' },
    pt: { description: 'O rosto oferecido onde se pede uma foto' },
  },
};

/** The descriptions of options that several subcommands have. */
export const options = {
  name: {
    en: 'Name of the face',
    de: 'Name des Gesichts',
    es: 'Nombre de la cara',
    fr: 'Nom du visage',
    pt: 'Nome do rosto',
  },
};
