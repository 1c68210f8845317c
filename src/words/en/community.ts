import { joinWithOr, shortDate } from '../phrase.ts';
import { credits, plural } from './labels.ts';
import type { Widen } from './owner.ts';

/** Texts that moderators read: settings, aliases, campaigns, approvals and reports of a community. */
export const community = {
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
      'Only not-here takes a channel. Send here and everywhere without one, in the channel that they are for.',
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
      `${who} got ${credits(amount)}, to use when the day’s are gone; ${plural(amount, 'it does', 'they do')} not expire. Left of all grants: ${left}.`,
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
  communityErrors: {
    'alias-exists': (name: string) =>
      `The alias "${name}" already exists. Use /alias repoint to change its filter.`,
    'alias-unknown': (name: string, near: readonly string[]) =>
      `There is no alias "${name}" here.${near.length > 0 ? ` Did you mean ${joinWithOr(near, 'or')}?` : ' /alias list shows them all.'}`,
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
      `A moderator can give at most ${credits(limit)} a day. The owner of this bot can give more.`,
    'word-empty': (word: string) => `"${word}" has no letters or digits.`,
    'service-unavailable': 'The generation service is not answering right now. Try again in a minute.',
    'service-refused': (detail: string) => `The generation service refused this: ${detail}`,
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
      'This request no longer exists: the decision was changed later, it is older than 30 days, or its data was deleted.',
    more: (count: number) =>
      `${count} more ${plural(count, 'asks', 'ask')} to use this bot today. There is no notice for each of them: the owner page (/owner) shows them, and /settings approve with an id approves one.`,
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
      `${count} scheduled ${plural(count, 'change', 'changes')} of "${name}" taken back.`,
    ended: (name: string) => `The campaign of "${name}" ends now: the previous filter returns.`,
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
      `There is no custom filter "${typed}".${nearest.length > 0 ? ` Did you mean ${joinWithOr(nearest, 'or')}?` : ''} An alias points to a custom filter; /filters mine lists them.`,
    numberFirst: (name: string) =>
      `If a catalog has the number ${name}, that number is used instead of this alias. A name with a letter avoids this.`,
    catalogNumber:
      'An alias points to a custom filter, given by its UUID or its name. A catalog number never changes, so it needs no alias.',
  },
  rules: {
    filterOrPrompt: (reference: string) => `Give either "${reference}" or "prompt", not both.`,
  },
  removal: {
    title: 'Result removed',
    known: 'This result was removed before.',
    everywhere: 'It was deleted everywhere the bot showed it.',
    remaining: (count: number) =>
      `Messages that show it and could not be deleted: ${count}. This is tried again for a day; delete yourself what you still see.`,
    blanked: (count: number) => `Messages that were too old to be deleted and now show only words: ${count}.`,
    unreachable: (count: number) =>
      `Messages that may still show it and are out of the bot’s reach: ${count}. The bot was taken from their chat, or one person alone saw them and they vanish by themselves.`,
    unknownPlaces: (count: number) =>
      `Messages that may show it and are not known, because the bot was interrupted while it sent them: ${count}. Delete yourself what you still see.`,
    blocked: {
      all: 'Its photos are refused from now on, for everybody.',
      some: 'Some of its photos are refused from now on, for everybody. The others came as a web address or have too little contrast to be recognised.',
      none: 'Its photos are not refused from now on: they came as a web address or have too little contrast to be recognised.',
      full: 'Its photos are not refused from now on: the list of blocked photos is full. Tell an owner of this bot.',
    },
    pending: 'Its photos are being blocked.',
    unknown: 'There is no such result here. Give the link to its message, or the number of its job.',
    noResult: 'This job has no result.',
    limit:
      'So many results were removed here today that no more can be. Try again tomorrow, or ask an owner of this bot.',
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
} as const;

export type CommunityWords = Widen<typeof community>;
