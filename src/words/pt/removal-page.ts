import type { RemovalPageWords } from '../en/removal-page.ts';

export const removalPage: RemovalPageWords = {
  skip: 'Ir para o conteúdo',
  languages: 'Línguas',
  back: 'Para o formulário',
  title: 'Pedir a remoção de uma imagem',
  intro:
    'Este bot faz imagens e vídeos a partir de fotos de pessoas. Se você, ou uma criança aos seus cuidados, aparece em um deles e não quer isso, diga aqui. Não é preciso ter conta, e não custa nada.',
  next: 'As pessoas responsáveis por este bot veem cada pedido e decidem em até 48 horas. Você recebe um número com o qual pode ver o que aconteceu com o seu. Um resultado removido é apagado em todos os lugares onde o bot o mostrou, e as fotos de que foi feito são recusadas a partir daí.',
  what: 'Qual imagem ou vídeo?',
  link: 'Link para a mensagem que o mostra',
  linkHint:
    'Discord: abra o menu da mensagem e escolha “Copiar link da mensagem”. Telegram: toque na mensagem e escolha “Copiar link”.',
  picture: 'Ou a própria imagem',
  pictureHint:
    'JPEG, PNG ou WebP, no máximo 20 MB. Ela não é guardada: só uma impressão digital, com a qual a mesma imagem pode ser encontrada. Ninguém consegue ver a imagem nela.',
  about: 'Do que se trata?',
  aboutHint: 'Com suas palavras: quem aparece e onde você viu. Uma frase basta.',
  contact: 'Como podemos falar com você?',
  contactHint: 'Por exemplo um e-mail, para perguntas. Só as pessoas responsáveis por este bot o leem.',
  send: 'Enviar o pedido',
  kept: 'O que você escreve é guardado com criptografia por um ano e depois apagado. Com o seu número você pode apagá-lo antes.',
  asked: 'Você já tem um número?',
  number: 'Número do seu pedido',
  find: 'Ver o que aconteceu com ele',
  notSent: 'Isto não foi enviado',
  problems: {
    nothing: 'Informe o link para a mensagem ou escolha a imagem. Os dois também servem.',
    link: 'Isto não é um link. Ele começa com https:// e leva à mensagem.',
    contact: 'Diga como podemos falar com você.',
    about: 'Diga em poucas palavras do que se trata.',
    large: 'A imagem é grande demais: no máximo 20 MB. Uma cópia menor, como uma captura de tela, basta.',
    picture:
      'Este arquivo não pode ser lido como imagem. Escolha um JPEG, PNG ou WebP, por exemplo uma captura de tela. O que você escreveu continua aqui.',
    busy: 'Muitos pedidos estão chegando agora. Tente de novo em alguns minutos.',
    'busy-of-one': 'Foram muitos em pouco tempo. Espere um minuto e tente de novo.',
    full: 'Há mais pedidos abertos do que podem ser respondidos a tempo, por isso o seu não foi aceito. Tente de novo amanhã. Não espere até lá: denuncie a mensagem no aplicativo em que você a vê e fale com a moderação desse chat, que pode removê-la na hora.',
    'full-of-one':
      'Há pedidos abertos demais vindos da sua rede, por isso este não foi aceito. Tente de novo quando um deles for decidido. Você também pode denunciar a mensagem no aplicativo em que a vê, ou falar com a moderação desse chat, que pode removê-la na hora.',
    slow: 'O formulário chegou devagar demais. Tente de novo, talvez com uma imagem menor.',
    malformed: 'O formulário não chegou como devia. Abra a página de novo e preencha-o lá.',
    elsewhere: 'O formulário veio de outra página. Abra esta página diretamente.',
    failed: 'Algo deu errado aqui, e nada foi enviado. Tente de novo em alguns minutos.',
  },
  stateTitle: 'Seu pedido',
  received: 'Recebido',
  decided: 'Decidido',
  reason: 'O que escreveram para você',
  states: {
    open: {
      title: 'Seu pedido chegou.',
      text: 'Ninguém decidiu ainda. Isso acontece no máximo até {until}.',
    },
    late: {
      title: 'Seu pedido continua aberto.',
      text: 'Ele devia ser decidido até {until}. As pessoas responsáveis por este bot foram lembradas. Você também pode denunciar a mensagem no aplicativo em que a vê, ou falar com a moderação desse chat, que pode removê-la na hora.',
    },
    removed: {
      title: 'O resultado foi removido.',
      text: 'Ele foi apagado onde o bot o mostrou, e as fotos de que foi feito são recusadas a partir de agora. Cópias que alguém salvou ou reenviou não podem ser apagadas daqui.',
    },
    refused: {
      title: 'Seu pedido foi recusado.',
      text: 'As pessoas responsáveis por este bot o viram, e nada foi removido.',
    },
    nothing: {
      title: 'Nada foi encontrado.',
      text: 'Nenhum resultado deste bot corresponde ao que você enviou: talvez tenha sido feito por outra coisa, já esteja apagado ou tenha mais de 30 dias. Se você tem o link para a mensagem, ou uma cópia melhor da imagem, envie um novo pedido.',
    },
  },
  keep: 'Anote o número ou guarde o endereço desta página: é o único caminho de volta. Não o dê a ninguém.',
  again: 'Se isso não ajudar, você pode enviar um novo pedido.',
  another: 'Novo pedido',
  deleteIt: 'Apagar este pedido',
  deleteWhat:
    'O que você escreveu, a impressão digital da imagem e esta página são apagados na hora. Se ninguém decidiu ainda, ninguém vai decidir.',
  cancel: 'Não apagar',
  deletedTitle: 'Apagado',
  deleted: 'Seu pedido foi apagado.',
  unknownTitle: 'Pedido desconhecido',
  unknown:
    'Não há pedido com este número. Confira cada letra. Um pedido é apagado depois de um ano, ou quando alguém o apaga com o seu número.',
};
