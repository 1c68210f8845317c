import type { CommunityWords } from '../en/community.ts';
import { joinWithOr, shortDate } from '../phrase.ts';
import { credits, plural } from './labels.ts';

export const community: CommunityWords = {
  settings: {
    title: 'Réglages de cette communauté',
    credits: (amount) => `Crédits par personne et par jour : ${amount}`,
    standard: (amount) => `${amount} (valeur par défaut du propriétaire)`,
    allowances: (count) => `Quotas de personnes et de rôles : ${count}`,
    grants: (count) => `Personnes avec des crédits offerts : ${count}`,
    paused: (reason) => `En pause : ${reason || 'aucune raison indiquée'}`,
    pausedByOwner: (reason) =>
      `Mise en pause par un propriétaire de ce bot, et seuls les propriétaires peuvent y mettre fin : ${reason || 'aucune raison indiquée'}`,
    byOwner: (amount) =>
      `${amount} (fixé par un propriétaire de ce bot ; seuls les propriétaires peuvent le changer)`,
    running: 'Pas en pause',
    log: (channel) => `Salon du journal d’audit : ${channel}`,
    here: 'ici',
    noLog: 'Salon du journal d’audit : aucun',
    everywhere: 'Les images et vidéos sont créées dans tous les salons.',
    nowhere: 'Les images et vidéos ne sont créées dans aucun salon.',
    channels: 'Les images et vidéos ne sont créées que dans :',
    channelWithNotHere:
      'Un autre salon ne peut être donné qu’avec not-here : le reste se dit là où cela doit valoir.',
    channelsSet: {
      everywhere: 'Les images et vidéos sont désormais créées dans tous les salons.',
      here: 'Les images et vidéos sont désormais créées ici, et seulement là où cela a été dit.',
      'not-here': 'On ne crée plus d’images ni de vidéos ici.',
      unlimited:
        'Les images et vidéos sont créées dans tous les salons. Envoyez /settings channels here dans ceux où elles doivent l’être.',
      none: 'Il ne reste aucun salon. /settings channels here en ouvre un, /settings channels everywhere les ouvre tous.',
      removed: (channel) => `On ne crée plus d’images ni de vidéos dans ${channel}.`,
    },
    shown: (name, value) => `${name} : ${value}`,
    blocked: (people) => `Personnes bloquées : ${people}`,
    words: (count) => `Mots bloqués : ${count}`,
    recent: 'Dernières entrées du journal d’audit',
    creditsSet: (amount) => `Chacun a maintenant ${credits(amount)} par jour ici.`,
    allowanceSet: (who, amount) => `${who} a maintenant ${credits(amount)} par jour ici.`,
    roleAllowanceSet: (who, amount) =>
      `Les personnes qui ont le rôle ${who} ont maintenant au moins ${credits(amount)} par jour ici, sauf si elles ont leur propre quota.`,
    allowanceGone: (who) => `${who} n’a plus de quota propre ici.`,
    noAllowance: (who) => `${who} n’avait pas de quota propre ici.`,
    granted: (who, amount, left) =>
      `${who} a reçu ${credits(amount)}, à utiliser après ceux du jour ; ${plural(amount, 'il n’expire', 'ils n’expirent')} pas. Offerts restants en tout : ${left}.`,
    grantTaken: (who, amount) => `Repris à ${who} : ${credits(amount)}.`,
    noGrant: (who) => `${who} n’avait plus de crédits offerts.`,
    userBlocked: (user) => `${user} est bloqué ici.`,
    userUnblocked: (user) => `${user} n’est plus bloqué ici.`,
    notBlocked: (user) => `${user} n’était pas bloqué.`,
    nowPaused: 'En pause. Personne ne peut lancer de tâche ici avant /settings resume.',
    nowRunning: 'Reprise. Les nouvelles tâches sont de nouveau acceptées.',
    logHere: 'Le journal d’audit et les signalements arrivent désormais dans ce salon.',
    logOff: 'Le journal d’audit n’est plus envoyé dans un salon.',
    logOrEntries: 'Indiquez here ou off seul : user et kind choisissent les entrées affichées.',
    noEntries: 'Il n’y a pas de telles entrées.',
    wordBanned: (word) => `Les textes avec « ${word} » sont désormais refusés ici.`,
    wordRule:
      'Les mots entiers sont reconnus, même espacés, coupés par des signes, avec des accents ou des caractères ressemblants (d e m o n, d.e-m_o.n, dém0n). Deux mots qui ne le forment qu’ensemble ne sont pas reconnus ; pour les refuser aussi, bloquez-le avec l’espace : « de mon ».',
    wordAllowed: (word) => `« ${word} » est de nouveau permis.`,
    notBanned: (word) => `« ${word} » n’était pas bloqué.`,
  },
  communityErrors: {
    'alias-exists': (name) => `L’alias « ${name} » existe déjà. /alias repoint change son filtre.`,
    'alias-unknown': (name, near) =>
      `Il n’y a pas d’alias « ${name} » ici.${near.length > 0 ? ` Vouliez-vous dire ${joinWithOr(near, 'ou')} ?` : ' /alias list les montre tous.'}`,
    'alias-gone': (name) =>
      `L’alias « ${name} » ou son filtre n’existe plus du côté du service. Un modérateur peut le rediriger ou le supprimer.`,
    'alias-limit': (limit) =>
      `Une communauté peut avoir au plus ${limit} alias. Supprimez-en un qui ne sert plus.`,
    'alias-limit-person': (limit) =>
      `Une personne peut créer au plus ${limit} alias, toutes communautés confondues. Supprimez-en un qui ne sert plus.`,
    'alias-uncertain': (name) =>
      `Le service n’a pas répondu, on ne sait donc pas si « ${name} » a été créé. Vérifiez avec /alias list.`,
    'block-self': 'Vous ne pouvez pas vous bloquer vous-même.',
    'block-owner': 'Le propriétaire de ce bot ne peut pas être bloqué.',
    'blocked-limit': (limit) =>
      `Au plus ${limit} personnes peuvent être bloquées ici. Débloquez d’abord quelqu’un.`,
    'channels-limit': (limit) =>
      `Au plus ${limit} salons peuvent être choisis ici. Retirez-en d’abord un : /settings channels not-here`,
    'words-limit': (limit) => `Au plus ${limit} mots peuvent être bloqués ici. Autorisez-en d’abord un.`,
    'allowances-limit': (limit) =>
      `Au plus ${limit} personnes et ${limit} rôles peuvent avoir leur propre quota. Retirez-en un d’abord.`,
    'owners-word': 'Un propriétaire de ce bot l’a fixé : seuls les propriétaires peuvent le changer.',
    'everyone-role': 'Tout le monde a ce rôle. Utilisez /settings credits.',
    'grants-limit': (limit) =>
      `Au plus ${limit} personnes peuvent avoir des crédits offerts ici. Reprenez-en d’abord.`,
    'grant-most': (rest, limit) =>
      `Vous pouvez encore donner ${credits(rest)} à cette personne aujourd’hui. Ce que les modérateurs donnent à une personne en un jour, quota et crédits offerts ensemble, est d’au plus ${limit}, et il ne peut pas non plus en rester davantage d’offerts. Le propriétaire de ce bot peut en donner plus.`,
    'credits-limit': (limit) =>
      `Un modérateur peut donner au plus ${credits(limit)} par jour. Le propriétaire de ce bot peut en donner plus.`,
    'word-empty': (word) => `« ${word} » ne contient ni lettre ni chiffre.`,
    'service-unavailable':
      'Le service de génération ne répond pas pour l’instant. Réessayez dans une minute.',
    'service-refused': (detail) => `Le service de génération a refusé : ${detail}`,
  },
  approval: {
    title: 'Une demande pour utiliser ce bot',
    settingsTitle: 'Approbation',
    community: (name) => `Communauté : ${name}`,
    person: (name) => `Chat direct avec ${name}`,
    id: 'ID :',
    members: (count) => `Membres : ${count}`,
    addedBy: (name) => `Ajouté par ${name}`,
    usedBy: (name) => `Utilisé d’abord par ${name}`,
    buttons: { approve: 'Approuver', dismiss: 'Pas maintenant' },
    approvedBy: (by) => `Approuvé par ${by}.`,
    dismissedBy: (by) =>
      `${by} a décidé : pas maintenant. Vous ne recevrez pas d’avis pendant 30 jours ; /settings approve avec son ID l’approuve toujours.`,
    expired:
      'Cette demande n’existe plus : elle a été décidée puis modifiée, elle a plus de 30 jours, ou ses données ont été supprimées.',
    more: (count) =>
      `${count} ${plural(count, 'autre demande', 'autres demandent')} à utiliser ce bot aujourd’hui. Il n’y a pas d’avis pour chacun : la page du propriétaire (/owner) les montre, et /settings approve avec un ID en approuve un.`,
    welcome:
      'Le propriétaire de ce bot a approuvé ce chat : tout fonctionne ici maintenant. /help montre comment commencer.',
    ownersOnly: 'Seuls les propriétaires de ce bot peuvent faire cela.',
    approved: (id) => `${id} est approuvé : tout y fonctionne maintenant.`,
    already: (id) => `${id} était déjà approuvé.`,
    revoked: (id) =>
      `${id} n’est plus approuvé. Les tâches qui y attendent échouent et ne coûtent rien ; ce qui a déjà été envoyé au service de génération est encore affiché.`,
    wasNot: (id) => `${id} n’était pas approuvé.`,
    notNeeded:
      'Toute communauté peut utiliser ce bot pour l’instant (COMMUNITIES=open) : ceci comptera quand COMMUNITIES sera approved.',
    unknownId: (typed) =>
      `« ${typed} » ne peut pas être approuvé. Une communauté s’écrit discord:123 ou telegram:-100123, un chat direct telegram:dm:42, un chat du playground web:studio.`,
  },
  campaign: {
    scheduled: (name, filter, from, until) =>
      until === undefined
        ? `« ${name} » pointera vers ${filter} à partir de ${from}.`
        : `« ${name} » pointera vers ${filter} de ${from} à ${until}.`,
    zone: (zone) => `Heures de ${zone} ; /settings timezone les change.`,
    coming: (filter, from, until) =>
      until === undefined ? `⏳ à partir de ${from} : ${filter}` : `⏳ de ${from} à ${until} : ${filter}`,
    running: (filter, until) => `▶ jusqu’à ${until} : ${filter}`,
    unscheduled: (name, count) =>
      `${count} ${plural(count, 'changement programmé', 'changements programmés')} de « ${name} » ${plural(count, 'annulé', 'annulés')}.`,
    ended: (name) => `La campagne de « ${name} » se termine maintenant : le filtre précédent revient.`,
    past: (time, now) =>
      `${time} est passé ; il est ${now}. Donnez un jour plus tard, ou une heure comme 2026-10-25T18:00.`,
    order: '« until » doit être après « from ».',
    overlap: (filter, from, until) =>
      `Cela chevauche ${filter}, ${until === undefined ? `à partir de ${from}` : `de ${from} à ${until}`}. Choisissez d’autres dates, ou annulez-la avec /alias unschedule.`,
    limit: (limit) => `${limit} au plus peuvent être programmées. Annulez-en d’abord avec /alias unschedule.`,
    none: (name) => `Rien n’est programmé pour « ${name} ». /alias list montre ce qui l’est.`,
    notices: {
      missed: (name, filter) =>
        `La campagne ${filter} de l’alias « ${name} » a été entièrement manquée : elle n’a pas pu commencer avant sa fin. Rien n’a été changé.`,
      failed: (name, filter) =>
        `La campagne ${filter} de l’alias « ${name} » n’a pas pu être exécutée : l’alias ou un filtre n’existe plus, ou le service l’a refusée. Rien n’a été changé ; vérifiez avec /alias show.`,
      delayed: (name, filter) =>
        `La campagne ${filter} de l’alias « ${name} » a du retard : le service de génération ne répond pas. Un nouvel essai aura lieu automatiquement.`,
    },
  },
  alias: {
    title: 'Alias de cette communauté',
    none: 'Il n’y en a pas encore. Créez-en un avec /alias create name filter.',
    created: (name, filter) => `L’alias « ${name} » pointe maintenant vers ${filter}.`,
    repointed: (name, filter) => `L’alias « ${name} » a été redirigé vers ${filter}.`,
    deleted: (name) => `L’alias « ${name} » a été supprimé.`,
    gone: 'son filtre n’existe plus : redirigez-le ou supprimez-le',
    pointsTo: (filter) => `Pointe vers ${filter}.`,
    model: (model) => `Pour ${model}.`,
    createdAt: (day) => `Créé le ${day}.`,
    swappedAt: (day) => `Dernière redirection : ${day}.`,
    history: 'Avant :',
    until: (filter, day) => `${filter}, jusqu’au ${day}`,
    unknownFilter: (typed, nearest) =>
      `Il n’y a pas de filtre personnel « ${typed} ».${nearest.length > 0 ? ` Vouliez-vous dire ${joinWithOr(nearest, 'ou')} ?` : ''} Un alias pointe vers un filtre personnel ; /filters mine les montre.`,
    numberFirst: (name: string) =>
      `Dans un catalogue qui a le numéro ${name}, le numéro l’emporte sur cet alias ; un nom qui contient une lettre évite cela.`,
    catalogNumber:
      'Un alias pointe vers un filtre personnel, indiqué par son UUID ou son nom. Un numéro de catalogue ne change jamais, il n’a pas besoin d’alias.',
  },
  rules: {
    filterOrPrompt: (reference) => `Indiquez « ${reference} » ou « prompt », pas les deux.`,
  },
  removal: {
    title: 'Résultat retiré',
    known: 'Ce résultat avait déjà été retiré.',
    everywhere: 'Il a été supprimé partout où le bot l’a montré.',
    remaining: (count) =>
      `Messages qui le montrent et n’ont pas pu être supprimés : ${count}. De nouveaux essais suivent pendant un jour ; supprimez à la main ceux que vous voyez.`,
    blanked: (count) =>
      `Messages trop anciens pour être supprimés, qui ne montrent plus que des mots : ${count}.`,
    unreachable: (count) =>
      `Messages qui le montrent peut-être encore et sont hors de portée du bot : ${count}. Il a été retiré de leur chat, ou une seule personne les a vus et ils disparaissent d’eux-mêmes.`,
    unknownPlaces: (count) =>
      `Messages qui le montrent peut-être et ne sont pas connus, car le bot a été interrompu pendant leur envoi : ${count}. Supprimez à la main ceux que vous voyez encore.`,
    blocked: {
      all: 'Ses photos sont désormais refusées pour tout le monde.',
      some: 'Certaines de ses photos sont désormais refusées pour tout le monde. Les autres sont des liens ou ont trop peu de contraste pour être reconnues.',
      none: 'Ses photos ne sont pas refusées : ce sont des liens, ou elles ont trop peu de contraste pour être reconnues.',
      full: 'Ses photos ne sont pas refusées : la liste des photos bloquées est pleine. Prévenez un propriétaire du bot.',
    },
    pending: 'Ses photos sont en cours de blocage.',
    unknown: 'Il n’y a pas de tel résultat ici. Donnez le lien de son message ou le numéro de sa tâche.',
    noResult: 'Cette tâche n’a pas de résultat.',
    limit:
      'Tant de résultats ont été retirés ici aujourd’hui qu’aucun autre ne peut l’être. Réessayez demain, ou demandez à un propriétaire de ce bot.',
  },
  report: {
    buttons: { remove: 'Retirer le résultat', block: 'Bloquer la personne', dismiss: 'Ignorer' },
    decided: {
      remove: (by) => `Résultat retiré par ${by}.`,
      block: (by) => `Personne bloquée par ${by}.`,
      dismiss: (by) => `Ignoré par ${by}.`,
    },
    reason: (what) => `Signalé : ${what}`,
    busy: (by) => `${by} traite ce signalement en ce moment.`,
    gone: 'Ce résultat a déjà été supprimé, ou son enregistrement a plus de 30 jours. Son message a été retiré s’il était encore là.',
    expired: 'Ce signalement n’existe plus : il a plus de 30 jours, ou ses données ont été supprimées.',
  },
  stats: {
    title: 'Statistiques des 30 derniers jours',
    jobs: 'Tâches',
    credits: 'Crédits',
    people: 'Personnes',
    failed: 'Échouées',
    jobsByDay: 'Tâches par jour',
    creditsByDay: 'Crédits par jour',
    commands: 'Par commande (tâches / crédits)',
    filters: 'Filtres les plus utilisés',
    since: (date, zone) => `depuis le ${date} (${zone})`,
    date: (at) => shortDate('fr', at),
    none: 'Personne n’a rien créé ici ces 30 derniers jours.',
  },
  gate: {
    unapproved:
      'Ce bot ne fonctionne que là où son propriétaire l’a approuvé. Le propriétaire a été prévenu : dès qu’il approuvera ce chat, tout fonctionnera ici. D’ici là, il y a /help et /privacy.',
    notHere: 'Ici, on ne crée ni images ni vidéos : les modérateurs ont choisi d’autres salons pour cela.',
    goTo: 'Allez dans :',
    blocked: 'Vous ne pouvez pas utiliser ceci ici : un modérateur vous a bloqué.',
    settingsLost:
      'Les réglages de cette communauté étaient endommagés et ont été réinitialisés : les listes de personnes et de mots bloqués sont perdues. Darkroom reste en pause ici jusqu’à ce qu’un modérateur les rétablisse et envoie /settings resume.',
    paused: (reason) => `Darkroom est en pause dans cette communauté${reason ? ` : ${reason}` : '.'}`,
    bannedWord: 'Votre texte contient un mot que cette communauté n’autorise pas. Reformulez-le.',
    moderatorsOnly: 'Seuls les modérateurs de cette communauté peuvent faire cela.',
  },
};
