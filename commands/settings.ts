import { defined } from '../src/base/defined.ts';
import {
  type Action,
  type CommandContext,
  defineAction,
  defineCommandGroup,
} from '../src/command/command.ts';
import {
  type CommunitySettings,
  SIMPLE_SETTINGS,
  type SimpleSetting,
  type SpecialSetting,
  settingIn,
  simpleSettings,
} from '../src/command/community-settings.ts';
import { requestedPage, rows } from '../src/command/desk/questions/paging.ts';
import type { Option } from '../src/command/option.ts';
import { channelId, type Place } from '../src/command/place.ts';
import { infoReply } from '../src/command/reply.ts';
import { valueFrom } from '../src/command/setting-row.ts';
import type { SettingsPort } from '../src/command/settings-port.ts';
import type { ChannelSpan, Line } from '../src/command/view.ts';
import type { Words } from '../src/words/words.ts';
import { approve, revoke } from './settings/approval.ts';
import { channels } from './settings/channels.ts';
import { log } from './settings/log.ts';
import {
  allowance,
  allowanceLine,
  grant,
  mention,
  message,
  ownersMark,
  personSpan,
  reason,
  user,
} from './settings/people.ts';
import { remove } from './settings/remove.ts';
import { stats } from './settings/stats.ts';
import { options, subcommands, translations } from './texts/settings.ts';

const word = {
  kind: 'text',
  description: options.word,
  required: true,
  max: 60,
} as const satisfies Option;

const CHANNELS_PER_LINE = 15;
const WORDS_PER_LINE = 60;
const LINES_PER_PAGE = 40;
/** Fits into a message of every platform, with the title and the number of the page. */
const LETTERS_PER_PAGE = 3_500;
/** Length of a mention of a person or channel, as platforms write it. */
const MENTION_LETTERS = 80;

/** A line of the answer. `letters` is the most that it has; `line` makes it, so that names are looked up for the shown page alone. */
interface Entry {
  readonly letters: number;
  readonly line: () => Line | Promise<Line>;
}

function channelOf({ channel, thread }: Place, asked: Place, words: Words): ChannelSpan {
  return {
    channel,
    ...defined({ thread }),
    ...(channel === asked.channel && thread === asked.thread ? { name: words.settings.here } : {}),
  };
}

const blockedLine = async (
  { user: id, reason: why }: CommunitySettings['blocked'][number],
  settings: SettingsPort,
): Promise<Line> => ['• ', await personSpan(id, settings), why === '' ? '' : `: ${why}`];

function pauseLine(paused: CommunitySettings['paused'], words: Words): string {
  if (paused === undefined) return words.settings.running;
  if (paused.lost) return words.gate.settingsLost;
  return words.settings[paused.byOwner ? 'pausedByOwner' : 'paused'](paused.reason);
}

const text = (line: string): Entry => ({ letters: line.length, line: () => line });

function channelEntries(all: CommunitySettings['channels'], asked: Place, words: Words): readonly Entry[] {
  if (all === undefined) return [text(words.settings.everywhere)];
  if (all.length === 0) return [text(words.settings.nowhere)];
  const spans = all.map((each) => [' ', channelOf(each, asked, words), ` (${channelId(each)})`]);
  return rows(spans, CHANNELS_PER_LINE).map((some, index) => ({
    letters: some.length * MENTION_LETTERS,
    line: () => [index === 0 ? words.settings.channels : '', ...some.flat()],
  }));
}

/** As many words in each line as fit. */
function wordEntries(words: readonly string[]): readonly Entry[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > WORDS_PER_LINE) lines.push(word);
    else lines[lines.length - 1] = `${last}, ${word}`;
  }
  return lines.map(text);
}

function pagesOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const pages: Entry[][] = [];
  let letters = 0;
  for (const entry of entries) {
    const last = pages.at(-1);
    letters += entry.letters;
    if (last !== undefined && last.length < LINES_PER_PAGE && letters <= LETTERS_PER_PAGE) last.push(entry);
    else {
      pages.push([entry]);
      letters = entry.letters;
    }
  }
  return pages;
}

async function overview(call: CommandContext): Promise<readonly Entry[]> {
  const { words, place } = call;
  const { settings } = call.ports;
  const all = await settings.show();
  const { daily, isDefault, creditsByOwner, allowances = [], grants, paused, log, blocked } = all;
  const given = (each: NonNullable<CommunitySettings['allowances']>[number]): Entry => ({
    letters: MENTION_LETTERS + (each.byOwner ? ownersMark('', true, words).length : 0),
    line: () => allowanceLine(each, settings, words),
  });
  const amount = isDefault
    ? words.settings.standard(daily)
    : ownersMark(String(daily), creditsByOwner, words);
  const entries = {
    credits: [text(words.settings.credits(amount))],
    creditsByOwner: [],
    allowances: [
      ...(allowances.length === 0 ? [] : [text(words.settings.allowances(allowances.length))]),
      ...allowances.map(given),
      ...(grants.length === 0 ? [] : [text(words.settings.grants(grants.length))]),
      ...grants.map(({ user: who, credits }) => given({ who, credits })),
    ],
    paused: [text(pauseLine(paused, words))],
    log: [
      log === undefined
        ? text(words.settings.noLog)
        : { letters: MENTION_LETTERS, line: () => mention(words.settings.log, channelOf(log, place, words)) },
    ],
    channels: channelEntries(all.channels, place, words),
    simple: simpleSettings.map((name) => {
      const setting = SIMPLE_SETTINGS[name];
      const value = setting.text(settingIn(all, name), words);
      return text(words.settings.shown(setting.name[words.language], value));
    }),
    blocked: [
      text(words.settings.blocked(blocked.length)),
      ...blocked.map((each) => ({
        letters: MENTION_LETTERS + each.reason.length,
        line: () => blockedLine(each, settings),
      })),
    ],
    bannedWords: [text(words.settings.words(all.bannedWords.length)), ...wordEntries(all.bannedWords)],
  } satisfies Readonly<Record<SpecialSetting | 'simple', readonly Entry[]>>;
  return Object.values<readonly Entry[]>(entries).flat();
}

