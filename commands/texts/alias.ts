/** The translations of the declaration of /alias, which is in English. */
export const translations = {
  de: { description: 'Namen für eigene Filter, die sich später umstellen lassen' },
  es: { description: 'Nombres para filtros propios que luego se pueden redirigir' },
  fr: { description: 'Des noms de filtres personnels que l’on peut rediriger plus tard' },
  pt: { description: 'Nomes para filtros próprios que podem ser redirecionados depois' },
};

/** The translations of its subcommands. */
export const subcommands = {
  create: {
    de: {
      description: 'Einem eigenen Filter einen Namen geben',
      options: {
        name: 'Neuer Name: a-z, 0-9 und -',
        model: 'Wofür der Filter ist, falls das nicht bekannt ist',
      },
    },
    es: {
      description: 'Dar un nombre a un filtro propio',
      options: { name: 'Nombre nuevo: a-z, 0-9 y -', model: 'Para qué es el filtro, si no se sabe' },
    },
    fr: {
      description: 'Donner un nom à un filtre personnel',
      options: { name: 'Nouveau nom : a-z, 0-9 et -', model: 'À quoi sert le filtre, si ce n’est pas connu' },
    },
    pt: {
      description: 'Dar um nome a um filtro próprio',
      options: { name: 'Nome novo: a-z, 0-9 e -', model: 'Para que serve o filtro, se não se sabe' },
    },
  },
  list: {
    de: { description: 'Alle Aliase dieser Community' },
    es: { description: 'Todos los alias de esta comunidad' },
    fr: { description: 'Tous les alias de cette communauté' },
    pt: { description: 'Todos os aliases desta comunidade' },
  },
  show: {
    de: { description: 'Wohin ein Alias zeigt und vorher zeigte' },
    es: { description: 'Adónde apunta un alias y adónde apuntaba antes' },
    fr: { description: 'Vers quoi pointe un alias, et vers quoi il pointait avant' },
    pt: { description: 'Para onde um alias aponta e apontava antes' },
  },
  repoint: {
    de: { description: 'Einen Alias auf einen anderen eigenen Filter umstellen' },
    es: { description: 'Redirigir un alias a otro filtro propio' },
    fr: { description: 'Rediriger un alias vers un autre filtre personnel' },
    pt: { description: 'Redirecionar um alias para outro filtro próprio' },
  },
  delete: {
    de: { description: 'Einen Alias löschen; sein Filter bleibt' },
    es: { description: 'Borrar un alias; su filtro se queda' },
    fr: { description: 'Supprimer un alias ; son filtre reste' },
    pt: { description: 'Apagar um alias; o filtro fica' },
  },
  schedule: {
    de: {
      description: 'Einen Alias zu einer Zeit umstellen, und später zurück',
      options: {
        from: 'Tag oder Zeit: 2026-10-25 oder 2026-10-25T18:00',
        until: 'Wann der vorherige Filter zurückkehrt; ohne Angabe bleibt der neue',
      },
    },
    es: {
      description: 'Redirigir un alias a una hora, y de vuelta más tarde',
      options: {
        from: 'Día u hora: 2026-10-25 o 2026-10-25T18:00',
        until: 'Cuándo vuelve el filtro anterior; sin valor: se queda',
      },
    },
    fr: {
      description: 'Rediriger un alias à une date, puis revenir plus tard',
      options: {
        from: 'Jour ou heure : 2026-10-25 ou 2026-10-25T18:00',
        until: 'Quand le filtre précédent revient ; sans valeur : il reste',
      },
    },
    pt: {
      description: 'Redirecionar um alias em uma data, e de volta depois',
      options: {
        from: 'Dia ou hora: 2026-10-25 ou 2026-10-25T18:00',
        until: 'Quando o filtro anterior volta; sem valor: fica',
      },
    },
  },
  unschedule: {
    de: { description: 'Geplantes eines Alias zurücknehmen und Laufendes beenden' },
    es: { description: 'Anular lo programado de un alias y terminar lo que está en curso' },
    fr: { description: 'Annuler ce qui est programmé pour un alias et terminer ce qui est en cours' },
    pt: { description: 'Cancelar o que está agendado para um alias e terminar o que está em andamento' },
  },
};

/** The descriptions of options that several subcommands have. */
export const options = {
  filter: {
    en: 'Custom filter: UUID or name',
    de: 'Eigener Filter: UUID oder Name',
    es: 'Filtro propio: UUID o nombre',
    fr: 'Filtre personnel : UUID ou nom',
    pt: 'Filtro próprio: UUID ou nome',
  },
  name: {
    en: 'Name of the alias',
    de: 'Name des Alias',
    es: 'Nombre del alias',
    fr: 'Nom de l’alias',
    pt: 'Nome do alias',
  },
};
