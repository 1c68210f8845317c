import { defineAction } from '../../src/command/command.ts';
import { infoReply } from '../../src/command/reply.ts';
import { mention, personSpan } from './mentions.ts';

export const grant = defineAction({
  description: 'Give a person credits that are used when the day’s are gone; 0 takes back what is left',
  options: {
    user: { kind: 'user', description: 'Who', required: true },
    amount: { kind: 'integer', description: 'Credits', min: 0, max: 100_000, required: true },
    reason: { kind: 'text', description: 'Why', max: 200 },
  },
  async run({ args: { user, amount, reason = '' }, words: { settings: words }, settings }) {
    const credits = await settings.grant(user, amount, reason);
    const sentence = (who: string): string => {
      if (amount > 0) return words.granted(who, amount, credits);
      return credits > 0 ? words.grantTaken(who, credits) : words.noGrant(who);
    };
    return infoReply({ title: words.title, lines: [mention(sentence, await personSpan(user, settings))] });
  },
});