function simpleAction(name: SimpleSetting): readonly [command: string, Action] {
  const row = SIMPLE_SETTINGS[name];
  const action = defineAction({
    description: row.description,
    options: row.options,
    async run({ args, words, now, ports: { settings } }) {
      const value = valueFrom(row, args);
      await settings.set(name, value);
      return message(words, ...row.changed(value, words, now).split('\n'));
    },
  });
  return [row.command, action];
}

/** The examples of each setting that `/help` shows. */
const examplesOf = {
  credits: ['/settings credits 50'],
  // Owners set it with the same command as moderators.
  creditsByOwner: [],
  allowances: ['/settings allowance @someone 80'],
  blocked: ['/settings block @someone "spam"', '/settings unblock @someone'],
  paused: ['/settings pause "back tomorrow"', '/settings resume'],
  log: ['/settings log here', '/settings log user=@someone kind=settings'],
  channels: ['/settings channels here', '/settings channels not-here 123'],
  simple: simpleSettings.map((name) => SIMPLE_SETTINGS[name].example),
  bannedWords: ['/settings banword "bad word"', '/settings allowword "bad word"'],
} satisfies Readonly<Record<SpecialSetting | 'simple', readonly string[]>>;

export default defineCommandGroup({
  name: 'settings',
  description: 'Rules of this community',
  translations,
  personal: true,
  access: 'moderator',
  examples: [
    '/settings show',
    ...Object.values<readonly string[]>(examplesOf).flat(),
    '/settings grant @someone 200 "won the contest"',
    '/settings remove https://discord.com/channels/1/2/3 "she asked for it"',
    '/settings stats',
    '/settings approve telegram:-100123',
    '/settings revoke telegram:dm:42',
  ],
  subcommands: {
    show: defineAction({
      description: 'All settings',
      translations: subcommands.show,
      options: {},
      async run(call) {
        const { list, note, turning } = await requestedPage(pagesOf(await overview(call)), 1, call);
        const lines = await Promise.all(list.flat().map(({ line }) => line()));
        return infoReply({ title: call.words.settings.title, lines: [...lines, ...note], ...turning });
      },
    }),
    credits: defineAction({
      description: 'Daily credits of each person here',
      translations: subcommands.credits,
      options: {
        amount: { kind: 'integer', description: 'Credits a day', min: 0, max: 100_000, required: true },
      },
      async run({ args, words, ports: { settings } }) {
        await settings.setCredits(args.amount);
        return message(words, words.settings.creditsSet(args.amount));
      },
    }),
    allowance,
    grant,
    block: defineAction({
      description: 'Block a person here',
      translations: subcommands.block,
      options: { user, reason },
      async run({ args, words, ports: { settings } }) {
        await settings.block(args.user, args.reason ?? '');
        return message(words, mention(words.settings.userBlocked, await personSpan(args.user, settings)));
      },
    }),
    unblock: defineAction({
      description: 'Unblock a person',
      translations: subcommands.unblock,
      options: { user },
      async run({ args, words, ports: { settings } }) {
        const was = await settings.unblock(args.user);
        const sentence = was ? words.settings.userUnblocked : words.settings.notBlocked;
        return message(words, mention(sentence, await personSpan(args.user, settings)));
      },
    }),
    pause: defineAction({
      description: 'Stop accepting new jobs here',
      translations: subcommands.pause,
      options: { reason },
      async run({ args, words, ports: { settings } }) {
        await settings.pause(args.reason ?? '');
        return message(words, words.settings.nowPaused);
      },
    }),
    resume: defineAction({
      description: 'Accept jobs again',
      translations: subcommands.resume,
      options: {},
      async run({ words, ports: { settings } }) {
        await settings.resume();
        return message(words, words.settings.nowRunning);
      },
    }),
    log,
    channels,
    ...Object.fromEntries(simpleSettings.map(simpleAction)),
    remove,
    stats,
    banword: defineAction({
      description: 'Refuse texts that contain this word',
      translations: subcommands.banword,
      options: { word },
      async run({ args, words, ports: { settings } }) {
        await settings.banWord(args.word);
        return message(words, words.settings.wordBanned(args.word), words.settings.wordRule);
      },
    }),
    allowword: defineAction({
      description: 'Allow a word again',
      translations: subcommands.allowword,
      options: { word },
      async run({ args: { word }, words, ports: { settings } }) {
        const was = await settings.allowWord(word);
        return message(words, was ? words.settings.wordAllowed(word) : words.settings.notBanned(word));
      },
    }),
    approve,
    revoke,
  },
});
