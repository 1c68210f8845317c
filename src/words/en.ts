import { kinds, page } from './labels/en.ts';
import { owner, type Widen } from './owner/en.ts';
import { list, oneOf, shortDate, span } from './phrase.ts';

function credits(amount: number): string {
  return `${amount} ${amount === 1 ? 'credit' : 'credits'}`;
}
function jobs(count: number): string {
  return `${count} ${count === 1 ? 'job' : 'jobs'}`;
}

/** Choices keep their English names; the other languages add a translation. */
const choices: Readonly<Record<string, string>> = {};

/** English descriptions are in the command declarations; the other languages have theirs here. */
const descriptions: Readonly<Record<string, string>> = {};

/** Every text that users read. The other languages have the same keys and parameters (tested). */
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
      `"${option}" must be a time zone such as Europe/Berlin, not "${value}".${near.length > 0 ? ` Did you mean ${oneOf(near, 'or')}?` : ''}`,
    noRoles: (platforms: string) => `Roles exist on ${platforms} only. Name a person.`,
    unknownPerson: (name: string) =>
      `I cannot find "${name}" here. Give the person’s id, or wait until they have used a command.`,
    unknownChannel: (channel: string) =>
      `"${channel}" is not one of the channels where pictures and videos are made. Give the number in brackets that /settings show has for it.`,
    unknownOption: (name: string, nearest: readonly string[]) =>
      `There is no option "${name}".${nearest.length > 0 ? ` Did you mean ${oneOf(nearest, 'or')}?` : ''}`,
    twice: (option: string) => `"${option}" is given twice. Give it once.`,
    unexpected: (word: string) => `"${word}" is not expected here.`,
    unknownCommand: (name: string, nearest: readonly string[]) =>
      `There is no command /${name}.${nearest.length > 0 ? ` Did you mean ${oneOf(nearest, 'or')}?` : ' /help lists them all.'}`,
    subcommand: (command: string, names: readonly string[]) =>
      `/${command} needs a subcommand: ${list(names)}.`,
    rightForm: 'Usage:',
    example: 'For example:',
  },
  gate: {
    unapproved:
      'This bot works only where its owner has approved it. The owner has been asked: once they approve this chat, everything works here. Until then there are /help and /privacy.',
    notHere: 'No pictures or videos are made here: moderators have chosen the channels for them.',
    goTo: 'Go to:',
    blocked: 'You cannot use this here: a moderator has blocked you.',
    settingsLost:
      'The settings of this community were damaged and have been reset: its lists of blocked people and words are lost. Darkroom is paused here until a moderator sets them again and sends /settings resume.',
    paused: (reason: string) => `Darkroom is paused in this community${reason ? `: ${reason}` : '.'}`,
    bannedWord: 'Your text contains a word that this community does not allow. Please rephrase it.',
    moderatorsOnly: 'Only moderators of this community can do this.',
  },
  busy: {
    perPerson:
      'Too many requests at once: some were not accepted. Wait for the answers to your other requests, then try again.',
    perChat: 'Too many requests at once in this chat: some were not accepted. Wait a minute, then try again.',
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
    previous: '◀',
    next: '▶',
    pages: (page: number, of: number) => `Page ${page} of ${of}`,
    whatToDo: 'What should I do with this photo?',
    whatToDoLine: 'Choose below, or send a command with the photo as its caption.',
  },
  press: {
    stale: 'This button is no longer valid. Please send the command again.',
    notYours: 'This button belongs to someone else.',
    notFound: 'This job no longer exists.',
    noResult: 'The result of this job is no longer available. Make it again first.',
  },
  rules: {
    filterOrPrompt: (reference: string) => `Give either "${reference}" or "prompt", not both.`,
    photoOrFace: 'Give either "photo" or "face", not both.',
    groupNeedsNumber:
      'Gender "group" works with catalog filters only. Choose a filter by number, or another gender.',
    qualityNeedsNumber:
      '"quality" applies to catalog filters only; custom filters and aliases have their own. Leave it out.',
    qualityNeedsV6: '"quality" applies to engine v6 only. Leave it out, or use engine v6.',
    engineNeedsFilter: '"engine" and "quality" apply to filters only. Leave them out when you give a prompt.',
    onePhoto:
      'More than one photo works only with look classic or with a prompt. Use one of these, or send one photo.',
    classicNeedsNumber: 'Look classic works with catalog styles only. Choose a style by number.',
    classicNoPrompt: 'Look classic does not take a prompt. Use look realistic or stylized.',
    outpaint: '"outpaint" works with a style of look realistic or stylized only. Leave it out.',
    aspect: 'An aspect other than auto needs model performance. Use model=performance, or leave aspect out.',
    simple: 'Model simple makes 4s videos only. Use duration=4s, or model advanced.',
  },
  reference: {
    styleRange: (number: string) => `Style numbers go from 1 to 25; there is no ${number}.`,
    unknownNumber: (number: string, nearest: readonly string[]) =>
      `There is no filter number ${number}.${nearest.length > 0 ? ` Nearest: ${list(nearest)}.` : ''} /filters lists them.`,
    unknownName: (name: string, nearest: readonly string[]) =>
      `There is no filter "${name}".${nearest.length > 0 ? ` Did you mean ${oneOf(nearest, 'or')}?` : ''} /filters lists them.`,
    wrongModel: (name: string, is: string, needed: string) =>
      `"${name}" is for ${is}; this needs one for ${needed}.`,
    otherLook: (name: string, look: string) =>
      `"${name}" is a style of look ${look}. Use look=${look}, or choose another style.`,
    models: { face: 'single faces (/faceswap)', group: 'groups (/groupswap)' },
    unavailable: 'The filter list cannot be loaded right now. Use a filter number, or try again in a minute.',
    customName: 'custom filter',
  },
  kinds,
  states: {
    opening: 'accepted',
    waiting: 'waiting in line',
    submitting: 'being sent',
    running: 'in progress',
    delivering: 'being delivered',
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
      unknown: 'It could not start yet.',
    },
    nextTry: (time: string) => `Next try in about ${time}.`,
    sending: 'Sending your photo to the generation service.',
    running: (time: string) => `About ${time} left.`,
    runningLong: 'This takes longer than usual. It should be done soon.',
    delivering: 'It is ready and on its way to you.',
    done: (time: string | undefined, cost: number) =>
      time === undefined ? credits(cost) : `Took ${time} · ${credits(cost)}`,
    aiGenerated: 'AI-generated',
    expired: 'The result was shown here; the file is not kept.',
    returned: (cost: number) => `${credits(cost)} refunded.`,
    kept: (cost: number) =>
      `It was already submitted to the service and cannot be stopped there, so the ${credits(cost)} ${cost === 1 ? 'stays' : 'stay'} spent.`,
    cancelled: 'Cancelled.',
    uncertain: 'It is not certain whether it was submitted.',
    uncertainNext:
      'It was not sent again automatically, so that you are never charged twice. Retry starts a new job.',
    spent: (cost: number) => `Its ${credits(cost)} ${cost === 1 ? 'counts' : 'count'} as spent.`,
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
    blocked: 'A moderator blocked you here before this was sent to the generation service.',
    paused: 'Darkroom was paused in this community before this was sent to the generation service.',
    unapproved:
      'The owner of this bot took back the approval of this chat before this was sent to the generation service.',
    'banned-word': 'Your text contains a word that this community no longer allows. Please rephrase it.',
  },
  serviceSays: (detail: string) => `The service says: ${detail}`,
  buttons: {
    again: 'Again',
    retry: 'Retry',
    other: 'Other filter',
    animate: 'Animate',
    compare: 'Before / after',
    share: 'Share',
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
    cancelled: 'Cancelled.',
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
  approval: {
    title: 'A request to use this bot',
    settingsTitle: 'Approval',
    community: (name: string) => `Community: ${name}`,
    person: (name: string) => `Direct chat with ${name}`,
    id: 'Id:',
    members: (count: number) => `Members: ${count}`,
    addedBy: (name: string) => `Added by ${name}`,
    usedBy: (name: string) => `Used first by ${name}`,
    buttons: { approve: 'Approve', dismiss: 'Not now' },
    approvedBy: (by: string) => `Approved by ${by}.`,
    dismissedBy: (by: string) =>
      `${by} decided: not now. You get no notice of it for 30 days; /settings approve with its id still approves it.`,
    expired:
      'This request no longer exists: it was decided and changed since, it is older than 30 days, or its data was deleted.',
    more: (count: number) =>
      `${count} more ask to use this bot today. There is no notice for each of them: the owner page (/owner) shows them, and /settings approve with an id approves one.`,
    welcome:
      'The owner of this bot has approved this chat: everything works here now. /help shows how to begin.',
    ownersOnly: 'Only owners of this bot can do this.',
    approved: (id: string) => `${id} is approved: everything works there now.`,
    already: (id: string) => `${id} was approved already.`,
    revoked: (id: string) =>
      `${id} is no longer approved. Jobs that wait there fail and cost nothing; what was already sent to the generation service is still shown.`,
    wasNot: (id: string) => `${id} was not approved.`,
    notNeeded:
      'Every community can use this bot now (COMMUNITIES=open): this counts once COMMUNITIES is set to approved.',
    unknownId: (typed: string) =>
      `“${typed}” cannot be approved. A community looks like discord:123 or telegram:-100123, a direct chat like telegram:dm:42, a chat of the playground like web:studio.`,
  },
  report: {
    buttons: { remove: 'Remove result', block: 'Block person', dismiss: 'Dismiss' },
    decided: {
      remove: (by: string) => `Result removed by ${by}.`,
      block: (by: string) => `Person blocked by ${by}.`,
      dismiss: (by: string) => `Dismissed by ${by}.`,
    },
    reason: (what: string) => `Reported: ${what}`,
    busy: (by: string) => `${by} is handling this report right now.`,
    gone: 'This result was deleted already, or its record is older than 30 days. Its message was removed if it was still there.',
    expired: 'This report no longer exists: it is older than 30 days, or its data was deleted.',
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
  compare: {
    before: 'Before',
    after: 'After',
    alt: (title: string) => `Before and after, AI-generated: ${title}`,
    photoGone: 'Your photo is no longer available, so there is nothing to compare with.',
    busy: 'It is being made.',
  },
  limits: {
    rate: (limit: number, time: string) =>
      `You sent more than ${limit} ${limit === 1 ? 'request' : 'requests'} within a minute. Wait ${time} and try again.`,
    waiting: (unfinished: number, limit: number) =>
      `You already have ${unfinished} unfinished ${unfinished === 1 ? 'job' : 'jobs'}; at most ${limit} can wait. Try again when one is done; /jobs shows them.`,
    shared:
      'Anonymous administrators and people who write as a channel have this limit together, in all groups. Send it under your own name to have your own.',
    allowance: (needed: number, left: number, time: string) =>
      `This costs ${credits(needed)} and you have ${left} left today. Resets in ${time}.`,
    communityCeiling: (needed: number, left: number, time: string) =>
      `This costs ${credits(needed)} and everybody in this community together has ${left} left today. Resets in ${time}.`,
    serviceCeiling: (time: string) =>
      `Everybody who uses this bot together has used today’s credits. New jobs are accepted again in ${time}; what is under way goes on.`,
  },
  communityErrors: {
    'alias-exists': (name: string) =>
      `The alias "${name}" already exists. Use /alias repoint to change its filter.`,
    'alias-unknown': (name: string, near: readonly string[]) =>
      `There is no alias "${name}" here.${near.length > 0 ? ` Did you mean ${oneOf(near, 'or')}?` : ' /alias list shows them all.'}`,
    'alias-gone': (name: string) =>
      `The alias "${name}" or its filter no longer exists at the service. A moderator can repoint or delete it.`,
    'alias-limit': (limit: number) =>
      `A community can have at most ${limit} aliases. Delete one that is no longer used.`,
    'alias-limit-person': (limit: number) =>
      `One person can create at most ${limit} aliases, in all communities together. Delete one that is no longer used.`,
    'alias-uncertain': (name: string) =>
      `The service did not answer, so it is unknown whether "${name}" was created. Check with /alias list.`,
    'block-self': 'You cannot block yourself.',
    'block-owner': 'The owner of this bot cannot be blocked.',
    'blocked-limit': (limit: number) => `At most ${limit} people can be blocked here. Unblock someone first.`,
    'channels-limit': (limit: number) =>
      `At most ${limit} channels can be chosen here. Take one out first: /settings channels not-here`,
    'words-limit': (limit: number) => `At most ${limit} words can be blocked here. Allow one again first.`,
    'allowances-limit': (limit: number) =>
      `At most ${limit} people and ${limit} roles can have an allowance of their own. Take one back first.`,
    'owners-word': 'An owner of this bot has set this: only owners can change it.',
    'everyone-role': 'Everybody has this role. Use /settings credits.',
    'grants-limit': (limit: number) =>
      `At most ${limit} people here can have granted credits. Take some back first.`,
    'grant-most': (rest: number, limit: number) =>
      `You can give this person ${credits(rest)} more today. What moderators give one person in a day, allowance and grants together, is at most ${limit}, and so is what is left of grants. The owner of this bot can give more.`,
    'credits-limit': (limit: number) =>
      `A moderator can give at most ${limit} credits a day. The owner of this bot can give more.`,
    'word-empty': (word: string) => `"${word}" has no letters or digits.`,
    'service-unavailable': 'The generation service is not answering right now. Try again in a minute.',
    'service-refused': (detail: string) => `The generation service refused this: ${detail}`,
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
      `${credits(left)} granted to you besides: used when the day’s are gone, and they do not expire.`,
    fromGrants: (amount: number) => `Paid from granted credits today: ${amount}.`,
    resets: (time: string) => `Resets in ${time}.`,
    community: (used: number, people: number, count: number) =>
      `This community: ${credits(used)} used by ${people} ${people === 1 ? 'person' : 'people'} in ${jobs(count)} today.`,
    ceiling: (used: number, limit: number) =>
      `Together you took ${used} of the ${limit} that the owner allows this community a day.`,
  },
  help: {
    title: 'What I can do',
    intro: 'Send a photo with one of these commands and get it back transformed.',
    press: 'Press a filter to use it with your photo. Three things to try:',
    others: 'More commands',
    all: 'All commands',
    more: 'Details and examples: /help and a command’s name, for example /help faceswap',
    moderators: 'For moderators',
    optional: 'optional',
    required: 'required',
    choices: (choices: readonly string[]) => `one of ${list(choices)}`,
    range: (min: number, max: number) => span(min, max),
    standard: (value: string) => `default: ${value}`,
    price: (price: string) => `Price: ${price}`,
    examples: 'Examples',
  },
  alias: {
    title: 'Aliases of this community',
    none: 'There are none yet. Create one with /alias create name filter.',
    created: (name: string, filter: string) => `The alias "${name}" now points to ${filter}.`,
    repointed: (name: string, filter: string) => `The alias "${name}" was repointed to ${filter}.`,
    deleted: (name: string) => `The alias "${name}" was deleted.`,
    gone: 'its filter no longer exists: repoint or delete it',
    pointsTo: (filter: string) => `Points to ${filter}.`,
    model: (model: string) => `For ${model}.`,
    createdAt: (day: string) => `Created ${day}.`,
    swappedAt: (day: string) => `Last repointed ${day}.`,
    history: 'Before that:',
    until: (filter: string, day: string) => `${filter}, until ${day}`,
    unknownFilter: (typed: string, nearest: readonly string[]) =>
      `There is no custom filter "${typed}".${nearest.length > 0 ? ` Did you mean ${oneOf(nearest, 'or')}?` : ''} An alias points to a custom filter; /filters mine lists them.`,
    numberFirst: (name: string) =>
      `If a catalog has the number ${name}, that number is used instead of this alias. A name with a letter avoids this.`,
    catalogNumber:
      'An alias points to a custom filter, given by its UUID or its name. A catalog number never changes, so it needs no alias.',
  },
  campaign: {
    scheduled: (name: string, filter: string, from: string, until: string | undefined) =>
      until === undefined
        ? `"${name}" will point to ${filter} from ${from} on.`
        : `"${name}" will point to ${filter} from ${from} until ${until}.`,
    zone: (zone: string) => `Times are in ${zone}; /settings timezone changes that.`,
    coming: (filter: string, from: string, until: string | undefined) =>
      until === undefined ? `⏳ from ${from} on: ${filter}` : `⏳ from ${from} until ${until}: ${filter}`,
    running: (filter: string, until: string) => `▶ until ${until}: ${filter}`,
    unscheduled: (name: string, count: number) =>
      `${count} scheduled ${count === 1 ? 'change' : 'changes'} of "${name}" taken back.`,
    ended: (name: string) => `The campaign of "${name}" ends now: the filter of before returns.`,
    past: (time: string, now: string) =>
      `${time} has passed; it is ${now} now. Give a later day, or a time such as 2026-10-25T18:00.`,
    order: '"until" must be later than "from".',
    overlap: (filter: string, from: string, until: string | undefined) =>
      `This overlaps ${filter}, ${until === undefined ? `from ${from} on` : `from ${from} until ${until}`}. Choose other times, or take that back with /alias unschedule.`,
    limit: (limit: number) =>
      `At most ${limit} can be scheduled. Take one back with /alias unschedule first.`,
    none: (name: string) => `Nothing is scheduled for "${name}". /alias list shows what is.`,
    notices: {
      missed: (name: string, filter: string) =>
        `The campaign ${filter} of the alias "${name}" was missed as a whole: it could not begin before it ended. Nothing was changed.`,
      failed: (name: string, filter: string) =>
        `The campaign ${filter} of the alias "${name}" could not be carried out: the alias or a filter no longer exists, or the service refused it. Nothing was changed; check it with /alias show.`,
      delayed: (name: string, filter: string) =>
        `The campaign ${filter} of the alias "${name}" is late: the generation service is not answering. It is tried again automatically.`,
    },
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
    notKept: 'Only a photo that you send can be saved, not a link. Send the photo itself.',
    use: (name: string) => `Use "${name}"`,
    useDefault: 'Use my saved face',
  },
  settings: {
    title: 'Settings of this community',
    credits: (amount: string) => `Daily credits of each person: ${amount}`,
    standard: (amount: number) => `${amount} (the owner’s default)`,
    allowances: (count: number) => `Allowances of people and roles: ${count}`,
    grants: (count: number) => `People with granted credits: ${count}`,
    paused: (reason: string) => `Paused: ${reason || 'no reason given'}`,
    pausedByOwner: (reason: string) =>
      `Paused by an owner of this bot, and only owners can resume it: ${reason || 'no reason given'}`,
    byOwner: (amount: string) => `${amount} (set by an owner of this bot; only owners can change it)`,
    running: 'Not paused',
    log: (channel: string) => `Log channel: ${channel}`,
    here: 'here',
    noLog: 'Log channel: none',
    everywhere: 'Pictures and videos are made in every channel.',
    nowhere: 'Pictures and videos are made in no channel.',
    channels: 'Pictures and videos are made only in:',
    channelWithNotHere:
      'A channel can be given with not-here only. Send the others in the channel that they are for.',
    channelsSet: {
      everywhere: 'Pictures and videos are made in every channel now.',
      here: 'Pictures and videos are made here now, and only where this was said.',
      'not-here': 'No pictures or videos are made here any more.',
      unlimited:
        'Pictures and videos are made in every channel. Send /settings channels here in those where they should be made.',
      none: 'No channel is left. /settings channels here opens one, /settings channels everywhere opens all.',
      removed: (channel: string) => `No pictures or videos are made in ${channel} any more.`,
    },
    shown: (name: string, value: string) => `${name}: ${value}`,
    timeZone: {
      name: 'Time zone',
      description: 'Time zone of campaigns and statistics',
      option: 'For example Europe/Berlin',
      set: (zone: string, time: string) =>
        `The time zone is ${zone} now. It is ${time} there.\nCampaigns that are already scheduled keep their moment.`,
    },
    language: {
      name: 'Language',
      description: 'Language where a person’s own is not known, and of messages to everybody',
      option: 'A language, or automatic',
      automatic: 'each person’s own, otherwise English',
      set: (language: string) =>
        `The language of this community: ${language}. It is used where the platform does not tell a person’s own language, and in messages to everybody.`,
    },
    blocked: (people: number) => `Blocked people: ${people}`,
    words: (count: number) => `Blocked words: ${count}`,
    recent: 'Latest entries of the audit trail',
    creditsSet: (amount: number) => `Each person here now has ${credits(amount)} a day.`,
    allowanceSet: (who: string, amount: number) => `${who} now has ${credits(amount)} a day here.`,
    roleAllowanceSet: (who: string, amount: number) =>
      `Everybody with the role ${who} now has at least ${credits(amount)} a day here, unless they have an allowance of their own.`,
    allowanceGone: (who: string) => `${who} has no allowance of their own here any more.`,
    noAllowance: (who: string) => `${who} had no allowance of their own here.`,
    granted: (who: string, amount: number, left: number) =>
      `${who} got ${credits(amount)}, to use when the day’s are gone; they do not expire. Left of all grants: ${left}.`,
    grantTaken: (who: string, amount: number) => `Taken back from ${who}: ${credits(amount)}.`,
    noGrant: (who: string) => `${who} had no granted credits left.`,
    userBlocked: (user: string) => `${user} is blocked here.`,
    userUnblocked: (user: string) => `${user} is no longer blocked here.`,
    notBlocked: (user: string) => `${user} was not blocked.`,
    nowPaused: 'Paused. Nobody can start new jobs here until /settings resume.',
    nowRunning: 'Resumed. New jobs are accepted again.',
    logHere: 'The audit trail and reports go to this channel from now on.',
    logOff: 'The audit trail is no longer sent to a channel.',
    logOrEntries: 'Give here or off alone: user and kind choose the entries that are shown.',
    noEntries: 'There are no such entries.',
    wordBanned: (word: string) => `Texts with "${word}" are refused here from now on.`,
    wordRule:
      'Whole words are matched, also when they are spaced out, split by signs, or written with accents or look-alikes (d e m o n, d.e-m_o.n, dém0n). Two words that form it only together are not matched; to refuse those too, block it with the space: "de mon".',
    wordAllowed: (word: string) => `"${word}" is allowed again.`,
    notBanned: (word: string) => `"${word}" was not blocked.`,
  },
  stats: {
    title: 'Statistics of the last 30 days',
    jobs: 'Jobs',
    credits: 'Credits',
    people: 'People',
    failed: 'Failed',
    jobsByDay: 'Jobs by day',
    creditsByDay: 'Credits by day',
    commands: 'By command (jobs / credits)',
    filters: 'Most used filters',
    since: (date: string, zone: string) => `since ${date} (${zone})`,
    date: (at: number) => shortDate('en', at),
    none: 'Nobody has made anything here in the last 30 days.',
  },
  privacy: {
    title: 'Your data',
    photo:
      'Your photo is turned upright, stripped of its metadata (including the location) and sent to the generation service, which makes the result.',
    photoNotKept: 'It is never written to disk here.',
    faces:
      'It is written to disk here only if you keep it with /face save: then the cleaned photo is stored encrypted, until you delete it or have not used it for a year.',
    link: 'A link to an image goes to the generation service as it is.',
    kept: 'Kept here: your jobs (what you asked for, where its photo and result can be found in the chat, never the pictures) and how many credits you used each day, for 30 days; that you confirmed the consent question; an audit line for each job for 90 days. Credits that moderators granted you, until they are used.',
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

/** Every language has the same keys and parameters as English. */
export type Words = Widen<typeof en>;
