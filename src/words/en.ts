import { page } from './page/en.ts';
import { list, oneOf, span } from './phrase.ts';

const credits = (amount: number): string => `${amount} ${amount === 1 ? 'credit' : 'credits'}`;
const jobs = (count: number): string => `${count} ${count === 1 ? 'job' : 'jobs'}`;

/** What can be chosen is called by its English name; the other languages say what that is. */
const choices: Readonly<Record<string, string>> = {};

/** English descriptions of commands and options stand in their declarations; the other languages have them here. */
const descriptions: Readonly<Record<string, string>> = {};

/** Every string a person can read. The other languages have the same keys and parameters (a test compares them). */
export const en = {
  somethingBroke: 'Something went wrong on our side. Nothing was spent. Please try again in a moment.',
  yes: 'Yes',
  no: 'No',
  credits,
  descriptions,
  choices,
  error: {
    empty: (option: string, min: number) =>
      `"${option}" is empty. Write at least ${min} ${min === 1 ? 'character' : 'characters'}.`,
    tooLong: (option: string, length: number, max: number) =>
      `"${option}" has ${length} characters; at most ${max} are allowed. Shorten it.`,
    notPhoto: (option: string) => `"${option}" must be a photo. Attach a JPEG, PNG or WebP image.`,
    badLink: (option: string) =>
      `"${option}" cannot be that link. It must be a public address that begins with https:// and names a host, without a password.`,
    notFlag: (option: string, value: string) => `"${option}" is yes or no; "${value}" is neither.`,
    notChoice: (option: string, value: string, choices: readonly string[]) =>
      `"${option}" cannot be "${value}". Choose one of: ${list(choices)}.`,
    notInteger: (option: string, value: string, min: number, max: number) =>
      `"${option}" is a whole number from ${min} to ${max}; "${value}" is not.`,
    notAlias: (option: string, value: string) =>
      `"${option}" is 1 to 32 of a-z, 0-9 and "-"; "${value}" is not. For example: halloween.`,
    unknownPerson: (name: string) =>
      `I do not know "${name}" here. Give the person’s id, or wait until they have used a command.`,
    missing: (option: string) => `"${option}" is missing.`,
    unknownOption: (name: string, nearest: readonly string[]) =>
      `There is no option "${name}".${nearest.length > 0 ? ` Did you mean ${oneOf(nearest, 'or')}?` : ''}`,
    twice: (option: string) => `"${option}" is given twice. Give it once.`,
    unexpected: (word: string) => `I do not know what to do with "${word}" here.`,
    unknownCommand: (name: string, nearest: readonly string[]) =>
      `There is no command /${name}.${nearest.length > 0 ? ` Did you mean ${oneOf(nearest, 'or')}?` : ' /help lists them all.'}`,
    subcommand: (command: string, names: readonly string[]) =>
      `/${command} needs one of these words after it: ${list(names)}.`,
    rightForm: 'It goes like this:',
    example: 'For example:',
  },
  gate: {
    blocked: 'This is not available to you here: a moderator has blocked you.',
    settingsLost:
      'The settings of this community were damaged and begin anew: whom it had blocked and which words is lost. It is paused until a moderator has set them again and writes /settings resume.',
    paused: (reason: string) => `Darkroom is paused in this community${reason ? `: ${reason}` : '.'}`,
    bannedWord: 'Your text contains a word that this community does not allow. Please say it differently.',
    moderatorsOnly: 'Only moderators of this community can do this.',
  },
  busy: {
    perPerson:
      'Too many at once: not everything was taken. Wait until the others of yours are answered, then try again.',
    perChat: 'Too much at once in this chat: not everything was taken. Wait a minute, then try again.',
  },
  consent: {
    title: 'Before your first picture',
    people: 'Use only photos of people who agreed to it, and never to deceive, harass or undress anyone.',
    age: 'You confirm that everyone shown agreed and that you are old enough to use this service.',
    sent: 'Your photo is sent to the generation service. /privacy says what is kept, and deletes it.',
    button: 'I confirm, go on',
  },
  ask: {
    title: (command: string) => `/${command}: one more thing`,
    option: (option: string, description: string) => `${description} (${option})`,
    choose: 'Choose one:',
    pickOrType: 'Choose one, or send its number or name as your next message.',
    type: 'Send a number, a name or an alias as your next message.',
    write: 'Send it as your next message.',
    writeOrIdea: 'Send it as your next message, or start from one of these:',
    photo: 'Send the photo as your next message.',
    open: 'Write…',
    instead: (option: string) => `Give "${option}" instead`,
    previous: '◀',
    next: '▶',
    pages: (page: number, of: number) => `Page ${page} of ${of}`,
    whatToDo: 'What shall I do with this photo?',
    whatToDoLine: 'Choose below, or send a command with the photo as its caption.',
  },
  press: {
    stale: 'This button is no longer valid. Please give the command again.',
    notYours: 'This button belongs to someone else.',
    notFound: 'This job no longer exists.',
    noResult: 'The result of this job is no longer there. Make it again first.',
  },
  rules: {
    filterOrPrompt: (reference: string) =>
      `Give either "${reference}" or "prompt", not both: a ${reference} has its own look, a prompt describes one.`,
    groupNeedsNumber:
      'Gender "group" works with catalog filters only. Choose a filter by number, or another gender.',
    qualityNeedsNumber:
      '"quality" applies to catalog filters only; custom filters and aliases have their own. Leave it out.',
    qualityNeedsV6: '"quality" applies to engine v6 only. Leave it out, or use engine v6.',
    engineNeedsFilter: '"engine" and "quality" apply to filters only. Leave them out when you give a prompt.',
    onePhoto:
      'More than one photo works with look classic or with a prompt. Use one of these, or send one photo.',
    classicNeedsNumber: 'Look classic works with catalog styles only. Choose a style by number.',
    classicNoPrompt: 'Look classic does not take a prompt. Use look realistic or stylized.',
    outpaint: '"outpaint" works with a style of look realistic or stylized only. Leave it out.',
    aspect: 'An aspect other than auto needs model performance. Use model=performance, or leave aspect out.',
    simple: 'Model simple makes 4s videos only. Use duration=4s, or model advanced.',
  },
  reference: {
    styleRange: (number: string) => `Style numbers go from 1 to 25; ${number} is outside.`,
    unknownNumber: (number: string, nearest: readonly string[]) =>
      `There is no filter number ${number}.${nearest.length > 0 ? ` Near it: ${list(nearest)}.` : ''} /filters lists them.`,
    unknownName: (name: string, nearest: readonly string[]) =>
      `There is no filter "${name}".${nearest.length > 0 ? ` Did you mean ${oneOf(nearest, 'or')}?` : ''} /filters lists them.`,
    wrongModel: (name: string, is: string, needed: string) =>
      `"${name}" is made for ${is}; here one made for ${needed} is needed.`,
    otherLook: (name: string, look: string) =>
      `"${name}" is a style of look ${look}. Use look=${look}, or choose another style.`,
    models: { face: 'single faces (/faceswap)', group: 'groups (/groupswap)' },
    unavailable: 'The filter list cannot be loaded right now. Use a filter number, or try again in a minute.',
    customName: 'custom filter',
  },
  kinds: {
    'face-swap-v6': 'Face swap',
    'face-swap-v5': 'Face swap (v5)',
    'face-swap-v1': 'Face swap (v1)',
    'self-prompt': 'Portrait from a prompt',
    'multi-swap-realistic': 'Group swap',
    'multi-swap-realistic-prompt': 'Group from a prompt',
    'multi-swap-stylized': 'Stylized group swap',
    'multi-swap-stylized-prompt': 'Stylized group from a prompt',
    'multi-swap-classic': 'Classic group swap',
    'single-frame-video': 'Video',
    'first-last-frame-video': 'Transition video',
  },
  states: {
    opening: 'accepted',
    waiting: 'waiting in line',
    submitting: 'being sent',
    running: 'in the making',
    delivering: 'almost here',
    done: 'done',
    failed: 'failed',
    cancelled: 'cancelled',
    uncertain: 'not certain',
  },
  card: {
    accepted: 'Accepted. It starts in a moment.',
    next: 'You are next in line.',
    position: (position: number) => `Place in line: ${position}.`,
    wait: (time: string) => `About ${time} until it starts.`,
    sending: 'Sending your photo to the generation service.',
    running: (time: string) => `About ${time} left.`,
    runningLong: 'It takes longer than usual; it should be done any moment.',
    delivering: 'It is ready and on its way to you.',
    done: (time: string | undefined, cost: number) =>
      time === undefined ? `${credits(cost)}` : `Took ${time} · ${credits(cost)}`,
    aiGenerated: 'AI-generated',
    expired: 'The result was shown here; its bytes are not kept.',
    returned: (cost: number) => `Your ${credits(cost)} went back to you.`,
    kept: (cost: number) =>
      `It had already been submitted to the service and cannot be stopped there, so the ${credits(cost)} ${cost === 1 ? 'stays' : 'stay'} spent.`,
    cancelled: 'Cancelled.',
    uncertain: 'It is not certain whether it was submitted.',
    uncertainNext:
      'So that you are never charged twice it was not sent again by itself. Retry makes a new job.',
    spent: (cost: number) => `Its ${credits(cost)} ${cost === 1 ? 'counts' : 'count'} as spent.`,
    outage: {
      unavailable: 'The generation service is not answering right now. Your job keeps its place.',
      credits: 'The generation service has run out of credits. Your job waits until the owner adds some.',
      credentials: 'The generation service refuses the bot’s credentials. The owner has to put that right.',
      address:
        'The address that is set for the generation service leads elsewhere. The owner has to put that right.',
    },
    resultAlt: (title: string) => `AI-generated result: ${title}`,
  },
  failure: {
    'photo-unavailable':
      'Your photo could not be fetched: it was deleted or its link expired. Send it again.',
    'photo-invalid':
      'Your photo could not be used. Send a JPEG, PNG or WebP of at most 20 MB and 40 megapixels.',
    'photo-too-complex':
      'Reading your photo takes far more work than an ordinary photo of its size, so it was not used. Save it again as an ordinary JPEG, or take a screenshot of it, and send that.',
    'alias-gone': 'The alias or its filter no longer exists. Choose another filter.',
    'alias-mismatch': 'The alias now points to a filter made for something else. Choose another filter.',
    refused: 'The generation service refused the request. Change what you asked for.',
    'filter-unknown':
      'The generation service does not know this filter (any more). Choose another one; /filters shows them.',
    'filter-unfit':
      'This filter does not work for this kind of photo: some are for one person, some for groups. Choose another filter.',
    'filter-broken':
      'This custom filter could not be loaded by the generation service. Choose another filter, or try again later.',
    'photo-unreadable': 'The generation service could not read your photo. Send another one.',
    'photo-too-large': 'Your photo is too large for the generation service. Send a smaller one.',
    'options-unfit':
      'These options do not go together at the generation service. Choose another model, quality or aspect.',
    'service-credits': 'The generation service has run out of credits. The owner has to add some.',
    'service-credentials': 'The generation service refused the bot’s credentials. The owner has to fix that.',
    'service-address':
      'The address that is set for the generation service leads elsewhere. The owner has to put that right.',
    'generation-failed':
      'The generation service could not make it. Try again, or use another photo or filter.',
    deadline: 'The generation service did not finish in time. Try again later.',
    'result-unusable': 'The generation service sent a result that could not be used. Try again.',
    'job-unknown': 'The generation service no longer knows this job. Try again.',
    'result-gone':
      'It was finished, but when it could be shown the generation service no longer had it. Try again.',
    blocked: 'A moderator has blocked you here before it was sent to the generation service.',
    paused: 'Darkroom was paused in this community before it was sent to the generation service.',
    'banned-word':
      'Your text contains a word that this community does not allow any more. Please say it differently.',
  },
  serviceSays: (detail: string) => `The service says: ${detail}`,
  buttons: {
    again: 'Again',
    retry: 'Retry',
    other: 'Other filter',
    animate: 'Animate',
    cancel: 'Cancel',
    delete: 'Delete',
    report: 'Report',
    show: 'Show',
  },
  filters: {
    title: (catalog: string) => `Filters: ${catalog}`,
    catalogs: {
      face: 'single faces',
      realistic: 'groups, realistic',
      stylized: 'groups, stylized',
      classic: 'groups, classic',
      mine: 'custom filters',
    },
    none: 'There are none here.',
    noneFound: (search: string) => `Nothing matches "${search}".`,
    preview: 'preview',
    howTo: (example: string) => `Use one by number or name, for example ${example}`,
  },
  jobs: {
    title: 'Your jobs',
    none: 'You have no jobs yet. Send a photo with /faceswap to make your first.',
    ago: (time: string) => `${time} ago`,
    daysAgo: (days: number) => `${days} days ago`,
  },
  notes: {
    hint: 'Type / to see what I can do, or send a photo with a command such as /faceswap.',
    cancelled: 'Cancelled.',
    ended: 'This job has already ended.',
    deleted: 'Deleted, here and in our records.',
    reported: 'Thank you. The moderators have been told.',
    reportTitle: 'A result was reported',
    reportedBy: (name: string) => `Reported by ${name}.`,
    madeBy: (name: string) => `Made by ${name}.`,
    openMessage: 'open the message',
    noImage: 'There is no image in that message.',
    already: 'This was started already; its card is further down.',
    elsewhere: 'It could not be shown where you asked for it. Here is how it ended.',
    notHere:
      'It is done, but I am not allowed to show it here. Look into our private messages; /jobs there shows it.',
  },
  limits: {
    rate: (limit: number, time: string) =>
      `You sent more than ${limit} ${limit === 1 ? 'request' : 'requests'} within a minute. Wait ${time} and try again.`,
    waiting: (unfinished: number, limit: number) =>
      `You already have ${unfinished} unfinished ${unfinished === 1 ? 'job' : 'jobs'}; at most ${limit} can wait. Try again when one is done; /jobs shows them.`,
    allowance: (needed: number, left: number, time: string) =>
      `This costs ${credits(needed)} and you have ${left} left today. The count starts again in ${time}.`,
  },
  problems: {
    'alias-exists': (name: string) =>
      `There is an alias "${name}" already. Use /alias repoint to change its filter.`,
    'alias-unknown': (name: string, near: readonly string[]) =>
      `There is no alias "${name}" here.${near.length > 0 ? ` Did you mean ${oneOf(near, 'or')}?` : ' /alias list shows them all.'}`,
    'alias-gone': (name: string) =>
      `The alias "${name}" or its filter no longer exists at the service. A moderator can repoint or delete it.`,
    'alias-limit': (limit: number) =>
      `A community can have at most ${limit} aliases. Delete one that is no longer used.`,
    'alias-uncertain': (name: string) =>
      `The service did not answer, so it is not certain whether "${name}" was created. /alias list will tell.`,
    'block-self': 'You cannot block yourself.',
    'block-owner': 'The owner of this bot cannot be blocked.',
    'blocked-limit': (limit: number) => `At most ${limit} people can be blocked here. Unblock someone first.`,
    'words-limit': (limit: number) => `At most ${limit} words can be blocked here. Allow one again first.`,
    'word-empty': (word: string) => `"${word}" has no letters or digits to recognise it by.`,
    'service-unavailable': 'The generation service is not answering right now. Try again in a minute.',
    'service-refused': (detail: string) => `The generation service refused this: ${detail}`,
  },
  usage: {
    title: 'Credits today',
    mine: (used: number, limit: number) => `You used ${used} of ${credits(limit)}.`,
    reserved: (amount: number) => `${amount} more reserved for unfinished jobs.`,
    left: (amount: number) => `${credits(amount)} left.`,
    resets: (time: string) => `The count starts again in ${time}.`,
    community: (used: number, people: number, count: number) =>
      `This community: ${credits(used)} used by ${people} ${people === 1 ? 'person' : 'people'} in ${jobs(count)} today.`,
  },
  help: {
    title: 'What I can do',
    intro: 'Send a photo with one of these commands and get it back transformed.',
    more: 'Details and examples: /help and a command’s name, for example /help faceswap',
    moderators: 'For moderators',
    optional: 'optional',
    required: 'required',
    choices: (choices: readonly string[]) => `one of ${list(choices)}`,
    range: (min: number, max: number) => span(min, max),
    standard: (value: string) => `${value} unless you say otherwise`,
    examples: 'Examples',
  },
  alias: {
    title: 'Aliases of this community',
    none: 'There are none yet. Make one with /alias create name filter.',
    created: (name: string, filter: string) => `The alias "${name}" now points to ${filter}.`,
    repointed: (name: string, filter: string) => `The alias "${name}" was repointed to ${filter}.`,
    deleted: (name: string) => `The alias "${name}" was deleted.`,
    gone: 'its filter has gone: repoint or delete it',
    pointsTo: (filter: string) => `Points to ${filter}.`,
    model: (model: string) => `Made for ${model}.`,
    createdAt: (day: string) => `Created ${day}.`,
    swappedAt: (day: string) => `Last repointed ${day}.`,
    history: 'Before that:',
    until: (filter: string, day: string) => `${filter}, until ${day}`,
    unknownFilter: (typed: string, nearest: readonly string[]) =>
      `There is no custom filter "${typed}".${nearest.length > 0 ? ` Did you mean ${oneOf(nearest, 'or')}?` : ''} An alias points to a custom filter; /filters mine lists them.`,
    numberFirst: (name: string) =>
      `Where a catalog has a number ${name}, that is meant; a name with a letter in it is always yours.`,
    catalogNumber:
      'An alias points to a custom filter, given by its UUID or its name. A catalog number never changes, so it needs no alias.',
  },
  settings: {
    title: 'Settings of this community',
    credits: (amount: string) => `Daily credits of each person: ${amount}`,
    standard: (amount: number) => `${amount}, as the owner set them`,
    paused: (reason: string) => `Paused: ${reason || 'no reason given'}`,
    running: 'Not paused',
    log: (channel: string) => `Log channel: ${channel}`,
    here: 'here',
    noLog: 'Log channel: none',
    blocked: (people: number) => `Blocked people: ${people}`,
    words: (count: number) => `Blocked words: ${count}`,
    recent: 'Latest entries of the audit trail',
    creditsSet: (amount: number) => `Each person here now has ${credits(amount)} a day.`,
    userBlocked: (user: string) => `${user} is blocked here.`,
    userUnblocked: (user: string) => `${user} is no longer blocked here.`,
    notBlocked: (user: string) => `${user} was not blocked.`,
    nowPaused: 'Paused. Nobody can start new jobs here until /settings resume.',
    nowRunning: 'Resumed. New jobs are welcome again.',
    logHere: 'The audit trail and reports go to this channel from now on.',
    logOff: 'The audit trail is no longer sent to a channel.',
    wordBanned: (word: string) => `Texts with "${word}" are refused here from now on.`,
    wordRule:
      'Whole words count, however they are dressed up: spaced out, split by signs, with accents or look-alikes (d e m o n, d.e-m_o.n, dém0n). Two words that only form it together do not count; to refuse those too, block it with the space: "de mon".',
    wordAllowed: (word: string) => `"${word}" is allowed again.`,
    notBanned: (word: string) => `"${word}" was not blocked.`,
  },
  privacy: {
    title: 'Your data',
    photo:
      'Your photo is turned upright, stripped of its metadata (place included) and sent to the generation service, which makes the result. It is never written to disk here.',
    link: 'A link to an image goes to the generation service as it is.',
    kept: 'Kept here: your jobs (what you asked for, where its photo and result can be found in the chat, never the pictures) and how many credits you used each day, for 30 days; that you confirmed the consent question; an audit line for each job for 90 days.',
    results: 'Results live in the chat. Delete on a result takes it out of the chat and out of our records.',
    resultsHere:
      'This chat is kept here as well: what you write and your results. Delete on a result takes it out of the chat and out of our records.',
    button: 'Delete all my data',
    sure: 'Delete everything we keep about you? Unfinished jobs are cancelled. Results stay in the chat; in a group only moderators can delete them afterwards. This cannot be undone.',
    sureHere:
      'Delete everything we keep about you? Unfinished jobs are cancelled. Your messages, the answers to them and your results go from this chat as well. This cannot be undone.',
    sureButton: 'Yes, delete everything',
    erased: (count: number) =>
      `Done. ${jobs(count)} and your preferences were deleted. Only today’s usage counter stays until midnight (UTC).`,
    erasing:
      'Your data is being deleted. Nothing of it is shown any more; because there is a lot of it, this takes some minutes. Only today’s usage counter stays until midnight (UTC).',
  },
  page,
  telegram: {
    tooLarge: 'Telegram gives bots files of at most 20 MB. Send a smaller one, or send it as a photo.',
    startFirst:
      'I can only answer you in private after you started a chat with me. Start it, then try again.',
    startButton: 'Start a private chat',
    anonymous:
      'I cannot answer an anonymous administrator in private. Speak under your own name, or leave "private" out.',
    answerHere: 'Reply to this message with your answer.',
    pickOrReply: 'Choose one, or send its number or name as your next message, in reply to this one.',
    sentAgain: 'Sent again after an interruption. If you see this card twice, this is the one that counts.',
    answeredInPrivate: 'I answered you in private.',
    oldMessage: 'This message is too old. Please give the command again.',
    asChannel:
      'This was asked for as a channel, and I cannot see that you speak for it. Make me an administrator of the channel, or ask again under your own name.',
    removed: 'Removed.',
  },
  web: {
    tooLarge: 'A photo can have at most 20 MB. Send a smaller one.',
    tooMuch: 'Together these photos are too large for one message. Send fewer of them, or smaller ones.',
    tooMany: (most: number) => `At most ${most} photos fit into one message.`,
  },
  ideas: {
    motion: [
      'They smile and look into the camera',
      'A slow cinematic zoom in',
      'Wind moves hair and clothes',
      'The camera circles slowly around',
    ],
    transition: [
      'A smooth morph from the first to the last',
      'Time passes quickly in between',
      'A swirl of light carries one into the other',
    ],
    portrait: ['An astronaut on the moon', 'A renaissance oil painting', 'A noir detective in the rain'],
    group: ['A rock band on stage', 'Pirates on the deck of a ship', 'A royal family portrait'],
  },
} as const;

/** Every language has the same words as English: same keys, same parameters. */
export type Words = Widen<typeof en>;

type Widen<T> = T extends string
  ? string
  : T extends (...parameters: infer P) => string
    ? (...parameters: P) => string
    : { readonly [K in keyof T]: Widen<T[K]> };
