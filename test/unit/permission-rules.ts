import { buttons } from '../../commands/buttons/index.ts';
import { commands } from '../../commands/index.ts';
import { generatingCommands } from '../../src/command/request.ts';

/**
 * Who may use which command and press which button. A new command that is not named here fails the tests, and so does a new button that
 * more people may press than the one whose job or draft it is about.
 */

type CommandRule = 'everyone' | 'everyone, even when blocked' | 'moderators' | 'owners';

const forOwners = ['settings approve', 'settings revoke'];

/** The subcommands of the commands that are for moderators. */
const moderated = commands
  .filter(({ name }) => name === 'alias' || name === 'settings')
  .flatMap(({ name, subcommands = {} }) => Object.keys(subcommands).map((each) => `${name} ${each}`));

const commandsFor: Readonly<Record<CommandRule, readonly string[]>> = {
  everyone: [...generatingCommands, 'filters', 'face save', 'face default', 'jobs', 'usage'],
  'everyone, even when blocked': ['face list', 'face delete', 'help', 'privacy'],
  // A subcommand of these that is not named here is for moderators.
  moderators: moderated.filter((name) => !forOwners.includes(name)),
  owners: forOwners,
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

/** The buttons that are about a job or a draft, which belong to one person. */
const ofOnePerson = buttons
  .filter(({ about }) => about === 'job' || about === 'draft')
  .map(({ verb }) => verb);

export const buttonRules: Readonly<Record<string, ButtonRule>> = {
  // A button of a job or a draft that is not named here is for the person whose job or draft it is.
  ...buttonsFor(ofOnePerson, { may: 'requester' }),
  file: { may: 'requester or moderator' },
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
  // The overview exists in direct chats with the bot only.
  overview: { may: 'owner' },
};
