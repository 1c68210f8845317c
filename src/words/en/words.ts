import type { Language } from '../language.ts';
import { joinWithOr, list } from '../phrase.ts';
import { community } from './community.ts';
import { credits, jobs, page, plural } from './labels.ts';
import { owner, type Widen } from './owner.ts';
import { removalPage } from './removal-page.ts';

/** Choices keep their English names; the other languages add a translation. */
const choices: Readonly<Record<string, string>> = {};

/**
 * The room's centre: every text that users read, in English. The other languages have the same keys and parameters, which the
 * compiler demands and tests check; `words.ts` above selects a language.
 */
export const en = {
  language: 'en',
  ...community,
  somethingBroke: 'Something went wrong on our side. Nothing was spent. Please try again in a moment.',
  yes: 'Yes',
  no: 'No',
  credits,
  choices,
  error: {
    empty: (option: string, min: number) =>
      `"${option}" is empty. Write at least ${min} ${plural(min, 'character', 'characters')}.`,
    tooLong: (option: string, length: number, max: number) =>
      `"${option}" has ${length} characters; at most ${max} are allowed. Shorten it.`,
    notPhoto: (option: string) => `"${option}" must be a photo. Attach a JPEG, PNG or WebP image.`,
    badLink: (option: string) =>
      `"${option}": this link cannot be used. It must be a public https:// address without a password.`,
    notFlag: (option: string, value: string) => `"${option}" must be yes or no, not "${value}".`,
    notChoice: (option: string, value: string, choices: readonly string[]) =>
      `"${option}" cannot be "${value}". Choose one of: ${list(choices)}.`,
    notInteger: (option: string, value: string, min: number, max: number) =>
      `"${option}" must be a whole number from ${min} to ${max}, not "${value}".`,
    notAlias: (option: string, value: string) =>
      `"${option}" must be 1 to 32 characters of a-z, 0-9 and "-", not "${value}". For example: halloween.`,
    notTime: (option: string, value: string) =>
      `"${option}" must be a day such as 2026-10-25 or a time such as 2026-10-25T18:00, not "${value}".`,
    notTimeZone: (option: string, value: string, near: readonly string[]) =>
      `"${option}" must be a time zone such as Europe/Berlin, not "${value}".${near.length > 0 ? ` Did you mean ${joinWithOr(near, 'or')}?` : ''}`,
    noRoles: (platforms: string) => `Roles exist on ${platforms} only. Name a person.`,
    unknownPerson: (name: string) =>
      `I cannot find "${name}" here. Give the person’s id, or wait until they have used a command.`,
    unknownChannel: (channel: string) =>
      `"${channel}" is not one of the channels where pictures and videos are made. Give the number in brackets that /settings show has for it.`,
    unknownOption: (name: string, nearest: readonly string[]) =>
      `There is no option "${name}".${nearest.length > 0 ? ` Did you mean ${joinWithOr(nearest, 'or')}?` : ''}`,
    twice: (option: string) => `"${option}" is given twice. Give it once.`,
    unexpected: (word: string) => `"${word}" is not expected here.`,
    unknownCommand: (name: string, nearest: readonly string[]) =>
      `There is no command /${name}.${nearest.length > 0 ? ` Did you mean ${joinWithOr(nearest, 'or')}?` : ' /help lists them all.'}`,
    subcommand: (command: string, names: readonly string[]) =>
      `/${command} needs a subcommand: ${list(names)}.`,
    rightForm: 'Usage:',
    example: 'For example:',
  },
  busy: {
    perPerson:
      'Too many requests at once: some were not accepted. Wait for the answers to your other requests, then try again.',
    perChat: 'Too many requests at once in this chat: some were not accepted. Wait a minute, then try again.',
  },
  album: {
    title: (photos: number) => `${photos} photos at once`,
    line: 'Make a picture of each, or of the first one only? Each has a card of its own, and one that fails costs nothing.',
    all: (photos: number, cost: number) =>
      cost === 0 ? `All ${photos}` : `All ${photos} (${credits(cost)})`,
    first: 'Only the first',
  },
  consent: {
    title: 'Before your first picture',
    people: 'Use only photos of people who agreed to it, and never to deceive, harass or undress anyone.',
    age: 'You confirm that everyone shown agreed and that you are old enough to use this service.',
    sent: 'Your photo is sent to the generation service. /privacy shows what is kept and lets you delete it.',
    button: 'I confirm, continue',
  },
  ask: {
    title: (command: string) => `/${command}: one more thing`,
    option: (option: string, description: string) => `${description} (${option})`,
    choose: 'Choose one:',
    menu: 'Choose one…',
    pickOrType: 'Choose one, or send its number or name as your next message.',
    type: 'Send a number, a name or an alias as your next message.',
    write: 'Send it as your next message.',
    writeOrIdea: 'Send it as your next message, or start from one of these:',
    photo: 'Send the photo as your next message.',
    open: 'Write…',
    addPhoto: 'Add photo…',
    instead: (option: string) => `Give "${option}" instead`,
    asLast: (what: string) => `As last time: ${what}`,
    chosen: (option: string, value: string) => `Chosen: ${option} ${value}`,
    pages: (page: number, of: number) => `Page ${page} of ${of}`,
    whatToDo: 'What should I do with this photo?',
    whatToDoLine: 'Choose below, or send a command with the photo as its caption.',
  },
  press: {
    stale: 'This button is no longer valid. Please send the command again.',
    notYours: 'This button belongs to someone else.',
    notFound: 'This job no longer exists.',
    noResult: 'The result of this job is no longer available. Make it again first.',
    shownOften: 'This result is shown in too many messages already.',
  },
  reference: {
    styleRange: (number: string) => `Style numbers go from 1 to 25; there is no ${number}.`,
    unknownNumber: (number: string, nearest: readonly string[]) =>
      `There is no filter number ${number}.${nearest.length > 0 ? ` Nearest: ${list(nearest)}.` : ''} /filters lists them.`,
    unknownName: (name: string, nearest: readonly string[]) =>
      `There is no filter "${name}".${nearest.length > 0 ? ` Did you mean ${joinWithOr(nearest, 'or')}?` : ''} /filters lists them.`,
    wrongModel: (name: string, is: string, needed: string) =>
      `"${name}" is for ${is}; this needs one for ${needed}.`,
    otherLook: (name: string, look: string) =>
      `"${name}" is a style of look ${look}. Use look=${look}, or choose another style.`,
    models: { face: 'single faces (/faceswap)', group: 'groups (/groupswap)' },
    unavailable: 'The filter list cannot be loaded right now. Use a filter number, or try again in a minute.',
    customName: 'custom filter',
  },
  states: {
    opening: 'accepted',
    waiting: 'waiting in line',
    submitting: 'being sent',
    running: 'in progress',
    delivering: 'being delivered',
    held: 'held for a moderator',
    done: 'done',
    failed: 'failed',
    cancelled: 'cancelled',
    uncertain: 'unknown',
  },
  card: {
    accepted: 'Accepted. It starts in a moment.',
    next: 'You are next in line.',
    position: (position: number) => `Place in line: ${position}.`,
    wait: (time: string) => `About ${time} until it starts.`,
    resting: {
      'service-busy': 'The generation service is busy right now.',
      unchecked:
        'The photo cannot be checked right now, and no photo is sent unchecked. The owner has been told.',
      unknown: 'It could not start yet.',
    },
    checkingPhoto: 'Checking the photo…',
    nextTry: (time: string) => `Next try in about ${time}.`,
    sending: 'Sending your photo to the generation service.',
    running: (time: string) => `About ${time} left.`,
    runningLong: 'This takes longer than usual. It should be done soon.',
    delivering: 'It is ready and on its way to you.',
    checkingResult: 'Checking the result…',
    held: 'It is ready. A check on this machine took its picture for one that may show too much, so a moderator looks at it first. The check can be wrong. Nobody sees the picture until then.',
    done: (time: string | undefined, cost: number) =>
      time === undefined ? credits(cost) : `Took ${time} · ${credits(cost)}`,
    aiGenerated: 'AI-generated',
    expired: 'The result was shown here; the file is not kept.',
    returned: (cost: number) => `${credits(cost)} refunded.`,
    kept: (cost: number) =>
      `It was already submitted to the service and cannot be stopped there, so the ${credits(cost)} ${plural(cost, 'stays', 'stay')} spent.`,
    cancelled: 'Cancelled.',
    uncertain: 'It is not certain whether it was submitted.',
    uncertainNext:
      'It was not sent again automatically, so that you are never charged twice. Retry starts a new job.',
    spent: (cost: number) => `Its ${credits(cost)} ${plural(cost, 'counts', 'count')} as spent.`,
    outage: {
      unavailable: 'The generation service is not answering right now. Your job keeps its place.',
      credits: 'The generation service has run out of credits. Your job waits until the owner adds some.',
      credentials: 'The generation service refuses the bot’s credentials. The owner has to fix that.',
      address: 'The configured address of the generation service redirects. The owner has to fix that.',
    },
    resultAlt: (title: string) => `AI-generated result: ${title}`,
  },
  failure: {
    'photo-unavailable':
      'Your photo could not be fetched: it was deleted or its link expired. Send it again.',
    'photo-invalid':
      'Your photo could not be used. Send a JPEG, PNG or WebP of at most 20 MB and 40 megapixels.',
    'photo-too-complex':
      'Your photo is too complex to process. Save it again as an ordinary JPEG, or take a screenshot of it, and send that.',
    'photo-blocked': 'This photo cannot be used here. Send another one.',
    'photo-content':
      'This photo was not sent: the check for nudity on this machine takes it for a picture that shows too much. It can be wrong. Use another photo, or a part of this one that shows the face.',
    'photo-unseen':
      'A video cannot be made from a link, because the photo behind it cannot be checked. Send the photo itself.',
    'content-unchecked': 'It could not be checked in time whether the picture may be used. Try again later.',
    'no-minors':
      'Boys and girls are not accepted: the owner of this bot has decided that it is for adults only.',
    'content-removed': 'A moderator removed this result because of what it shows.',
    'content-undecided':
      'A check held this result because of what it may show, and no moderator decided about it within 48 hours. It was removed.',
    'alias-gone': 'The alias or its filter no longer exists. Choose another filter.',
    'alias-mismatch': 'The alias now points to a filter for something else. Choose another filter.',
    refused: 'The generation service refused the request. Change it and try again.',
    'filter-unknown':
      'The generation service does not know this filter (any more). Choose another one; /filters shows them.',
    'filter-unfit':
      'This filter does not work for this kind of photo: some are for one person, some for groups. Choose another filter.',
    'filter-broken':
      'This custom filter could not be loaded by the generation service. Choose another filter, or try again later.',
    'photo-unreadable': 'The generation service could not read your photo. Send another one.',
    'photo-too-large': 'Your photo is too large for the generation service. Send a smaller one.',
    'options-unfit':
      'The generation service does not accept these options together. Choose another model, quality or aspect.',
    'service-credits': 'The generation service has run out of credits. The owner has to add some.',
    'service-credentials': 'The generation service refused the bot’s credentials. The owner has to fix that.',
    'service-address':
      'The configured address of the generation service redirects. The owner has to fix that.',
    'generation-failed':
      'The generation service failed to make this. Try again, or use another photo or filter.',
    deadline: 'The generation service did not finish in time. Try again later.',
    'result-unusable': 'The generation service sent a result that could not be used. Try again.',
    'job-unknown': 'The generation service no longer knows this job. Try again.',
    'result-gone':
      'It was finished, but the generation service no longer had the result when it could be shown. Try again.',
    'result-refused':
      'It was finished, but this platform refuses to show the result in any form. Try again, or use another filter.',
  },
  serviceSays: (detail: string) => `The service says: ${detail}`,
  /** A result that is held for its content, as moderators read of it. */
  held: {
    title: 'A result waits for a decision',
    notice:
      'The content check holds it back: it may show nudity. Nobody has seen it. Without a decision it is removed after 48 hours.',
    changed:
      'The generation service now gives another picture than a moderator wanted to be shown. That one is held as well.',
    decide:
      'Only you see this. Show puts it on its card, for everybody who can see that. Remove ends the job.',
    decided: 'This was decided before, or the result was removed.',
    shown: 'It is shown on its card in a moment.',
    removed: 'It was removed. Nobody was shown it.',
    away: 'The generation service does not answer right now. Try again in a minute.',
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
    press: 'Press one to use it.',
    recentFirst: 'Your recent filters come first.',
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
    ended: 'This job has already ended.',
    deleted: 'Deleted, here and in our records.',
    removed: 'Removed from the chat.',
    reported: 'Thank you. The moderators have been notified.',
    reportNoted:
      'Thank you. The report is in the audit trail, but nobody could be notified of it. Please tell a moderator yourself.',
    reportTitle: 'A result was reported',
    reportedBy: (name: string) => `Reported by ${name}.`,
    madeBy: (name: string) => `Made by ${name}.`,
    openMessage: 'open the message',
    noImage: 'There is no image in that message.',
    already: 'This has already been started; see its card further down.',
    notShownYet:
      'This has already been started, but its card has not been shown yet. If it does not appear within a few minutes, try again.',
    elsewhere: 'It could not be shown where you asked for it. Here is the outcome.',
    interrupted:
      'Darkroom was interrupted before it could answer. Nothing was made and nothing was spent. Please try again.',
    maybeInterrupted:
      'Darkroom was interrupted before it could answer. Look whether it has taken effect before you try again.',
    notHere: 'It is done, but I am not allowed to show it here. Send /jobs in our private chat to see it.',
  },
  share: {
    by: (name: string) => `Shared by ${name}`,
    done: 'Shared with everybody where you asked for it.',
    already: 'This result has been shared before.',
    unknown:
      'Sharing was begun before and may have been interrupted. Look in the chat where you asked for it: it is never sent twice.',
    later: 'It could not be shared now, and nobody has seen it. Try again in a minute.',
    forbidden: 'I am not allowed to write where you asked for it, so it cannot be shared there.',
    notMember:
      'You are no longer a member where you asked for it, may not write there, or I cannot check that, so it cannot be shared there.',
  },
  file: {
    original: 'The service’s own file, unchanged.',
    justSent: 'It was just sent, or is on its way. If it does not come, press again in a minute.',
    refused: (size: string) => `This file has ${size}, which was refused here.`,
    tooLarge: (size: string | undefined, most: string) =>
      size === undefined
        ? `This file is larger than the ${most} that fit here.`
        : `This file has ${size}, more than the ${most} that fit here.`,
  },
  compare: {
    before: 'Before',
    after: 'After',
    alt: (title: string) => `Before and after, AI-generated: ${title}`,
    photoGone: 'Your photo is no longer available, so there is nothing to compare with.',
    busy: 'It is being made.',
  },
  limits: {
    rate: (limit: number, time: string) =>
      `You sent more than ${limit} ${plural(limit, 'request', 'requests')} within a minute. Wait ${time} and try again.`,
    waiting: (unfinished: number, limit: number) =>
      `You already have ${unfinished} unfinished ${plural(unfinished, 'job', 'jobs')}; at most ${limit} can wait. Try again when one is done; /jobs shows them.`,
    album: (photos: number, fits: number) =>
      `These are ${photos} photos, and only ${fits} more ${plural(fits, 'job', 'jobs')} of yours can be accepted at the moment. Nothing was started: send fewer photos, or try again when a job of yours is done; /jobs shows them.`,
    albumLater: (photos: number, fits: number, more: number, time: string) =>
      `These are ${photos} photos. Jobs of yours that can be accepted: ${fits} now, ${more} in ${time}. Nothing was started: send fewer photos, or try again then.`,
    shared:
      'Anonymous administrators and people who write as a channel have this limit together, in all groups. Send it under your own name to have your own.',
    allowance: (needed: number, left: number, time: string) =>
      `This costs ${credits(needed)} and you have ${left} left today. Resets in ${time}.`,
    communityCeiling: (needed: number, left: number, time: string) =>
      `This costs ${credits(needed)} and everybody in this community together has ${left} left today. Resets in ${time}.`,
    serviceCeiling: (time: string) =>
      `Everybody who uses this bot together has used today’s credits. New jobs are accepted again in ${time}; what is under way goes on.`,
    monthCeiling: (date: string) =>
      `Everybody who uses this bot together has used this month’s credits. New jobs are accepted again on ${date} (UTC); what is under way goes on.`,
  },
  usage: {
    title: 'Credits today',
    mine: (used: number, limit: number) => `You used ${used} of ${credits(limit)}.`,
    reserved: (amount: number) => `${amount} more reserved for unfinished jobs.`,
    sources: {
      own: 'Set for you by a moderator.',
      role: 'From one of your roles.',
      community: 'Set for everybody in this community.',
      default: 'The owner’s default.',
    },
    left: (amount: number) => `${credits(amount)} left.`,
    granted: (left: number) =>
      `${credits(left)} granted to you besides: used when the day’s are gone, and ${plural(left, 'it does', 'they do')} not expire.`,
    fromGrants: (amount: number) => `Paid from granted credits today: ${amount}.`,
    resets: (time: string) => `Resets in ${time}.`,
    community: (used: number, people: number, count: number) =>
      `This community: ${credits(used)} used by ${people} ${plural(people, 'person', 'people')} in ${jobs(count)} today.`,
    ceiling: (used: number, limit: number) =>
      `Together you took ${used} of the ${limit} that the owner allows this community a day.`,
    month: (used: number) => `Everybody together this month: ${credits(used)}.`,
    monthOf: (used: number, most: number) => `Everybody together this month: ${used} of ${credits(most)}.`,
    money: (used: string) => `In money: ${used}.`,
  },
  help: {
    title: 'What I can do',
    intro: 'Send a photo with one of these commands and get it back transformed.',
    press: 'Press a filter to use it with your photo. Three things to try:',
    file: 'As a file under a result sends it as the service made it.',
    others: 'More commands',
    all: 'All commands',
    album: 'Several photos with one command make a picture each; I ask once.',
    more: 'Details and examples: /help and a command’s name, for example /help faceswap',
    personal: (names: string) => `Only you see ${names} and their answers, in apps that can do that.`,
    moderators: 'For moderators',
    optional: 'optional',
    required: 'required',
    choices: (choices: readonly string[]) => `one of ${list(choices)}`,
    standard: (value: string) => `default: ${value}`,
    price: (price: string) => `Price: ${price}`,
    examples: 'Examples',
  },
  face: {
    title: 'Your saved faces',
    off: 'Saved faces are not switched on here: the owner has to set STORE_KEY first.',
    shared:
      'A face belongs to one person. Send this under your own name, not as a channel or an anonymous administrator.',
    none: 'You have none yet. Save one with /face save, a name and a photo.',
    isDefault: 'default',
    usedOn: (day: string) => `last used ${day}`,
    saved: (name: string) => `"${name}" is saved. Use it with: /faceswap face=${name}`,
    replaced: (name: string) => `"${name}" has a new photo.`,
    kept: 'It is kept encrypted, until you delete it or have not used it for a year.',
    deleted: (name: string) => `"${name}" was deleted.`,
    nowDefault: (name: string) => `"${name}" is your default face now.`,
    unknown: (name: string) => `You have no saved face "${name}". /face list shows yours.`,
    limit: (most: number) =>
      `You can keep at most ${most} faces. Delete one first, or save this one under a name that you have.`,
    full: 'There is no room for more saved faces here. The owner has been told. Those that you have keep working.',
    saves: (most: number) => `You have saved ${most} photos in 24 hours. Wait until tomorrow to save more.`,
    busy: 'This photo could not be saved just now. Wait a minute, then try again.',
    unchecked: 'The photo cannot be checked right now, so it was not saved. Try again later.',
    notKept: 'Only a photo that you send can be saved, not a link. Send the photo itself.',
    use: (name: string) => `Use "${name}"`,
    useDefault: 'Use my saved face',
  },
  /** Texts of the check of a photo before credits are spent. */
  faceCheck: {
    help: 'Before credits are spent I look for faces in the photo: where there are none, or more or fewer than needed, I ask you first.',
    looking: 'Looking at your photo…',
    anyway: 'Use it anyway',
    everybody: 'Everybody',
    swapOne: 'Swap one face',
    noFace: 'No face found in this photo',
    noFaceLine: 'Nothing was spent. Send another photo, or use this one: drawings and pets are welcome.',
    oneFace: 'Only one face found in this photo',
    tooFewLine: 'Nothing was spent. /groupswap is for two or more people.',
    whoIsIt: 'Whose face is it?',
    pressNumber: 'The faces are numbered from left to right. Choose one; nothing was spent yet.',
    everybodyLine: '"Everybody" goes on with /groupswap.',
    alt: (faces: number) => `The faces in the photo, numbered from 1 to ${faces} from left to right`,
  },
  privacy: {
    title: 'Your data',
    photo:
      'Your photo is turned upright, stripped of its metadata (including the location) and sent to the generation service, which makes the result.',
    faceCheck:
      'Before that it is looked at here for faces. What is found is not kept; which part of the photo you chose is kept with the job.',
    contentCheck:
      'Before that it is looked at here for nudity, by a program on this machine. A photo that shows it is refused; what the program found is not kept.',
    photoNotKept: 'It is never written to disk here.',
    faces:
      'It is written to disk here only if you keep it with /face save: then the cleaned photo is stored encrypted, until you delete it or have not used it for a year.',
    link: 'A link to an image goes to the generation service as it is.',
    kept: 'Kept here: your jobs (what you asked for, where its photo and result can be found in the chat, never the pictures) and how many credits you used each day, for 30 days; that you confirmed the consent question; an audit line for each job for 90 days. Credits that moderators granted you, until they are used.',
    hashes:
      'A fingerprint of each photo and result is kept with its job, so that the result can be found and removed if somebody shown in it asks for that. The photo of a removed result is then refused; its fingerprint stays for a year. No picture can be made from a fingerprint.',
    marks: 'Results say that they are AI-generated: in the caption and inside of the file.',
    visibleMark: 'Pictures also have a small “AI” in a corner.',
    results:
      'Results are kept in the chat only. Delete on a result removes it from the chat and from our records.',
    resultsHere:
      'This chat is kept here too: your messages and your results. Delete on a result removes it from the chat and from our records.',
    button: 'Delete all my data',
    sure: 'Delete everything we keep about you? Unfinished jobs are cancelled. Results stay in the chat; in a group only moderators can delete them afterwards. Credits granted to you are lost. This cannot be undone.',
    sureHere:
      'Delete everything we keep about you? Unfinished jobs are cancelled. Your messages, the answers to them and your results are deleted from this chat too. Credits granted to you are lost. This cannot be undone.',
    sureButton: 'Yes, delete everything',
    erased: (count: number) =>
      `Done. ${jobs(count)} and your preferences were deleted. Only today’s usage counter stays until midnight (UTC).`,
    erasing:
      'Your data is being deleted. None of it is shown any more; there is a lot of it, so this takes a few minutes. Only today’s usage counter stays until midnight (UTC).',
  },
  page,
  owner,
  removalPage,
  telegram: {
    tooLarge:
      'Telegram lets bots download files of at most 20 MB. Send a smaller one, or send it as a photo.',
    startFirst:
      'I can only answer you in private after you have started a chat with me. Start it, then try again.',
    startButton: 'Start a private chat',
    anonymous:
      'I cannot answer an anonymous administrator in private. Send it under your own name, or leave "private" out.',
    answerHere: 'Reply to this message with your answer.',
    pickOrReply: 'Choose one, or send its number or name as your next message, in reply to this one.',
    sentAgain: 'Sent again after an interruption. If you see this card twice, this is the current one.',
    answeredInPrivate: 'I answered you in private.',
    oldMessage: 'This message is too old. Please send the command again.',
    asChannel:
      'This was sent as a channel, and I cannot check that you may speak for it. Make me an administrator of the channel, or send it again under your own name.',
    working: 'Working on it. The answer will be here.',
    welcome:
      'I turn photos into new pictures and videos: send one with /faceswap as its caption, or see /help.',
    makeAdministrator:
      'Make me an administrator in the group’s settings, without any rights: then I see commands without my name, too, and only the person concerned reads why I refuse something.',
    removed: 'Removed.',
  },
  web: {
    tooLarge: 'A photo can be at most 20 MB. Send a smaller one.',
    tooMuch: 'Together these photos are too large for one message. Send fewer of them, or smaller ones.',
    tooMany: (most: number) => `A message can have at most ${most} photos.`,
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

/** The words of a language: the same keys and parameters as English. */
export type Words = Widen<typeof en> & { readonly language: Language };
