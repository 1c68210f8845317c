import { defined } from '../../src/base/defined.ts';
import { defineAction } from '../../src/command/command.ts';
import type { CommunitySettings } from '../../src/command/community-settings.ts';
import type { Option } from '../../src/command/option.ts';
import { roleIn } from '../../src/command/place.ts';
import { infoReply, type Reply } from '../../src/command/reply.ts';
import type { SettingsPort } from '../../src/command/settings-port.ts';
import type { ChannelSpan, Line, PersonSpan } from '../../src/command/view.ts';
import type { Words } from '../../src/words/words.ts';
import { options, subcommands } from '../texts/settings.ts';

export const user = { kind: 'user', description: options.user, required: true } as const satisfies Option;
export const reason = { kind: 'text', description: options.reason, max: 200 } as const satisfies Option;

export const message = (words: Words, ...lines: readonly Line[]): Reply =>
  infoReply({ title: words.settings.title, lines });

/** A person by id, or a role. */
export async function personSpan(who: string, { nameOf }: Pick<SettingsPort, 'nameOf'>): Promise<PersonSpan> {
  const role = roleIn(who);
  if (role !== undefined) return { person: role, isRole: true };
  const name = await nameOf(who);
  return { person: who, ...defined({ name }) };
}

/** A sentence with a person or channel mention in it. */
export function mention(sentence: (what: string) => string, what: PersonSpan | ChannelSpan): Line {
  const [before = '', after = ''] = sentence('\n').split('\n');
  return [before, what, after];
}

export const allowance = defineAction({
  description: 'Daily credits of one person or role; without an amount they are taken back',
  translations: subcommands.allowance,
  options: {
    who: { kind: 'user', roles: true, description: 'Person or role', required: true },
    amount: { kind: 'integer', description: 'Credits a day', min: 0, max: 100_000 },
  },
  async run({ args: { who, amount }, words, ports: { settings } }) {
    const was = await settings.setAllowance(who, amount);
    const { allowanceSet, roleAllowanceSet, allowanceGone, noAllowance } = words.settings;
    const sentence = (what: string): string => {
      if (amount === undefined) return (was ? allowanceGone : noAllowance)(what);
      return (roleIn(who) === undefined ? allowanceSet : roleAllowanceSet)(what, amount);
    };
    return message(words, mention(sentence, await personSpan(who, settings)));
  },
});

/** An amount, marked if owners alone can change it. */
export const ownersMark = (amount: string, byOwner: true | undefined, words: Words): string =>
  byOwner ? words.settings.byOwner(amount) : amount;

/** The line of an allowance in `/settings show`. */
export const allowanceLine = async (
  { who, credits, byOwner }: NonNullable<CommunitySettings['allowances']>[number],
  settings: SettingsPort,
  words: Words,
): Promise<Line> => [
  '• ',
  await personSpan(who, settings),
  `: ${ownersMark(String(credits), byOwner, words)}`,
];

export const grant = defineAction({
  description: 'Give a person credits that are used when the day’s are gone; 0 takes back what is left',
  translations: subcommands.grant,
  options: {
    user: { kind: 'user', description: 'Who', required: true },
    amount: { kind: 'integer', description: 'Credits', min: 0, max: 100_000, required: true },
    reason,
  },
  async run({ args: { user, amount, reason = '' }, words, ports: { settings } }) {
    const credits = await settings.grant(user, amount, reason);
    const { granted, grantTaken, noGrant } = words.settings;
    const sentence = (who: string): string => {
      if (amount > 0) return granted(who, amount, credits);
      return credits > 0 ? grantTaken(who, credits) : noGrant(who);
    };
    return message(words, mention(sentence, await personSpan(user, settings)));
  },
});
