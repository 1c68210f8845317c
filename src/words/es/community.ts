import type { CommunityWords } from '../en/community.ts';
import { joinWithOr, shortDate } from '../phrase.ts';
import { credits, plural } from './labels.ts';

export const community: CommunityWords = {
  settings: {
    title: 'Ajustes de esta comunidad',
    credits: (amount) => `Créditos diarios por persona: ${amount}`,
    standard: (amount) => `${amount} (valor por defecto del propietario)`,
    allowances: (count) => `Asignaciones de personas y roles: ${count}`,
    grants: (count) => `Personas con créditos regalados: ${count}`,
    paused: (reason) => `En pausa: ${reason || 'sin motivo indicado'}`,
    pausedByOwner: (reason) =>
      `En pausa por decisión de un propietario de este bot, y solo los propietarios pueden terminarla: ${reason || 'sin motivo indicado'}`,
    byOwner: (amount) =>
      `${amount} (fijado por un propietario de este bot; solo los propietarios pueden cambiarlo)`,
    running: 'Sin pausa',
    log: (channel) => `Canal del registro de auditoría: ${channel}`,
    here: 'aquí',
    noLog: 'Canal del registro de auditoría: ninguno',
    everywhere: 'Las imágenes y los vídeos se hacen en todos los canales.',
    nowhere: 'Las imágenes y los vídeos no se hacen en ningún canal.',
    channels: 'Las imágenes y los vídeos se hacen solo en:',
    channelWithNotHere: 'Solo con not-here se puede indicar otro canal: lo demás se dice donde debe valer.',
    channelsSet: {
      everywhere: 'Las imágenes y los vídeos se hacen ahora en todos los canales.',
      here: 'Las imágenes y los vídeos se hacen ahora aquí, y solo donde se ha dicho esto.',
      'not-here': 'Aquí ya no se hacen imágenes ni vídeos.',
      unlimited:
        'Las imágenes y los vídeos se hacen en todos los canales. Envía /settings channels here en los que deban hacerse.',
      none: 'No queda ningún canal. /settings channels here abre uno; /settings channels everywhere, todos.',
      removed: (channel) => `En ${channel} ya no se hacen imágenes ni vídeos.`,
    },
    shown: (name, value) => `${name}: ${value}`,
    blocked: (people) => `Personas bloqueadas: ${people}`,
    words: (count) => `Palabras bloqueadas: ${count}`,
    recent: 'Últimas entradas del registro de auditoría',
    creditsSet: (amount) => `Cada persona tiene aquí ahora ${credits(amount)} al día.`,
    allowanceSet: (who, amount) => `${who} tiene aquí ahora ${credits(amount)} al día.`,
    roleAllowanceSet: (who, amount) =>
      `Quienes tienen el rol ${who} tienen aquí ahora al menos ${credits(amount)} al día, salvo que tengan su propia asignación.`,
    allowanceGone: (who) => `${who} ya no tiene asignación propia aquí.`,
    noAllowance: (who) => `${who} no tenía asignación propia aquí.`,
    granted: (who, amount, left) =>
      `${who} ha recibido ${credits(amount)} para cuando se acaben los del día; no ${plural(amount, 'caduca', 'caducan')}. Regalados que quedan en total: ${left}.`,
    grantTaken: (who, amount) => `Retirado a ${who}: ${credits(amount)}.`,
    noGrant: (who) => `A ${who} no le quedaban créditos regalados.`,
    userBlocked: (user) => `${user} queda bloqueado aquí.`,
    userUnblocked: (user) => `${user} ya no está bloqueado aquí.`,
    notBlocked: (user) => `${user} no estaba bloqueado.`,
    nowPaused: 'En pausa. Nadie puede empezar trabajos aquí hasta /settings resume.',
    nowRunning: 'Reanudado. Se vuelven a aceptar trabajos nuevos.',
    logHere: 'El registro de auditoría y las denuncias llegan a este canal desde ahora.',
    logOff: 'El registro de auditoría ya no se envía a ningún canal.',
    logOrEntries: 'Indica here u off sin nada más: user y kind eligen las entradas que se muestran.',
    noEntries: 'No hay entradas así.',
    wordBanned: (word) => `Desde ahora aquí se rechazan los textos con «${word}».`,
    wordRule:
      'Se reconocen palabras enteras, también espaciadas, partidas por signos, con acentos o con caracteres parecidos (d e m o n, d.e-m_o.n, dém0n). No se reconocen dos palabras que solo la forman juntas; para rechazarlas también, bloquéala con el espacio: «de mon».',
    wordAllowed: (word) => `«${word}» se permite otra vez.`,
    notBanned: (word) => `«${word}» no estaba bloqueada.`,
  },
  communityErrors: {
    'alias-exists': (name) => `Ya existe el alias «${name}». Usa /alias repoint para cambiar su filtro.`,
    'alias-unknown': (name, near) =>
      `Aquí no hay ningún alias «${name}».${near.length > 0 ? ` ¿Querías decir ${joinWithOr(near, 'o')}?` : ' /alias list los muestra todos.'}`,
    'alias-gone': (name) =>
      `El alias «${name}» o su filtro ya no existe en el servicio. Un moderador puede redirigirlo o borrarlo.`,
    'alias-limit': (limit) =>
      `Una comunidad puede tener ${limit} alias como máximo. Borra uno que ya no se use.`,
    'alias-limit-person': (limit) =>
      `Una persona puede crear ${limit} alias como máximo, en todas las comunidades juntas. Borra uno que ya no se use.`,
    'alias-uncertain': (name) =>
      `El servicio no respondió, así que no se sabe si «${name}» se ha creado. Compruébalo con /alias list.`,
    'block-self': 'No puedes bloquearte a ti mismo.',
    'block-owner': 'No se puede bloquear al propietario de este bot.',
    'blocked-limit': (limit) =>
      `Aquí se puede bloquear a ${limit} personas como máximo. Desbloquea antes a alguien.`,
    'channels-limit': (limit) =>
      `Aquí se pueden elegir como máximo ${limit} canales. Quita antes uno: /settings channels not-here`,
    'words-limit': (limit) =>
      `Aquí se pueden bloquear ${limit} palabras como máximo. Permite antes alguna otra vez.`,
    'allowances-limit': (limit) =>
      `Como máximo ${limit} personas y ${limit} roles pueden tener su propia asignación. Retira una primero.`,
    'owners-word': 'Lo ha fijado un propietario de este bot: solo los propietarios pueden cambiarlo.',
    'everyone-role': 'Todo el mundo tiene este rol. Usa /settings credits.',
    'grants-limit': (limit) =>
      `Como máximo ${limit} personas pueden tener créditos regalados aquí. Retira algunos primero.`,
    'grant-most': (rest, limit) =>
      `Hoy puedes dar a esta persona ${credits(rest)} más. Lo que los moderadores dan a una persona en un día, asignación y créditos regalados juntos, es como máximo ${limit}, y tampoco pueden quedar más regalados. El propietario de este bot puede dar más.`,
    'credits-limit': (limit) =>
      `Un moderador puede dar como máximo ${credits(limit)} al día. El propietario de este bot puede dar más.`,
    'word-empty': (word) => `«${word}» no tiene letras ni cifras.`,
    'service-unavailable': 'El servicio de generación no responde ahora mismo. Inténtalo en un minuto.',
    'service-refused': (detail) => `El servicio de generación lo ha rechazado: ${detail}`,
  },
  approval: {
    title: 'Una solicitud para usar este bot',
    settingsTitle: 'Aprobación',
    community: (name) => `Comunidad: ${name}`,
    person: (name) => `Chat directo con ${name}`,
    id: 'ID:',
    members: (count) => `Miembros: ${count}`,
    addedBy: (name) => `Añadido por ${name}`,
    usedBy: (name) => `Usado primero por ${name}`,
    buttons: { approve: 'Aprobar', dismiss: 'Ahora no' },
    approvedBy: (by) => `Aprobado por ${by}.`,
    dismissedBy: (by) =>
      `${by} ha decidido: ahora no. No recibirás avisos durante 30 días; /settings approve con su ID todavía lo aprueba.`,
    expired:
      'Esta solicitud ya no existe: se decidió y cambió después, tiene más de 30 días o se borraron sus datos.',
    more: (count) =>
      `Hoy ${plural(count, 'pide', 'piden')} usar este bot ${count} más. No hay un aviso para cada uno: la página del propietario (/owner) los muestra, y /settings approve con un ID aprueba uno.`,
    welcome:
      'El propietario de este bot ha aprobado este chat: ahora aquí funciona todo. /help muestra cómo empezar.',
    ownersOnly: 'Solo los propietarios de este bot pueden hacer esto.',
    approved: (id) => `${id} está aprobado: ahora allí funciona todo.`,
    already: (id) => `${id} ya estaba aprobado.`,
    revoked: (id) =>
      `${id} ya no está aprobado. Los trabajos que esperan allí fallan y no cuestan nada; lo que ya se envió al servicio de generación todavía se muestra.`,
    wasNot: (id) => `${id} no estaba aprobado.`,
    notNeeded:
      'Ahora cualquier comunidad puede usar este bot (COMMUNITIES=open): esto cuenta cuando COMMUNITIES sea approved.',
    unknownId: (typed) =>
      `«${typed}» no se puede aprobar. Una comunidad tiene la forma discord:123 o telegram:-100123, un chat directo telegram:dm:42, un chat del playground web:studio.`,
  },
  campaign: {
    scheduled: (name, filter, from, until) =>
      until === undefined
        ? `«${name}» apuntará a ${filter} desde ${from}.`
        : `«${name}» apuntará a ${filter} desde ${from} hasta ${until}.`,
    zone: (zone) => `Horas en ${zone}; /settings timezone lo cambia.`,
    coming: (filter, from, until) =>
      until === undefined ? `⏳ desde ${from}: ${filter}` : `⏳ desde ${from} hasta ${until}: ${filter}`,
    running: (filter, until) => `▶ hasta ${until}: ${filter}`,
    unscheduled: (name, count) =>
      `${count} ${plural(count, 'cambio programado', 'cambios programados')} de «${name}» ${plural(count, 'anulado', 'anulados')}.`,
    ended: (name) => `La campaña de «${name}» termina ahora: vuelve el filtro anterior.`,
    past: (time, now) =>
      `${time} ya pasó; ahora es ${now}. Indica un día posterior o una hora como 2026-10-25T18:00.`,
    order: '«until» debe ser posterior a «from».',
    overlap: (filter, from, until) =>
      `Esto coincide con ${filter}, ${until === undefined ? `desde ${from}` : `desde ${from} hasta ${until}`}. Elige otras fechas o anúlalo con /alias unschedule.`,
    limit: (limit) => `Se pueden programar ${limit} como máximo. Anula antes alguno con /alias unschedule.`,
    none: (name) => `No hay nada programado para «${name}». /alias list muestra lo que hay.`,
    notices: {
      missed: (name, filter) =>
        `La campaña ${filter} del alias «${name}» se perdió entera: no pudo empezar antes de su final. No se cambió nada.`,
      failed: (name, filter) =>
        `La campaña ${filter} del alias «${name}» no se pudo realizar: el alias o un filtro ya no existe, o el servicio la rechazó. No se cambió nada; compruébalo con /alias show.`,
      delayed: (name, filter) =>
        `La campaña ${filter} del alias «${name}» se retrasa: el servicio de generación no responde. Se reintenta automáticamente.`,
    },
  },
  alias: {
    title: 'Alias de esta comunidad',
    none: 'Aún no hay ninguno. Crea uno con /alias create name filter.',
    created: (name, filter) => `El alias «${name}» apunta ahora a ${filter}.`,
    repointed: (name, filter) => `El alias «${name}» se ha redirigido a ${filter}.`,
    deleted: (name) => `El alias «${name}» se ha borrado.`,
    gone: 'su filtro ya no existe: redirígelo o bórralo',
    pointsTo: (filter) => `Apunta a ${filter}.`,
    model: (model) => `Para ${model}.`,
    createdAt: (day) => `Creado el ${day}.`,
    swappedAt: (day) => `Última redirección: ${day}.`,
    history: 'Antes:',
    until: (filter, day) => `${filter}, hasta el ${day}`,
    unknownFilter: (typed, nearest) =>
      `No hay ningún filtro propio «${typed}».${nearest.length > 0 ? ` ¿Querías decir ${joinWithOr(nearest, 'o')}?` : ''} Un alias apunta a un filtro propio; /filters mine los muestra.`,
    numberFirst: (name: string) =>
      `En un catálogo que tenga el número ${name}, el número prevalece sobre este alias; un nombre con alguna letra lo evita.`,
    catalogNumber:
      'Un alias apunta a un filtro propio, indicado por su UUID o su nombre. Un número de catálogo nunca cambia, así que no necesita alias.',
  },
  rules: {
    filterOrPrompt: (reference) => `Indica «${reference}» o «prompt», no los dos.`,
  },
  removal: {
    title: 'Resultado retirado',
    known: 'Este resultado ya se había retirado.',
    everywhere: 'Se borró en todas partes donde el bot lo mostró.',
    remaining: (count) =>
      `Mensajes que lo muestran y no se pudieron borrar: ${count}. Se intenta de nuevo durante un día; borra a mano los que veas.`,
    blanked: (count) =>
      `Mensajes demasiado antiguos para borrarse, que ahora solo muestran palabras: ${count}.`,
    unreachable: (count) =>
      `Mensajes que quizá aún lo muestran y quedan fuera del alcance del bot: ${count}. Se le quitó de su chat, o solo los vio una persona y desaparecen por sí mismos.`,
    unknownPlaces: (count) =>
      `Mensajes que quizá lo muestran y no se conocen, porque el bot se interrumpió al enviarlos: ${count}. Borra a mano los que aún veas.`,
    blocked: {
      all: 'Sus fotos se rechazan desde ahora para todos.',
      some: 'Algunas de sus fotos se rechazan desde ahora para todos. Las otras son enlaces o tienen muy poco contraste para reconocerlas.',
      none: 'Sus fotos no se rechazan: son enlaces o tienen muy poco contraste para reconocerlas.',
      full: 'Sus fotos no se rechazan: la lista de fotos bloqueadas está llena. Avisa a un propietario del bot.',
    },
    pending: 'Se están bloqueando sus fotos.',
    unknown: 'Aquí no hay ningún resultado así. Da el enlace de su mensaje o el número de su trabajo.',
    noResult: 'Este trabajo no tiene resultado.',
    limit:
      'Hoy se han retirado aquí tantos resultados que no se admiten más. Inténtalo mañana o pregunta a un propietario de este bot.',
  },
  report: {
    buttons: { remove: 'Quitar resultado', block: 'Bloquear persona', dismiss: 'Descartar' },
    decided: {
      remove: (by) => `Resultado quitado por ${by}.`,
      block: (by) => `Persona bloqueada por ${by}.`,
      dismiss: (by) => `Descartado por ${by}.`,
    },
    reason: (what) => `Denunciado: ${what}`,
    busy: (by) => `${by} está tratando esta denuncia ahora mismo.`,
    gone: 'Este resultado ya se borró o su registro tiene más de 30 días. Su mensaje se quitó si todavía estaba.',
    expired: 'Esta denuncia ya no existe: tiene más de 30 días o se borraron sus datos.',
  },
  stats: {
    title: 'Estadísticas de los últimos 30 días',
    jobs: 'Trabajos',
    credits: 'Créditos',
    people: 'Personas',
    failed: 'Fallidos',
    jobsByDay: 'Trabajos por día',
    creditsByDay: 'Créditos por día',
    commands: 'Por comando (trabajos / créditos)',
    filters: 'Filtros más usados',
    since: (date, zone) => `desde el ${date} (${zone})`,
    date: (at) => shortDate('es', at),
    none: 'Nadie ha hecho nada aquí en los últimos 30 días.',
  },
  gate: {
    unapproved:
      'Este bot solo funciona donde su propietario lo ha aprobado. Ya se le ha preguntado: en cuanto apruebe este chat, aquí funcionará todo. Hasta entonces están /help y /privacy.',
    notHere: 'Aquí no se hacen imágenes ni vídeos: los moderadores han elegido otros canales para eso.',
    goTo: 'Ve a:',
    blocked: 'No puedes usar esto aquí: un moderador te ha bloqueado.',
    settingsLost:
      'Los ajustes de esta comunidad se dañaron y se han restablecido: se han perdido las listas de personas y palabras bloqueadas. Darkroom queda en pausa aquí hasta que un moderador las configure de nuevo y envíe /settings resume.',
    paused: (reason) => `Darkroom está en pausa en esta comunidad${reason ? `: ${reason}` : '.'}`,
    bannedWord: 'Tu texto contiene una palabra que esta comunidad no permite. Exprésalo de otra manera.',
    moderatorsOnly: 'Solo los moderadores de esta comunidad pueden hacer esto.',
  },
};
