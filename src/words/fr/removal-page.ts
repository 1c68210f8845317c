import type { RemovalPageWords } from '../en/removal-page.ts';

export const removalPage: RemovalPageWords = {
  skip: 'Aller au contenu',
  languages: 'Langues',
  back: 'Vers le formulaire',
  title: 'Demander le retrait d’une image',
  intro:
    'Ce bot crée des images et des vidéos à partir de photos de personnes. Si vous-même, ou un enfant dont vous avez la garde, y êtes visible et que vous ne le voulez pas, dites-le ici. Aucun compte n’est nécessaire, et c’est gratuit.',
  next: 'Les responsables de ce bot examinent chaque demande et décident dans les 48 heures. Vous recevez un numéro qui permet de voir où en est la vôtre. Un résultat retiré est supprimé partout où le bot l’a montré, et les photos dont il a été fait sont refusées ensuite.',
  what: 'Quelle image ou vidéo ?',
  link: 'Lien vers le message qui la montre',
  linkHint:
    'Discord : ouvrez le menu du message, puis « Copier le lien du message ». Telegram : appuyez sur le message, puis « Copier le lien ».',
  picture: 'Ou l’image elle-même',
  pictureHint:
    'JPEG, PNG ou WebP, 20 Mo au plus. Elle n’est pas conservée : seule une empreinte l’est, qui permet de retrouver la même image. Personne ne peut y voir l’image.',
  about: 'De quoi s’agit-il ?',
  aboutHint: 'Avec vos propres mots : qui est visible, et où vous l’avez vue. Une phrase suffit.',
  contact: 'Comment vous joindre ?',
  contactHint:
    'Par exemple une adresse e-mail, en cas de question. Seuls les responsables de ce bot la lisent.',
  send: 'Envoyer la demande',
  kept: 'Ce que vous écrivez est conservé chiffré pendant un an, puis supprimé. Avec votre numéro, vous pouvez le supprimer avant.',
  asked: 'Vous avez déjà un numéro ?',
  number: 'Numéro de votre demande',
  find: 'Voir où elle en est',
  notSent: 'Ceci n’a pas été envoyé',
  problems: {
    nothing: 'Donnez le lien vers le message, ou choisissez l’image. Les deux sont possibles.',
    link: 'Ce n’est pas un lien. Il commence par https:// et mène au message.',
    contact: 'Dites comment vous joindre.',
    about: 'Dites en quelques mots de quoi il s’agit.',
    large:
      'L’image est trop grande : 20 Mo au plus. Une copie plus petite, comme une capture d’écran, suffit.',
    picture:
      'Ce fichier ne peut pas être lu comme une image. Choisissez un JPEG, PNG ou WebP, par exemple une capture d’écran. Ce que vous avez écrit est toujours là.',
    busy: 'Beaucoup de demandes arrivent en ce moment. Réessayez dans quelques minutes.',
    'busy-of-one': 'C’était souvent en peu de temps. Attendez une minute, puis réessayez.',
    full: 'Plus de demandes sont ouvertes qu’il n’est possible d’en traiter à temps ; la vôtre n’a donc pas été prise. Réessayez demain. N’attendez pas jusque-là : signalez le message dans l’application où vous le voyez, et adressez-vous à la modération de ce chat, qui peut le retirer tout de suite.',
    'full-of-one':
      'Trop de demandes venant de votre réseau sont ouvertes ; celle-ci n’a donc pas été prise. Réessayez quand l’une d’elles sera décidée. Vous pouvez aussi signaler le message dans l’application où vous le voyez, ou vous adresser à la modération de ce chat, qui peut le retirer tout de suite.',
    slow: 'Le formulaire est arrivé trop lentement. Réessayez, peut-être avec une image plus petite.',
    malformed: 'Le formulaire n’est pas bien arrivé. Ouvrez la page à nouveau et remplissez-le là.',
    elsewhere: 'Le formulaire venait d’une autre page. Ouvrez cette page elle-même.',
    failed: 'Une erreur s’est produite ici, et rien n’a été envoyé. Réessayez dans quelques minutes.',
  },
  stateTitle: 'Votre demande',
  received: 'Reçue',
  decided: 'Décidée',
  reason: 'Ce qu’on vous a écrit',
  states: {
    open: {
      title: 'Votre demande est arrivée.',
      text: 'Personne n’a encore décidé. Ce sera fait au plus tard le {until}.',
    },
    late: {
      title: 'Votre demande est toujours ouverte.',
      text: 'Elle aurait dû être décidée avant le {until}. Un rappel a été envoyé aux responsables de ce bot. Vous pouvez aussi signaler le message dans l’application où vous le voyez, ou vous adresser à la modération de ce chat, qui peut le retirer tout de suite.',
    },
    removed: {
      title: 'Le résultat a été retiré.',
      text: 'Il a été supprimé là où le bot l’avait montré, et les photos dont il a été fait sont désormais refusées. Les copies que des personnes ont enregistrées ou transmises ne peuvent pas être supprimées d’ici.',
    },
    refused: {
      title: 'Votre demande a été refusée.',
      text: 'Les responsables de ce bot l’ont examinée, et rien n’a été retiré.',
    },
    nothing: {
      title: 'Rien n’a été trouvé.',
      text: 'Aucun résultat de ce bot ne correspond à ce que vous avez envoyé : il vient peut-être d’ailleurs, est déjà supprimé, ou date de plus de 30 jours. Si vous avez le lien vers le message, ou une meilleure copie de l’image, envoyez une nouvelle demande.',
    },
  },
  keep: 'Notez le numéro, ou gardez l’adresse de cette page : c’est la seule façon d’y revenir. Ne la donnez à personne.',
  again: 'Si cela ne vous aide pas, vous pouvez envoyer une nouvelle demande.',
  another: 'Nouvelle demande',
  deleteIt: 'Supprimer cette demande',
  deleteWhat:
    'Ce que vous avez écrit, l’empreinte de l’image et cette page sont supprimés aussitôt. Si personne n’a encore décidé, personne ne le fera.',
  cancel: 'Ne pas le faire',
  deletedTitle: 'Supprimée',
  deleted: 'Votre demande a été supprimée.',
  unknownTitle: 'Demande inconnue',
  unknown:
    'Il n’y a pas de demande avec ce numéro. Vérifiez chaque lettre. Une demande est supprimée après un an, ou quand quelqu’un la supprime avec son numéro.',
};
