import type { CommunityWords } from '../en/community.ts';
import { joinWithOr, shortDate } from '../phrase.ts';
import { credits, plural } from './labels.ts';

export const community: CommunityWords = {
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
    log: (channel) => `Canal do registro de auditoria: ${channel}`,
    here: 'aqui',
    noLog: 'Canal do registro de auditoria: nenhum',
    everywhere: 'As imagens e os vídeos são feitos em todos os canais.',
    nowhere: 'As imagens e os vídeos não são feitos em nenhum canal.',
    channels: 'As imagens e os vídeos são feitos só em:',
    channelWithNotHere: 'Só com not-here é possível indicar outro canal: o resto é dito onde deve valer.',
    channelsSet: {
      everywhere: 'As imagens e os vídeos agora são feitos em todos os canais.',
      here: 'As imagens e os vídeos agora são feitos aqui, e só onde isto foi dito.',
      'not-here': 'Aqui não são mais feitas imagens nem vídeos.',
      unlimited:
        'As imagens e os vídeos são feitos em todos os canais. Envie /settings channels here naqueles em que devem ser feitos.',
      none: 'Não restou nenhum canal. /settings channels here abre um, /settings channels everywhere abre todos.',
      removed: (channel) => `Em ${channel} não são mais feitas imagens nem vídeos.`,
    },
    shown: (name, value) => `${name}: ${value}`,
    blocked: (people) => `Pessoas bloqueadas: ${people}`,
    words: (count) => `Palavras bloqueadas: ${count}`,
    recent: 'Últimas entradas do registro de auditoria',
    creditsSet: (amount) => `Cada pessoa agora tem ${credits(amount)} por dia aqui.`,
    allowanceSet: (who, amount) => `${who} agora tem ${credits(amount)} por dia aqui.`,
    roleAllowanceSet: (who, amount) =>
      `Quem tem o cargo ${who} agora tem pelo menos ${credits(amount)} por dia aqui, a não ser que tenha uma cota própria.`,
    allowanceGone: (who) => `${who} não tem mais cota própria aqui.`,
    noAllowance: (who) => `${who} não tinha cota própria aqui.`,
    granted: (who, amount, left) =>
      `${who} recebeu ${credits(amount)} para quando os do dia acabarem; ${plural(amount, 'ele não expira', 'eles não expiram')}. Presenteados que restam ao todo: ${left}.`,
    grantTaken: (who, amount) => `Retirado de ${who}: ${credits(amount)}.`,
    noGrant: (who) => `${who} não tinha mais créditos presenteados.`,
    userBlocked: (user) => `${user} está bloqueado aqui.`,
    userUnblocked: (user) => `${user} não está mais bloqueado aqui.`,
    notBlocked: (user) => `${user} não estava bloqueado.`,
    nowPaused: 'Em pausa. Ninguém pode começar tarefas aqui até /settings resume.',
    nowRunning: 'Retomado. Novas tarefas são aceitas de novo.',
    logHere: 'O registro de auditoria e as denúncias chegam a este canal a partir de agora.',
    logOff: 'O registro de auditoria não é mais enviado a um canal.',
    logOrEntries: 'Informe here ou off sem mais nada: user e kind escolhem as entradas mostradas.',
    noEntries: 'Não há entradas assim.',
    wordBanned: (word) => `Textos com “${word}” são recusados aqui a partir de agora.`,
    wordRule:
      'São reconhecidas palavras inteiras, também espaçadas, partidas por sinais, com acentos ou caracteres parecidos (d e m o n, d.e-m_o.n, dém0n). Duas palavras que só juntas a formam não são reconhecidas; para recusá-las também, bloqueie-a com o espaço: “de mon”.',
    wordAllowed: (word) => `“${word}” está permitida de novo.`,
    notBanned: (word) => `“${word}” não estava bloqueada.`,
  },
  communityErrors: {
    'alias-exists': (name) => `O alias “${name}” já existe. Use /alias repoint para mudar o filtro dele.`,
    'alias-unknown': (name, near) =>
      `Não há alias “${name}” aqui.${near.length > 0 ? ` Você quis dizer ${joinWithOr(near, 'ou')}?` : ' /alias list mostra todos.'}`,
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
    'words-limit': (limit) =>
      `No máximo ${limit} palavras podem ser bloqueadas aqui. Permita uma de novo antes.`,
    'allowances-limit': (limit) =>
      `No máximo ${limit} pessoas e ${limit} cargos podem ter uma cota própria. Retire uma primeiro.`,
    'owners-word': 'Um dono deste bot definiu isto: só os donos podem mudá-lo.',
    'everyone-role': 'Todos têm este cargo. Use /settings credits.',
    'grants-limit': (limit) =>
      `No máximo ${limit} pessoas podem ter créditos presenteados aqui. Retire alguns primeiro.`,
    'grant-most': (rest, limit) =>
      `Hoje você ainda pode dar ${credits(rest)} a esta pessoa. O que os moderadores dão a uma pessoa em um dia, cota e créditos presenteados juntos, é no máximo ${limit}, e também não podem sobrar mais presenteados. O dono deste bot pode dar mais.`,
    'credits-limit': (limit) =>
      `Um moderador pode dar no máximo ${credits(limit)} por dia. O dono deste bot pode dar mais.`,
    'word-empty': (word) => `“${word}” não tem letras nem números para ser reconhecida.`,
    'service-unavailable': 'O serviço de geração não está respondendo agora. Tente daqui a um minuto.',
    'service-refused': (detail) => `O serviço de geração recusou: ${detail}`,
  },
  approval: {
    title: 'Um pedido para usar este bot',
    settingsTitle: 'Aprovação',
    community: (name) => `Comunidade: ${name}`,
    person: (name) => `Chat direto com ${name}`,
    id: 'ID:',
    members: (count) => `Membros: ${count}`,
    addedBy: (name) => `Adicionado por ${name}`,
    usedBy: (name) => `Usado primeiro por ${name}`,
    buttons: { approve: 'Aprovar', dismiss: 'Agora não' },
    approvedBy: (by) => `Aprovado por ${by}.`,
    dismissedBy: (by) =>
      `${by} decidiu: agora não. Não haverá avisos durante 30 dias; /settings approve com o ID ainda aprova.`,
    expired:
      'Este pedido não existe mais: foi decidido e alterado depois, tem mais de 30 dias ou os dados dele foram apagados.',
    more: (count) =>
      `Mais ${count} ${plural(count, 'pede', 'pedem')} para usar este bot hoje. Não há um aviso para cada um: a página do dono (/owner) mostra todos, e /settings approve com um ID aprova um.`,
    welcome: 'O dono deste bot aprovou este chat: agora tudo funciona aqui. /help mostra como começar.',
    ownersOnly: 'Só os donos deste bot podem fazer isto.',
    approved: (id) => `${id} está aprovado: agora tudo funciona lá.`,
    already: (id) => `${id} já estava aprovado.`,
    revoked: (id) =>
      `${id} não está mais aprovado. As tarefas que esperam lá falham e não custam nada; o que já foi enviado ao serviço de geração ainda é mostrado.`,
    wasNot: (id) => `${id} não estava aprovado.`,
    notNeeded:
      'Agora qualquer comunidade pode usar este bot (COMMUNITIES=open): isto conta quando COMMUNITIES for approved.',
    unknownId: (typed) =>
      `“${typed}” não pode ser aprovado. Uma comunidade tem a forma discord:123 ou telegram:-100123, um chat direto telegram:dm:42, um chat do playground web:studio.`,
  },
  campaign: {
    scheduled: (name, filter, from, until) =>
      until === undefined
        ? `“${name}” vai apontar para ${filter} a partir de ${from}.`
        : `“${name}” vai apontar para ${filter} de ${from} até ${until}.`,
    zone: (zone) => `Horários de ${zone}; /settings timezone muda isso.`,
    coming: (filter, from, until) =>
      until === undefined ? `⏳ a partir de ${from}: ${filter}` : `⏳ de ${from} até ${until}: ${filter}`,
    running: (filter, until) => `▶ até ${until}: ${filter}`,
    unscheduled: (name, count) =>
      `${count} ${plural(count, 'mudança agendada', 'mudanças agendadas')} de “${name}” ${plural(count, 'cancelada', 'canceladas')}.`,
    ended: (name) => `A campanha de “${name}” termina agora: o filtro anterior volta.`,
    past: (time, now) =>
      `${time} já passou; agora são ${now}. Informe um dia posterior ou uma hora como 2026-10-25T18:00.`,
    order: '“until” precisa ser depois de “from”.',
    overlap: (filter, from, until) =>
      `Isso coincide com ${filter}, ${until === undefined ? `a partir de ${from}` : `de ${from} até ${until}`}. Escolha outras datas ou cancele com /alias unschedule.`,
    limit: (limit) => `No máximo ${limit} podem ser agendadas. Cancele antes alguma com /alias unschedule.`,
    none: (name) => `Nada está agendado para “${name}”. /alias list mostra o que está.`,
    notices: {
      missed: (name, filter) =>
        `A campanha ${filter} do alias “${name}” foi perdida por inteiro: não pôde começar antes do fim. Nada foi mudado.`,
      failed: (name, filter) =>
        `A campanha ${filter} do alias “${name}” não pôde ser executada: o alias ou um filtro não existe mais, ou o serviço a recusou. Nada foi mudado; confira com /alias show.`,
      delayed: (name, filter) =>
        `A campanha ${filter} do alias “${name}” está atrasada: o serviço de geração não responde. Será tentado de novo automaticamente.`,
    },
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
    swappedAt: (day) => `Último redirecionamento em ${day}.`,
    history: 'Antes disso:',
    until: (filter, day) => `${filter}, até ${day}`,
    unknownFilter: (typed, nearest) =>
      `Não há filtro próprio “${typed}”.${nearest.length > 0 ? ` Você quis dizer ${joinWithOr(nearest, 'ou')}?` : ''} Um alias aponta para um filtro próprio; /filters mine mostra todos.`,
    numberFirst: (name: string) =>
      `Em um catálogo que tem o número ${name}, o número vale mais que este alias; um nome com uma letra evita isso.`,
    catalogNumber:
      'Um alias aponta para um filtro próprio, indicado pelo UUID ou pelo nome. Um número de catálogo nunca muda, então não precisa de alias.',
  },
  rules: {
    filterOrPrompt: (reference) => `Informe “${reference}” ou “prompt”, não os dois.`,
  },
  removal: {
    title: 'Resultado removido',
    known: 'Este resultado já tinha sido removido.',
    everywhere: 'Foi apagado em todos os lugares em que o bot o mostrou.',
    remaining: (count) =>
      `Mensagens que o mostram e não puderam ser apagadas: ${count}. Novas tentativas seguem por um dia; apague à mão as que você vê.`,
    blanked: (count) =>
      `Mensagens antigas demais para serem apagadas, que agora mostram só palavras: ${count}.`,
    unreachable: (count) =>
      `Mensagens que talvez ainda o mostrem e estão fora do alcance do bot: ${count}. Ele foi retirado do chat delas, ou só uma pessoa as viu e elas somem sozinhas.`,
    unknownPlaces: (count) =>
      `Mensagens que talvez o mostrem e não são conhecidas, porque o bot foi interrompido ao enviá-las: ${count}. Apague à mão as que ainda vê.`,
    blocked: {
      all: 'As fotos dele passam a ser recusadas para todos.',
      some: 'Algumas das fotos dele passam a ser recusadas para todos. As outras são links ou têm pouco contraste para serem reconhecidas.',
      none: 'As fotos dele não são recusadas: são links ou têm pouco contraste para serem reconhecidas.',
      full: 'As fotos dele não são recusadas: a lista de fotos bloqueadas está cheia. Avise um dono do bot.',
    },
    pending: 'As fotos dele estão sendo bloqueadas.',
    unknown: 'Não há esse resultado aqui. Dê o link da mensagem dele ou o número do trabalho.',
    noResult: 'Este trabalho não tem resultado.',
    limit:
      'Hoje já foram removidos aqui tantos resultados que não é possível remover mais. Tente amanhã ou peça a um dono deste bot.',
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
  gate: {
    unapproved:
      'Este bot só funciona onde o dono o aprovou. O dono já foi avisado: assim que aprovar este chat, tudo funcionará aqui. Até lá, há /help e /privacy.',
    notHere: 'Aqui não são feitas imagens nem vídeos: os moderadores escolheram outros canais para isso.',
    goTo: 'Vá para:',
    blocked: 'Você não pode usar isto aqui: um moderador bloqueou você.',
    settingsLost:
      'As configurações desta comunidade foram danificadas e redefinidas: as listas de pessoas e palavras bloqueadas foram perdidas. O Darkroom fica em pausa aqui até um moderador configurá-las de novo e enviar /settings resume.',
    paused: (reason) => `O Darkroom está em pausa nesta comunidade${reason ? `: ${reason}` : '.'}`,
    bannedWord: 'Seu texto tem uma palavra que esta comunidade não permite. Escreva de outro jeito.',
    moderatorsOnly: 'Só moderadores desta comunidade podem fazer isso.',
  },
};
