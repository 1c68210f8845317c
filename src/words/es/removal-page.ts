import type { RemovalPageWords } from '../en/removal-page.ts';

export const removalPage: RemovalPageWords = {
  skip: 'Ir al contenido',
  languages: 'Idiomas',
  back: 'Al formulario',
  title: 'Pedir que se retire una imagen',
  intro:
    'Este bot hace imágenes y vídeos a partir de fotos de personas. Si tú, o un niño a tu cargo, apareces en uno y no lo quieres, dínoslo aquí. No hace falta ninguna cuenta y no cuesta nada.',
  next: 'Quienes llevan este bot miran cada solicitud y deciden en 48 horas. Recibes un número con el que puedes ver qué pasó con la tuya. Un resultado retirado se borra en todos los sitios donde el bot lo mostró, y las fotos con las que se hizo se rechazan desde entonces.',
  what: '¿Qué imagen o vídeo?',
  link: 'Enlace al mensaje que lo muestra',
  linkHint:
    'Discord: abre el menú del mensaje y elige «Copiar enlace del mensaje». Telegram: pulsa el mensaje y elige «Copiar enlace».',
  picture: 'O la imagen misma',
  pictureHint:
    'JPEG, PNG o WebP, 20 MB como máximo. No se guarda: solo una huella con la que se puede encontrar la misma imagen. Nadie puede ver la imagen en ella.',
  about: '¿De qué se trata?',
  aboutHint: 'Con tus palabras: quién aparece y dónde lo has visto. Basta una frase.',
  contact: '¿Cómo podemos contactar contigo?',
  contactHint:
    'Por ejemplo un correo electrónico, por si hay preguntas. Solo lo leen quienes llevan este bot.',
  send: 'Enviar la solicitud',
  kept: 'Lo que escribes se guarda cifrado durante un año y luego se borra. Con tu número puedes borrarlo antes.',
  asked: '¿Ya tienes un número?',
  number: 'Número de tu solicitud',
  find: 'Ver qué pasó con ella',
  notSent: 'Esto no se envió',
  problems: {
    nothing: 'Da el enlace al mensaje o elige la imagen. También valen los dos.',
    link: 'Esto no es un enlace. Empieza por https:// y lleva al mensaje.',
    contact: 'Di cómo podemos contactar contigo.',
    about: 'Di en pocas palabras de qué se trata.',
    large:
      'La imagen es demasiado grande: 20 MB como máximo. Basta una copia más pequeña, como una captura de pantalla.',
    picture:
      'Este archivo no se puede leer como imagen. Elige un JPEG, PNG o WebP, por ejemplo una captura de pantalla. Lo que escribiste sigue aquí.',
    busy: 'Ahora mismo llegan muchas solicitudes. Inténtalo de nuevo en unos minutos.',
    'busy-of-one': 'Han sido muchas en poco tiempo. Espera un minuto e inténtalo de nuevo.',
    full: 'Hay más solicitudes abiertas de las que se pueden responder a tiempo, así que la tuya no se aceptó. Inténtalo de nuevo mañana. No esperes hasta entonces: denuncia el mensaje en la aplicación donde lo ves y pide ayuda a la moderación de ese chat, que puede retirarlo enseguida.',
    'full-of-one':
      'Hay demasiadas solicitudes abiertas desde tu red, así que esta no se aceptó. Inténtalo de nuevo cuando se decida alguna. También puedes denunciar el mensaje en la aplicación donde lo ves, o pedir ayuda a la moderación de ese chat, que puede retirarlo enseguida.',
    slow: 'El formulario llegó demasiado despacio. Inténtalo de nuevo, quizá con una imagen más pequeña.',
    malformed: 'El formulario no llegó como debía. Abre la página otra vez y rellénalo allí.',
    elsewhere: 'El formulario vino de otra página. Abre esta página directamente.',
    failed: 'Algo falló aquí y no se envió nada. Inténtalo de nuevo en unos minutos.',
  },
  stateTitle: 'Tu solicitud',
  received: 'Recibida',
  decided: 'Decidida',
  reason: 'Lo que te han escrito',
  states: {
    open: {
      title: 'Tu solicitud ha llegado.',
      text: 'Todavía no ha decidido nadie. Se hará a más tardar el {until}.',
    },
    late: {
      title: 'Tu solicitud sigue abierta.',
      text: 'Debía decidirse antes del {until}. Se lo hemos recordado a quienes llevan este bot. También puedes denunciar el mensaje en la aplicación donde lo ves, o pedir ayuda a la moderación de ese chat, que puede retirarlo enseguida.',
    },
    removed: {
      title: 'El resultado se ha retirado.',
      text: 'Se borró donde el bot lo mostró, y las fotos con las que se hizo se rechazan desde ahora. Las copias que alguien haya guardado o reenviado no se pueden borrar desde aquí.',
    },
    refused: {
      title: 'Tu solicitud se ha rechazado.',
      text: 'Quienes llevan este bot la han mirado, y no se retiró nada.',
    },
    nothing: {
      title: 'No se encontró nada.',
      text: 'Ningún resultado de este bot corresponde a lo que enviaste: quizá lo hizo otra cosa, ya está borrado o tiene más de 30 días. Si tienes el enlace al mensaje, o una copia mejor de la imagen, envía otra solicitud.',
    },
  },
  keep: 'Apunta el número o guarda la dirección de esta página: es la única forma de volver. No se la des a nadie.',
  again: 'Si eso no te ayuda, puedes enviar otra solicitud.',
  another: 'Otra solicitud',
  deleteIt: 'Borrar esta solicitud',
  deleteWhat:
    'Lo que escribiste, la huella de la imagen y esta página se borran enseguida. Si nadie ha decidido todavía, ya nadie lo hará.',
  cancel: 'No hacerlo',
  deletedTitle: 'Borrada',
  deleted: 'Tu solicitud se ha borrado.',
  unknownTitle: 'No existe esa solicitud',
  unknown:
    'No hay ninguna solicitud con este número. Comprueba cada letra. Una solicitud se borra al cabo de un año, o cuando alguien la borra con su número.',
};
