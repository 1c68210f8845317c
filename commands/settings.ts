import { defined } from '../src/base/defined.ts';
import { type CommandContext, defineAction, defineCommandGroup } from '../src/command/command.ts';
import { pageOf } from '../src/command/desk/questions/paging.ts';
import type { Option } from '../src/command/option.ts';
import { channelId, type Place } from '../src/command/place.ts';
import type { CommunitySettings, SettingsPort } from '../src/command/ports.ts';
import { infoReply, type Reply } from '../src/command/reply.ts';
import type { ChannelSpan, Line } from '../src/command/view.ts';
import type { Words } from '../src/words/words.ts';
import { allowance, allowanceLine, ownersMark } from './settings/allowance.ts';
import { approve, revoke } from './settings/approval.ts';
import { channels } from './settings/channels.ts';
import { grant } from './settings/grant.ts';
import { log } from './settings/log.ts';
import { about, personWith } from './settings/mentions.ts';
import { stats } from './settings/stats.ts';
import { timezone } from './settings/timezone.ts';

const user = { kind: 'user', description: 'Who', required: true } as const satisfies Option;
const word = {
  kind: 'text',
  description: 'The word or phrase',
  required: true,
  max: 60,
} as const satisfies Option;
const reason = { kind: 'text', description: 'Why', max: 200 } as const satisfies Option;

const MOST_PEOPLE = 15;
const MOST_WORDS = 40;
const MOST_CHANNELS = 15;
const LINES_PER_PAGE = 40;

function message(words: Words, ...lines: readonly Line[]): Reply {
  return infoReply({ title: words.settings.title, lines });
}

function channelOf({ channel, thread }: Place, asked: Place, words: Words): ChannelSpan {
  return {
    channel,
    ...defined({ thread }),
    ...(channel === asked.channel && thread === asked.thread ? { name: words.settings.here } : {}),
  };
}

async function blockedLine(
  { user: id, reason: why }: CommunitySettings['blocked'][number],
  settings: SettingsPort,
): Promise<Line> {
  return ['• ', await personWith(id, settings), why === '' ? '' : `: ${why}`];
}

function pauseLine(paused: CommunitySettings['paused'], words: Words): string {
  if (paused === undefined) return words.settings.running;
  if (paused.lost) return words.gate.settingsLost;
  return words.settings[paused.byOwner ? 'pausedByOwner' : 'paused'](paused.reason);
}

function channelsLine(all: CommunitySettings['channels'], asked: Place, words: Words): Line {
  if (all === undefined) return words.settings.everywhere;
  if (all.length === 0) return words.settings.nowhere;
  const shown = all
    .slice(0, MOST_CHANNELS)
    .flatMap((each) => [' ', channelOf(each, asked, words), ` (${channelId(each)})`]);
  return [words.settings.channels, ...shown, all.length > MOST_CHANNELS ? ' …' : ''];
}

/** Names are looked up only for what is shown. */
async function overview(call: CommandContext): Promise<readonly (Line | (() => Promise<Line>))[]> {
  const { settings, words, place } = call;
  const all = await settings.show();
  const {
    daily,
    isDefault,
    creditsByOwner,
    allowances = [],
    grants,
    paused,
    log,
    channels,
    timeZone = 'UTC',
    blocked,
    bannedWords,
  } = all;
  const people = blocked.slice(0, MOST_PEOPLE).map((each) => () => blockedLine(each, settings));
  return [
    words.settings.credits(
      isDefault ? words.settings.standard(daily) : ownersMark(String(daily), creditsByOwner, words),
    ),
    ...(allowances.length === 0 ? [] : [words.settings.allowances(allowances.length)]),
    ...allowances.map((each) => () => allowanceLine(each, settings, words)),
    ...(grants.length === 0 ? [] : [words.settings.grants(grants.length)]),
    ...grants.map(
      ({ user: who, credits }) =>
        () =>
          allowanceLine({ who, credits }, settings, words),
    ),
    pauseLine(paused, words),
    log === undefined ? words.settings.noLog : about(words.settings.log, channelOf(log, place, words)),
    channelsLine(channels, place, words),
    words.settings.timeZone(timeZone),
    words.settings.blocked(blocked.length),
    ...people,
    words.settings.words(bannedWords.length),
    ...(bannedWords.length === 0 ? [] : [bannedWords.slice(0, MOST_WORDS).join(', ')]),
  ];
}

export default defineCommandGroup({
  name: 'settings',
  description: 'Rules of this community',
  access: 'moderator',
  examples: [
    '/settings show',
    '/settings credits 50',
    '/settings allowance @someone 80',
    '/settings grant @someone 200 "won the contest"',
    '/settings block @someone "spam"',
    '/settings unblock @someone',
    '/settings pause "back tomorrow"',
    '/settings resume',
    '/settings log here',
    '/settings log user=@someone kind=settings',
    '/settings channels here',
    '/settings channels not-here 123',
    '/settings timezone Europe/Berlin',
    '/settings stats',
    '/settings banword "bad word"',
    '/settings allowword "bad word"',
    '/settings approve telegram:-100123',
    '/settings revoke telegram:dm:42',
  ],
  subcommands: {
    show: defineAction({
      description: 'All settings',
      options: {},
      async run(call) {
        const { list, note, turning } = await pageOf(await overview(call), LINES_PER_PAGE, call);
        const lines = await Promise.all(list.map((each) => (typeof each === 'function' ? each() : each)));
        return infoReply({ title: call.words.settings.title, lines: [...lines, ...note], ...turning });
      },
    }),
    credits: defineAction({
      description: 'Daily credits of each person here',
      options: {
        amount: { kind: 'integer', description: 'Credits a day', min: 0, max: 100_000, required: true },
      },
      async run({ args, words, settings }) {
        await settings.setCredits(args.amount);
        return message(words, words.settings.creditsSet(args.amount));
      },
    }),
    allowance,
    grant,
    block: defineAction({
      description: 'Block a person here',
      options: { user, reason },
      async run({ args, words, settings }) {
        await settings.block(args.user, args.reason ?? '');
        return message(words, about(words.settings.userBlocked, await personWith(args.user, settings)));
      },
    }),
    unblock: defineAction({
      description: 'Unblock a person',
      options: { user },
      async run({ args, words, settings }) {
        const was = await settings.unblock(args.user);
        const sentence = was ? words.settings.userUnblocked : words.settings.notBlocked;
        return message(words, about(sentence, await personWith(args.user, settings)));
      },
    }),
    pause: defineAction({
      description: 'Stop accepting new jobs here',
      options: { reason },
      async run({ args, words, settings }) {
        await settings.pause(args.reason ?? '');
        return message(words, words.settings.nowPaused);
      },
    }),
    resume: defineAction({
      description: 'Accept jobs again',
      options: {},
      async run({ words, settings }) {
        await settings.resume();
        return message(words, words.settings.nowRunning);
      },
    }),
    log,
    channels,
    timezone,
    stats,
    banword: defineAction({
      description: 'Refuse texts that contain this word',
      options: { word },
      async run({ args, words, settings }) {
        await settings.banWord(args.word);
        return message(words, words.settings.wordBanned(args.word), words.settings.wordRule);
      },
    }),
    allowword: defineAction({
      description: 'Allow a word again',
      options: { word },
      async run({ args: { word }, words, settings }) {
        const was = await settings.allowWord(word);
        return message(words, was ? words.settings.wordAllowed(word) : words.settings.notBanned(word));
      },
    }),
    approve,
    revoke,
  },
});
