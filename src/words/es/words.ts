import type { Words } from '../en/words.ts';
import { joinWithOr, list } from '../phrase.ts';
import { community } from './community.ts';
import { credits, jobs, page, plural } from './labels.ts';
import { owner } from './owner.ts';
import { removalPage } from './removal-page.ts';

export const es: Words = {
  language: 'es',
  ...community,
  somethingBroke:
    'Algo ha fallado por nuestra parte. No se ha gastado nada. Inténtalo de nuevo en un momento.',
  yes: 'Sí',
  no: 'No',
  credits,
  choices: { male: 'hombre', female: 'mujer', boy: 'niño', girl: 'niña', group: 'grupo' },
  error: {
    empty: (option, min) =>
      `«${option}» está vacío. Escribe al menos ${min} ${plural(min, 'carácter', 'caracteres')}.`,
    tooLong: (option, length, max) =>
      `«${option}» tiene ${length} caracteres; se permiten como máximo ${max}. Acórtalo.`,
    notPhoto: (option) => `«${option}» debe ser una foto. Adjunta una imagen JPEG, PNG o WebP.`,
    badLink: (option) =>
      `«${option}»: este enlace no se puede usar. Debe ser una dirección https:// pública, sin contraseña.`,
    notFlag: (option, value) => `«${option}» debe ser yes o no, no «${value}».`,
    notChoice: (option, value, choices) =>
      `«${option}» no puede ser «${value}». Elige entre: ${list(choices)}.`,
    notInteger: (option, value, min, max) =>
      `«${option}» debe ser un número entero de ${min} a ${max}, no «${value}».`,
    notAlias: (option, value) =>
      `«${option}» debe tener de 1 a 32 caracteres a-z, 0-9 y «-», no «${value}». Por ejemplo: halloween.`,
    notTime: (option, value) =>
      `«${option}» debe ser un día como 2026-10-25 o una hora como 2026-10-25T18:00, no «${value}».`,
    notTimeZone: (option, value, near) =>
      `«${option}» debe ser una zona horaria como Europe/Madrid, no «${value}».${near.length > 0 ? ` ¿Querías decir ${joinWithOr(near, 'o')}?` : ''}`,
    noRoles: (platforms) => `Los roles solo existen en ${platforms}. Indica una persona.`,
    unknownPerson: (name) =>
      `No encuentro a «${name}» aquí. Indica el ID de la persona, o espera a que use un comando.`,
    unknownChannel: (channel) =>
      `«${channel}» no es uno de los canales donde se hacen imágenes y vídeos. Indica el número entre paréntesis que muestra /settings show.`,
    unknownOption: (name, nearest) =>
      `No existe la opción «${name}».${nearest.length > 0 ? ` ¿Querías decir ${joinWithOr(nearest, 'o')}?` : ''}`,
    twice: (option) => `«${option}» aparece dos veces. Escríbelo una sola vez.`,
    unexpected: (word) => `Aquí no se espera «${word}».`,
    unknownCommand: (name, nearest) =>
      `No existe el comando /${name}.${nearest.length > 0 ? ` ¿Querías decir ${joinWithOr(nearest, 'o')}?` : ' /help los muestra todos.'}`,
    subcommand: (command, names) => `/${command} necesita un subcomando: ${list(names)}.`,
    rightForm: 'Uso:',
    example: 'Por ejemplo:',
  },
  busy: {
    perPerson:
      'Demasiadas peticiones a la vez: algunas no se han aceptado. Espera la respuesta a tus otras peticiones y vuelve a intentarlo.',
    perChat:
      'Demasiadas peticiones a la vez en este chat: algunas no se han aceptado. Espera un minuto y vuelve a intentarlo.',
  },
  album: {
    title: (photos) => `${photos} fotos a la vez`,
    line: '¿Hago una imagen de cada una o solo de la primera? Cada una tiene su propia tarjeta, y la que falle no cuesta nada.',
    all: (photos, cost) => (cost === 0 ? `Las ${photos}` : `Las ${photos} (${credits(cost)})`),
    first: 'Solo la primera',
  },
  consent: {
    title: 'Antes de tu primera imagen',
    people:
      'Usa solo fotos de personas que estén de acuerdo, y nunca para engañar, acosar o desnudar a nadie.',
    age: 'Confirmas que todas las personas que aparecen están de acuerdo y que tienes edad para usar este servicio.',
    sent: 'Tu foto se envía al servicio de generación. /privacy muestra qué se guarda y permite borrarlo.',
    button: 'Confirmo, continuar',
  },
  ask: {
    title: (command) => `/${command}: una cosa más`,
    option: (option, description) => `${description} (${option})`,
    choose: 'Elige:',
    menu: 'Elegir…',
    pickOrType: 'Elige, o envía el número o el nombre en tu próximo mensaje.',
    type: 'Envía un número, un nombre o un alias en tu próximo mensaje.',
    write: 'Envíalo en tu próximo mensaje.',
    writeOrIdea: 'Envíalo en tu próximo mensaje, o empieza con una de estas ideas:',
    photo: 'Envía la foto en tu próximo mensaje.',
    open: 'Escribir…',
    addPhoto: 'Añadir foto…',
    instead: (option) => `Indicar «${option}» en su lugar`,
    asLast: (what) => `Como la última vez: ${what}`,
    chosen: (option, value) => `Elegido: ${option} ${value}`,
    pages: (page, of) => `Página ${page} de ${of}`,
    whatToDo: '¿Qué hago con esta foto?',
    whatToDoLine: 'Elige abajo, o envía un comando como pie de la foto.',
  },
  press: {
    stale: 'Este botón ya no es válido. Envía el comando otra vez.',
    notYours: 'Este botón es de otra persona.',
    notFound: 'Este trabajo ya no existe.',
    noResult: 'El resultado de este trabajo ya no está disponible. Hazlo de nuevo primero.',
    shownOften: 'Este resultado ya se muestra en demasiados mensajes.',
  },
  reference: {
    styleRange: (number) => `Los números de estilo van del 1 al 25; no hay ${number}.`,
    unknownNumber: (number, nearest) =>
      `No hay ningún filtro número ${number}.${nearest.length > 0 ? ` Los más cercanos: ${list(nearest)}.` : ''} /filters los muestra.`,
    unknownName: (name, nearest) =>
      `No hay ningún filtro «${name}».${nearest.length > 0 ? ` ¿Querías decir ${joinWithOr(nearest, 'o')}?` : ''} /filters los muestra.`,
    wrongModel: (name, is, needed) => `«${name}» es para ${is}; aquí hace falta uno para ${needed}.`,
    otherLook: (name, look) =>
      `«${name}» es un estilo de look ${look}. Usa look=${look}, o elige otro estilo.`,
    models: { face: 'caras individuales (/faceswap)', group: 'grupos (/groupswap)' },
    unavailable:
      'Ahora mismo no se puede cargar la lista de filtros. Usa un número de filtro, o inténtalo en un minuto.',
    customName: 'filtro propio',
  },
  states: {
    opening: 'aceptado',
    waiting: 'en cola',
    submitting: 'enviándose',
    running: 'en curso',
    delivering: 'entregándose',
    held: 'a la espera de un moderador',
    done: 'hecho',
    failed: 'fallido',
    cancelled: 'cancelado',
    uncertain: 'desconocido',
  },
  card: {
    accepted: 'Aceptado. Empieza en un momento.',
    next: 'Tu trabajo es el siguiente en la cola.',
    position: (position) => `Puesto en la cola: ${position}.`,
    wait: (time) => `Empieza en ${time}, más o menos.`,
    resting: {
      'service-busy': 'El servicio de generación está saturado ahora mismo.',
      unchecked:
        'La foto no se puede comprobar en este momento, y ninguna se envía sin comprobar. El propietario está avisado.',
      unknown: 'Todavía no ha podido empezar.',
    },
    checkingPhoto: 'Comprobando la foto…',
    nextTry: (time) => `Próximo intento en ${time}, más o menos.`,
    sending: 'Enviando tu foto al servicio de generación.',
    running: (time) => `Tiempo restante: ${time}, más o menos.`,
    runningLong: 'Tarda más de lo normal. Debería estar listo pronto.',
    delivering: 'Está listo y va de camino.',
    checkingResult: 'Comprobando el resultado…',
    held: 'Está listo. Una comprobación de este equipo cree que la imagen puede mostrar demasiado, así que antes la mira un moderador. La comprobación puede equivocarse. Hasta entonces nadie ve la imagen.',
    done: (time, cost) => (time === undefined ? credits(cost) : `Tardó ${time} · ${credits(cost)}`),
    aiGenerated: 'Generado por IA (AI-generated)',
    expired: 'El resultado se mostró aquí; el archivo no se guarda.',
    returned: (cost) => `${plural(cost, 'Se te ha devuelto', 'Se te han devuelto')} ${credits(cost)}.`,
    kept: (cost) =>
      `Ya se había enviado al servicio y allí no se puede parar, así que el gasto (${credits(cost)}) se mantiene.`,
    cancelled: 'Cancelado.',
    uncertain: 'No se sabe con certeza si se ha enviado.',
    uncertainNext:
      'No se ha reenviado automáticamente, para no cobrarte nunca dos veces. «Reintentar» inicia un trabajo nuevo.',
    spent: (cost) => `${plural(cost, 'Cuenta como gastado', 'Cuentan como gastados')}: ${credits(cost)}.`,
    outage: {
      unavailable: 'El servicio de generación no responde ahora mismo. Tu trabajo conserva su puesto.',
      credits:
        'El servicio de generación se ha quedado sin créditos. Tu trabajo espera a que el propietario añada más.',
      credentials:
        'El servicio de generación rechaza las credenciales del bot. El propietario tiene que corregirlo.',
      address:
        'La dirección configurada del servicio de generación redirige a otro sitio. El propietario tiene que corregirlo.',
    },
    resultAlt: (title) => `Resultado generado por IA: ${title}`,
  },
  failure: {
    'photo-unavailable': 'No se pudo obtener tu foto: se borró o su enlace caducó. Envíala otra vez.',
    'photo-invalid':
      'Tu foto no se puede usar. Envía un JPEG, PNG o WebP de 20 MB y 40 megapíxeles como máximo.',
    'photo-too-complex':
      'Tu foto es demasiado compleja para procesarla. Guárdala de nuevo como JPEG normal, o haz una captura de pantalla, y envía eso.',
    'photo-blocked': 'Esta foto no se puede usar aquí. Envía otra.',
    'photo-content':
      'Esta foto no se envió: la comprobación de desnudez de este equipo cree que muestra demasiado. Puede equivocarse. Usa otra foto, o una parte de esta en la que se vea la cara.',
    'photo-unseen':
      'No se puede hacer un vídeo a partir de un enlace, porque la foto que hay detrás no se puede comprobar. Envía la propia foto.',
    'content-unchecked': 'No se pudo comprobar a tiempo si la imagen se puede usar. Inténtalo más tarde.',
    'no-minors':
      'No se aceptan niños ni niñas: quien administra este bot ha decidido que es solo para adultos.',
    'content-removed': 'Un moderador quitó este resultado por lo que muestra.',
    'content-undecided':
      'Una comprobación retuvo este resultado por lo que puede mostrar, y ningún moderador decidió en 48 horas. Se quitó.',
    'alias-gone': 'El alias o su filtro ya no existe. Elige otro filtro.',
    'alias-mismatch': 'El alias apunta ahora a un filtro para otra cosa. Elige otro filtro.',
    refused: 'El servicio de generación ha rechazado la petición. Cámbiala e inténtalo otra vez.',
    'filter-unknown':
      'El servicio de generación (ya) no conoce este filtro. Elige otro; /filters los muestra.',
    'filter-unfit':
      'Este filtro no sirve para este tipo de foto: unos son para una persona, otros para grupos. Elige otro filtro.',
    'filter-broken':
      'El servicio de generación no pudo cargar este filtro propio. Elige otro filtro o inténtalo más tarde.',
    'photo-unreadable': 'El servicio de generación no pudo leer tu foto. Envía otra.',
    'photo-too-large': 'Tu foto es demasiado grande para el servicio de generación. Envía una más pequeña.',
    'options-unfit':
      'El servicio de generación no admite estas opciones juntas. Elige otro modelo, otra calidad u otro formato.',
    'service-credits':
      'El servicio de generación se ha quedado sin créditos. El propietario tiene que añadir más.',
    'service-credentials':
      'El servicio de generación ha rechazado las credenciales del bot. El propietario tiene que corregirlo.',
    'service-address':
      'La dirección configurada del servicio de generación redirige a otro sitio. El propietario tiene que corregirlo.',
    'generation-failed':
      'El servicio de generación no pudo crearlo. Inténtalo otra vez, o con otra foto u otro filtro.',
    deadline: 'El servicio de generación no terminó a tiempo. Inténtalo más tarde.',
    'result-unusable': 'El servicio de generación envió un resultado inservible. Inténtalo otra vez.',
    'job-unknown': 'El servicio de generación ya no conoce este trabajo. Inténtalo otra vez.',
    'result-gone':
      'Estaba terminado, pero el servicio de generación ya no tenía el resultado cuando se pudo mostrar. Inténtalo otra vez.',
    'result-refused':
      'Se terminó, pero esta plataforma se niega a mostrar el resultado en cualquier forma. Inténtalo otra vez o usa otro filtro.',
  },
  serviceSays: (detail) => `El servicio dice: ${detail}`,
  held: {
    title: 'Un resultado espera una decisión',
    notice:
      'La comprobación del contenido lo retiene: puede mostrar desnudez. Nadie lo ha visto. Sin una decisión se quita a las 48 horas.',
    changed:
      'El servicio de generación da ahora otra imagen que la que la moderación quiso mostrar. Esta también queda retenida.',
    decide:
      'Solo tú ves esto. «Mostrar» lo pone en su tarjeta, para quien pueda verla. «Quitar» termina el trabajo.',
    decided: 'Ya se decidió antes, o el resultado se quitó.',
    shown: 'Aparecerá en su tarjeta en un momento.',
    removed: 'Se quitó. No se le mostró a nadie.',
    away: 'El servicio de generación no responde en este momento. Inténtalo dentro de un minuto.',
  },
  filters: {
    title: (catalog) => `Filtros: ${catalog}`,
    catalogs: {
      face: 'caras individuales',
      realistic: 'grupos, realista',
      stylized: 'grupos, estilizado',
      classic: 'grupos, clásico',
      mine: 'filtros propios',
    },
    none: 'Aquí no hay ninguno.',
    noneFound: (search) => `Nada coincide con «${search}».`,
    press: 'Pulsa uno para usarlo.',
    recentFirst: 'Primero van los filtros que usaste hace poco.',
    howTo: (example) => `Usa uno por número o nombre, por ejemplo ${example}`,
  },
  jobs: {
    title: 'Tus trabajos',
    none: 'Aún no tienes trabajos. Envía una foto con /faceswap para hacer el primero.',
    ago: (time) => `hace ${time}`,
    daysAgo: (days: number) => `hace ${days} días`,
  },
  notes: {
    hint: 'Escribe / para ver lo que puedo hacer, o envía una foto con un comando como /faceswap.',
    ended: 'Este trabajo ya ha terminado.',
    deleted: 'Borrado, aquí y en nuestros registros.',
    removed: 'Quitado del chat.',
    reported: 'Gracias. Se ha avisado a los moderadores.',
    reportNoted:
      'Gracias. La denuncia está en el registro de auditoría, pero no se ha podido avisar a nadie. Avisa tú a un moderador, por favor.',
    reportTitle: 'Se ha denunciado un resultado',
    reportedBy: (name) => `Denunciado por ${name}.`,
    madeBy: (name) => `Hecho por ${name}.`,
    openMessage: 'abrir el mensaje',
    noImage: 'En ese mensaje no hay ninguna imagen.',
    already: 'Esto ya se ha iniciado; su tarjeta está más abajo.',
    notShownYet:
      'Esto ya se ha iniciado, pero su tarjeta aún no se ha mostrado. Si no aparece en unos minutos, inténtalo de nuevo.',
    elsewhere: 'No se pudo mostrar donde lo pediste. Así terminó.',
    interrupted:
      'Darkroom se interrumpió antes de poder responder. No se hizo ni se gastó nada. Inténtalo de nuevo.',
    maybeInterrupted:
      'Darkroom se interrumpió antes de poder responder. Comprueba si ya surtió efecto antes de intentarlo de nuevo.',
    notHere:
      'Está listo, pero no tengo permiso para mostrarlo aquí. Envía /jobs en nuestro chat privado para verlo.',
  },
  share: {
    by: (name) => `Compartido por ${name}`,
    done: 'Compartido con todos donde lo pediste.',
    already: 'Este resultado ya se ha compartido.',
    unknown:
      'Ya se empezó a compartir y quizá se interrumpió. Mira en el chat donde lo pediste: nunca se envía dos veces.',
    later: 'Ahora no se pudo compartir y nadie lo ha visto. Inténtalo de nuevo en un minuto.',
    forbidden: 'No tengo permiso para escribir donde lo pediste, así que no se puede compartir allí.',
    notMember:
      'Ya no eres miembro donde lo pediste, no puedes escribir allí, o no puedo comprobarlo, así que no se puede compartir allí.',
  },
  file: {
    original: 'El archivo del servicio, sin cambios.',
    justSent: 'Se acaba de enviar o está en camino. Si no llega, pulsa de nuevo en un minuto.',
    refused: (size) => `Este archivo tiene ${size} y aquí fue rechazado.`,
    tooLarge: (size, most) =>
      size === undefined
        ? `Este archivo es mayor que los ${most} que caben aquí.`
        : `Este archivo tiene ${size}, más que los ${most} que caben aquí.`,
  },
  compare: {
    before: 'Antes',
    after: 'Después',
    alt: (title) => `Antes y después, generado por IA: ${title}`,
    photoGone: 'Tu foto ya no está disponible, así que no hay con qué comparar.',
    busy: 'Se está haciendo.',
  },
  limits: {
    rate: (limit, time) =>
      `Has enviado más de ${limit} ${plural(limit, 'petición', 'peticiones')} en un minuto. Espera ${time} e inténtalo otra vez.`,
    waiting: (unfinished, limit) =>
      `Ya tienes ${jobs(unfinished)} sin terminar; ${plural(limit, 'puede', 'pueden')} esperar ${limit} como máximo. Inténtalo cuando acabe uno; /jobs los muestra.`,
    album: (photos, fits) =>
      `Son ${photos} fotos, y ahora mismo solo ${plural(fits, 'se puede', 'se pueden')} aceptar ${jobs(fits)} más de los tuyos. No se ha empezado nada: envía menos fotos o inténtalo cuando acabe alguno; /jobs los muestra.`,
    albumLater: (photos, fits, more, time) =>
      `Son ${photos} fotos. Trabajos tuyos que se pueden aceptar: ${fits} ahora, ${more} dentro de ${time}. No se ha empezado nada: envía menos fotos o inténtalo entonces.`,
    shared:
      'Los administradores anónimos y quienes escriben como canal comparten este límite, en todos los grupos. Envíalo con tu propio nombre para tener el tuyo.',
    allowance: (needed, left, time) =>
      `Esto cuesta ${credits(needed)} y hoy te ${plural(left, 'queda', 'quedan')} ${left}. Créditos nuevos en ${time}.`,
    communityCeiling: (needed, left, time) =>
      `Esto cuesta ${credits(needed)} y a toda la comunidad le ${plural(left, 'queda', 'quedan')} ${left} hoy. Créditos nuevos en ${time}.`,
    serviceCeiling: (time) =>
      `Entre todas las personas que usan este bot se han gastado los créditos de hoy. Se aceptan trabajos nuevos de nuevo en ${time}; los que están en curso continúan.`,
    monthCeiling: (date) =>
      `Entre todas las personas que usan este bot se han gastado los créditos de este mes. Se aceptan trabajos nuevos de nuevo el ${date} (UTC); los que están en curso continúan.`,
  },
  usage: {
    title: 'Créditos de hoy',
    mine: (used, limit) => `Has usado ${used} de ${credits(limit)}.`,
    reserved: (amount) =>
      `${amount} más ${plural(amount, 'está reservado', 'están reservados')} para trabajos sin terminar.`,
    sources: {
      own: 'Fijados para ti por un moderador.',
      role: 'Por uno de tus roles.',
      community: 'Fijados para toda esta comunidad.',
      default: 'Valor por defecto del propietario.',
    },
    left: (amount) => `Te ${plural(amount, 'queda', 'quedan')} ${credits(amount)}.`,
    granted: (left) =>
      `Además tienes ${credits(left)} de regalo: se ${plural(left, 'usa', 'usan')} cuando se acaban los del día y no ${plural(left, 'caduca', 'caducan')}.`,
    fromGrants: (amount) => `Pagado hoy con créditos regalados: ${amount}.`,
    resets: (time) => `Créditos nuevos en ${time}.`,
    community: (used, people, count) =>
      `Esta comunidad: ${credits(used)}, ${people} ${plural(people, 'persona', 'personas')}, ${jobs(count)} hoy.`,
    ceiling: (used, limit) =>
      `En total habéis usado ${used} de los ${limit} que el propietario permite a esta comunidad al día.`,
    month: (used) => `Entre todos este mes: ${credits(used)}.`,
    monthOf: (used, most) => `Entre todos este mes: ${used} de ${credits(most)}.`,
    money: (used) => `En dinero: ${used}.`,
  },
  help: {
    title: 'Lo que sé hacer',
    intro: 'Envía una foto con uno de estos comandos y te la devuelvo transformada.',
    press: 'Pulsa un filtro para usarlo con tu foto. Tres cosas para probar:',
    file: 'Como archivo debajo de un resultado lo envía tal como lo hizo el servicio.',
    others: 'Más comandos',
    all: 'Todos los comandos',
    album: 'Varias fotos con un comando dan una imagen cada una; pregunto una vez.',
    more: 'Detalles y ejemplos: /help y el nombre de un comando, por ejemplo /help faceswap',
    personal: (names: string) =>
      `Solo tú ves ${names} y sus respuestas, en las aplicaciones que lo permiten.`,
    moderators: 'Para moderadores',
    optional: 'opcional',
    required: 'obligatorio',
    choices: (choices) => `uno de ${list(choices)}`,
    standard: (value) => `por defecto: ${value}`,
    price: (price) => `Precio: ${price}`,
    examples: 'Ejemplos',
  },
  face: {
    title: 'Tus caras guardadas',
    off: 'Las caras guardadas no están activadas aquí: el propietario tiene que configurar STORE_KEY.',
    shared:
      'Una cara pertenece a una persona. Envía esto con tu propio nombre, no como canal ni como administrador anónimo.',
    none: 'Aún no tienes ninguna. Guarda una con /face save, un nombre y una foto.',
    isDefault: 'por defecto',
    usedOn: (day) => `último uso ${day}`,
    saved: (name) => `«${name}» está guardada. Úsala con: /faceswap face=${name}`,
    replaced: (name) => `«${name}» tiene una foto nueva.`,
    kept: 'Se conserva cifrada hasta que la borres o pase un año sin que la uses.',
    deleted: (name) => `«${name}» se ha borrado.`,
    nowDefault: (name) => `«${name}» es ahora tu cara por defecto.`,
    unknown: (name) => `No tienes ninguna cara guardada «${name}». /face list muestra las tuyas.`,
    limit: (most) =>
      `Puedes guardar ${most} caras como máximo. Borra una antes, o usa un nombre que ya tengas.`,
    full: 'Aquí no hay sitio para guardar más caras. Se ha avisado al propietario. Las que ya tienes siguen funcionando.',
    saves: (most) => `Has guardado ${most} fotos en 24 horas. Espera hasta mañana para guardar más.`,
    busy: 'Esta foto no se ha podido guardar ahora. Espera un minuto y vuelve a intentarlo.',
    unchecked: 'La foto no se puede comprobar en este momento, así que no se guardó. Inténtalo más tarde.',
    notKept: 'Solo se puede guardar una foto que envíes, no un enlace. Envía la foto.',
    use: (name) => `Usar «${name}»`,
    useDefault: 'Usar mi cara guardada',
  },
  faceCheck: {
    help: 'Antes de gastar créditos busco caras en la foto: si no hay ninguna, o hay más o menos de las necesarias, te pregunto primero.',
    looking: 'Estoy mirando tu foto…',
    anyway: 'Usarla de todos modos',
    everybody: 'Todos',
    swapOne: 'Cambiar una cara',
    noFace: 'No se ha encontrado ninguna cara en esta foto',
    noFaceLine:
      'No se ha gastado nada. Envía otra foto, o usa esta: los dibujos y las mascotas son bienvenidos.',
    oneFace: 'Solo se ha encontrado una cara en esta foto',
    tooFewLine: 'No se ha gastado nada. /groupswap es para dos o más personas.',
    whoIsIt: '¿De qué cara se trata?',
    pressNumber: 'Las caras están numeradas de izquierda a derecha. Elige una; aún no se ha gastado nada.',
    everybodyLine: '«Todos» sigue con /groupswap.',
    alt: (faces) => `Las caras de la foto, numeradas del 1 al ${faces} de izquierda a derecha`,
  },
  privacy: {
    title: 'Tus datos',
    photo:
      'Tu foto se endereza, se le quitan los metadatos (también la ubicación) y se envía al servicio de generación, que crea el resultado.',
    faceCheck:
      'Antes se mira aquí si hay caras en ella. Lo que se encuentra no se guarda; la parte de la foto que elegiste se guarda con el trabajo.',
    contentCheck:
      'Antes, un programa de este equipo comprueba si muestra desnudez. Una foto que la muestra se rechaza; lo que el programa encontró no se conserva.',
    photoNotKept: 'Aquí nunca se escribe en disco.',
    faces:
      'Aquí solo se escribe en disco si la guardas con /face save: entonces la foto limpia se conserva cifrada hasta que la borres o pase un año sin que la uses.',
    link: 'Un enlace a una imagen va al servicio de generación tal cual.',
    kept: 'Se guardan aquí: tus trabajos (lo que pediste y dónde están la foto y el resultado en el chat, nunca las imágenes) y los créditos que usaste cada día, durante 30 días; que confirmaste el consentimiento; una línea del registro de auditoría por trabajo durante 90 días. Los créditos que te regalaron los moderadores, hasta que se usen.',
    hashes:
      'Con cada trabajo se guarda una huella de sus fotos y de su resultado, para poder encontrarlo y retirarlo si alguien que aparece en él lo pide. La foto de un resultado retirado se rechaza desde entonces; su huella se guarda un año. De una huella no se puede obtener ninguna imagen.',
    marks:
      'Los resultados dicen que fueron generados por IA: en el texto que los acompaña y dentro del archivo.',
    visibleMark: 'Las imágenes llevan además un pequeño «AI» en una esquina.',
    results:
      'Los resultados solo se guardan en el chat. «Borrar» quita un resultado del chat y de nuestros registros.',
    resultsHere:
      'Este chat también se guarda aquí: tus mensajes y tus resultados. «Borrar» quita un resultado del chat y de nuestros registros.',
    button: 'Borrar todos mis datos',
    sure: '¿Borrar todo lo que guardamos sobre ti? Se cancelan los trabajos sin terminar. Los resultados siguen en el chat; en un grupo, después solo los moderadores pueden borrarlos. Los créditos regalados se pierden. No se puede deshacer.',
    sureHere:
      '¿Borrar todo lo que guardamos sobre ti? Se cancelan los trabajos sin terminar. También se borran de este chat tus mensajes, sus respuestas y tus resultados. Los créditos regalados se pierden. No se puede deshacer.',
    sureButton: 'Sí, borrarlo todo',
    erased: (count) =>
      `Hecho. Se han borrado ${jobs(count)} y tus preferencias. Solo queda el contador de hoy hasta medianoche (UTC).`,
    erasing:
      'Tus datos se están borrando. Ya no se muestran; son muchos, así que tardará unos minutos. Solo queda el contador de hoy hasta medianoche (UTC).',
  },
  page,
  owner,
  removalPage,
  telegram: {
    tooLarge:
      'Telegram permite a los bots descargar archivos de 20 MB como máximo. Envía uno más pequeño, o envíalo como foto.',
    startFirst:
      'Solo puedo responderte en privado si has iniciado un chat conmigo. Inícialo e inténtalo otra vez.',
    startButton: 'Iniciar un chat privado',
    anonymous:
      'No puedo responder en privado a un administrador anónimo. Envíalo con tu propio nombre, o quita «private».',
    answerHere: 'Responde a este mensaje.',
    pickOrReply: 'Elige, o envía el número o el nombre en tu próximo mensaje, como respuesta a este.',
    sentAgain: 'Enviada de nuevo tras una interrupción. Si ves esta tarjeta dos veces, esta es la actual.',
    answeredInPrivate: 'Te he respondido en privado.',
    oldMessage: 'Este mensaje es demasiado antiguo. Envía el comando otra vez.',
    asChannel:
      'Esto se envió en nombre de un canal y no puedo comprobar que puedas hablar por él. Hazme administrador del canal o envíalo otra vez con tu propio nombre.',
    working: 'Estoy en ello. La respuesta aparecerá aquí.',
    welcome:
      'Convierto fotos en imágenes y vídeos nuevos: envía una con /faceswap como pie de foto, o mira /help.',
    makeAdministrator:
      'Hazme administrador en los ajustes del grupo, sin ningún permiso: así veo también los comandos sin mi nombre, y por qué rechazo algo solo lo lee quien lo pidió.',
    removed: 'Quitado.',
  },
  web: {
    tooLarge: 'Una foto puede tener 20 MB como máximo. Envía una más pequeña.',
    tooMuch: 'Juntas, estas fotos son demasiado grandes para un mensaje. Envía menos, o más pequeñas.',
    tooMany: (most: number) => `Un mensaje puede tener ${most} fotos como máximo.`,
  },
  ideas: {
    motion: [
      'Sonríen y miran a la cámara',
      'Un zoom lento y cinematográfico',
      'El viento mueve el pelo y la ropa',
      'La cámara gira despacio alrededor',
    ],
    transition: [
      'Una transformación suave de la primera a la última',
      'El tiempo pasa deprisa entre ambas',
      'Un remolino de luz lleva de una a otra',
    ],
    portrait: [
      'Un astronauta en la luna',
      'Un óleo renacentista',
      'Un detective de cine negro bajo la lluvia',
    ],
    group: [
      'Una banda de rock en el escenario',
      'Piratas en la cubierta de un barco',
      'Un retrato de familia real',
    ],
  },
};
