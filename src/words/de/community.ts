import type { CommunityWords } from '../en/community.ts';
import { joinWithOr, shortDate } from '../phrase.ts';
import { credits, plural } from './labels.ts';

export const community: CommunityWords = {
  settings: {
    title: 'Einstellungen dieser Community',
    credits: (amount) => `Tägliche Credits pro Person: ${amount}`,
    standard: (amount) => `${amount} (Standard des Betreibers)`,
    allowances: (count) => `Kontingente von Personen und Rollen: ${count}`,
    grants: (count) => `Personen mit geschenkten Credits: ${count}`,
    paused: (reason) => `Pausiert: ${reason || 'kein Grund angegeben'}`,
    pausedByOwner: (reason) =>
      `Von einem Betreiber dieses Bots pausiert, und nur Betreiber können das beenden: ${reason || 'kein Grund angegeben'}`,
    byOwner: (amount) =>
      `${amount} (von einem Betreiber dieses Bots festgelegt; nur Betreiber können es ändern)`,
    running: 'Nicht pausiert',
    log: (channel) => `Protokollkanal: ${channel}`,
    here: 'hier',
    noLog: 'Protokollkanal: keiner',
    everywhere: 'Bilder und Videos entstehen in jedem Kanal.',
    nowhere: 'Bilder und Videos entstehen in keinem Kanal.',
    channels: 'Bilder und Videos entstehen nur in:',
    channelWithNotHere:
      'Nur mit not-here lässt sich ein anderer Kanal angeben: Das Übrige wird dort gesagt, wo es gelten soll.',
    channelsSet: {
      everywhere: 'Bilder und Videos entstehen jetzt in jedem Kanal.',
      here: 'Bilder und Videos entstehen jetzt hier, und nur dort, wo das gesagt wurde.',
      'not-here': 'Hier entstehen keine Bilder und Videos mehr.',
      unlimited:
        'Bilder und Videos entstehen in jedem Kanal. Sende /settings channels here in denen, in denen sie entstehen sollen.',
      none: 'Kein Kanal ist übrig. /settings channels here öffnet einen, /settings channels everywhere alle.',
      removed: (channel) => `In ${channel} entstehen keine Bilder und Videos mehr.`,
    },
    shown: (name, value) => `${name}: ${value}`,
    blocked: (people) => `Gesperrte Personen: ${people}`,
    words: (count) => `Gesperrte Wörter: ${count}`,
    recent: 'Letzte Einträge im Protokoll',
    creditsSet: (amount) => `Jede Person hat hier jetzt ${credits(amount)} pro Tag.`,
    allowanceSet: (who, amount) => `${who} hat hier jetzt ${credits(amount)} pro Tag.`,
    roleAllowanceSet: (who, amount) =>
      `Alle mit der Rolle ${who} haben hier jetzt mindestens ${credits(amount)} pro Tag, wenn sie kein eigenes Kontingent haben.`,
    allowanceGone: (who) => `${who} hat hier kein eigenes Kontingent mehr.`,
    noAllowance: (who) => `${who} hatte hier kein eigenes Kontingent.`,
    granted: (who, amount, left) =>
      `${who} hat ${credits(amount)} bekommen, für die Zeit nach denen des Tages; ${plural(amount, 'er verfällt', 'sie verfallen')} nicht. Insgesamt geschenkt und übrig: ${left}.`,
    grantTaken: (who, amount) => `Von ${who} zurückgenommen: ${credits(amount)}.`,
    noGrant: (who) => `${who} hatte keine geschenkten Credits mehr.`,
    userBlocked: (user) => `${user} ist hier gesperrt.`,
    userUnblocked: (user) => `${user} ist hier nicht mehr gesperrt.`,
    notBlocked: (user) => `${user} war nicht gesperrt.`,
    nowPaused: 'Pausiert. Bis /settings resume kann hier niemand neue Aufträge starten.',
    nowRunning: 'Fortgesetzt. Neue Aufträge werden wieder angenommen.',
    logHere: 'Protokoll und Meldungen kommen ab jetzt in diesen Kanal.',
    logOff: 'Das Protokoll wird nicht mehr in einen Kanal geschickt.',
    logOrEntries: 'Gib here oder off allein an: user und kind wählen aus, welche Einträge gezeigt werden.',
    noEntries: 'Es gibt keine solchen Einträge.',
    wordBanned: (word) => `Texte mit „${word}“ werden hier ab jetzt abgelehnt.`,
    wordRule:
      'Erkannt werden ganze Wörter, auch mit Leerzeichen, durch Zeichen getrennt, mit Akzenten oder ähnlich aussehenden Zeichen (d e m o n, d.e-m_o.n, dém0n). Zwei Wörter, die es nur zusammen ergeben, werden nicht erkannt; um auch sie abzulehnen, sperre es mit Leerzeichen: „de mon“.',
    wordAllowed: (word) => `„${word}“ ist wieder erlaubt.`,
    notBanned: (word) => `„${word}“ war nicht gesperrt.`,
  },
  communityErrors: {
    'alias-exists': (name) =>
      `Den Alias „${name}“ gibt es schon. Mit /alias repoint änderst du seinen Filter.`,
    'alias-unknown': (name, near) =>
      `Hier gibt es keinen Alias „${name}“.${near.length > 0 ? ` Meintest du ${joinWithOr(near, 'oder')}?` : ' /alias list zeigt alle.'}`,
    'alias-gone': (name) =>
      `Den Alias „${name}“ oder seinen Filter gibt es beim Dienst nicht mehr. Die Moderation kann ihn umstellen oder löschen.`,
    'alias-limit': (limit) =>
      `Eine Community kann höchstens ${limit} Aliase haben. Lösche einen, der nicht mehr gebraucht wird.`,
    'alias-limit-person': (limit) =>
      `Eine Person kann höchstens ${limit} Aliase anlegen, in allen Communitys zusammen. Lösche einen, der nicht mehr gebraucht wird.`,
    'alias-uncertain': (name) =>
      `Der Dienst hat nicht geantwortet, daher ist unbekannt, ob „${name}“ angelegt wurde. Prüfe es mit /alias list.`,
    'block-self': 'Du kannst dich nicht selbst sperren.',
    'block-owner': 'Der Betreiber dieses Bots kann nicht gesperrt werden.',
    'blocked-limit': (limit) =>
      `Hier können höchstens ${limit} Personen gesperrt sein. Entsperre zuerst jemanden.`,
    'channels-limit': (limit) =>
      `Höchstens ${limit} Kanäle können hier gewählt werden. Nimm zuerst einen heraus: /settings channels not-here`,
    'words-limit': (limit) =>
      `Hier können höchstens ${limit} Wörter gesperrt sein. Erlaube zuerst eines wieder.`,
    'allowances-limit': (limit) =>
      `Höchstens ${limit} Personen und ${limit} Rollen können ein eigenes Kontingent haben. Nimm zuerst eines zurück.`,
    'owners-word': 'Das hat ein Betreiber dieses Bots festgelegt: Nur Betreiber können es ändern.',
    'everyone-role': 'Diese Rolle haben alle. Nimm /settings credits.',
    'grants-limit': (limit) =>
      `Höchstens ${limit} Personen können hier geschenkte Credits haben. Nimm zuerst welche zurück.`,
    'grant-most': (rest, limit) =>
      `Du kannst dieser Person heute noch ${credits(rest)} geben. Was die Moderation einer Person an einem Tag gibt, Kontingent und geschenkte Credits zusammen, sind höchstens ${limit}, und mehr geschenkte können auch nicht übrig sein. Der Betreiber dieses Bots kann mehr geben.`,
    'credits-limit': (limit) =>
      `Die Moderation kann höchstens ${credits(limit)} pro Tag vergeben. Der Betreiber dieses Bots kann mehr vergeben.`,
    'word-empty': (word) => `„${word}“ enthält keine Buchstaben oder Ziffern.`,
    'service-unavailable':
      'Der Generierungsdienst antwortet gerade nicht. Versuch es in einer Minute wieder.',
    'service-refused': (detail) => `Der Generierungsdienst hat das abgelehnt: ${detail}`,
  },
  approval: {
    title: 'Jemand möchte diesen Bot benutzen',
    settingsTitle: 'Freigabe',
    community: (name) => `Name der Community: ${name}`,
    person: (name) => `Direktchat mit ${name}`,
    id: 'ID:',
    members: (count) => `Mitglieder: ${count}`,
    addedBy: (name) => `Hinzugefügt von ${name}`,
    usedBy: (name) => `Zuerst benutzt von ${name}`,
    buttons: { approve: 'Freigeben', dismiss: 'Nicht jetzt' },
    approvedBy: (by) => `Freigegeben von ${by}.`,
    dismissedBy: (by) =>
      `${by} hat entschieden: nicht jetzt. 30 Tage lang kommt dazu keine Nachricht; /settings approve mit der ID gibt weiterhin frei.`,
    expired:
      'Diese Anfrage gibt es nicht mehr: Sie wurde entschieden und danach geändert, ist älter als 30 Tage, oder ihre Daten wurden gelöscht.',
    more: (count) =>
      `${count} weitere ${plural(count, 'möchte', 'möchten')} diesen Bot heute benutzen. Es kommt nicht für jede eine Nachricht: Die Betreiberseite (/owner) zeigt sie, und /settings approve mit einer ID gibt eine frei.`,
    welcome:
      'Der Betreiber dieses Bots hat diesen Chat freigegeben: Jetzt geht hier alles. /help zeigt, wie man anfängt.',
    ownersOnly: 'Das können nur die Betreiber dieses Bots.',
    approved: (id) => `${id} ist freigegeben: Dort geht jetzt alles.`,
    already: (id) => `${id} war schon freigegeben.`,
    revoked: (id) =>
      `${id} ist nicht mehr freigegeben. Aufträge, die dort warten, schlagen fehl und kosten nichts; was schon an den Generierungsdienst geschickt wurde, wird noch gezeigt.`,
    wasNot: (id) => `${id} war nicht freigegeben.`,
    notNeeded:
      'Zurzeit kann jede Community diesen Bot benutzen (COMMUNITIES=open): Das hier zählt, sobald COMMUNITIES auf approved steht.',
    unknownId: (typed) =>
      `„${typed}“ kann nicht freigegeben werden. Eine Community sieht aus wie discord:123 oder telegram:-100123, ein Direktchat wie telegram:dm:42, ein Chat des Playgrounds wie web:studio.`,
  },
  campaign: {
    scheduled: (name, filter, from, until) =>
      until === undefined
        ? `„${name}“ zeigt ab ${from} auf ${filter}.`
        : `„${name}“ zeigt von ${from} bis ${until} auf ${filter}.`,
    zone: (zone) => `Zeiten in ${zone}; /settings timezone ändert das.`,
    coming: (filter, from, until) =>
      until === undefined ? `⏳ ab ${from}: ${filter}` : `⏳ von ${from} bis ${until}: ${filter}`,
    running: (filter, until) => `▶ bis ${until}: ${filter}`,
    unscheduled: (name, count) =>
      `${count} geplante ${plural(count, 'Änderung', 'Änderungen')} von „${name}“ zurückgenommen.`,
    ended: (name) => `Die Kampagne von „${name}“ endet jetzt: Der vorherige Filter kehrt zurück.`,
    past: (time, now) =>
      `${time} ist vorbei; jetzt ist es ${now}. Gib einen späteren Tag an oder eine Zeit wie 2026-10-25T18:00.`,
    order: '„until“ muss später sein als „from“.',
    overlap: (filter, from, until) =>
      `Das überschneidet sich mit ${filter}, ${until === undefined ? `ab ${from}` : `von ${from} bis ${until}`}. Wähle andere Zeiten oder nimm jenes mit /alias unschedule zurück.`,
    limit: (limit) => `Höchstens ${limit} können geplant sein. Nimm erst mit /alias unschedule etwas zurück.`,
    none: (name) => `Für „${name}“ ist nichts geplant. /alias list zeigt, was geplant ist.`,
    notices: {
      missed: (name, filter) =>
        `Die Kampagne ${filter} des Alias „${name}“ wurde ganz verpasst: Sie konnte nicht beginnen, bevor sie zu Ende war. Nichts wurde geändert.`,
      failed: (name, filter) =>
        `Die Kampagne ${filter} des Alias „${name}“ konnte nicht ausgeführt werden: Den Alias oder einen Filter gibt es nicht mehr, oder der Dienst hat es abgelehnt. Nichts wurde geändert; sieh mit /alias show nach.`,
      delayed: (name, filter) =>
        `Die Kampagne ${filter} des Alias „${name}“ verspätet sich: Der Generierungsdienst antwortet nicht. Es wird von selbst wieder versucht.`,
    },
  },
  alias: {
    title: 'Aliase dieser Community',
    none: 'Es gibt noch keine. Lege einen mit /alias create name filter an.',
    created: (name, filter) => `Der Alias „${name}“ zeigt jetzt auf ${filter}.`,
    repointed: (name, filter) => `Der Alias „${name}“ wurde auf ${filter} umgestellt.`,
    deleted: (name) => `Der Alias „${name}“ wurde gelöscht.`,
    gone: 'sein Filter existiert nicht mehr: umstellen oder löschen',
    pointsTo: (filter) => `Zeigt auf ${filter}.`,
    model: (model) => `Für ${model}.`,
    createdAt: (day) => `Angelegt am ${day}.`,
    swappedAt: (day) => `Zuletzt umgestellt am ${day}.`,
    history: 'Davor:',
    until: (filter, day) => `${filter}, bis ${day}`,
    unknownFilter: (typed, nearest) =>
      `Es gibt keinen eigenen Filter „${typed}“.${nearest.length > 0 ? ` Meintest du ${joinWithOr(nearest, 'oder')}?` : ''} Ein Alias zeigt auf einen eigenen Filter; /filters mine zeigt sie.`,
    numberFirst: (name: string) =>
      `In einem Katalog mit der Nummer ${name} gilt die Nummer, nicht dieser Alias; ein Name mit einem Buchstaben vermeidet das.`,
    catalogNumber:
      'Ein Alias zeigt auf einen eigenen Filter, angegeben mit UUID oder Namen. Eine Katalognummer ändert sich nie, sie braucht keinen Alias.',
  },
  rules: {
    filterOrPrompt: (reference) => `Gib entweder „${reference}“ oder „prompt“ an, nicht beides.`,
  },
  removal: {
    title: 'Ergebnis entfernt',
    known: 'Dieses Ergebnis wurde schon früher entfernt.',
    everywhere: 'Es wurde überall gelöscht, wo der Bot es gezeigt hat.',
    remaining: (count) =>
      `Nachrichten, die es zeigen und nicht gelöscht werden konnten: ${count}. Das wird einen Tag lang weiter versucht; lösche von Hand, was du siehst.`,
    blanked: (count) => `Nachrichten, die zum Löschen zu alt waren und nur noch Worte zeigen: ${count}.`,
    unreachable: (count) =>
      `Nachrichten, die es noch zeigen können und an die der Bot nicht mehr herankommt: ${count}. Er wurde aus ihrem Chat entfernt, oder nur eine Person sah sie und sie verschwinden von selbst.`,
    unknownPlaces: (count) =>
      `Nachrichten, die es zeigen können und unbekannt sind, weil der Bot beim Senden unterbrochen wurde: ${count}. Lösche von Hand, was du noch siehst.`,
    blocked: {
      all: 'Seine Fotos werden ab jetzt für alle abgelehnt.',
      some: 'Einige seiner Fotos werden ab jetzt für alle abgelehnt. Die anderen sind Links oder haben zu wenig Kontrast, um sie wiederzuerkennen.',
      none: 'Seine Fotos werden nicht abgelehnt: Sie sind Links oder haben zu wenig Kontrast, um sie wiederzuerkennen.',
      full: 'Seine Fotos werden nicht abgelehnt: Die Liste der gesperrten Fotos ist voll. Sag es dem Betreiber des Bots.',
    },
    pending: 'Seine Fotos werden gerade gesperrt.',
    unknown:
      'So ein Ergebnis gibt es hier nicht. Gib den Link zu seiner Nachricht an oder die Nummer seines Auftrags.',
    noResult: 'Dieser Auftrag hat kein Ergebnis.',
    limit:
      'Hier wurden heute so viele Ergebnisse entfernt, dass es nicht mehr sein können. Versuch es morgen wieder, oder frag einen Betreiber dieses Bots.',
  },
  report: {
    buttons: { remove: 'Ergebnis entfernen', block: 'Person sperren', dismiss: 'Verwerfen' },
    decided: {
      remove: (by) => `Ergebnis entfernt von ${by}.`,
      block: (by) => `Person gesperrt von ${by}.`,
      dismiss: (by) => `Verworfen von ${by}.`,
    },
    reason: (what) => `Gemeldet: ${what}`,
    busy: (by) => `${by} bearbeitet diese Meldung gerade.`,
    gone: 'Dieses Ergebnis wurde schon gelöscht, oder seine Aufzeichnung ist älter als 30 Tage. Die Nachricht wurde entfernt, falls sie noch da war.',
    expired: 'Diese Meldung gibt es nicht mehr: Sie ist älter als 30 Tage, oder ihre Daten wurden gelöscht.',
  },
  stats: {
    title: 'Statistik der letzten 30 Tage',
    jobs: 'Aufträge',
    credits: 'Credits',
    people: 'Personen',
    failed: 'Fehlgeschlagen',
    jobsByDay: 'Aufträge pro Tag',
    creditsByDay: 'Credits pro Tag',
    commands: 'Nach Befehl (Aufträge / Credits)',
    filters: 'Meistbenutzte Filter',
    since: (date, zone) => `seit ${date} (${zone})`,
    date: (at) => shortDate('de', at),
    none: 'In den letzten 30 Tagen wurde hier nichts erstellt.',
  },
  gate: {
    unapproved:
      'Dieser Bot funktioniert nur dort, wo sein Betreiber ihn freigegeben hat. Der Betreiber ist gefragt worden: Sobald er diesen Chat freigibt, geht hier alles. Bis dahin gibt es /help und /privacy.',
    notHere: 'Hier entstehen keine Bilder und Videos: Die Moderation hat andere Kanäle dafür gewählt.',
    goTo: 'Geh zu:',
    blocked: 'Du kannst das hier nicht benutzen: Die Moderation hat dich gesperrt.',
    settingsLost:
      'Die Einstellungen dieser Community waren beschädigt und wurden zurückgesetzt: Die Listen der gesperrten Personen und Wörter sind verloren. Darkroom pausiert hier, bis die Moderation sie neu setzt und /settings resume sendet.',
    paused: (reason) => `Darkroom ist in dieser Community pausiert${reason ? `: ${reason}` : '.'}`,
    bannedWord: 'Dein Text enthält ein Wort, das diese Community nicht erlaubt. Bitte formuliere es anders.',
    moderatorsOnly: 'Das kann nur die Moderation dieser Community.',
  },
};
