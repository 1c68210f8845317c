import type { Words } from '../en/words.ts';
import { joinWithOr, list } from '../phrase.ts';
import { community } from './community.ts';
import { credits, jobs, page, plural } from './labels.ts';
import { owner } from './owner.ts';
import { removalPage } from './removal-page.ts';

export const de: Words = {
  language: 'de',
  ...community,
  somethingBroke:
    'Bei uns ist etwas schiefgegangen. Es wurde nichts verbraucht. Bitte versuch es gleich noch einmal.',
  yes: 'Ja',
  no: 'Nein',
  credits,
  choices: { male: 'Mann', female: 'Frau', boy: 'Junge', girl: 'Mädchen', group: 'Gruppe' },
  error: {
    empty: (option, min) => `„${option}“ ist leer. Schreib mindestens ${min} Zeichen.`,
    tooLong: (option, length, max) =>
      `„${option}“ hat ${length} Zeichen; höchstens ${max} sind erlaubt. Bitte kürzen.`,
    notPhoto: (option) => `„${option}“ muss ein Foto sein. Hänge ein JPEG-, PNG- oder WebP-Bild an.`,
    badLink: (option) =>
      `„${option}“: Dieser Link ist nicht verwendbar. Er muss eine öffentliche https://-Adresse ohne Passwort sein.`,
    notFlag: (option, value) => `„${option}“ muss yes oder no sein, nicht „${value}“.`,
    notChoice: (option, value, choices) =>
      `„${option}“ kann nicht „${value}“ sein. Wähle eines von: ${list(choices)}.`,
    notInteger: (option, value, min, max) =>
      `„${option}“ muss eine ganze Zahl von ${min} bis ${max} sein, nicht „${value}“.`,
    notAlias: (option, value) =>
      `„${option}“ muss aus 1 bis 32 Zeichen a-z, 0-9 und „-“ bestehen, nicht „${value}“. Zum Beispiel: halloween.`,
    notTime: (option, value) =>
      `„${option}“ muss ein Tag wie 2026-10-25 oder eine Zeit wie 2026-10-25T18:00 sein, nicht „${value}“.`,
    notTimeZone: (option, value, near) =>
      `„${option}“ muss eine Zeitzone wie Europe/Berlin sein, nicht „${value}“.${near.length > 0 ? ` Meintest du ${joinWithOr(near, 'oder')}?` : ''}`,
    noRoles: (platforms) => `Rollen gibt es nur auf ${platforms}. Nenne eine Person.`,
    unknownPerson: (name) =>
      `„${name}“ ist hier nicht zu finden. Gib die ID der Person an oder warte, bis sie einen Befehl benutzt hat.`,
    unknownChannel: (channel) =>
      `„${channel}“ ist keiner der Kanäle, in denen Bilder und Videos entstehen. Gib die Zahl in Klammern an, die /settings show für ihn hat.`,
    unknownOption: (name, nearest) =>
      `Die Option „${name}“ gibt es nicht.${nearest.length > 0 ? ` Meintest du ${joinWithOr(nearest, 'oder')}?` : ''}`,
    twice: (option) => `„${option}“ ist zweimal angegeben. Gib es nur einmal an.`,
    unexpected: (word) => `„${word}“ passt hier nicht.`,
    unknownCommand: (name, nearest) =>
      `Den Befehl /${name} gibt es nicht.${nearest.length > 0 ? ` Meintest du ${joinWithOr(nearest, 'oder')}?` : ' /help zeigt alle.'}`,
    subcommand: (command, names) => `/${command} braucht einen Unterbefehl: ${list(names)}.`,
    rightForm: 'Verwendung:',
    example: 'Zum Beispiel:',
  },
  busy: {
    perPerson:
      'Zu viele Anfragen auf einmal: Einige wurden nicht angenommen. Warte auf die Antworten zu deinen anderen Anfragen und versuch es dann noch einmal.',
    perChat:
      'Zu viele Anfragen auf einmal in diesem Chat: Einige wurden nicht angenommen. Warte eine Minute und versuch es dann noch einmal.',
  },
  album: {
    title: (photos) => `${photos} Fotos auf einmal`,
    line: 'Aus jedem ein Bild machen oder nur aus dem ersten? Jedes hat seine eigene Karte, und was nicht gelingt, kostet nichts.',
    all: (photos, cost) => (cost === 0 ? `Alle ${photos}` : `Alle ${photos} (${credits(cost)})`),
    first: 'Nur das erste',
  },
  consent: {
    title: 'Vor deinem ersten Bild',
    people:
      'Verwende nur Fotos von Menschen, die zugestimmt haben, und nie, um jemanden zu täuschen, zu belästigen oder zu entblößen.',
    age: 'Du bestätigst, dass alle Abgebildeten zugestimmt haben und du alt genug für diesen Dienst bist.',
    sent: 'Dein Foto geht an den Generierungsdienst. Mit /privacy siehst du, was gespeichert wird, und kannst es löschen.',
    button: 'Ich bestätige, weiter',
  },
  ask: {
    title: (command) => `/${command}: noch eine Frage`,
    option: (option, description) => `${description} (${option})`,
    choose: 'Wähle aus:',
    menu: 'Auswählen…',
    pickOrType: 'Wähle aus oder schick Nummer oder Namen als nächste Nachricht.',
    type: 'Schick eine Nummer, einen Namen oder einen Alias als nächste Nachricht.',
    write: 'Schick es als nächste Nachricht.',
    writeOrIdea: 'Schick es als nächste Nachricht oder beginne mit einem davon:',
    photo: 'Schick das Foto als nächste Nachricht.',
    open: 'Schreiben…',
    addPhoto: 'Foto hinzufügen…',
    instead: (option) => `Stattdessen „${option}“ angeben`,
    asLast: (what) => `Wie zuletzt: ${what}`,
    chosen: (option, value) => `Gewählt: ${option} ${value}`,
    pages: (page, of) => `Seite ${page} von ${of}`,
    whatToDo: 'Was soll ich mit diesem Foto machen?',
    whatToDoLine: 'Wähle unten oder schick einen Befehl als Bildunterschrift.',
  },
  press: {
    stale: 'Dieser Knopf ist nicht mehr gültig. Bitte sende den Befehl noch einmal.',
    notYours: 'Dieser Knopf gehört jemand anderem.',
    notFound: 'Diesen Auftrag gibt es nicht mehr.',
    noResult: 'Das Ergebnis dieses Auftrags ist nicht mehr verfügbar. Erstelle es zuerst noch einmal.',
    shownOften: 'Dieses Ergebnis wird schon in zu vielen Nachrichten gezeigt.',
  },
  reference: {
    styleRange: (number) => `Stilnummern gehen von 1 bis 25; ${number} gibt es nicht.`,
    unknownNumber: (number, nearest) =>
      `Es gibt keinen Filter Nummer ${number}.${nearest.length > 0 ? ` Am nächsten: ${list(nearest)}.` : ''} /filters zeigt alle.`,
    unknownName: (name, nearest) =>
      `Es gibt keinen Filter „${name}“.${nearest.length > 0 ? ` Meintest du ${joinWithOr(nearest, 'oder')}?` : ''} /filters zeigt alle.`,
    wrongModel: (name, is, needed) => `„${name}“ ist für ${is}; hier wird etwas für ${needed} gebraucht.`,
    otherLook: (name, look) =>
      `„${name}“ ist ein Stil von look ${look}. Nimm look=${look} oder einen anderen Stil.`,
    models: { face: 'einzelne Gesichter (/faceswap)', group: 'Gruppen (/groupswap)' },
    unavailable:
      'Die Filterliste lässt sich gerade nicht laden. Nimm eine Filternummer oder versuch es in einer Minute wieder.',
    customName: 'eigener Filter',
  },
  states: {
    opening: 'angenommen',
    waiting: 'in der Warteschlange',
    submitting: 'wird gesendet',
    running: 'in Arbeit',
    delivering: 'wird zugestellt',
    held: 'wartet auf die Moderation',
    done: 'fertig',
    failed: 'fehlgeschlagen',
    cancelled: 'abgebrochen',
    uncertain: 'unbekannt',
  },
  card: {
    accepted: 'Angenommen. Es geht gleich los.',
    next: 'Du bist als Nächstes dran.',
    position: (position) => `Platz in der Warteschlange: ${position}.`,
    wait: (time) => `Noch etwa ${time} bis zum Start.`,
    resting: {
      'service-busy': 'Der Generierungsdienst ist gerade ausgelastet.',
      unchecked:
        'Das Foto kann gerade nicht geprüft werden, und ungeprüft wird keines gesendet. Der Betreiber ist informiert.',
      unknown: 'Es konnte noch nicht starten.',
    },
    checkingPhoto: 'Das Foto wird geprüft …',
    nextTry: (time) => `Nächster Versuch in etwa ${time}.`,
    sending: 'Dein Foto wird an den Generierungsdienst gesendet.',
    running: (time) => `Noch etwa ${time}.`,
    runningLong: 'Das dauert länger als sonst. Es sollte bald fertig sein.',
    delivering: 'Es ist fertig und unterwegs zu dir.',
    checkingResult: 'Das Ergebnis wird geprüft …',
    held: 'Es ist fertig. Eine Prüfung auf diesem Rechner hält das Bild für eines, das zu viel zeigen könnte, deshalb sieht die Moderation es zuerst an. Die Prüfung kann sich irren. Bis dahin sieht niemand das Bild.',
    done: (time, cost) => (time === undefined ? credits(cost) : `Dauer: ${time} · ${credits(cost)}`),
    aiGenerated: 'KI-generiert (AI-generated)',
    expired: 'Das Ergebnis wurde hier gezeigt; die Datei wird nicht aufbewahrt.',
    returned: (cost) => `${credits(cost)} zurückerstattet.`,
    kept: (cost) =>
      `Der Auftrag war schon beim Dienst und lässt sich dort nicht stoppen, daher bleiben die Kosten (${credits(cost)}) bestehen.`,
    cancelled: 'Abgebrochen.',
    uncertain: 'Es ist nicht sicher, ob der Auftrag abgeschickt wurde.',
    uncertainNext:
      'Er wurde nicht automatisch noch einmal gesendet, damit du nie doppelt bezahlst. „Nochmal versuchen“ startet einen neuen Auftrag.',
    spent: (cost) => `${credits(cost)} ${plural(cost, 'gilt', 'gelten')} als verbraucht.`,
    outage: {
      unavailable: 'Der Generierungsdienst antwortet gerade nicht. Dein Auftrag behält seinen Platz.',
      credits:
        'Dem Generierungsdienst sind die Credits ausgegangen. Dein Auftrag wartet, bis der Betreiber welche hinzufügt.',
      credentials:
        'Der Generierungsdienst lehnt die Zugangsdaten des Bots ab. Das muss der Betreiber beheben.',
      address:
        'Die eingestellte Adresse des Generierungsdienstes leitet weiter. Das muss der Betreiber beheben.',
    },
    resultAlt: (title) => `KI-generiertes Ergebnis: ${title}`,
  },
  failure: {
    'photo-unavailable':
      'Dein Foto war nicht abrufbar: gelöscht, oder sein Link ist abgelaufen. Schick es noch einmal.',
    'photo-invalid':
      'Dein Foto ist nicht verwendbar. Schick ein JPEG, PNG oder WebP mit höchstens 20 MB und 40 Megapixeln.',
    'photo-too-complex':
      'Dein Foto ist zu komplex für die Verarbeitung. Speichere es neu als gewöhnliches JPEG oder mach einen Screenshot davon und schick den.',
    'photo-blocked': 'Dieses Foto kann hier nicht verwendet werden. Schick ein anderes.',
    'photo-content':
      'Dieses Foto wurde nicht gesendet: Die Prüfung auf Nacktheit auf diesem Rechner hält es für ein Bild, das zu viel zeigt. Sie kann sich irren. Nimm ein anderes Foto oder einen Ausschnitt von diesem, der das Gesicht zeigt.',
    'photo-unseen':
      'Aus einem Link kann kein Video werden, weil sich das Foto dahinter nicht prüfen lässt. Sende das Foto selbst.',
    'content-unchecked':
      'Es konnte nicht rechtzeitig geprüft werden, ob das Bild verwendet werden darf. Versuch es später noch einmal.',
    'no-minors':
      'Jungen und Mädchen werden nicht angenommen: Wer diesen Bot betreibt, hat entschieden, dass er nur für Erwachsene ist.',
    'content-removed': 'Die Moderation hat dieses Ergebnis wegen seines Inhalts entfernt.',
    'content-undecided':
      'Eine Prüfung hat dieses Ergebnis wegen seines Inhalts zurückgehalten, und innerhalb von 48 Stunden hat niemand darüber entschieden. Es wurde entfernt.',
    'alias-gone': 'Den Alias oder seinen Filter gibt es nicht mehr. Wähle einen anderen Filter.',
    'alias-mismatch': 'Der Alias zeigt jetzt auf einen Filter für etwas anderes. Wähle einen anderen Filter.',
    refused: 'Der Generierungsdienst hat die Anfrage abgelehnt. Ändere sie und versuch es noch einmal.',
    'filter-unknown':
      'Der Generierungsdienst kennt diesen Filter nicht (mehr). Wähle einen anderen; /filters zeigt sie.',
    'filter-unfit':
      'Dieser Filter passt nicht zu dieser Art Foto: manche sind für eine Person, manche für Gruppen. Wähle einen anderen Filter.',
    'filter-broken':
      'Der Generierungsdienst konnte diesen eigenen Filter nicht laden. Wähle einen anderen Filter oder versuch es später noch einmal.',
    'photo-unreadable': 'Der Generierungsdienst konnte dein Foto nicht lesen. Schick ein anderes.',
    'photo-too-large': 'Dein Foto ist zu groß für den Generierungsdienst. Schick ein kleineres.',
    'options-unfit':
      'Der Generierungsdienst nimmt diese Optionen nicht zusammen an. Wähle ein anderes Modell, eine andere Qualität oder ein anderes Format.',
    'service-credits':
      'Dem Generierungsdienst sind die Credits ausgegangen. Der Betreiber muss welche hinzufügen.',
    'service-credentials':
      'Der Generierungsdienst hat die Zugangsdaten des Bots abgelehnt. Das muss der Betreiber beheben.',
    'service-address':
      'Die eingestellte Adresse des Generierungsdienstes leitet weiter. Das muss der Betreiber beheben.',
    'generation-failed':
      'Der Generierungsdienst konnte das nicht erstellen. Versuch es noch einmal, oder mit einem anderen Foto oder Filter.',
    deadline: 'Der Generierungsdienst wurde nicht rechtzeitig fertig. Versuch es später noch einmal.',
    'result-unusable': 'Das Ergebnis des Generierungsdienstes war unbrauchbar. Versuch es noch einmal.',
    'job-unknown': 'Der Generierungsdienst kennt diesen Auftrag nicht mehr. Versuch es noch einmal.',
    'result-gone':
      'Es war fertig, aber der Generierungsdienst hatte das Ergebnis nicht mehr, als es gezeigt werden konnte. Versuch es noch einmal.',
    'result-refused':
      'Es wurde fertig, aber diese Plattform lehnt es in jeder Form ab, das Ergebnis zu zeigen. Versuch es noch einmal oder nimm einen anderen Filter.',
  },
  serviceSays: (detail) => `Der Dienst sagt: ${detail}`,
  held: {
    title: 'Ein Ergebnis wartet auf eine Entscheidung',
    notice:
      'Die Prüfung des Inhalts hält es zurück: Es könnte Nacktheit zeigen. Niemand hat es gesehen. Ohne Entscheidung wird es nach 48 Stunden entfernt.',
    changed:
      'Der Generierungsdienst gibt jetzt ein anderes Bild als das, das die Moderation zeigen wollte. Auch dieses wird zurückgehalten.',
    decide:
      'Nur du siehst das. „Zeigen“ bringt es auf seine Karte, für alle, die sie sehen. „Entfernen“ beendet den Auftrag.',
    decided: 'Darüber wurde schon entschieden, oder das Ergebnis wurde entfernt.',
    shown: 'Es erscheint gleich auf seiner Karte.',
    removed: 'Es wurde entfernt. Niemandem wurde es gezeigt.',
    away: 'Der Generierungsdienst antwortet gerade nicht. Versuch es in einer Minute noch einmal.',
  },
  filters: {
    title: (catalog) => `Filterliste: ${catalog}`,
    catalogs: {
      face: 'einzelne Gesichter',
      realistic: 'Gruppen, realistisch',
      stylized: 'Gruppen, stilisiert',
      classic: 'Gruppen, klassisch',
      mine: 'eigene Filter',
    },
    none: 'Hier gibt es keine.',
    noneFound: (search) => `Nichts passt zu „${search}“.`,
    press: 'Drück einen, um ihn zu benutzen.',
    recentFirst: 'Zuerst kommen die Filter, die du zuletzt benutzt hast.',
    howTo: (example) => `Benutze einen nach Nummer oder Namen, zum Beispiel ${example}`,
  },
  jobs: {
    title: 'Deine Aufträge',
    none: 'Du hast noch keine Aufträge. Schick ein Foto mit /faceswap für deinen ersten.',
    ago: (time) => `vor ${time}`,
    daysAgo: (days: number) => `vor ${days} Tagen`,
  },
  notes: {
    hint: 'Tippe /, um zu sehen, was ich kann, oder schick ein Foto mit einem Befehl wie /faceswap.',
    ended: 'Dieser Auftrag ist schon zu Ende.',
    deleted: 'Gelöscht, hier und in unseren Aufzeichnungen.',
    removed: 'Aus dem Chat entfernt.',
    reported: 'Danke. Die Moderation wurde benachrichtigt.',
    reportNoted:
      'Danke. Die Meldung steht im Protokoll, aber niemand konnte benachrichtigt werden. Bitte sag der Moderation selbst Bescheid.',
    reportTitle: 'Ein Ergebnis wurde gemeldet',
    reportedBy: (name) => `Gemeldet von ${name}.`,
    madeBy: (name) => `Erstellt von ${name}.`,
    openMessage: 'Nachricht öffnen',
    noImage: 'In dieser Nachricht ist kein Bild.',
    already: 'Das wurde schon gestartet; die Karte dazu steht weiter unten.',
    notShownYet:
      'Das wurde schon gestartet, aber die Karte dazu ist noch nicht zu sehen. Wenn sie in ein paar Minuten nicht erscheint, versuch es noch einmal.',
    elsewhere: 'Es ließ sich nicht dort zeigen, wo du es angefordert hast. So ist es ausgegangen.',
    interrupted:
      'Darkroom wurde unterbrochen, bevor es antworten konnte. Es wurde nichts erstellt und nichts verbraucht. Bitte versuche es noch einmal.',
    maybeInterrupted:
      'Darkroom wurde unterbrochen, bevor es antworten konnte. Sieh nach, ob es schon gewirkt hat, bevor du es noch einmal versuchst.',
    notHere:
      'Es ist fertig, aber ich darf es hier nicht zeigen. Sende /jobs in unserem privaten Chat, um es zu sehen.',
  },
  share: {
    by: (name) => `Geteilt von ${name}`,
    done: 'Mit allen geteilt, wo du es angefordert hast.',
    already: 'Dieses Ergebnis wurde schon geteilt.',
    unknown:
      'Das Teilen wurde schon begonnen und vielleicht unterbrochen. Sieh dort nach, wo du es angefordert hast: Es wird nie zweimal gesendet.',
    later:
      'Es ließ sich gerade nicht teilen, und niemand hat es gesehen. Versuche es in einer Minute noch einmal.',
    forbidden:
      'Ich darf dort nicht schreiben, wo du es angefordert hast; deshalb lässt es sich dort nicht teilen.',
    notMember:
      'Du bist dort, wo du es angefordert hast, nicht mehr Mitglied, darfst dort nicht schreiben, oder ich kann es nicht prüfen; deshalb lässt es sich dort nicht teilen.',
  },
  file: {
    original: 'Die Datei des Dienstes, unverändert.',
    justSent:
      'Sie wurde gerade gesendet oder ist unterwegs. Wenn sie nicht kommt, drück in einer Minute noch einmal.',
    refused: (size) => `Diese Datei hat ${size} und wurde hier abgelehnt.`,
    tooLarge: (size, most) =>
      size === undefined
        ? `Diese Datei ist größer als die ${most}, die hier passen.`
        : `Diese Datei hat ${size}, mehr als die ${most}, die hier passen.`,
  },
  compare: {
    before: 'Vorher',
    after: 'Nachher',
    alt: (title) => `Vorher und nachher, KI-generiert: ${title}`,
    photoGone: 'Dein Foto ist nicht mehr verfügbar; es gibt nichts, womit man vergleichen könnte.',
    busy: 'Es wird gerade erstellt.',
  },
  limits: {
    rate: (limit, time) =>
      `Du hast mehr als ${limit} ${plural(limit, 'Anfrage', 'Anfragen')} in einer Minute geschickt. Warte ${time} und versuch es wieder.`,
    waiting: (unfinished, limit) =>
      `Du hast schon ${jobs(unfinished)} offen; höchstens ${limit} ${plural(limit, 'kann', 'können')} warten. Versuch es wieder, wenn einer fertig ist; /jobs zeigt sie.`,
    album: (photos, fits) =>
      `Das sind ${photos} Fotos, und im Moment ${plural(fits, 'kann', 'können')} nur noch ${jobs(fits)} von dir angenommen werden. Es wurde nichts gestartet: Sende weniger Fotos oder versuch es wieder, wenn einer deiner Aufträge fertig ist; /jobs zeigt sie.`,
    albumLater: (photos, fits, more, time) =>
      `Das sind ${photos} Fotos. So viele Aufträge von dir können angenommen werden: ${fits} jetzt, ${more} in ${time}. Es wurde nichts gestartet: Sende weniger Fotos oder versuch es dann wieder.`,
    shared:
      'Anonyme Administratoren und alle, die als Kanal schreiben, haben diese Grenze gemeinsam, in allen Gruppen. Sende es unter deinem eigenen Namen, dann hast du deine eigene.',
    allowance: (needed, left, time) =>
      `Das kostet ${credits(needed)} und du hast heute noch ${left}. Neue Credits in ${time}.`,
    communityCeiling: (needed, left, time) =>
      `Das kostet ${credits(needed)}, und alle in dieser Community zusammen haben heute noch ${left}. Neue Credits in ${time}.`,
    serviceCeiling: (time) =>
      `Alle, die diesen Bot nutzen, haben zusammen die Credits von heute aufgebraucht. Neue Aufträge werden in ${time} wieder angenommen; laufende gehen weiter.`,
    monthCeiling: (date) =>
      `Alle, die diesen Bot nutzen, haben zusammen die Credits dieses Monats aufgebraucht. Neue Aufträge werden am ${date} (UTC) wieder angenommen; laufende gehen weiter.`,
  },
  usage: {
    title: 'Credits heute',
    mine: (used, limit) => `Du hast ${used} von ${credits(limit)} verbraucht.`,
    reserved: (amount) =>
      `${amount} ${plural(amount, 'weiterer ist', 'weitere sind')} für offene Aufträge reserviert.`,
    sources: {
      own: 'Von der Moderation für dich festgelegt.',
      role: 'Durch eine deiner Rollen.',
      community: 'Für alle in dieser Community festgelegt.',
      default: 'Standard des Betreibers.',
    },
    left: (amount) => `Noch ${credits(amount)} übrig.`,
    granted: (left) =>
      `Dazu ${credits(left)} geschenkt: verbraucht, wenn die des Tages weg sind; ${plural(left, 'er verfällt', 'sie verfallen')} nicht.`,
    fromGrants: (amount) => `Heute von geschenkten Credits bezahlt: ${amount}.`,
    resets: (time) => `Neue Credits in ${time}.`,
    community: (used, people, count) =>
      `Diese Community: ${credits(used)}, ${people} ${plural(people, 'Person', 'Personen')}, ${jobs(count)} heute.`,
    ceiling: (used, limit) =>
      `Zusammen habt ihr ${used} von den ${limit} genommen, die der Betreiber dieser Community pro Tag erlaubt.`,
    month: (used) => `Alle zusammen in diesem Monat: ${credits(used)}.`,
    monthOf: (used, most) => `Alle zusammen in diesem Monat: ${used} von ${credits(most)}.`,
    money: (used) => `In Geld: ${used}.`,
  },
  help: {
    title: 'Was ich kann',
    intro: 'Schick ein Foto mit einem dieser Befehle und bekomm es verwandelt zurück.',
    press: 'Drücke einen Filter, um ihn mit deinem Foto zu verwenden. Drei Dinge zum Ausprobieren:',
    file: 'Als Datei unter einem Ergebnis sendet es so, wie der Dienst es gemacht hat.',
    others: 'Weitere Befehle',
    all: 'Alle Befehle',
    album: 'Mehrere Fotos mit einem Befehl werden je ein Bild; ich frage einmal nach.',
    more: 'Einzelheiten und Beispiele: /help und der Name eines Befehls, zum Beispiel /help faceswap',
    personal: (names: string) => `${names} und die Antworten darauf siehst nur du, in Apps, die das können.`,
    moderators: 'Für die Moderation',
    optional: 'optional',
    required: 'erforderlich',
    choices: (choices) => `eines von ${list(choices)}`,
    standard: (value) => `Standard: ${value}`,
    price: (price) => `Preis: ${price}`,
    examples: 'Beispiele',
  },
  face: {
    title: 'Deine gespeicherten Gesichter',
    off: 'Gespeicherte Gesichter sind hier nicht eingeschaltet: Der Betreiber muss erst STORE_KEY setzen.',
    shared:
      'Ein Gesicht gehört einer Person. Schick das unter deinem eigenen Namen, nicht als Kanal oder anonymer Administrator.',
    none: 'Du hast noch keine. Speichere eines mit /face save, einem Namen und einem Foto.',
    isDefault: 'Standard',
    usedOn: (day) => `zuletzt benutzt ${day}`,
    saved: (name) => `„${name}“ ist gespeichert. So benutzt du es: /faceswap face=${name}`,
    replaced: (name) => `„${name}“ hat ein neues Foto.`,
    kept: 'Es bleibt verschlüsselt gespeichert, bis du es löschst oder ein Jahr lang nicht benutzt.',
    deleted: (name) => `„${name}“ wurde gelöscht.`,
    nowDefault: (name) => `„${name}“ ist jetzt dein Standardgesicht.`,
    unknown: (name) => `Du hast kein gespeichertes Gesicht „${name}“. /face list zeigt deine.`,
    limit: (most) =>
      `Du kannst höchstens ${most} Gesichter behalten. Lösche erst eines, oder nimm einen Namen, den du schon hast.`,
    full: 'Hier ist kein Platz mehr für weitere Gesichter. Der Betreiber weiß Bescheid. Deine gespeicherten kannst du weiter benutzen.',
    saves: (most) =>
      `Du hast in 24 Stunden ${most} Fotos gespeichert. Warte bis morgen, um weitere zu speichern.`,
    busy: 'Dieses Foto konnte gerade nicht gespeichert werden. Warte eine Minute und versuch es noch einmal.',
    unchecked:
      'Das Foto kann gerade nicht geprüft werden und wurde deshalb nicht gespeichert. Versuch es später noch einmal.',
    notKept: 'Speichern lässt sich nur ein Foto, das du schickst, kein Link. Schick das Foto selbst.',
    use: (name) => `„${name}“ benutzen`,
    useDefault: 'Mein gespeichertes Gesicht benutzen',
  },
  faceCheck: {
    help: 'Bevor Credits verbraucht werden, suche ich Gesichter auf dem Foto: Sind keine da oder mehr oder weniger als nötig, frage ich dich zuerst.',
    looking: 'Ich sehe mir dein Foto an …',
    anyway: 'Trotzdem benutzen',
    everybody: 'Alle',
    swapOne: 'Ein Gesicht tauschen',
    noFace: 'Auf diesem Foto ist kein Gesicht zu finden',
    noFaceLine:
      'Es wurde nichts verbraucht. Schick ein anderes Foto oder benutze dieses: Zeichnungen und Haustiere sind willkommen.',
    oneFace: 'Auf diesem Foto ist nur ein Gesicht zu finden',
    tooFewLine: 'Es wurde nichts verbraucht. /groupswap ist für zwei oder mehr Personen.',
    whoIsIt: 'Um wessen Gesicht geht es?',
    pressNumber:
      'Die Gesichter sind von links nach rechts nummeriert. Wähle eines; verbraucht wurde noch nichts.',
    everybodyLine: '„Alle“ macht mit /groupswap weiter.',
    alt: (faces) => `Die Gesichter auf dem Foto, von links nach rechts nummeriert von 1 bis ${faces}`,
  },
  privacy: {
    title: 'Deine Daten',
    photo:
      'Dein Foto wird aufrecht gedreht, von Metadaten (auch dem Ort) befreit und an den Generierungsdienst geschickt, der das Ergebnis erstellt.',
    faceCheck:
      'Vorher wird hier nachgesehen, ob Gesichter darauf sind. Was gefunden wird, wird nicht aufbewahrt; welchen Teil des Fotos du gewählt hast, steht beim Auftrag.',
    contentCheck:
      'Davor prüft es ein Programm auf diesem Rechner auf Nacktheit. Ein Foto, das sie zeigt, wird abgelehnt; was das Programm gefunden hat, wird nicht aufbewahrt.',
    photoNotKept: 'Hier wird es nie auf die Platte geschrieben.',
    faces:
      'Hier wird es nur auf die Platte geschrieben, wenn du es mit /face save behältst: Dann bleibt das bereinigte Foto verschlüsselt gespeichert, bis du es löschst oder ein Jahr lang nicht benutzt.',
    link: 'Ein Link auf ein Bild geht unverändert an den Generierungsdienst.',
    kept: 'Gespeichert werden hier: deine Aufträge (was du wolltest und wo Foto und Ergebnis im Chat liegen, nie die Bilder) und deine verbrauchten Credits je Tag, 30 Tage lang; dass du die Frage nach der Einwilligung bestätigt hast; eine Protokollzeile je Auftrag 90 Tage lang. Credits, die die Moderation dir geschenkt hat, bis sie verbraucht sind.',
    hashes:
      'Mit jedem Auftrag wird ein Fingerabdruck seiner Fotos und seines Ergebnisses gespeichert, damit das Ergebnis gefunden und entfernt werden kann, wenn eine abgebildete Person darum bittet. Das Foto eines entfernten Ergebnisses wird danach abgelehnt; sein Fingerabdruck bleibt ein Jahr. Aus einem Fingerabdruck lässt sich kein Bild machen.',
    marks: 'Ergebnisse sagen, dass sie KI-generiert sind: in der Bildunterschrift und in der Datei.',
    visibleMark: 'Bilder tragen außerdem ein kleines „AI“ in einer Ecke.',
    results:
      'Ergebnisse bleiben nur im Chat. „Löschen“ entfernt ein Ergebnis aus dem Chat und aus unseren Aufzeichnungen.',
    resultsHere:
      'Auch dieser Chat wird hier gespeichert: deine Nachrichten und deine Ergebnisse. „Löschen“ entfernt ein Ergebnis aus dem Chat und aus unseren Aufzeichnungen.',
    button: 'Alle meine Daten löschen',
    sure: 'Alles löschen, was wir über dich gespeichert haben? Unfertige Aufträge werden abgebrochen. Ergebnisse bleiben im Chat; in einer Gruppe kann danach nur die Moderation sie löschen. Geschenkte Credits gehen verloren. Das lässt sich nicht rückgängig machen.',
    sureHere:
      'Alles löschen, was wir über dich gespeichert haben? Unfertige Aufträge werden abgebrochen. Auch deine Nachrichten, die Antworten darauf und deine Ergebnisse werden aus diesem Chat gelöscht. Geschenkte Credits gehen verloren. Das lässt sich nicht rückgängig machen.',
    sureButton: 'Ja, alles löschen',
    erased: (count) =>
      `Erledigt. ${jobs(count)} und deine Einstellungen wurden gelöscht. Nur der heutige Verbrauchszähler bleibt bis Mitternacht (UTC).`,
    erasing:
      'Deine Daten werden gelöscht. Nichts davon wird mehr angezeigt; es sind viele, daher dauert es einige Minuten. Nur der heutige Verbrauchszähler bleibt bis Mitternacht (UTC).',
  },
  page,
  owner,
  removalPage,
  telegram: {
    tooLarge:
      'Telegram lässt Bots nur Dateien bis 20 MB herunterladen. Schick eine kleinere oder schick sie als Foto.',
    startFirst:
      'Privat kann ich dir erst antworten, wenn du einen Chat mit mir begonnen hast. Beginne ihn und versuch es wieder.',
    startButton: 'Privaten Chat beginnen',
    anonymous:
      'Einem anonymen Administrator kann ich nicht privat antworten. Sende es unter deinem eigenen Namen oder lass „private“ weg.',
    answerHere: 'Antworte auf diese Nachricht.',
    pickOrReply: 'Wähle aus oder schick Nummer oder Namen als nächste Nachricht, als Antwort auf diese.',
    sentAgain:
      'Nach einer Unterbrechung noch einmal gesendet. Falls du diese Karte zweimal siehst: Diese ist die aktuelle.',
    answeredInPrivate: 'Ich habe dir privat geantwortet.',
    oldMessage: 'Diese Nachricht ist zu alt. Bitte sende den Befehl noch einmal.',
    asChannel:
      'Das wurde im Namen eines Kanals gesendet, und ich kann nicht prüfen, ob du für ihn sprechen darfst. Mach mich zum Administrator des Kanals oder sende es noch einmal unter deinem eigenen Namen.',
    working: 'Ich arbeite daran. Die Antwort kommt hier.',
    welcome:
      'Ich mache aus Fotos neue Bilder und Videos: Schickt eins mit /faceswap als Bildunterschrift, oder seht euch /help an.',
    makeAdministrator:
      'Macht mich in den Einstellungen der Gruppe zum Administrator, ganz ohne Rechte: Dann sehe ich auch Befehle ohne meinen Namen, und warum ich etwas ablehne, liest nur, wen es betrifft.',
    removed: 'Entfernt.',
  },
  web: {
    tooLarge: 'Ein Foto darf höchstens 20 MB groß sein. Schick ein kleineres.',
    tooMuch: 'Zusammen sind diese Fotos zu groß für eine Nachricht. Schick weniger oder kleinere.',
    tooMany: (most: number) => `Eine Nachricht kann höchstens ${most} Fotos enthalten.`,
  },
  ideas: {
    motion: [
      'Sie lächeln und schauen in die Kamera',
      'Ein langsamer, filmischer Zoom',
      'Wind bewegt Haare und Kleidung',
      'Die Kamera kreist langsam herum',
    ],
    transition: [
      'Eine fließende Verwandlung vom ersten zum letzten Bild',
      'Dazwischen vergeht die Zeit schnell',
      'Ein Wirbel aus Licht trägt das eine ins andere',
    ],
    portrait: [
      'Ein Astronaut auf dem Mond',
      'Ein Ölgemälde der Renaissance',
      'Ein Film-noir-Detektiv im Regen',
    ],
    group: [
      'Eine Rockband auf der Bühne',
      'Piraten an Deck eines Schiffs',
      'Ein königliches Familienporträt',
    ],
  },
};
