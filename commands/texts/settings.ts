/** The translations of the declaration of /settings, which is in English. */
export const translations = {
  de: { description: 'Regeln dieser Community' },
  es: { description: 'Reglas de esta comunidad' },
  fr: { description: 'Règles de cette communauté' },
  pt: { description: 'Regras desta comunidade' },
};

/** The translations of its subcommands. */
export const subcommands = {
  show: {
    de: { description: 'Alle Einstellungen' },
    es: { description: 'Todos los ajustes' },
    fr: { description: 'Tous les réglages' },
    pt: { description: 'Todas as configurações' },
  },
  credits: {
    de: { description: 'Tägliche Credits pro Person', options: { amount: 'Credits pro Tag' } },
    es: { description: 'Créditos diarios por persona', options: { amount: 'Créditos al día' } },
    fr: { description: 'Crédits par personne et par jour', options: { amount: 'Crédits par jour' } },
    pt: { description: 'Créditos diários por pessoa', options: { amount: 'Créditos por dia' } },
  },
  allowance: {
    de: {
      description: 'Tägliche Credits einer Person oder Rolle; ohne Betrag zurückgenommen',
      options: { who: 'Person oder Rolle', amount: 'Credits pro Tag' },
    },
    es: {
      description: 'Créditos diarios de una persona o un rol; sin cantidad se retiran',
      options: { who: 'Persona o rol', amount: 'Créditos al día' },
    },
    fr: {
      description: 'Crédits par jour d’une personne ou d’un rôle ; sans nombre, retirés',
      options: { who: 'Personne ou rôle', amount: 'Crédits par jour' },
    },
    pt: {
      description: 'Créditos diários de uma pessoa ou cargo; sem valor, são retirados',
      options: { who: 'Pessoa ou cargo', amount: 'Créditos por dia' },
    },
  },
  grant: {
    de: {
      description: 'Einer Person Credits für nach den täglichen schenken; 0 nimmt den Rest zurück',
      options: { user: 'Wem', amount: 'Credits' },
    },
    es: {
      description: 'Dar créditos que se usan cuando se acaban los del día; 0 retira el resto',
      options: { user: 'A quién', amount: 'Créditos' },
    },
    fr: {
      description: 'Offrir des crédits utilisés après ceux du jour ; 0 reprend le reste',
      options: { user: 'À qui', amount: 'Crédits' },
    },
    pt: {
      description: 'Dar créditos usados quando os do dia acabam; 0 retira o resto',
      options: { user: 'A quem', amount: 'Créditos' },
    },
  },
  block: {
    de: { description: 'Eine Person hier sperren' },
    es: { description: 'Bloquear aquí a una persona' },
    fr: { description: 'Bloquer une personne ici' },
    pt: { description: 'Bloquear uma pessoa aqui' },
  },
  unblock: {
    de: { description: 'Eine Person entsperren' },
    es: { description: 'Desbloquear a una persona' },
    fr: { description: 'Débloquer une personne' },
    pt: { description: 'Desbloquear uma pessoa' },
  },
  pause: {
    de: { description: 'Hier keine neuen Aufträge annehmen' },
    es: { description: 'No aceptar trabajos nuevos aquí' },
    fr: { description: 'Ne plus accepter de tâches ici' },
    pt: { description: 'Não aceitar novas tarefas aqui' },
  },
  resume: {
    de: { description: 'Wieder Aufträge annehmen' },
    es: { description: 'Aceptar trabajos otra vez' },
    fr: { description: 'Accepter de nouveau des tâches' },
    pt: { description: 'Aceitar tarefas de novo' },
  },
  log: {
    de: {
      description: 'Protokoll in diesen Kanal schicken oder nicht mehr; ohne Wert: letzte Einträge',
      options: {
        where: 'here (hier) oder off (aus)',
        kind: 'Nur Einträge dieser Art',
        user: 'Nur Einträge dieser Person',
      },
    },
    es: {
      description:
        'Enviar el registro de auditoría a este canal, o dejar de hacerlo; sin valor: últimas entradas',
      options: {
        where: 'here (aquí) u off (no)',
        kind: 'Solo las entradas de este tipo',
        user: 'Solo las entradas de esta persona',
      },
    },
    fr: {
      description: 'Envoyer le journal d’audit dans ce salon, ou cesser ; sans valeur : dernières entrées',
      options: {
        where: 'here (ici) ou off (non)',
        kind: 'Seulement les entrées de ce type',
        user: 'Seulement les entrées de cette personne',
      },
    },
    pt: {
      description: 'Enviar o registro de auditoria a este canal, ou parar; sem valor: últimas entradas',
      options: {
        where: 'here (aqui) ou off (não)',
        kind: 'Só as entradas deste tipo',
        user: 'Só as entradas desta pessoa',
      },
    },
  },
  channels: {
    de: {
      description: 'Wo Bilder und Videos entstehen',
      options: {
        where: 'everywhere; nur wo here gesagt wurde; oder nicht mehr hier',
        channel: 'Mit not-here: ein anderer Kanal, etwa ein gelöschter, wie /settings show ihn nennt',
      },
    },
    es: {
      description: 'Dónde se hacen imágenes y vídeos',
      options: {
        where: 'everywhere; solo donde se dijo here; o ya no aquí',
        channel: 'Con not-here: otro canal, por ejemplo uno borrado, como lo nombra /settings show',
      },
    },
    fr: {
      description: 'Où sont créées images et vidéos',
      options: {
        where: 'everywhere ; seulement où here a été dit ; ou plus ici',
        channel: 'Avec not-here : un autre salon, par exemple supprimé, comme le nomme /settings show',
      },
    },
    pt: {
      description: 'Onde são feitas imagens e vídeos',
      options: {
        where: 'everywhere; só onde se disse here; ou não mais aqui',
        channel: 'Com not-here: outro canal, por exemplo um apagado, como /settings show o mostra',
      },
    },
  },
  remove: {
    de: {
      description: 'Ein Ergebnis entfernen und seine Fotos künftig ablehnen',
      options: { result: 'Link zu seiner Nachricht oder Nummer seines Auftrags' },
    },
    es: {
      description: 'Retirar un resultado y rechazar sus fotos desde ahora',
      options: { result: 'Enlace de su mensaje o número de su trabajo' },
    },
    fr: {
      description: 'Retirer un résultat et refuser désormais ses photos',
      options: { result: 'Lien de son message, ou numéro de sa tâche' },
    },
    pt: {
      description: 'Remover um resultado e recusar as fotos dele daqui em diante',
      options: { result: 'Link da mensagem dele ou número do trabalho' },
    },
  },
  stats: {
    de: {
      description:
        'Was hier in 30 Tagen gemacht wurde; für Betreiber im Direktchat: wie es um den ganzen Bot steht',
    },
    es: {
      description: 'Lo hecho aquí en 30 días; a los propietarios, en un chat directo: cómo va todo el bot',
    },
    fr: {
      description:
        'Ce qui a été créé ici en 30 jours ; aux propriétaires, en direct : comment va tout le bot',
    },
    pt: {
      description: 'O que foi feito aqui em 30 dias; aos donos, no chat direto: como está o bot inteiro',
    },
  },
  banword: {
    de: { description: 'Texte mit diesem Wort ablehnen' },
    es: { description: 'Rechazar textos con esta palabra' },
    fr: { description: 'Refuser les textes avec ce mot' },
    pt: { description: 'Recusar textos com esta palavra' },
  },
  allowword: {
    de: { description: 'Ein Wort wieder erlauben' },
    es: { description: 'Permitir otra vez una palabra' },
    fr: { description: 'Autoriser de nouveau un mot' },
    pt: { description: 'Permitir uma palavra de novo' },
  },
  approve: {
    de: { description: 'Betreiber: eine Community oder einen Direktchat freigeben' },
    es: { description: 'Propietarios: aprobar una comunidad o un chat directo' },
    fr: { description: 'Propriétaires : approuver une communauté ou un chat direct' },
    pt: { description: 'Donos: aprovar uma comunidade ou um chat direto' },
  },
  revoke: {
    de: { description: 'Betreiber: die Freigabe einer Community oder eines Direktchats zurücknehmen' },
    es: { description: 'Propietarios: retirar la aprobación de una comunidad o un chat directo' },
    fr: { description: 'Propriétaires : retirer l’approbation d’une communauté ou d’un chat direct' },
    pt: { description: 'Donos: retirar a aprovação de uma comunidade ou de um chat direto' },
  },
};

/** The descriptions of options that several subcommands have. */
export const options = {
  reason: { en: 'Why', de: 'Warum', es: 'Por qué', fr: 'Pourquoi', pt: 'Por quê' },
  user: { en: 'Who', de: 'Wen', es: 'A quién', fr: 'Qui', pt: 'Quem' },
  word: {
    en: 'The word or phrase',
    de: 'Das Wort oder der Ausdruck',
    es: 'La palabra o expresión',
    fr: 'Le mot ou l’expression',
    pt: 'A palavra ou expressão',
  },
  community: {
    en: 'As the notice names it, for example telegram:-100123; left out: this one',
    de: 'Wie in der Nachricht, etwa telegram:-100123; ohne Angabe: diese hier',
    es: 'Como en el aviso, por ejemplo telegram:-100123; sin él: esta',
    fr: 'Comme dans l’avis, par exemple telegram:-100123 ; sans lui : celle-ci',
    pt: 'Como no aviso, por exemplo telegram:-100123; sem ele: esta',
  },
};

/** The title of the menu entry that removes a result. */
export const removeMenu = {
  en: 'Remove result',
  de: 'Ergebnis entfernen',
  es: 'Retirar resultado',
  fr: 'Retirer le résultat',
  pt: 'Remover resultado',
};
