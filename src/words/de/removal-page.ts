import type { RemovalPageWords } from '../en/removal-page.ts';

export const removalPage: RemovalPageWords = {
  skip: 'Zum Inhalt springen',
  languages: 'Sprachen',
  back: 'Zum Formular',
  title: 'Um das Entfernen eines Bildes bitten',
  intro:
    'Dieser Bot macht aus Fotos von Menschen Bilder und Videos. Wenn du oder ein Kind in deiner Obhut darin zu sehen ist und du das nicht willst, sag es uns hier. Du brauchst kein Konto, und es kostet nichts.',
  next: 'Die Betreiber dieses Bots sehen sich jede Bitte an und entscheiden innerhalb von 48 Stunden. Du bekommst eine Nummer, mit der du siehst, was aus deiner wurde. Ein Ergebnis, das entfernt wird, wird überall gelöscht, wo der Bot es gezeigt hat, und die Fotos, aus denen es entstand, werden von da an abgelehnt.',
  what: 'Welches Bild oder Video?',
  link: 'Link zu der Nachricht, die es zeigt',
  linkHint:
    'Discord: das Menü der Nachricht öffnen, dann „Nachrichtenlink kopieren“. Telegram: auf die Nachricht drücken, dann „Link kopieren“.',
  picture: 'Oder das Bild selbst',
  pictureHint:
    'JPEG, PNG oder WebP, höchstens 20 MB. Es wird nicht aufbewahrt, nur ein Fingerabdruck davon, mit dem sich dasselbe Bild finden lässt. Niemand kann darin das Bild sehen.',
  about: 'Worum geht es?',
  aboutHint: 'In deinen eigenen Worten: wer zu sehen ist und wo du es gesehen hast. Ein Satz genügt.',
  contact: 'Wie bist du zu erreichen?',
  contactHint: 'Zum Beispiel eine E-Mail-Adresse, für Rückfragen. Nur die Betreiber dieses Bots lesen sie.',
  send: 'Bitte absenden',
  kept: 'Was du schreibst, wird ein Jahr lang verschlüsselt aufbewahrt und dann gelöscht. Mit deiner Nummer kannst du es vorher löschen.',
  asked: 'Du hast schon eine Nummer?',
  number: 'Nummer deiner Bitte',
  find: 'Nachsehen, was daraus wurde',
  notSent: 'Das wurde nicht gesendet',
  problems: {
    nothing: 'Gib den Link zu der Nachricht an oder wähle das Bild aus. Auch beides ist möglich.',
    link: 'Das ist kein Link. Er beginnt mit https:// und führt zu der Nachricht.',
    contact: 'Gib an, wie du zu erreichen bist.',
    about: 'Schreib in wenigen Worten, worum es geht.',
    large: 'Das Bild ist zu groß: höchstens 20 MB. Eine kleinere Kopie, etwa ein Bildschirmfoto, genügt.',
    picture:
      'Diese Datei lässt sich nicht als Bild lesen. Wähle ein JPEG, PNG oder WebP, zum Beispiel ein Bildschirmfoto. Was du geschrieben hast, steht noch da.',
    busy: 'Gerade kommen viele Bitten an. Versuch es in ein paar Minuten noch einmal.',
    'busy-of-one': 'Das war oft in kurzer Zeit. Warte eine Minute und versuch es dann noch einmal.',
    full: 'Es sind mehr Bitten offen, als sich rechtzeitig beantworten lassen; deine wurde deshalb nicht angenommen. Versuch es morgen noch einmal. Warte nicht so lange: Melde die Nachricht in der App, in der du sie siehst, und bitte jemanden von der Moderation dieses Chats, der sie sofort entfernen kann.',
    'full-of-one':
      'Aus deinem Netz sind zu viele Bitten offen; diese wurde deshalb nicht angenommen. Versuch es wieder, wenn über eine davon entschieden ist. Du kannst die Nachricht auch in der App melden, in der du sie siehst, oder jemanden von der Moderation dieses Chats bitten, der sie sofort entfernen kann.',
    slow: 'Das Formular kam zu langsam an. Versuch es noch einmal, vielleicht mit einem kleineren Bild.',
    malformed: 'Das Formular kam nicht richtig an. Öffne die Seite noch einmal und fülle es dort aus.',
    elsewhere: 'Das Formular kam von einer anderen Seite. Öffne bitte diese Seite selbst.',
    failed:
      'Hier ist etwas schiefgegangen, und nichts wurde gesendet. Versuch es in ein paar Minuten noch einmal.',
  },
  stateTitle: 'Deine Bitte',
  received: 'Eingegangen',
  decided: 'Entschieden',
  reason: 'Was sie dir geschrieben haben',
  states: {
    open: {
      title: 'Deine Bitte ist angekommen.',
      text: 'Noch hat niemand entschieden. Das geschieht spätestens bis {until}.',
    },
    late: {
      title: 'Deine Bitte ist noch offen.',
      text: 'Sie sollte bis {until} entschieden sein. Die Betreiber dieses Bots wurden erinnert. Du kannst die Nachricht auch in der App melden, in der du sie siehst, oder jemanden von der Moderation dieses Chats bitten, der sie sofort entfernen kann.',
    },
    removed: {
      title: 'Das Ergebnis wurde entfernt.',
      text: 'Es wurde gelöscht, wo der Bot es gezeigt hat, und die Fotos, aus denen es entstand, werden von jetzt an abgelehnt. Kopien, die jemand gespeichert oder weitergeschickt hat, lassen sich von hier aus nicht löschen.',
    },
    refused: {
      title: 'Deine Bitte wurde abgelehnt.',
      text: 'Die Betreiber dieses Bots haben sie sich angesehen, und nichts wurde entfernt.',
    },
    nothing: {
      title: 'Es wurde nichts gefunden.',
      text: 'Kein Ergebnis dieses Bots gehört zu dem, was du geschickt hast: Vielleicht stammt es von etwas anderem, ist schon gelöscht oder älter als 30 Tage. Wenn du den Link zu der Nachricht oder eine bessere Kopie des Bildes hast, schick bitte eine neue Bitte.',
    },
  },
  keep: 'Schreib die Nummer auf oder merk dir die Adresse dieser Seite: Sie ist der einzige Weg zurück. Gib sie niemandem.',
  again: 'Wenn dir das nicht hilft, kannst du eine neue Bitte schicken.',
  another: 'Neue Bitte',
  deleteIt: 'Diese Bitte löschen',
  deleteWhat:
    'Was du geschrieben hast, der Fingerabdruck des Bildes und diese Seite werden sofort gelöscht. Wenn noch niemand entschieden hat, wird es auch niemand mehr.',
  cancel: 'Nicht',
  deletedTitle: 'Gelöscht',
  deleted: 'Deine Bitte wurde gelöscht.',
  unknownTitle: 'Keine solche Bitte',
  unknown:
    'Es gibt keine Bitte mit dieser Nummer. Prüfe jeden Buchstaben. Eine Bitte wird nach einem Jahr gelöscht, oder wenn jemand sie mit ihrer Nummer löscht.',
};
