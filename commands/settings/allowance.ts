import { defineAction } from '../../src/command/command.ts';
import type { CommunitySettings } from '../../src/command/community-settings.ts';
import { roleIn } from '../../src/command/place.ts';
import type { SettingsPort } from '../../src/command/ports.ts';
import { infoReply } from '../../src/command/reply.ts';
import type { Line } from '../../src/command/view.ts';
import type { Words } from '../../src/words/words.ts';
import { mention, personSpan } from './mentions.ts';

export const allowance = defineAction({
  description: 'Daily credits of one person or role; without an amount they are taken back',
  options: {
    who: { kind: 'user', roles: true, description: 'Person or role', required: true },
    amount: { kind: 'integer', description: 'Credits a day', min: 0, max: 100_000 },
  },
  async run({ args: { who, amount }, words: { settings: words }, settings }) {
    const was = await settings.setAllowance(who, amount);
    const given = (what: string): string =>
      amount === undefined
        ? ''
        : words[roleIn(who) === undefined ? 'allowanceSet' : 'roleAllowanceSet'](what, amount);
    const sentence = amount !== undefined ? given : was ? words.allowanceGone : words.noAllowance;
    return infoReply({ title: words.title, lines: [mention(sentence, await personSpan(who, settings))] });
  },
});

/** With who alone can change it, if that is so. */
export function ownersMark(amount: string, byOwner: true | undefined, words: Words): string {
  return byOwner ? words.settings.byOwner(amount) : amount;
}

/** A line of the list. */
export async function allowanceLine(
  { who, credits, byOwner }: NonNullable<CommunitySettings['allowances']>[number],
  settings: SettingsPort,
  words: Words,
): Promise<Line> {
  return ['• ', await personSpan(who, settings), `: ${ownersMark(String(credits), byOwner, words)}`];
}
