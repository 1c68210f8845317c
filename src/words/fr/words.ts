import type { Words } from '../en/words.ts';
import { joinWithOr, list } from '../phrase.ts';
import { community } from './community.ts';
import { credits, jobs, page, plural } from './labels.ts';
import { owner } from './owner.ts';
import { removalPage } from './removal-page.ts';

export const fr: Words = {
  language: 'fr',
  ...community,
  somethingBroke: 'Un problème est survenu de notre côté. Rien n’a été dépensé. Réessayez dans un instant.',
  yes: 'Oui',
  no: 'Non',
  credits,
  choices: { male: 'homme', female: 'femme', boy: 'garçon', girl: 'fille', group: 'groupe' },
  error: {
    empty: (option, min) =>
      `« ${option} » est vide. Écrivez au moins ${min} ${plural(min, 'caractère', 'caractères')}.`,
    tooLong: (option, length, max) =>
      `« ${option} » a ${length} caractères ; ${max} au plus sont permis. Raccourcissez.`,
    notPhoto: (option) => `« ${option} » doit être une photo. Joignez une image JPEG, PNG ou WebP.`,
    badLink: (option) =>
      `« ${option} » : ce lien ne peut pas être utilisé. Il faut une adresse https:// publique, sans mot de passe.`,
    notFlag: (option, value) => `« ${option} » doit être yes ou no, pas « ${value} ».`,
    notChoice: (option, value, choices) =>
      `« ${option} » ne peut pas être « ${value} ». Choisissez parmi : ${list(choices)}.`,
    notInteger: (option, value, min, max) =>
      `« ${option} » doit être un nombre entier de ${min} à ${max}, pas « ${value} ».`,
    notAlias: (option, value) =>
      `« ${option} » doit avoir de 1 à 32 caractères a-z, 0-9 et « - », pas « ${value} ». Par exemple : halloween.`,
    notTime: (option, value) =>
      `« ${option} » doit être un jour comme 2026-10-25 ou une heure comme 2026-10-25T18:00, pas « ${value} ».`,
    notTimeZone: (option, value, near) =>
      `« ${option} » doit être un fuseau horaire comme Europe/Paris, pas « ${value} ».${near.length > 0 ? ` Vouliez-vous dire ${joinWithOr(near, 'ou')} ?` : ''}`,
    noRoles: (platforms) => `Les rôles n’existent que sur ${platforms}. Indiquez une personne.`,
    unknownPerson: (name) =>
      `« ${name} » est introuvable ici. Donnez l’ID de la personne, ou attendez qu’elle utilise une commande.`,
    unknownChannel: (channel) =>
      `« ${channel} » n’est pas un des salons où sont créées images et vidéos. Donnez le nombre entre parenthèses que montre /settings show.`,
    unknownOption: (name, nearest) =>
      `L’option « ${name} » n’existe pas.${nearest.length > 0 ? ` Vouliez-vous dire ${joinWithOr(nearest, 'ou')} ?` : ''}`,
    twice: (option) => `« ${option} » est indiqué deux fois. Indiquez-le une seule fois.`,
    unexpected: (word) => `« ${word} » n’est pas attendu ici.`,
    unknownCommand: (name, nearest) =>
      `La commande /${name} n’existe pas.${nearest.length > 0 ? ` Vouliez-vous dire ${joinWithOr(nearest, 'ou')} ?` : ' /help les montre toutes.'}`,
    subcommand: (command, names) => `/${command} demande une sous-commande : ${list(names)}.`,
    rightForm: 'Utilisation :',
    example: 'Par exemple :',
  },
  busy: {
    perPerson:
      'Trop de demandes à la fois : certaines n’ont pas été acceptées. Attendez la réponse à vos autres demandes, puis réessayez.',
    perChat:
      'Trop de demandes à la fois dans ce chat : certaines n’ont pas été acceptées. Attendez une minute, puis réessayez.',
  },
  album: {
    title: (photos) => `${photos} photos à la fois`,
    line: 'Faire une image de chacune, ou seulement de la première ? Chacune a sa propre carte, et celle qui échoue ne coûte rien.',
    all: (photos, cost) => (cost === 0 ? `Les ${photos}` : `Les ${photos} (${credits(cost)})`),
    first: 'Seulement la première',
  },
  consent: {
    title: 'Avant votre première image',
    people:
      'N’utilisez que des photos de personnes d’accord, et jamais pour tromper, harceler ou dénuder quelqu’un.',
    age: 'Vous confirmez que toutes les personnes visibles sont d’accord et que vous avez l’âge d’utiliser ce service.',
    sent: 'Votre photo est envoyée au service de génération. /privacy montre ce qui est conservé et permet de le supprimer.',
    button: 'Je confirme, continuer',
  },
  ask: {
    title: (command) => `/${command} : encore une chose`,
    option: (option, description) => `${description} (${option})`,
    choose: 'Choisissez :',
    menu: 'Choisir…',
    pickOrType: 'Choisissez, ou envoyez le numéro ou le nom dans votre prochain message.',
    type: 'Envoyez un numéro, un nom ou un alias dans votre prochain message.',
    write: 'Envoyez-le dans votre prochain message.',
    writeOrIdea: 'Envoyez-le dans votre prochain message, ou partez d’une de ces idées :',
    photo: 'Envoyez la photo dans votre prochain message.',
    open: 'Écrire…',
    addPhoto: 'Ajouter une photo…',
    instead: (option) => `Indiquer plutôt « ${option} »`,
    asLast: (what) => `Comme la dernière fois : ${what}`,
    chosen: (option, value) => `Choisi : ${option} ${value}`,
    pages: (page, of) => `Page ${page} sur ${of}`,
    whatToDo: 'Que dois-je faire de cette photo ?',
    whatToDoLine: 'Choisissez ci-dessous, ou envoyez une commande en légende de la photo.',
  },
  press: {
    stale: 'Ce bouton n’est plus valable. Renvoyez la commande.',
    notYours: 'Ce bouton appartient à quelqu’un d’autre.',
    notFound: 'Cette tâche n’existe plus.',
    noResult: 'Le résultat de cette tâche n’est plus disponible. Refaites-le d’abord.',
    shownOften: 'Ce résultat est déjà montré dans trop de messages.',
  },
  reference: {
    styleRange: (number) => `Les numéros de style vont de 1 à 25 ; ${number} n’existe pas.`,
    unknownNumber: (number, nearest) =>
      `Il n’y a pas de filtre numéro ${number}.${nearest.length > 0 ? ` Les plus proches : ${list(nearest)}.` : ''} /filters les montre.`,
    unknownName: (name, nearest) =>
      `Il n’y a pas de filtre « ${name} ».${nearest.length > 0 ? ` Vouliez-vous dire ${joinWithOr(nearest, 'ou')} ?` : ''} /filters les montre.`,
    wrongModel: (name, is, needed) => `« ${name} » est pour ${is} ; ici, il en faut un pour ${needed}.`,
    otherLook: (name, look) =>
      `« ${name} » est un style de look ${look}. Utilisez look=${look}, ou choisissez un autre style.`,
    models: { face: 'les visages seuls (/faceswap)', group: 'les groupes (/groupswap)' },
    unavailable:
      'La liste des filtres ne peut pas être chargée pour l’instant. Indiquez un numéro de filtre, ou réessayez dans une minute.',
    customName: 'filtre personnel',
  },
  states: {
    opening: 'acceptée',
    waiting: 'en attente',
    submitting: 'en cours d’envoi',
    running: 'en cours',
    delivering: 'en cours de livraison',
    held: 'en attente d’un modérateur',
    done: 'terminée',
    failed: 'échouée',
    cancelled: 'annulée',
    uncertain: 'état inconnu',
  },
  card: {
    accepted: 'Accepté. Cela commence dans un instant.',
    next: 'Votre tâche est la prochaine dans la file.',
    position: (position) => `Place dans la file : ${position}.`,
    wait: (time) => `Début dans environ ${time}.`,
    resting: {
      'service-busy': 'Le service de génération est surchargé pour l’instant.',
      unchecked:
        'La photo ne peut pas être contrôlée pour le moment, et aucune n’est envoyée sans contrôle. Le propriétaire est prévenu.',
      unknown: 'Cela n’a pas encore pu commencer.',
    },
    checkingPhoto: 'Contrôle de la photo…',
    nextTry: (time) => `Prochain essai dans environ ${time}.`,
    sending: 'Votre photo est envoyée au service de génération.',
    running: (time) => `Encore environ ${time}.`,
    runningLong: 'C’est plus long que d’habitude. Cela devrait bientôt être prêt.',
    delivering: 'C’est prêt et en route vers vous.',
    checkingResult: 'Contrôle du résultat…',
    held: 'C’est prêt. Un contrôle sur cette machine estime que l’image en montre peut-être trop : un modérateur la regarde d’abord. Le contrôle peut se tromper. D’ici là, personne ne voit l’image.',
    done: (time, cost) => (time === undefined ? credits(cost) : `Durée : ${time} · ${credits(cost)}`),
    aiGenerated: 'Généré par IA (AI-generated)',
    expired: 'Le résultat a été affiché ici ; le fichier n’est pas conservé.',
    returned: (cost) => `Remboursé : ${credits(cost)}.`,
    kept: (cost) =>
      `La tâche était déjà transmise au service et ne peut pas y être arrêtée, donc la dépense (${credits(cost)}) reste.`,
    cancelled: 'Annulé.',
    uncertain: 'Il n’est pas certain que la tâche ait été envoyée.',
    uncertainNext:
      'Elle n’a pas été renvoyée automatiquement, pour ne jamais vous débiter deux fois. « Réessayer » lance une nouvelle tâche.',
    spent: (cost) => `Compté comme dépensé : ${credits(cost)}.`,
    outage: {
      unavailable: 'Le service de génération ne répond pas pour l’instant. Votre tâche garde sa place.',
      credits:
        'Le service de génération n’a plus de crédits. Votre tâche attend que le propriétaire en ajoute.',
      credentials:
        'Le service de génération refuse les identifiants du bot. Le propriétaire doit corriger cela.',
      address:
        'L’adresse configurée du service de génération redirige ailleurs. Le propriétaire doit corriger cela.',
    },
    resultAlt: (title) => `Résultat généré par IA : ${title}`,
  },
  failure: {
    'photo-unavailable':
      'Votre photo n’a pas pu être récupérée : elle a été supprimée ou son lien a expiré. Renvoyez-la.',
    'photo-invalid':
      'Votre photo ne peut pas être utilisée. Envoyez un JPEG, PNG ou WebP d’au plus 20 Mo et 40 mégapixels.',
    'photo-too-complex':
      'Votre photo est trop complexe à traiter. Enregistrez-la de nouveau en JPEG ordinaire, ou faites-en une capture d’écran, et envoyez celle-ci.',
    'photo-blocked': 'Cette photo ne peut pas être utilisée ici. Envoyez-en une autre.',
    'photo-content':
      'Cette photo n’a pas été envoyée : le contrôle de la nudité sur cette machine estime qu’elle en montre trop. Il peut se tromper. Prenez une autre photo, ou une partie de celle-ci qui montre le visage.',
    'photo-unseen':
      'Un lien ne peut pas devenir une vidéo, car la photo qu’il désigne ne peut pas être contrôlée. Envoyez la photo elle-même.',
    'content-unchecked':
      'Il n’a pas été possible de contrôler à temps si l’image peut être utilisée. Réessayez plus tard.',
    'no-minors':
      'Les garçons et les filles ne sont pas acceptés : la personne qui gère ce bot a décidé qu’il est réservé aux adultes.',
    'content-removed': 'Un modérateur a retiré ce résultat à cause de ce qu’il montre.',
    'content-undecided':
      'Un contrôle a retenu ce résultat à cause de ce qu’il montre peut-être, et aucun modérateur n’a tranché en 48 heures. Il a été retiré.',
    'alias-gone': 'L’alias ou son filtre n’existe plus. Choisissez un autre filtre.',
    'alias-mismatch':
      'L’alias pointe maintenant vers un filtre prévu pour autre chose. Choisissez un autre filtre.',
    refused: 'Le service de génération a refusé la demande. Modifiez-la et réessayez.',
    'filter-unknown':
      'Le service de génération ne connaît pas (ou plus) ce filtre. Choisissez-en un autre ; /filters les montre.',
    'filter-unfit':
      'Ce filtre ne convient pas à ce type de photo : certains sont pour une personne, d’autres pour des groupes. Choisissez un autre filtre.',
    'filter-broken':
      'Le service de génération n’a pas pu charger ce filtre personnel. Choisissez un autre filtre ou réessayez plus tard.',
    'photo-unreadable': 'Le service de génération n’a pas pu lire votre photo. Envoyez-en une autre.',
    'photo-too-large':
      'Votre photo est trop grande pour le service de génération. Envoyez-en une plus petite.',
    'options-unfit':
      'Le service de génération n’accepte pas ces options ensemble. Choisissez un autre modèle, une autre qualité ou un autre format.',
    'service-credits': 'Le service de génération n’a plus de crédits. Le propriétaire doit en ajouter.',
    'service-credentials':
      'Le service de génération a refusé les identifiants du bot. Le propriétaire doit corriger cela.',
    'service-address':
      'L’adresse configurée du service de génération redirige ailleurs. Le propriétaire doit corriger cela.',
    'generation-failed':
      'Le service de génération n’a pas pu créer ceci. Réessayez, ou utilisez une autre photo ou un autre filtre.',
    deadline: 'Le service de génération n’a pas fini à temps. Réessayez plus tard.',
    'result-unusable': 'Le service de génération a envoyé un résultat inutilisable. Réessayez.',
    'job-unknown': 'Le service de génération ne connaît plus cette tâche. Réessayez.',
    'result-gone':
      'C’était terminé, mais le service de génération n’avait plus le résultat quand il a pu être affiché. Réessayez.',
    'result-refused':
      'C’était terminé, mais cette plateforme refuse d’afficher le résultat sous quelque forme que ce soit. Réessayez, ou prenez un autre filtre.',
  },
  serviceSays: (detail) => `Le service dit : ${detail}`,
  held: {
    title: 'Un résultat attend une décision',
    notice:
      'Le contrôle du contenu le retient : il montre peut-être de la nudité. Personne ne l’a vu. Sans décision, il est retiré au bout de 48 heures.',
    changed:
      'Le service de génération donne maintenant une autre image que celle que la modération voulait montrer. Celle-ci est retenue aussi.',
    decide:
      'Vous seul voyez ceci. « Montrer » le met sur sa carte, pour tous ceux qui la voient. « Retirer » termine la tâche.',
    decided: 'La décision a déjà été prise, ou le résultat a été retiré.',
    shown: 'Il apparaît sur sa carte dans un instant.',
    removed: 'Il a été retiré. Il n’a été montré à personne.',
    away: 'Le service de génération ne répond pas pour le moment. Réessayez dans une minute.',
  },
  filters: {
    title: (catalog) => `Filtres : ${catalog}`,
    catalogs: {
      face: 'visages seuls',
      realistic: 'groupes, réaliste',
      stylized: 'groupes, stylisé',
      classic: 'groupes, classique',
      mine: 'filtres personnels',
    },
    none: 'Il n’y en a pas ici.',
    noneFound: (search) => `Rien ne correspond à « ${search} ».`,
    press: 'Appuyez sur l’un d’eux pour l’utiliser.',
    recentFirst: 'Vos filtres récents viennent en premier.',
    howTo: (example) => `Utilisez-en un par numéro ou par nom, par exemple ${example}`,
  },
  jobs: {
    title: 'Vos tâches',
    none: 'Vous n’avez pas encore de tâches. Envoyez une photo avec /faceswap pour la première.',
    ago: (time) => `il y a ${time}`,
    daysAgo: (days: number) => `il y a ${days} jours`,
  },
  notes: {
    hint: 'Tapez / pour voir ce que je sais faire, ou envoyez une photo avec une commande comme /faceswap.',
    ended: 'Cette tâche est déjà terminée.',
    deleted: 'Supprimé, ici et dans nos enregistrements.',
    removed: 'Retiré du chat.',
    reported: 'Merci. Les modérateurs sont prévenus.',
    reportNoted:
      'Merci. Le signalement est dans le journal d’audit, mais personne n’a pu être prévenu. Veuillez prévenir un modérateur vous-même.',
    reportTitle: 'Un résultat a été signalé',
    reportedBy: (name) => `Signalé par ${name}.`,
    madeBy: (name) => `Fait par ${name}.`,
    openMessage: 'ouvrir le message',
    noImage: 'Il n’y a pas d’image dans ce message.',
    already: 'C’est déjà lancé ; la carte est plus bas.',
    notShownYet:
      'C’est déjà lancé, mais la carte n’est pas encore affichée. Si elle n’apparaît pas d’ici quelques minutes, réessayez.',
    elsewhere: 'Impossible de l’afficher là où vous l’avez demandé. Voici comment cela s’est terminé.',
    interrupted:
      'Darkroom a été interrompu avant de pouvoir répondre. Rien n’a été créé ni dépensé. Réessayez.',
    maybeInterrupted:
      'Darkroom a été interrompu avant de pouvoir répondre. Vérifiez si cela a déjà pris effet avant de réessayer.',
    notHere:
      'C’est prêt, mais je n’ai pas le droit de l’afficher ici. Envoyez /jobs dans notre chat privé pour le voir.',
  },
  share: {
    by: (name) => `Partagé par ${name}`,
    done: 'Partagé avec tout le monde là où vous l’avez demandé.',
    already: 'Ce résultat a déjà été partagé.',
    unknown:
      'Le partage a déjà commencé et a peut-être été interrompu. Regardez là où vous l’avez demandé : rien n’est envoyé deux fois.',
    later: 'Le partage n’est pas possible pour l’instant et personne ne l’a vu. Réessayez dans une minute.',
    forbidden: 'Je n’ai pas le droit d’écrire là où vous l’avez demandé ; impossible de le partager là-bas.',
    notMember:
      'Vous n’êtes plus membre là où vous l’avez demandé, vous n’avez pas le droit d’y écrire, ou je ne peux pas le vérifier ; impossible de le partager là-bas.',
  },
  file: {
    original: 'Le fichier du service, inchangé.',
    justSent:
      'Il vient d’être envoyé, ou il est en route. S’il ne vient pas, appuyez de nouveau dans une minute.',
    refused: (size) => `Ce fichier fait ${size} et a été refusé ici.`,
    tooLarge: (size, most) =>
      size === undefined
        ? `Ce fichier dépasse les ${most} qui passent ici.`
        : `Ce fichier fait ${size}, plus que les ${most} qui passent ici.`,
  },
  compare: {
    before: 'Avant',
    after: 'Après',
    alt: (title) => `Avant et après, généré par IA : ${title}`,
    photoGone: 'Votre photo n’est plus disponible ; il n’y a rien à comparer.',
    busy: 'C’est en cours.',
  },
  limits: {
    rate: (limit, time) =>
      `Vous avez envoyé plus de ${limit} ${plural(limit, 'demande', 'demandes')} en une minute. Attendez ${time} et réessayez.`,
    waiting: (unfinished, limit) =>
      `Vous avez déjà ${jobs(unfinished)} non ${plural(unfinished, 'terminée', 'terminées')} ; ${limit} au plus ${plural(limit, 'peut', 'peuvent')} attendre. Réessayez quand l’une est finie ; /jobs les montre.`,
    album: (photos, fits) =>
      `Il y a ${photos} photos, et pour le moment ${plural(fits, `seule ${fits} tâche de plus peut être acceptée`, `seules ${fits} tâches de plus peuvent être acceptées`)}. Rien n’a été lancé : envoyez moins de photos ou réessayez quand une de vos tâches sera finie ; /jobs les montre.`,
    albumLater: (photos, fits, more, time) =>
      `Il y a ${photos} photos. Vos tâches qui peuvent être acceptées : ${fits} maintenant, ${more} dans ${time}. Rien n’a été lancé : envoyez moins de photos ou réessayez à ce moment-là.`,
    shared:
      'Les administrateurs anonymes et ceux qui écrivent au nom d’un canal partagent cette limite, tous groupes confondus. Envoyez-le sous votre propre nom pour avoir la vôtre.',
    allowance: (needed, left, time) =>
      `Cela coûte ${credits(needed)} et il vous en reste ${left} aujourd’hui. Nouveaux crédits dans ${time}.`,
    communityCeiling: (needed, left, time) =>
      `Cela coûte ${credits(needed)} et il en reste ${left} aujourd’hui pour toute la communauté. Nouveaux crédits dans ${time}.`,
    serviceCeiling: (time) =>
      `Toutes les personnes qui utilisent ce bot ont utilisé ensemble les crédits du jour. De nouvelles tâches seront acceptées dans ${time} ; celles en cours continuent.`,
    monthCeiling: (date) =>
      `Toutes les personnes qui utilisent ce bot ont utilisé ensemble les crédits de ce mois. De nouvelles tâches seront acceptées le ${date} (UTC) ; celles en cours continuent.`,
  },
  usage: {
    title: 'Crédits aujourd’hui',
    mine: (used, limit) => `Vous avez utilisé ${credits(used)} sur ${limit}.`,
    reserved: (amount) =>
      `${amount} de plus ${plural(amount, 'est réservé', 'sont réservés')} aux tâches non terminées.`,
    sources: {
      own: 'Fixés pour vous par un modérateur.',
      role: 'Grâce à l’un de vos rôles.',
      community: 'Fixés pour toute cette communauté.',
      default: 'Valeur par défaut du propriétaire.',
    },
    left: (amount) => `Il reste ${credits(amount)}.`,
    granted: (left) =>
      `En plus, ${credits(left)} ${plural(left, 'offert : utilisé', 'offerts : utilisés')} après ceux du jour, ${plural(left, 'il n’expire', 'ils n’expirent')} pas.`,
    fromGrants: (amount) => `Payé aujourd’hui avec des crédits offerts : ${amount}.`,
    resets: (time) => `Nouveaux crédits dans ${time}.`,
    community: (used, people, count) =>
      `Cette communauté : ${credits(used)}, ${people} ${plural(people, 'personne', 'personnes')}, ${jobs(count)} aujourd’hui.`,
    ceiling: (used, limit) =>
      `Ensemble, vous avez pris ${used} des ${limit} que le propriétaire permet à cette communauté par jour.`,
    month: (used) => `Tous ensemble ce mois-ci : ${credits(used)}.`,
    monthOf: (used, most) => `Tous ensemble ce mois-ci : ${used} sur ${credits(most)}.`,
    money: (used) => `En argent : ${used}.`,
  },
  help: {
    title: 'Ce que je sais faire',
    intro: 'Envoyez une photo avec une de ces commandes et elle vous revient transformée.',
    press: 'Choisissez un filtre pour l’utiliser avec votre photo. Trois choses à essayer :',
    file: 'En fichier sous un résultat l’envoie tel que le service l’a fait.',
    others: 'Autres commandes',
    all: 'Toutes les commandes',
    album: 'Plusieurs photos avec une commande donnent une image chacune ; je demande une fois.',
    more: 'Détails et exemples : /help et le nom d’une commande, par exemple /help faceswap',
    personal: (names: string) =>
      `Vous seul voyez ${names} et leurs réponses, dans les applications qui le permettent.`,
    moderators: 'Pour les modérateurs',
    optional: 'facultatif',
    required: 'obligatoire',
    choices: (choices) => `parmi ${list(choices)}`,
    standard: (value) => `par défaut : ${value}`,
    price: (price) => `Prix : ${price}`,
    examples: 'Exemples',
  },
  face: {
    title: 'Vos visages enregistrés',
    off: 'Les visages enregistrés ne sont pas activés ici : le propriétaire doit d’abord définir STORE_KEY.',
    shared:
      'Un visage appartient à une personne. Envoyez ceci sous votre propre nom, pas comme canal ni comme administrateur anonyme.',
    none: 'Vous n’en avez pas encore. Enregistrez-en un avec /face save, un nom et une photo.',
    isDefault: 'par défaut',
    usedOn: (day) => `dernière utilisation ${day}`,
    saved: (name) => `« ${name} » est enregistré. Utilisez-le avec : /faceswap face=${name}`,
    replaced: (name) => `« ${name} » a une nouvelle photo.`,
    kept: 'Il est conservé chiffré, jusqu’à ce que vous le supprimiez ou ne l’utilisiez pas pendant un an.',
    deleted: (name) => `« ${name} » a été supprimé.`,
    nowDefault: (name) => `« ${name} » est maintenant votre visage par défaut.`,
    unknown: (name) => `Vous n’avez pas de visage enregistré « ${name} ». /face list montre les vôtres.`,
    limit: (most) =>
      `Vous pouvez garder ${most} visages au plus. Supprimez-en un d’abord, ou prenez un nom que vous avez déjà.`,
    full: 'Il n’y a plus de place ici pour d’autres visages. Le propriétaire en a été informé. Les vôtres restent utilisables.',
    saves: (most) =>
      `Vous avez enregistré ${most} photos en 24 heures. Attendez demain pour en enregistrer d’autres.`,
    busy: 'Cette photo n’a pas pu être enregistrée pour le moment. Attendez une minute, puis réessayez.',
    unchecked:
      'La photo ne peut pas être contrôlée pour le moment, elle n’a donc pas été enregistrée. Réessayez plus tard.',
    notKept:
      'Seule une photo que vous envoyez peut être enregistrée, pas un lien. Envoyez la photo elle-même.',
    use: (name) => `Utiliser « ${name} »`,
    useDefault: 'Utiliser mon visage enregistré',
  },
  faceCheck: {
    help: 'Avant de dépenser des crédits, je cherche des visages sur la photo : s’il n’y en a pas, ou s’il y en a plus ou moins qu’il n’en faut, je vous demande d’abord.',
    looking: 'Je regarde votre photo…',
    anyway: 'L’utiliser quand même',
    everybody: 'Tout le monde',
    swapOne: 'Échanger un visage',
    noFace: 'Aucun visage trouvé sur cette photo',
    noFaceLine:
      'Rien n’a été dépensé. Envoyez une autre photo, ou utilisez celle-ci : les dessins et les animaux sont les bienvenus.',
    oneFace: 'Un seul visage trouvé sur cette photo',
    tooFewLine: 'Rien n’a été dépensé. /groupswap est fait pour deux personnes ou plus.',
    whoIsIt: 'De quel visage s’agit-il ?',
    pressNumber:
      'Les visages sont numérotés de gauche à droite. Choisissez-en un ; rien n’a encore été dépensé.',
    everybodyLine: '« Tout le monde » continue avec /groupswap.',
    alt: (faces) => `Les visages de la photo, numérotés de 1 à ${faces} de gauche à droite`,
  },
  privacy: {
    title: 'Vos données',
    photo:
      'Votre photo est redressée, débarrassée de ses métadonnées (lieu compris) et envoyée au service de génération, qui crée le résultat.',
    faceCheck:
      'Avant cela, on y cherche ici des visages. Ce qui est trouvé n’est pas conservé ; la partie de la photo que vous avez choisie est conservée avec la tâche.',
    contentCheck:
      'Avant cela, un programme de cette machine contrôle si elle montre de la nudité. Une photo qui en montre est refusée ; ce que le programme a trouvé n’est pas conservé.',
    photoNotKept: 'Elle n’est jamais écrite sur disque ici.',
    faces:
      'Elle n’est écrite sur disque ici que si vous la gardez avec /face save : la photo nettoyée est alors conservée chiffrée, jusqu’à ce que vous la supprimiez ou ne l’utilisiez pas pendant un an.',
    link: 'Un lien vers une image va tel quel au service de génération.',
    kept: 'Conservés ici : vos tâches (ce que vous avez demandé et où se trouvent la photo et le résultat dans le chat, jamais les images) et les crédits utilisés chaque jour, pendant 30 jours ; votre confirmation du consentement ; une ligne du journal d’audit par tâche pendant 90 jours. Les crédits que des modérateurs vous ont offerts, jusqu’à leur utilisation.',
    hashes:
      'Une empreinte de chaque photo et du résultat est conservée avec la tâche, pour que le résultat puisse être retrouvé et retiré si une personne montrée le demande. La photo d’un résultat retiré est ensuite refusée ; son empreinte est conservée un an. Aucune image ne peut être refaite à partir d’une empreinte.',
    marks: 'Les résultats disent qu’ils sont générés par IA : dans la légende et dans le fichier.',
    visibleMark: 'Les images portent aussi un petit « AI » dans un coin.',
    results:
      'Les résultats ne sont conservés que dans le chat. « Supprimer » retire un résultat du chat et de nos enregistrements.',
    resultsHere:
      'Ce chat est lui aussi conservé ici : vos messages et vos résultats. « Supprimer » retire un résultat du chat et de nos enregistrements.',
    button: 'Supprimer toutes mes données',
    sure: 'Supprimer tout ce que nous gardons sur vous ? Les tâches non terminées sont annulées. Les résultats restent dans le chat ; dans un groupe, seuls les modérateurs pourront ensuite les supprimer. Les crédits offerts sont perdus. C’est irréversible.',
    sureHere:
      'Supprimer tout ce que nous gardons sur vous ? Les tâches non terminées sont annulées. Vos messages, leurs réponses et vos résultats sont aussi supprimés de ce chat. Les crédits offerts sont perdus. C’est irréversible.',
    sureButton: 'Oui, tout supprimer',
    erased: (count) =>
      `C’est fait. ${jobs(count)} et vos préférences ont été supprimées. Seul le compteur du jour reste jusqu’à minuit (UTC).`,
    erasing:
      'Vos données sont en cours de suppression. Elles ne sont plus affichées ; il y en a beaucoup, cela prend quelques minutes. Seul le compteur du jour reste jusqu’à minuit (UTC).',
  },
  page,
  owner,
  removalPage,
  telegram: {
    tooLarge:
      'Telegram ne laisse les bots télécharger que des fichiers de 20 Mo au plus. Envoyez-en un plus petit, ou envoyez-le comme photo.',
    startFirst:
      'Je ne peux vous répondre en privé que si vous avez démarré un chat avec moi. Démarrez-le, puis réessayez.',
    startButton: 'Démarrer un chat privé',
    anonymous:
      'Je ne peux pas répondre en privé à un administrateur anonyme. Envoyez-le sous votre propre nom, ou retirez « private ».',
    answerHere: 'Répondez à ce message.',
    pickOrReply:
      'Choisissez, ou envoyez le numéro ou le nom dans votre prochain message, en réponse à celui-ci.',
    sentAgain: 'Renvoyée après une interruption. Si vous voyez cette carte deux fois, celle-ci est la bonne.',
    answeredInPrivate: 'Je vous ai répondu en privé.',
    oldMessage: 'Ce message est trop ancien. Renvoyez la commande.',
    asChannel:
      'Ceci a été envoyé au nom d’un canal, et je ne peux pas vérifier que vous pouvez parler pour lui. Faites de moi un administrateur du canal, ou renvoyez-le sous votre propre nom.',
    working: 'J’y travaille. La réponse viendra ici.',
    welcome:
      'Je transforme des photos en nouvelles images et vidéos : envoyez-en une avec /faceswap comme légende, ou voyez /help.',
    makeAdministrator:
      'Faites de moi un administrateur dans les paramètres du groupe, sans aucun droit : je verrai aussi les commandes sans mon nom, et seule la personne concernée lira pourquoi je refuse quelque chose.',
    removed: 'Retiré.',
  },
  web: {
    tooLarge: 'Une photo peut faire 20 Mo au plus. Envoyez-en une plus petite.',
    tooMuch:
      'Ensemble, ces photos sont trop lourdes pour un seul message. Envoyez-en moins, ou de plus petites.',
    tooMany: (most: number) => `Un message peut contenir ${most} photos au plus.`,
  },
  ideas: {
    motion: [
      'Ils sourient et regardent la caméra',
      'Un lent zoom de cinéma',
      'Le vent agite cheveux et vêtements',
      'La caméra tourne lentement autour',
    ],
    transition: [
      'Une transformation douce de la première à la dernière',
      'Le temps passe vite entre les deux',
      'Un tourbillon de lumière mène de l’une à l’autre',
    ],
    portrait: [
      'Un astronaute sur la lune',
      'Une huile de la Renaissance',
      'Un détective de film noir sous la pluie',
    ],
    group: [
      'Un groupe de rock sur scène',
      'Des pirates sur le pont d’un navire',
      'Un portrait de famille royale',
    ],
  },
};
