import type { Words } from './en.ts';
import { descriptions, kinds, page } from './labels/pt.ts';
import { owner } from './owner/pt.ts';
import { list, oneOf, shortDate, span } from './phrase.ts';

function credits(amount: number): string {
  return `${amount} ${amount === 1 ? 'crédito' : 'créditos'}`;
}
function jobs(count: number): string {
  return `${count} ${count === 1 ? 'tarefa' : 'tarefas'}`;
}

/** Brazilian Portuguese. */
export const pt: Words = {
  somethingBroke: 'Algo deu errado do nosso lado. Nada foi gasto. Tente de novo daqui a pouco.',
  yes: 'Sim',
  no: 'Não',
  credits,
  descriptions,
  choices: { male: 'homem', female: 'mulher', boy: 'menino', girl: 'menina', group: 'grupo' },
  error: {
    empty: (option, min) =>
      `“${option}” está vazio. Escreva pelo menos ${min} ${min === 1 ? 'caractere' : 'caracteres'}.`,
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
      `"${option}" deve ser um dia como 2026-10-25 ou uma hora como 2026-10-25T18:00, não "${value}".`,
    notTimeZone: (option, value, near) =>
      `"${option}" deve ser um fuso horário como America/Sao_Paulo, não "${value}".${near.length > 0 ? ` Você quis dizer ${oneOf(near, 'ou')}?` : ''}`,
    noRoles: (platforms) => `Cargos só existem no ${platforms}. Indique uma pessoa.`,
    unknownPerson: (name) =>
      `Não encontro “${name}” aqui. Informe o id da pessoa, ou espere até ela usar um comando.`,
    unknownChannel: (channel) =>
      `“${channel}” não é um dos canais em que são feitas fotos e vídeos. Informe o número entre parênteses que /settings show mostra.`,
    unknownOption: (name, nearest) =>
      `A opção “${name}” não existe.${nearest.length > 0 ? ` Você quis dizer ${oneOf(nearest, 'ou')}?` : ''}`,
    twice: (option) => `“${option}” aparece duas vezes. Informe uma só vez.`,
    unexpected: (word) => `“${word}” não é esperado aqui.`,
    unknownCommand: (name, nearest) =>
      `O comando /${name} não existe.${nearest.length > 0 ? ` Você quis dizer ${oneOf(nearest, 'ou')}?` : ' /help mostra todos.'}`,
    subcommand: (command, names) => `/${command} precisa de um subcomando: ${list(names)}.`,
    rightForm: 'Uso:',
    example: 'Por exemplo:',
  },
  gate: {
    unapproved:
      'Este bot só funciona onde o dono o aprovou. O dono já foi avisado: assim que aprovar este chat, tudo funcionará aqui. Até lá, há /help e /privacy.',
    notHere: 'Aqui não são feitas fotos nem vídeos: a moderação escolheu outros canais para isso.',
    goTo: 'Vá para:',
    blocked: 'Você não pode usar isto aqui: um moderador bloqueou você.',
    settingsLost:
      'As configurações desta comunidade foram danificadas e redefinidas: as listas de pessoas e palavras bloqueadas foram perdidas. O Darkroom fica em pausa aqui até um moderador configurá-las de novo e enviar /settings resume.',
    paused: (reason) => `O Darkroom está em pausa nesta comunidade${reason ? `: ${reason}` : '.'}`,
    bannedWord: 'Seu texto tem uma palavra que esta comunidade não permite. Escreva de outro jeito.',
    moderatorsOnly: 'Só moderadores desta comunidade podem fazer isso.',
  },
  busy: {
    perPerson:
      'Pedidos demais de uma vez: alguns não foram aceitos. Espere a resposta aos seus outros pedidos e tente de novo.',
    perChat:
      'Pedidos demais de uma vez neste chat: alguns não foram aceitos. Espere um minuto e tente de novo.',
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
    previous: '◀',
    next: '▶',
    pages: (page, of) => `Página ${page} de ${of}`,
    whatToDo: 'O que faço com esta foto?',
    whatToDoLine: 'Escolha abaixo, ou envie um comando como legenda da foto.',
  },
  press: {
    stale: 'Este botão não vale mais. Envie o comando de novo.',
    notYours: 'Este botão é de outra pessoa.',
    notFound: 'Esta tarefa não existe mais.',
    noResult: 'O resultado desta tarefa não está mais disponível. Faça de novo primeiro.',
  },
  rules: {
    filterOrPrompt: (reference) => `Informe “${reference}” ou “prompt”, não os dois.`,
    photoOrFace: 'Informe “photo” ou “face”, não os dois.',
    groupNeedsNumber:
      'gender “group” só funciona com filtros do catálogo. Escolha um filtro pelo número, ou outro gender.',
    qualityNeedsNumber:
      '“quality” só vale para filtros do catálogo; filtros próprios e aliases têm a sua. Deixe de fora.',
    qualityNeedsV6: '“quality” só vale para engine v6. Deixe de fora, ou use engine v6.',
    engineNeedsFilter: '“engine” e “quality” só valem para filtros. Deixe de fora quando usar um prompt.',
    onePhoto:
      'Mais de uma foto só funciona com look classic ou com um prompt. Use um dos dois, ou envie uma foto só.',
    classicNeedsNumber: 'Look classic só funciona com estilos do catálogo. Escolha um estilo pelo número.',
    classicNoPrompt: 'Look classic não aceita prompt. Use look realistic ou stylized.',
    outpaint: '“outpaint” só funciona com um estilo de look realistic ou stylized. Deixe de fora.',
    aspect:
      'Um aspect diferente de auto precisa de model performance. Use model=performance, ou deixe aspect de fora.',
    simple: 'Model simple só faz vídeos de 4s. Use duration=4s, ou model advanced.',
  },
  reference: {
    styleRange: (number) => `Os números de estilo vão de 1 a 25; ${number} não existe.`,
    unknownNumber: (number, nearest) =>
      `Não há filtro número ${number}.${nearest.length > 0 ? ` Os mais próximos: ${list(nearest)}.` : ''} /filters mostra todos.`,
    unknownName: (name, nearest) =>
      `Não há filtro “${name}”.${nearest.length > 0 ? ` Você quis dizer ${oneOf(nearest, 'ou')}?` : ''} /filters mostra todos.`,
    wrongModel: (name, is, needed) => `“${name}” é para ${is}; aqui é preciso um para ${needed}.`,
    otherLook: (name, look) =>
      `“${name}” é um estilo de look ${look}. Use look=${look}, ou escolha outro estilo.`,
    models: { face: 'rostos individuais (/faceswap)', group: 'grupos (/groupswap)' },
    unavailable:
      'A lista de filtros não pode ser carregada agora. Use um número de filtro, ou tente daqui a um minuto.',
    customName: 'filtro próprio',
  },
  kinds,
  states: {
    opening: 'aceita',
    waiting: 'na fila',
    submitting: 'sendo enviada',
    running: 'em andamento',
    delivering: 'sendo entregue',
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
      unknown: 'Ainda não foi possível começar.',
    },
    nextTry: (time) => `Próxima tentativa em cerca de ${time}.`,
    sending: 'Enviando sua foto ao serviço de geração.',
    running: (time) => `Faltam cerca de ${time}.`,
    runningLong: 'Está demorando mais que o normal. Deve ficar pronto em breve.',
    delivering: 'Está pronto e a caminho.',
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
    spent: (cost) => `${cost === 1 ? 'Conta como gasto' : 'Contam como gastos'}: ${credits(cost)}.`,
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
    blocked: 'Um moderador bloqueou você aqui antes do envio ao serviço de geração.',
    paused: 'O Darkroom foi pausado nesta comunidade antes do envio ao serviço de geração.',
    unapproved:
      'O dono deste bot retirou a aprovação deste chat antes de isto ser enviado ao serviço de geração.',
    'banned-word': 'Seu texto tem uma palavra que esta comunidade não permite mais. Escreva de outro jeito.',
  },
  serviceSays: (detail) => `O serviço diz: ${detail}`,
  buttons: {
    again: 'De novo',
    retry: 'Tentar de novo',
    other: 'Outro filtro',
    animate: 'Animar',
    compare: 'Antes / depois',
    share: 'Compartilhar',
    cancel: 'Cancelar',
    delete: 'Apagar',
    report: 'Denunciar',
    show: 'Mostrar',
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
    cancelled: 'Cancelado.',
    ended: 'Esta tarefa já terminou.',
    deleted: 'Apagado, aqui e nos nossos registros.',
    removed: 'Removido da conversa.',
    reported: 'Obrigado. Os moderadores foram avisados.',
    reportNoted:
      'Obrigado. A denúncia está no registro, mas não foi possível avisar ninguém. Avise um moderador, por favor.',
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
      'Está pronto, mas não tenho permissão para mostrar aqui. Envie /jobs na nossa conversa privada para ver.',
  },
  approval: {
    title: 'Um pedido para usar este bot',
    settingsTitle: 'Aprovação',
    community: (name) => `Comunidade: ${name}`,
    person: (name) => `Chat direto com ${name}`,
    id: 'Identificador:',
    members: (count) => `Membros: ${count}`,
    addedBy: (name) => `Adicionado por ${name}`,
    usedBy: (name) => `Usado primeiro por ${name}`,
    buttons: { approve: 'Aprovar', dismiss: 'Agora não' },
    approvedBy: (by) => `Aprovado por ${by}.`,
    dismissedBy: (by) =>
      `${by} decidiu: agora não. Não haverá avisos durante 30 dias; /settings approve com o id ainda aprova.`,
    expired:
      'Este pedido já não existe: foi decidido e alterado depois, tem mais de 30 dias ou os seus dados foram apagados.',
    more: (count) =>
      `Mais ${count} pedem para usar este bot hoje. Não há um aviso para cada um: a página do dono (/owner) mostra-os, e /settings approve com um id aprova um.`,
    welcome: 'O dono deste bot aprovou este chat: agora tudo funciona aqui. /help mostra como começar.',
    ownersOnly: 'Só os donos deste bot podem fazer isto.',
    approved: (id) => `${id} está aprovado: agora tudo funciona lá.`,
    already: (id) => `${id} já estava aprovado.`,
    revoked: (id) =>
      `${id} já não está aprovado. Os trabalhos que esperam lá falham e não custam nada; o que já foi enviado ao serviço de geração ainda é mostrado.`,
    wasNot: (id) => `${id} não estava aprovado.`,
    notNeeded:
      'Agora qualquer comunidade pode usar este bot (COMMUNITIES=open): isto conta quando COMMUNITIES for approved.',
    unknownId: (typed) =>
      `“${typed}” não pode ser aprovado. Uma comunidade tem a forma discord:123 ou telegram:-100123, um chat direto telegram:dm:42, um chat do playground web:studio.`,
  },
  report: {
    buttons: { remove: 'Remover resultado', block: 'Bloquear pessoa', dismiss: 'Descartar' },
    decided: {
      remove: (by) => `Resultado removido por ${by}.`,
      block: (by) => `Pessoa bloqueada por ${by}.`,
      dismiss: (by) => `Descartado por ${by}.`,
    },
    reason: (what) => `Denunciado: ${what}`,
    busy: (by) => `${by} está tratando esta denúncia agora.`,
    gone: 'Este resultado já foi apagado, ou o registro dele tem mais de 30 dias. A mensagem foi removida, se ainda existia.',
    expired: 'Esta denúncia não existe mais: tem mais de 30 dias, ou os dados dela foram apagados.',
  },
  share: {
    by: (name) => `Compartilhado por ${name}`,
    done: 'Compartilhado com todos onde você pediu.',
    already: 'Este resultado já foi compartilhado.',
    unknown:
      'O compartilhamento já foi iniciado e talvez tenha sido interrompido. Veja na conversa onde você pediu: nunca é enviado duas vezes.',
    later: 'Não foi possível compartilhar agora e ninguém viu. Tente de novo em um minuto.',
    forbidden: 'Não tenho permissão para escrever onde você pediu, então não é possível compartilhar lá.',
    notMember:
      'Você não é mais membro onde pediu, não pode escrever lá, ou não consigo verificar isso, então não é possível compartilhar lá.',
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
      `Você enviou mais de ${limit} ${limit === 1 ? 'pedido' : 'pedidos'} em um minuto. Espere ${time} e tente de novo.`,
    waiting: (unfinished, limit) =>
      `Você já tem ${jobs(unfinished)} sem terminar; no máximo ${limit} ${limit === 1 ? 'pode' : 'podem'} esperar. Tente quando uma terminar; /jobs mostra todas.`,
    shared:
      'Administradores anônimos e quem escreve como canal dividem este limite, em todos os grupos. Envie com o seu próprio nome para ter o seu.',
    allowance: (needed, left, time) =>
      `Isto custa ${credits(needed)} e hoje você ainda tem ${left}. Novos créditos em ${time}.`,
    communityCeiling: (needed, left, time) =>
      `Isto custa ${credits(needed)} e a comunidade inteira ainda tem ${left} hoje. Novos créditos em ${time}.`,
    serviceCeiling: (time) =>
      `Todas as pessoas que usam este bot já gastaram juntas os créditos de hoje. Novos trabalhos serão aceitos de novo em ${time}; os que estão em andamento continuam.`,
  },
  communityErrors: {
    'alias-exists': (name) => `O alias “${name}” já existe. Use /alias repoint para mudar o filtro dele.`,
    'alias-unknown': (name, near) =>
      `Não há alias “${name}” aqui.${near.length > 0 ? ` Você quis dizer ${oneOf(near, 'ou')}?` : ' /alias list mostra todos.'}`,
    'alias-gone': (name) =>
      `O alias “${name}” ou o filtro dele não existe mais no serviço. Um moderador pode redirecionar ou apagar.`,
    'alias-limit': (limit) =>
      `Uma comunidade pode ter no máximo ${limit} aliases. Apague um que não se usa mais.`,
    'alias-limit-person': (limit) =>
      `Uma pessoa pode criar no máximo ${limit} aliases, somando todas as comunidades. Apague um que não se usa mais.`,
    'alias-uncertain': (name) =>
      `O serviço não respondeu, então não se sabe se “${name}” foi criado. Confira com /alias list.`,
    'block-self': 'Você não pode bloquear a si mesmo.',
    'block-owner': 'O dono deste bot não pode ser bloqueado.',
    'blocked-limit': (limit) =>
      `No máximo ${limit} pessoas podem ser bloqueadas aqui. Desbloqueie alguém antes.`,
    'channels-limit': (limit) =>
      `No máximo ${limit} canais podem ser escolhidos aqui. Retire um antes: /settings channels not-here`,
    'words-limit': (limit) => `No máximo ${limit} palavras podem ser bloqueadas aqui. Libere uma antes.`,
    'allowances-limit': (limit) =>
      `No máximo ${limit} pessoas e ${limit} cargos podem ter uma cota própria. Retire uma primeiro.`,
    'owners-word': 'Um dono deste bot definiu isto: só os donos podem mudá-lo.',
    'everyone-role': 'Todos têm este cargo. Use /settings credits.',
    'grants-limit': (limit) =>
      `No máximo ${limit} pessoas podem ter créditos presenteados aqui. Retire alguns primeiro.`,
    'grant-most': (rest, limit) =>
      `Hoje você ainda pode dar ${credits(rest)} a esta pessoa. O que os moderadores dão a uma pessoa em um dia, créditos diários e presenteados juntos, é no máximo ${limit}, e também não podem sobrar mais presenteados. O dono deste bot pode dar mais.`,
    'credits-limit': (limit) =>
      `Um moderador pode dar no máximo ${limit} créditos por dia. O dono deste bot pode dar mais.`,
    'word-empty': (word) => `“${word}” não tem letras nem números para ser reconhecida.`,
    'service-unavailable': 'O serviço de geração não está respondendo agora. Tente daqui a um minuto.',
    'service-refused': (detail) => `O serviço de geração recusou: ${detail}`,
  },
  usage: {
    title: 'Créditos de hoje',
    mine: (used, limit) => `Você usou ${used} de ${credits(limit)}.`,
    reserved: (amount) =>
      `Mais ${amount} ${amount === 1 ? 'está reservado' : 'estão reservados'} para tarefas não terminadas.`,
    sources: {
      own: 'Definidos para você por um moderador.',
      role: 'Por um dos seus cargos.',
      community: 'Definidos para toda esta comunidade.',
      default: 'Padrão do dono.',
    },
    left: (amount) => `${amount === 1 ? 'Resta' : 'Restam'} ${credits(amount)}.`,
    granted: (left) =>
      `Além disso, ${credits(left)} de presente: usados quando os do dia acabam, eles não expiram.`,
    fromGrants: (amount) => `Pago hoje com créditos presenteados: ${amount}.`,
    resets: (time) => `Novos créditos em ${time}.`,
    community: (used, people, count) =>
      `Esta comunidade: ${credits(used)}, ${people} ${people === 1 ? 'pessoa' : 'pessoas'}, ${jobs(count)} hoje.`,
    ceiling: (used, limit) =>
      `Juntos, vocês usaram ${used} dos ${limit} que o dono permite a esta comunidade por dia.`,
  },
  help: {
    title: 'O que eu sei fazer',
    intro: 'Envie uma foto com um destes comandos e receba de volta transformada.',
    press: 'Toque em um filtro para usá-lo com sua foto. Três coisas para experimentar:',
    others: 'Mais comandos',
    all: 'Todos os comandos',
    more: 'Detalhes e exemplos: /help e o nome de um comando, por exemplo /help faceswap',
    moderators: 'Para moderadores',
    optional: 'opcional',
    required: 'obrigatório',
    choices: (choices) => `um de ${list(choices)}`,
    range: (min, max) => span(min, max),
    standard: (value) => `padrão: ${value}`,
    price: (price) => `Preço: ${price}`,
    examples: 'Exemplos',
  },
  alias: {
    title: 'Aliases desta comunidade',
    none: 'Ainda não há nenhum. Crie um com /alias create name filter.',
    created: (name, filter) => `O alias “${name}” agora aponta para ${filter}.`,
    repointed: (name, filter) => `O alias “${name}” foi redirecionado para ${filter}.`,
    deleted: (name) => `O alias “${name}” foi apagado.`,
    gone: 'o filtro dele não existe mais: redirecione ou apague',
    pointsTo: (filter) => `Aponta para ${filter}.`,
    model: (model) => `Para ${model}.`,
    createdAt: (day) => `Criado em ${day}.`,
    swappedAt: (day) => `Última troca em ${day}.`,
    history: 'Antes disso:',
    until: (filter, day) => `${filter}, até ${day}`,
    unknownFilter: (typed, nearest) =>
      `Não há filtro próprio “${typed}”.${nearest.length > 0 ? ` Você quis dizer ${oneOf(nearest, 'ou')}?` : ''} Um alias aponta para um filtro próprio; /filters mine mostra todos.`,
    numberFirst: (name: string) =>
      `Em um catálogo que tem o número ${name}, o número vale mais que este alias; um nome com uma letra evita isso.`,
    catalogNumber:
      'Um alias aponta para um filtro próprio, indicado pelo UUID ou pelo nome. Um número de catálogo nunca muda, então não precisa de alias.',
  },
  campaign: {
    scheduled: (name, filter, from, until) =>
      until === undefined
        ? `"${name}" vai apontar para ${filter} a partir de ${from}.`
        : `"${name}" vai apontar para ${filter} de ${from} até ${until}.`,
    zone: (zone) => `Horários de ${zone}; /settings timezone muda isso.`,
    coming: (filter, from, until) =>
      until === undefined ? `⏳ a partir de ${from}: ${filter}` : `⏳ de ${from} até ${until}: ${filter}`,
    running: (filter, until) => `▶ até ${until}: ${filter}`,
    unscheduled: (name, count) =>
      `${count} ${count === 1 ? 'mudança agendada' : 'mudanças agendadas'} de "${name}" ${count === 1 ? 'cancelada' : 'canceladas'}.`,
    ended: (name) => `A campanha de "${name}" termina agora: o filtro anterior volta.`,
    past: (time, now) =>
      `${time} já passou; agora são ${now}. Informe um dia posterior ou uma hora como 2026-10-25T18:00.`,
    order: '"until" deve ser depois de "from".',
    overlap: (filter, from, until) =>
      `Isso coincide com ${filter}, ${until === undefined ? `a partir de ${from}` : `de ${from} até ${until}`}. Escolha outras datas ou cancele com /alias unschedule.`,
    limit: (limit) => `No máximo ${limit} podem ser agendadas. Cancele antes alguma com /alias unschedule.`,
    none: (name) => `Nada está agendado para "${name}". /alias list mostra o que está.`,
    notices: {
      missed: (name, filter) =>
        `A campanha ${filter} do alias "${name}" foi perdida por inteiro: não pôde começar antes do fim. Nada foi mudado.`,
      failed: (name, filter) =>
        `A campanha ${filter} do alias "${name}" não pôde ser executada: o alias ou um filtro não existe mais, ou o serviço a recusou. Nada foi mudado; confira com /alias show.`,
      delayed: (name, filter) =>
        `A campanha ${filter} do alias "${name}" está atrasada: o serviço de geração não responde. Será tentado de novo automaticamente.`,
    },
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
    full: 'Não há mais espaço aqui para guardar rostos. O proprietário foi avisado. Os que você já tem continuam funcionando.',
    saves: (most) => `Você salvou ${most} fotos em 24 horas. Espere até amanhã para salvar mais.`,
    busy: 'Não foi possível salvar esta foto agora. Espere um minuto e tente de novo.',
    notKept: 'Só dá para salvar uma foto que você envia, não um link. Envie a foto.',
    use: (name) => `Usar “${name}”`,
    useDefault: 'Usar meu rosto salvo',
  },
  settings: {
    title: 'Configurações desta comunidade',
    credits: (amount) => `Créditos diários por pessoa: ${amount}`,
    standard: (amount) => `${amount} (padrão do dono)`,
    allowances: (count) => `Cotas de pessoas e cargos: ${count}`,
    grants: (count) => `Pessoas com créditos presenteados: ${count}`,
    paused: (reason) => `Em pausa: ${reason || 'sem motivo informado'}`,
    pausedByOwner: (reason) =>
      `Em pausa por decisão de um dono deste bot, e só os donos podem encerrá-la: ${reason || 'sem motivo informado'}`,
    byOwner: (amount) => `${amount} (definido por um dono deste bot; só os donos podem mudá-lo)`,
    running: 'Sem pausa',
    log: (channel) => `Canal de registro: ${channel}`,
    here: 'aqui',
    noLog: 'Canal de registro: nenhum',
    everywhere: 'As fotos e os vídeos são feitos em todos os canais.',
    nowhere: 'As fotos e os vídeos não são feitos em nenhum canal.',
    channels: 'As fotos e os vídeos são feitos só em:',
    channelWithNotHere: 'Só com not-here é possível indicar outro canal: o resto é dito onde deve valer.',
    channelsSet: {
      everywhere: 'As fotos e os vídeos agora são feitos em todos os canais.',
      here: 'As fotos e os vídeos agora são feitos aqui, e só onde isto foi dito.',
      'not-here': 'Aqui não são mais feitas fotos nem vídeos.',
      unlimited:
        'As fotos e os vídeos são feitos em todos os canais. Envie /settings channels here naqueles em que devem ser feitos.',
      none: 'Não restou nenhum canal. /settings channels here abre um, /settings channels everywhere abre todos.',
      removed: (channel) => `Em ${channel} não são mais feitas fotos nem vídeos.`,
    },
    shown: (name, value) => `${name}: ${value}`,
    timeZone: {
      name: 'Fuso horário',
      description: 'Fuso horário de campanhas e estatísticas',
      option: 'Por exemplo America/Sao_Paulo',
      set: (zone, time) =>
        `O fuso horário agora é ${zone}. Lá são ${time}.\nCampanhas já agendadas mantêm o seu momento.`,
    },
    language: {
      name: 'Idioma',
      description: 'Idioma onde o de uma pessoa não é conhecido, e das mensagens para todos',
      option: 'Um idioma, ou automatic',
      automatic: 'o de cada pessoa; senão, inglês',
      set: (language) =>
        `O idioma desta comunidade: ${language}. É usado onde a plataforma não informa o de uma pessoa, e nas mensagens para todos.`,
    },
    blocked: (people) => `Pessoas bloqueadas: ${people}`,
    words: (count) => `Palavras bloqueadas: ${count}`,
    recent: 'Últimas entradas do registro',
    creditsSet: (amount) => `Cada pessoa agora tem ${credits(amount)} por dia aqui.`,
    allowanceSet: (who, amount) => `${who} agora tem ${credits(amount)} por dia aqui.`,
    roleAllowanceSet: (who, amount) =>
      `Quem tem o cargo ${who} agora tem pelo menos ${credits(amount)} por dia aqui, a não ser que tenha uma cota própria.`,
    allowanceGone: (who) => `${who} não tem mais cota própria aqui.`,
    noAllowance: (who) => `${who} não tinha cota própria aqui.`,
    granted: (who, amount, left) =>
      `${who} recebeu ${credits(amount)} para quando os do dia acabarem; eles não expiram. Presenteados que restam ao todo: ${left}.`,
    grantTaken: (who, amount) => `Retirado de ${who}: ${credits(amount)}.`,
    noGrant: (who) => `${who} não tinha mais créditos presenteados.`,
    userBlocked: (user) => `${user} está bloqueado aqui.`,
    userUnblocked: (user) => `${user} não está mais bloqueado aqui.`,
    notBlocked: (user) => `${user} não estava bloqueado.`,
    nowPaused: 'Em pausa. Ninguém pode começar tarefas aqui até /settings resume.',
    nowRunning: 'Retomado. Novas tarefas são aceitas de novo.',
    logHere: 'O registro e as denúncias chegam a este canal a partir de agora.',
    logOff: 'O registro não é mais enviado a um canal.',
    logOrEntries: 'Informe here ou off sem mais nada: user e kind escolhem as entradas mostradas.',
    noEntries: 'Não há entradas assim.',
    wordBanned: (word) => `Textos com “${word}” são recusados aqui a partir de agora.`,
    wordRule:
      'São reconhecidas palavras inteiras, também espaçadas, partidas por sinais, com acentos ou caracteres parecidos (d e m o n, d.e-m_o.n, dém0n). Duas palavras que só juntas a formam não são reconhecidas; para recusá-las também, bloqueie-a com o espaço: “de mon”.',
    wordAllowed: (word) => `“${word}” está permitida de novo.`,
    notBanned: (word) => `“${word}” não estava bloqueada.`,
  },
  stats: {
    title: 'Estatísticas dos últimos 30 dias',
    jobs: 'Tarefas',
    credits: 'Créditos',
    people: 'Pessoas',
    failed: 'Falhas',
    jobsByDay: 'Tarefas por dia',
    creditsByDay: 'Créditos por dia',
    commands: 'Por comando (tarefas / créditos)',
    filters: 'Filtros mais usados',
    since: (date, zone) => `desde ${date} (${zone})`,
    date: (at) => shortDate('pt', at),
    none: 'Ninguém fez nada aqui nos últimos 30 dias.',
  },
  privacy: {
    title: 'Seus dados',
    photo:
      'Sua foto é endireitada, perde os metadados (inclusive a localização) e vai para o serviço de geração, que cria o resultado.',
    photoNotKept: 'Aqui ela nunca é gravada em disco.',
    faces:
      'Aqui ela só é gravada em disco se você a guardar com /face save: então a foto limpa fica guardada criptografada até você apagar ou passar um ano sem usar.',
    link: 'Um link para uma imagem vai para o serviço de geração como está.',
    kept: 'Fica guardado aqui: suas tarefas (o que você pediu e onde a foto e o resultado estão no chat, nunca as imagens) e quantos créditos você usou em cada dia, por 30 dias; que você confirmou o consentimento; uma linha de registro por tarefa por 90 dias. Os créditos que moderadores deram a você de presente, até serem usados.',
    results: 'Os resultados ficam só no chat. “Apagar” tira o resultado do chat e dos nossos registros.',
    resultsHere:
      'Este chat também fica guardado aqui: suas mensagens e seus resultados. “Apagar” tira o resultado do chat e dos nossos registros.',
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
  telegram: {
    tooLarge:
      'O Telegram só deixa os bots baixarem arquivos de até 20 MB. Envie um menor, ou envie como foto.',
    startFirst:
      'Só posso responder em privado depois que você iniciar uma conversa comigo. Inicie e tente de novo.',
    startButton: 'Iniciar conversa privada',
    anonymous:
      'Não posso responder em privado a um administrador anônimo. Envie com o seu próprio nome, ou deixe “private” de fora.',
    answerHere: 'Responda a esta mensagem.',
    pickOrReply: 'Escolha, ou envie o número ou o nome na próxima mensagem, em resposta a esta.',
    sentAgain: 'Enviado de novo após uma interrupção. Se você vir este cartão duas vezes, este é o atual.',
    answeredInPrivate: 'Respondi em privado.',
    oldMessage: 'Esta mensagem é antiga demais. Envie o comando de novo.',
    asChannel:
      'Isto foi enviado em nome de um canal, e não consigo verificar se você pode falar por ele. Faça de mim administrador do canal ou envie de novo com o seu próprio nome.',
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
