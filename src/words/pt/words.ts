import type { Words } from '../en/words.ts';
import { joinWithOr, list } from '../phrase.ts';
import { community } from './community.ts';
import { credits, jobs, page, plural } from './labels.ts';
import { owner } from './owner.ts';
import { removalPage } from './removal-page.ts';

/** The words in Brazilian Portuguese. */
export const pt: Words = {
  language: 'pt',
  ...community,
  somethingBroke: 'Algo deu errado do nosso lado. Nada foi gasto. Tente de novo daqui a pouco.',
  yes: 'Sim',
  no: 'Não',
  credits,
  choices: { male: 'homem', female: 'mulher', boy: 'menino', girl: 'menina', group: 'grupo' },
  error: {
    empty: (option, min) =>
      `“${option}” está vazio. Escreva pelo menos ${min} ${plural(min, 'caractere', 'caracteres')}.`,
    tooLong: (option, length, max) =>
      `“${option}” tem ${length} caracteres; no máximo ${max} são permitidos. Encurte.`,
    notPhoto: (option) => `“${option}” precisa ser uma foto. Anexe uma imagem JPEG, PNG ou WebP.`,
    badLink: (option) =>
      `“${option}”: este link não pode ser usado. Precisa ser um endereço https:// público, sem senha.`,
    notFlag: (option, value) => `“${option}” precisa ser yes ou no, não “${value}”.`,
    notChoice: (option, value, choices) =>
      `“${option}” não pode ser “${value}”. Escolha entre: ${list(choices)}.`,
    notInteger: (option, value, min, max) =>
      `“${option}” precisa ser um número inteiro de ${min} a ${max}, não “${value}”.`,
    notAlias: (option, value) =>
      `“${option}” precisa ter de 1 a 32 caracteres a-z, 0-9 e “-”, não “${value}”. Por exemplo: halloween.`,
    notTime: (option, value) =>
      `“${option}” precisa ser um dia como 2026-10-25 ou uma hora como 2026-10-25T18:00, não “${value}”.`,
    notTimeZone: (option, value, near) =>
      `“${option}” precisa ser um fuso horário como America/Sao_Paulo, não “${value}”.${near.length > 0 ? ` Você quis dizer ${joinWithOr(near, 'ou')}?` : ''}`,
    noRoles: (platforms) => `Cargos só existem no ${platforms}. Indique uma pessoa.`,
    unknownPerson: (name) =>
      `Não encontro “${name}” aqui. Informe o ID da pessoa, ou espere até ela usar um comando.`,
    unknownChannel: (channel) =>
      `“${channel}” não é um dos canais em que são feitas imagens e vídeos. Informe o número entre parênteses que /settings show mostra.`,
    unknownOption: (name, nearest) =>
      `A opção “${name}” não existe.${nearest.length > 0 ? ` Você quis dizer ${joinWithOr(nearest, 'ou')}?` : ''}`,
    twice: (option) => `“${option}” aparece duas vezes. Informe uma só vez.`,
    unexpected: (word) => `“${word}” não é esperado aqui.`,
    unknownCommand: (name, nearest) =>
      `O comando /${name} não existe.${nearest.length > 0 ? ` Você quis dizer ${joinWithOr(nearest, 'ou')}?` : ' /help mostra todos.'}`,
    subcommand: (command, names) => `/${command} precisa de um subcomando: ${list(names)}.`,
    rightForm: 'Uso:',
    example: 'Por exemplo:',
  },
  busy: {
    perPerson:
      'Pedidos demais de uma vez: alguns não foram aceitos. Espere a resposta aos seus outros pedidos e tente de novo.',
    perChat:
      'Pedidos demais de uma vez neste chat: alguns não foram aceitos. Espere um minuto e tente de novo.',
  },
  album: {
    title: (photos) => `${photos} fotos de uma vez`,
    line: 'Fazer uma imagem de cada uma ou só da primeira? Cada uma tem o próprio cartão, e a que falhar não custa nada.',
    all: (photos, cost) => (cost === 0 ? `Todas as ${photos}` : `Todas as ${photos} (${credits(cost)})`),
    first: 'Só a primeira',
  },
  consent: {
    title: 'Antes da sua primeira imagem',
    people: 'Use só fotos de pessoas que concordaram, e nunca para enganar, assediar ou despir alguém.',
    age: 'Você confirma que todos que aparecem concordaram e que tem idade para usar este serviço.',
    sent: 'Sua foto é enviada ao serviço de geração. /privacy mostra o que fica guardado e permite apagar.',
    button: 'Confirmo, continuar',
  },
  ask: {
    title: (command) => `/${command}: só mais uma coisa`,
    option: (option, description) => `${description} (${option})`,
    choose: 'Escolha:',
    menu: 'Escolher…',
    pickOrType: 'Escolha, ou envie o número ou o nome na próxima mensagem.',
    type: 'Envie um número, um nome ou um alias na próxima mensagem.',
    write: 'Envie na próxima mensagem.',
    writeOrIdea: 'Envie na próxima mensagem, ou comece por uma destas ideias:',
    photo: 'Envie a foto na próxima mensagem.',
    open: 'Escrever…',
    addPhoto: 'Adicionar foto…',
    instead: (option) => `Informar “${option}” em vez disso`,
    asLast: (what) => `Como da última vez: ${what}`,
    chosen: (option, value) => `Escolhido: ${option} ${value}`,
    pages: (page, of) => `Página ${page} de ${of}`,
    whatToDo: 'O que faço com esta foto?',
    whatToDoLine: 'Escolha abaixo, ou envie um comando como legenda da foto.',
  },
  press: {
    stale: 'Este botão não vale mais. Envie o comando de novo.',
    notYours: 'Este botão é de outra pessoa.',
    notFound: 'Esta tarefa não existe mais.',
    noResult: 'O resultado desta tarefa não está mais disponível. Faça de novo primeiro.',
    shownOften: 'Este resultado já é mostrado em mensagens demais.',
  },
  reference: {
    styleRange: (number) => `Os números de estilo vão de 1 a 25; ${number} não existe.`,
    unknownNumber: (number, nearest) =>
      `Não há filtro número ${number}.${nearest.length > 0 ? ` Os mais próximos: ${list(nearest)}.` : ''} /filters mostra todos.`,
    unknownName: (name, nearest) =>
      `Não há filtro “${name}”.${nearest.length > 0 ? ` Você quis dizer ${joinWithOr(nearest, 'ou')}?` : ''} /filters mostra todos.`,
    wrongModel: (name, is, needed) => `“${name}” é para ${is}; aqui é preciso um para ${needed}.`,
    otherLook: (name, look) =>
      `“${name}” é um estilo de look ${look}. Use look=${look}, ou escolha outro estilo.`,
    models: { face: 'rostos individuais (/faceswap)', group: 'grupos (/groupswap)' },
    unavailable:
      'A lista de filtros não pode ser carregada agora. Use um número de filtro, ou tente daqui a um minuto.',
    customName: 'filtro próprio',
  },
  states: {
    opening: 'aceita',
    waiting: 'na fila',
    submitting: 'sendo enviada',
    running: 'em andamento',
    delivering: 'sendo entregue',
    held: 'aguardando um moderador',
    done: 'pronta',
    failed: 'falhou',
    cancelled: 'cancelada',
    uncertain: 'desconhecida',
  },
  card: {
    accepted: 'Aceito. Começa num instante.',
    next: 'Sua tarefa é a próxima da fila.',
    position: (position) => `Lugar na fila: ${position}.`,
    wait: (time) => `Começa em cerca de ${time}.`,
    resting: {
      'service-busy': 'O serviço de geração está sobrecarregado agora.',
      unchecked:
        'A foto não pode ser verificada agora, e nenhuma é enviada sem verificação. O dono foi avisado.',
      unknown: 'Ainda não foi possível começar.',
    },
    checkingPhoto: 'Verificando a foto…',
    nextTry: (time) => `Próxima tentativa em cerca de ${time}.`,
    sending: 'Enviando sua foto ao serviço de geração.',
    running: (time) => `Faltam cerca de ${time}.`,
    runningLong: 'Está demorando mais que o normal. Deve ficar pronto em breve.',
    delivering: 'Está pronto e a caminho.',
    checkingResult: 'Verificando o resultado…',
    held: 'Está pronto. Uma verificação nesta máquina entende que a imagem pode mostrar demais, por isso um moderador olha para ela primeiro. A verificação pode errar. Até lá ninguém vê a imagem.',
    done: (time, cost) => (time === undefined ? credits(cost) : `Levou ${time} · ${credits(cost)}`),
    aiGenerated: 'Gerado por IA (AI-generated)',
    expired: 'O resultado foi mostrado aqui; o arquivo não fica guardado.',
    returned: (cost) => `Reembolso: ${credits(cost)}.`,
    kept: (cost) =>
      `Já tinha sido enviado ao serviço e não pode ser parado lá, então o gasto (${credits(cost)}) permanece.`,
    cancelled: 'Cancelado.',
    uncertain: 'Não se sabe ao certo se foi enviado.',
    uncertainNext:
      'Não foi reenviado automaticamente, para nunca cobrar duas vezes. “Tentar de novo” inicia uma nova tarefa.',
    spent: (cost) => `${plural(cost, 'Conta como gasto', 'Contam como gastos')}: ${credits(cost)}.`,
    outage: {
      unavailable: 'O serviço de geração não está respondendo agora. Sua tarefa mantém o lugar.',
      credits: 'O serviço de geração ficou sem créditos. Sua tarefa espera até o dono adicionar mais.',
      credentials: 'O serviço de geração recusa as credenciais do bot. O dono precisa corrigir isso.',
      address:
        'O endereço configurado do serviço de geração redireciona para outro lugar. O dono precisa corrigir isso.',
    },
    resultAlt: (title) => `Resultado gerado por IA: ${title}`,
  },
  failure: {
    'photo-unavailable': 'Não foi possível obter sua foto: foi apagada ou o link venceu. Envie de novo.',
    'photo-invalid': 'Sua foto não pode ser usada. Envie um JPEG, PNG ou WebP de até 20 MB e 40 megapixels.',
    'photo-too-complex':
      'Sua foto é complexa demais para processar. Salve-a de novo como um JPEG comum, ou faça uma captura de tela dela, e envie essa.',
    'photo-blocked': 'Esta foto não pode ser usada aqui. Envie outra.',
    'photo-content':
      'Esta foto não foi enviada: a verificação de nudez nesta máquina entende que ela mostra demais. Ela pode errar. Use outra foto, ou uma parte desta que mostre o rosto.',
    'photo-unseen':
      'Não dá para fazer um vídeo a partir de um link, porque a foto por trás dele não pode ser verificada. Envie a própria foto.',
    'content-unchecked':
      'Não foi possível verificar a tempo se a imagem pode ser usada. Tente de novo mais tarde.',
    'no-minors':
      'Meninos e meninas não são aceitos: quem administra este bot decidiu que ele é só para adultos.',
    'content-removed': 'Um moderador removeu este resultado por causa do que ele mostra.',
    'content-undecided':
      'Uma verificação reteve este resultado por causa do que ele pode mostrar, e nenhum moderador decidiu em 48 horas. Ele foi removido.',
    'alias-gone': 'O alias ou o filtro dele não existe mais. Escolha outro filtro.',
    'alias-mismatch': 'O alias agora aponta para um filtro de outra finalidade. Escolha outro filtro.',
    refused: 'O serviço de geração recusou o pedido. Mude o pedido e tente de novo.',
    'filter-unknown':
      'O serviço de geração não conhece (mais) este filtro. Escolha outro; /filters mostra todos.',
    'filter-unfit':
      'Este filtro não serve para este tipo de foto: alguns são para uma pessoa, outros para grupos. Escolha outro filtro.',
    'filter-broken':
      'O serviço de geração não conseguiu carregar este filtro próprio. Escolha outro filtro ou tente mais tarde.',
    'photo-unreadable': 'O serviço de geração não conseguiu ler sua foto. Envie outra.',
    'photo-too-large': 'Sua foto é grande demais para o serviço de geração. Envie uma menor.',
    'options-unfit':
      'O serviço de geração não aceita estas opções juntas. Escolha outro modelo, outra qualidade ou outro formato.',
    'service-credits': 'O serviço de geração ficou sem créditos. O dono precisa adicionar mais.',
    'service-credentials':
      'O serviço de geração recusou as credenciais do bot. O dono precisa corrigir isso.',
    'service-address':
      'O endereço configurado do serviço de geração redireciona para outro lugar. O dono precisa corrigir isso.',
    'generation-failed':
      'O serviço de geração não conseguiu criar isto. Tente de novo, ou com outra foto ou outro filtro.',
    deadline: 'O serviço de geração não terminou a tempo. Tente mais tarde.',
    'result-unusable': 'O serviço de geração mandou um resultado que não dá para usar. Tente de novo.',
    'job-unknown': 'O serviço de geração não conhece mais esta tarefa. Tente de novo.',
    'result-gone':
      'Estava pronto, mas o serviço de geração não tinha mais o resultado quando foi possível mostrá-lo. Tente de novo.',
    'result-refused':
      'Ficou pronto, mas esta plataforma se recusa a mostrar o resultado de qualquer forma. Tente de novo ou use outro filtro.',
  },
  serviceSays: (detail) => `O serviço diz: ${detail}`,
  held: {
    title: 'Um resultado aguarda uma decisão',
    notice:
      'A verificação do conteúdo o retém: ele pode mostrar nudez. Ninguém o viu. Sem uma decisão, ele é removido depois de 48 horas.',
    changed:
      'O serviço de geração dá agora outra imagem, diferente da que a moderação quis mostrar. Esta também fica retida.',
    decide:
      'Só você vê isto. “Mostrar” o coloca no seu cartão, para quem puder vê-lo. “Remover” encerra o trabalho.',
    decided: 'Isso já foi decidido, ou o resultado foi removido.',
    shown: 'Ele aparece no seu cartão em um instante.',
    removed: 'Ele foi removido. Ninguém o viu.',
    away: 'O serviço de geração não responde agora. Tente de novo daqui a um minuto.',
  },
  filters: {
    title: (catalog) => `Filtros: ${catalog}`,
    catalogs: {
      face: 'rostos individuais',
      realistic: 'grupos, realista',
      stylized: 'grupos, estilizado',
      classic: 'grupos, clássico',
      mine: 'filtros próprios',
    },
    none: 'Não há nenhum aqui.',
    noneFound: (search) => `Nada corresponde a “${search}”.`,
    press: 'Toque em um para usar.',
    recentFirst: 'Primeiro vêm os filtros que você usou há pouco.',
    howTo: (example) => `Use um pelo número ou pelo nome, por exemplo ${example}`,
  },
  jobs: {
    title: 'Suas tarefas',
    none: 'Você ainda não tem tarefas. Envie uma foto com /faceswap para fazer a primeira.',
    ago: (time) => `há ${time}`,
    daysAgo: (days: number) => `há ${days} dias`,
  },
  notes: {
    hint: 'Digite / para ver o que sei fazer, ou envie uma foto com um comando como /faceswap.',
    ended: 'Esta tarefa já terminou.',
    deleted: 'Apagado, aqui e nos nossos registros.',
    removed: 'Removido do chat.',
    reported: 'Obrigado. Os moderadores foram avisados.',
    reportNoted:
      'Obrigado. A denúncia está no registro de auditoria, mas não foi possível avisar ninguém. Avise um moderador, por favor.',
    reportTitle: 'Um resultado foi denunciado',
    reportedBy: (name) => `Denunciado por ${name}.`,
    madeBy: (name) => `Feito por ${name}.`,
    openMessage: 'abrir a mensagem',
    noImage: 'Não há imagem nessa mensagem.',
    already: 'Isto já foi iniciado; o cartão está mais abaixo.',
    notShownYet:
      'Isto já foi iniciado, mas o cartão ainda não foi mostrado. Se ele não aparecer em alguns minutos, tente de novo.',
    elsewhere: 'Não foi possível mostrar onde você pediu. Veja como terminou.',
    interrupted:
      'O Darkroom foi interrompido antes de conseguir responder. Nada foi feito nem gasto. Tente de novo.',
    maybeInterrupted:
      'O Darkroom foi interrompido antes de conseguir responder. Veja se já teve efeito antes de tentar de novo.',
    notHere:
      'Está pronto, mas não tenho permissão para mostrar aqui. Envie /jobs no nosso chat privado para ver.',
  },
  share: {
    by: (name) => `Compartilhado por ${name}`,
    done: 'Compartilhado com todos onde você pediu.',
    already: 'Este resultado já foi compartilhado.',
    unknown:
      'O compartilhamento já foi iniciado e talvez tenha sido interrompido. Veja no chat onde você pediu: nunca é enviado duas vezes.',
    later: 'Não foi possível compartilhar agora e ninguém viu. Tente de novo em um minuto.',
    forbidden: 'Não tenho permissão para escrever onde você pediu, então não é possível compartilhar lá.',
    notMember:
      'Você não é mais membro onde pediu, não pode escrever lá, ou não consigo verificar isso, então não é possível compartilhar lá.',
  },
  file: {
    original: 'O arquivo do serviço, sem alterações.',
    justSent: 'Acabou de ser enviado ou está a caminho. Se não chegar, pressione de novo em um minuto.',
    refused: (size) => `Este arquivo tem ${size} e foi recusado aqui.`,
    tooLarge: (size, most) =>
      size === undefined
        ? `Este arquivo é maior que os ${most} que cabem aqui.`
        : `Este arquivo tem ${size}, mais que os ${most} que cabem aqui.`,
  },
  compare: {
    before: 'Antes',
    after: 'Depois',
    alt: (title) => `Antes e depois, gerado por IA: ${title}`,
    photoGone: 'Sua foto não está mais disponível, então não há com o que comparar.',
    busy: 'Está sendo feito.',
  },
  limits: {
    rate: (limit, time) =>
      `Você enviou mais de ${limit} ${plural(limit, 'pedido', 'pedidos')} em um minuto. Espere ${time} e tente de novo.`,
    waiting: (unfinished, limit) =>
      `Você já tem ${jobs(unfinished)} sem terminar; no máximo ${limit} ${plural(limit, 'pode', 'podem')} esperar. Tente quando uma terminar; /jobs mostra todas.`,
    album: (photos, fits) =>
      `São ${photos} fotos, e no momento só ${plural(fits, 'pode ser aceita', 'podem ser aceitas')} mais ${fits} ${plural(fits, 'tarefa sua', 'tarefas suas')}. Nada foi iniciado: envie menos fotos ou tente quando uma das suas tarefas terminar; /jobs mostra todas.`,
    albumLater: (photos, fits, more, time) =>
      `São ${photos} fotos. Tarefas suas que podem ser aceitas: ${fits} agora, ${more} em ${time}. Nada foi iniciado: envie menos fotos ou tente depois disso.`,
    shared:
      'Administradores anônimos e quem escreve como canal dividem este limite, em todos os grupos. Envie com o seu próprio nome para ter o seu.',
    allowance: (needed, left, time) =>
      `Isto custa ${credits(needed)} e hoje você ainda tem ${left}. Novos créditos em ${time}.`,
    communityCeiling: (needed, left, time) =>
      `Isto custa ${credits(needed)} e a comunidade inteira ainda tem ${left} hoje. Novos créditos em ${time}.`,
    serviceCeiling: (time) =>
      `Todas as pessoas que usam este bot já gastaram juntas os créditos de hoje. Novas tarefas serão aceitas em ${time}; as que estão em andamento continuam.`,
    monthCeiling: (date) =>
      `Todas as pessoas que usam este bot já gastaram juntas os créditos deste mês. Novas tarefas serão aceitas em ${date} (UTC); as que estão em andamento continuam.`,
  },
  usage: {
    title: 'Créditos de hoje',
    mine: (used, limit) => `Você usou ${used} de ${credits(limit)}.`,
    reserved: (amount) =>
      `Mais ${amount} ${plural(amount, 'está reservado', 'estão reservados')} para tarefas não terminadas.`,
    sources: {
      own: 'Definidos para você por um moderador.',
      role: 'Por um dos seus cargos.',
      community: 'Definidos para toda esta comunidade.',
      default: 'Padrão do dono.',
    },
    left: (amount) => `${plural(amount, 'Resta', 'Restam')} ${credits(amount)}.`,
    granted: (left) =>
      `Além disso, ${credits(left)} de presente: ${plural(left, 'usado', 'usados')} quando os do dia acabam, ${plural(left, 'ele não expira', 'eles não expiram')}.`,
    fromGrants: (amount) => `Pago hoje com créditos presenteados: ${amount}.`,
    resets: (time) => `Novos créditos em ${time}.`,
    community: (used, people, count) =>
      `Esta comunidade: ${credits(used)}, ${people} ${plural(people, 'pessoa', 'pessoas')}, ${jobs(count)} hoje.`,
    ceiling: (used, limit) =>
      `Juntos, vocês usaram ${used} dos ${limit} que o dono permite a esta comunidade por dia.`,
    month: (used) => `Todos juntos neste mês: ${credits(used)}.`,
    monthOf: (used, most) => `Todos juntos neste mês: ${used} de ${credits(most)}.`,
    money: (used) => `Em dinheiro: ${used}.`,
  },
  help: {
    title: 'O que eu sei fazer',
    intro: 'Envie uma foto com um destes comandos e receba de volta transformada.',
    press: 'Toque em um filtro para usá-lo com sua foto. Três coisas para experimentar:',
    file: 'Como arquivo embaixo de um resultado o envia como o serviço o fez.',
    others: 'Mais comandos',
    all: 'Todos os comandos',
    album: 'Várias fotos com um comando viram uma imagem cada; pergunto uma vez.',
    more: 'Detalhes e exemplos: /help e o nome de um comando, por exemplo /help faceswap',
    personal: (names: string) => `Só você vê ${names} e as respostas, nos aplicativos que permitem isso.`,
    moderators: 'Para moderadores',
    optional: 'opcional',
    required: 'obrigatório',
    choices: (choices) => `um de ${list(choices)}`,
    standard: (value) => `padrão: ${value}`,
    price: (price) => `Preço: ${price}`,
    examples: 'Exemplos',
  },
  face: {
    title: 'Seus rostos salvos',
    off: 'Os rostos salvos não estão ativados aqui: o dono precisa definir STORE_KEY primeiro.',
    shared:
      'Um rosto pertence a uma pessoa. Envie isto com o seu próprio nome, não como canal nem como administrador anônimo.',
    none: 'Você ainda não tem nenhum. Salve um com /face save, um nome e uma foto.',
    isDefault: 'padrão',
    usedOn: (day) => `usado por último em ${day}`,
    saved: (name) => `“${name}” está salvo. Use com: /faceswap face=${name}`,
    replaced: (name) => `“${name}” tem uma foto nova.`,
    kept: 'Ele fica guardado criptografado até você apagar ou passar um ano sem usar.',
    deleted: (name) => `“${name}” foi apagado.`,
    nowDefault: (name) => `“${name}” agora é o seu rosto padrão.`,
    unknown: (name) => `Você não tem um rosto salvo “${name}”. /face list mostra os seus.`,
    limit: (most) =>
      `Você pode guardar no máximo ${most} rostos. Apague um antes, ou use um nome que você já tem.`,
    full: 'Não há mais espaço aqui para guardar rostos. O dono foi avisado. Os que você já tem continuam funcionando.',
    saves: (most) => `Você salvou ${most} fotos em 24 horas. Espere até amanhã para salvar mais.`,
    busy: 'Não foi possível salvar esta foto agora. Espere um minuto e tente de novo.',
    unchecked: 'A foto não pode ser verificada agora, por isso não foi salva. Tente de novo mais tarde.',
    notKept: 'Só dá para salvar uma foto que você envia, não um link. Envie a foto.',
    use: (name) => `Usar “${name}”`,
    useDefault: 'Usar meu rosto salvo',
  },
  faceCheck: {
    help: 'Antes de gastar créditos, procuro rostos na foto: se não houver nenhum, ou mais ou menos do que o necessário, pergunto a você primeiro.',
    looking: 'Estou olhando a sua foto…',
    anyway: 'Usar mesmo assim',
    everybody: 'Todos',
    swapOne: 'Trocar um rosto',
    noFace: 'Nenhum rosto encontrado nesta foto',
    noFaceLine: 'Nada foi gasto. Envie outra foto, ou use esta: desenhos e bichos são bem-vindos.',
    oneFace: 'Só um rosto encontrado nesta foto',
    tooFewLine: 'Nada foi gasto. /groupswap é para duas ou mais pessoas.',
    whoIsIt: 'De qual rosto se trata?',
    pressNumber: 'Os rostos estão numerados da esquerda para a direita. Escolha um; nada foi gasto ainda.',
    everybodyLine: '“Todos” continua com /groupswap.',
    alt: (faces) => `Os rostos da foto, numerados de 1 a ${faces} da esquerda para a direita`,
  },
  privacy: {
    title: 'Seus dados',
    photo:
      'Sua foto é endireitada, perde os metadados (inclusive a localização) e vai para o serviço de geração, que cria o resultado.',
    faceCheck:
      'Antes disso, procuram-se aqui rostos nela. O que é encontrado não é guardado; a parte da foto que você escolheu fica guardada com a tarefa.',
    contentCheck:
      'Antes disso, um programa nesta máquina verifica se ela mostra nudez. Uma foto que a mostra é recusada; o que o programa encontrou não é guardado.',
    photoNotKept: 'Aqui ela nunca é gravada em disco.',
    faces:
      'Aqui ela só é gravada em disco se você a guardar com /face save: então a foto limpa fica guardada criptografada até você apagar ou passar um ano sem usar.',
    link: 'Um link para uma imagem vai para o serviço de geração como está.',
    kept: 'Fica guardado aqui: suas tarefas (o que você pediu e onde a foto e o resultado estão no chat, nunca as imagens) e quantos créditos você usou em cada dia, por 30 dias; que você confirmou o consentimento; uma linha do registro de auditoria por tarefa por 90 dias. Os créditos que moderadores deram a você de presente, até serem usados.',
    hashes:
      'Uma impressão digital de cada foto e do resultado é guardada com o trabalho, para que o resultado possa ser encontrado e removido se alguém que aparece nele pedir. A foto de um resultado removido passa a ser recusada; sua impressão digital fica por um ano. Nenhuma imagem pode ser refeita a partir dela.',
    marks: 'Os resultados dizem que foram gerados por IA: na legenda e dentro do arquivo.',
    visibleMark: 'As imagens também têm um pequeno “AI” em um canto.',
    results: 'Os resultados ficam só no chat. “Apagar” remove o resultado do chat e dos nossos registros.',
    resultsHere:
      'Este chat também fica guardado aqui: suas mensagens e seus resultados. “Apagar” remove o resultado do chat e dos nossos registros.',
    button: 'Apagar todos os meus dados',
    sure: 'Apagar tudo o que guardamos sobre você? Tarefas não terminadas são canceladas. Os resultados ficam no chat; em um grupo, depois só moderadores podem apagá-los. Os créditos presenteados se perdem. Não dá para desfazer.',
    sureHere:
      'Apagar tudo o que guardamos sobre você? Tarefas não terminadas são canceladas. Suas mensagens, as respostas a elas e seus resultados também são apagados deste chat. Os créditos presenteados se perdem. Não dá para desfazer.',
    sureButton: 'Sim, apagar tudo',
    erased: (count) =>
      `Pronto. ${jobs(count)} e suas preferências foram apagadas. Só o contador de hoje fica até a meia-noite (UTC).`,
    erasing:
      'Seus dados estão sendo apagados. Eles não são mais mostrados; são muitos, então isso leva alguns minutos. Só o contador de hoje fica até a meia-noite (UTC).',
  },
  page,
  owner,
  removalPage,
  telegram: {
    tooLarge:
      'O Telegram só deixa os bots baixarem arquivos de até 20 MB. Envie um menor, ou envie como foto.',
    startFirst:
      'Só posso responder em privado depois que você iniciar um chat comigo. Inicie e tente de novo.',
    startButton: 'Iniciar chat privado',
    anonymous:
      'Não posso responder em privado a um administrador anônimo. Envie com o seu próprio nome, ou deixe “private” de fora.',
    answerHere: 'Responda a esta mensagem.',
    pickOrReply: 'Escolha, ou envie o número ou o nome na próxima mensagem, em resposta a esta.',
    sentAgain: 'Enviado de novo após uma interrupção. Se você vir este cartão duas vezes, este é o atual.',
    answeredInPrivate: 'Respondi em privado.',
    oldMessage: 'Esta mensagem é antiga demais. Envie o comando de novo.',
    asChannel:
      'Isto foi enviado em nome de um canal, e não consigo verificar se você pode falar por ele. Faça de mim administrador do canal ou envie de novo com o seu próprio nome.',
    working: 'Estou trabalhando nisso. A resposta virá aqui.',
    welcome:
      'Transformo fotos em novas imagens e vídeos: envie uma com /faceswap como legenda, ou veja /help.',
    makeAdministrator:
      'Faça de mim administrador nas configurações do grupo, sem nenhum direito: assim vejo também os comandos sem o meu nome, e só quem pediu lê por que recusei algo.',
    removed: 'Removido.',
  },
  web: {
    tooLarge: 'Uma foto pode ter no máximo 20 MB. Envie uma menor.',
    tooMuch: 'Juntas, estas fotos são grandes demais para uma mensagem. Envie menos, ou menores.',
    tooMany: (most: number) => `Uma mensagem pode ter no máximo ${most} fotos.`,
  },
  ideas: {
    motion: [
      'Sorriem e olham para a câmera',
      'Um zoom lento de cinema',
      'O vento mexe o cabelo e as roupas',
      'A câmera gira devagar em volta',
    ],
    transition: [
      'Uma transformação suave da primeira para a última',
      'O tempo passa depressa entre as duas',
      'Um redemoinho de luz leva de uma à outra',
    ],
    portrait: ['Um astronauta na lua', 'Uma pintura a óleo renascentista', 'Um detetive noir na chuva'],
    group: ['Uma banda de rock no palco', 'Piratas no convés de um navio', 'Um retrato de família real'],
  },
};
