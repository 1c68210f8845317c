import { SIMPLE_SETTINGS } from '../../src/command/community-settings.ts';
import { generatingCommands } from '../../src/command/request.ts';

/** Who may use which command and press which button. A new one that is not named here fails the tests. */

type CommandRule = 'everyone' | 'everyone, even when blocked' | 'moderators' | 'owners';

const commandsFor: Readonly<Record<CommandRule, readonly string[]>> = {
  everyone: [...generatingCommands, 'filters', 'face save', 'face default', 'jobs', 'usage'],
  'everyone, even when blocked': ['face list', 'face delete', 'help', 'privacy'],
  moderators: [
    ...['create', 'list', 'show', 'repoint', 'delete', 'schedule', 'unschedule'].map(
      (name) => `alias ${name}`,
    ),
    'settings show',
    'settings credits',
    'settings allowance',
    'settings grant',
    'settings block',
    'settings unblock',
    'settings pause',
    'settings resume',
    'settings log',
    'settings channels',
    'settings remove',
    'settings stats',
    'settings banword',
    'settings allowword',
    ...Object.values(SIMPLE_SETTINGS).map(({ command }) => `settings ${command}`),
  ],
  owners: ['settings approve', 'settings revoke'],
};

const ruleOf = (rule: CommandRule) => commandsFor[rule].map((name) => [name, rule] as const);

export const commandRules: Readonly<Record<string, CommandRule>> = Object.fromEntries([
  ...ruleOf('everyone'),
  ...ruleOf('everyone, even when blocked'),
  ...ruleOf('moderators'),
  ...ruleOf('owners'),
]);

/** After an owner used the second command, only owners can use the first. */
export const ownersWord: readonly (readonly [command: string, after: string])[] = [
  ['settings pause', 'settings pause'],
  ['settings resume', 'settings pause'],
  ['settings credits', 'settings credits'],
  ['settings allowance', 'settings allowance'],
];

/** `requester`: whose job or draft it is. */
type ButtonRule = {
  readonly may: 'requester' | 'requester or moderator' | 'moderator' | 'owner' | 'everyone';
  readonly openToBlocked?: true;
};

const buttonsFor = (names: readonly string[], rule: ButtonRule) =>
  Object.fromEntries(names.map((name) => [name, rule]));

export const buttonRules: Readonly<Record<string, ButtonRule>> = {
  ...buttonsFor(['again', 'retry', 'other', 'animate', 'compare', 'share', 'show'], { may: 'requester' }),
  file: { may: 'requester or moderator' },
  ...buttonsFor(['pick', 'face', 'look', 'ask', 'page', 'use', 'do', 'album', 'consent'], {
    may: 'requester',
  }),
  erase: { may: 'requester', openToBlocked: true },
  ...buttonsFor(['cancel', 'delete', 'unshare', 'discard'], {
    may: 'requester or moderator',
    openToBlocked: true,
  }),
  report: { may: 'everyone', openToBlocked: true },
  ...buttonsFor(['held-look', 'held-show', 'held-remove'], { may: 'moderator', openToBlocked: true }),
  ...buttonsFor(['report-remove', 'report-block', 'report-dismiss'], { may: 'moderator' }),
  ...buttonsFor(['request-remove', 'request-nothing'], { may: 'owner' }),
  ...buttonsFor(['approve', 'dismiss'], { may: 'owner' }),
  // In a direct chat with the bot.
  overview: { may: 'owner' },
};
