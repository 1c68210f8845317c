import { SIMPLE_SETTINGS } from '../../src/command/community-settings.ts';
import { generatingCommands } from '../../src/command/kinds.ts';

/** Who may use which command and press which button. A new one without a line here fails the tests. */

type CommandRule = 'everyone' | 'everyone, even when blocked' | 'moderators' | 'owners';
export const commandRules: Readonly<Record<string, CommandRule>> = {
  ...Object.fromEntries([...generatingCommands].map((command) => [command, 'everyone'] as const)),
  filters: 'everyone',
  'face save': 'everyone',
  'face list': 'everyone, even when blocked',
  'face delete': 'everyone, even when blocked',
  'face default': 'everyone',
  jobs: 'everyone',
  usage: 'everyone',
  help: 'everyone, even when blocked',
  privacy: 'everyone, even when blocked',
  'alias create': 'moderators',
  'alias list': 'moderators',
  'alias show': 'moderators',
  'alias repoint': 'moderators',
  'alias delete': 'moderators',
  'alias schedule': 'moderators',
  'alias unschedule': 'moderators',
  'settings show': 'moderators',
  'settings credits': 'moderators',
  'settings allowance': 'moderators',
  'settings grant': 'moderators',
  'settings block': 'moderators',
  'settings unblock': 'moderators',
  'settings pause': 'moderators',
  'settings resume': 'moderators',
  'settings log': 'moderators',
  'settings channels': 'moderators',
  'settings stats': 'moderators',
  'settings banword': 'moderators',
  'settings allowword': 'moderators',
  'settings approve': 'owners',
  'settings revoke': 'owners',
  ...Object.fromEntries(
    Object.values(SIMPLE_SETTINGS).map(({ command }) => [`settings ${command}`, 'moderators'] as const),
  ),
};

/** What an owner set with the second, only owners change with the first. */
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
export const buttonRules: Readonly<Record<string, ButtonRule>> = {
  again: { may: 'requester' },
  retry: { may: 'requester' },
  other: { may: 'requester' },
  animate: { may: 'requester' },
  compare: { may: 'requester' },
  share: { may: 'requester' },
  cancel: { may: 'requester or moderator', openToBlocked: true },
  delete: { may: 'requester or moderator', openToBlocked: true },
  unshare: { may: 'requester or moderator', openToBlocked: true },
  discard: { may: 'requester or moderator', openToBlocked: true },
  report: { may: 'everyone', openToBlocked: true },
  'report-remove': { may: 'moderator' },
  'report-block': { may: 'moderator' },
  'report-dismiss': { may: 'moderator' },
  approve: { may: 'owner' },
  dismiss: { may: 'owner' },
  show: { may: 'requester' },
  pick: { may: 'requester' },
  face: { may: 'requester' },
  look: { may: 'requester' },
  ask: { may: 'requester' },
  page: { may: 'requester' },
  use: { may: 'requester' },
  do: { may: 'requester' },
  album: { may: 'requester' },
  consent: { may: 'requester' },
  erase: { may: 'requester', openToBlocked: true },
};
