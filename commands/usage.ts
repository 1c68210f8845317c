import { defineCommand } from '../src/command/command.ts';
import { infoReply, type Reply } from '../src/command/reply.ts';
import type { MonthUsage } from '../src/command/usage-port.ts';
import { moneyText } from '../src/words/money.ts';
import { lengthOfTime } from '../src/words/time.ts';
import type { Words } from '../src/words/words.ts';
import { translations } from './texts/usage.ts';

function monthLines(
  { used, ceiling, price }: MonthUsage,
  { usage: said, language }: Words,
): readonly string[] {
  return [
    ceiling === undefined ? said.month(used) : said.monthOf(used, ceiling),
    ...(price === undefined ? [] : [said.money(moneyText(used, price, language))]),
  ];
}

export default defineCommand({
  name: 'usage',
  description: 'Credits used and left today',
  translations,
  personal: true,
  examples: ['/usage'],
  options: {},
  async run({ words, now, ports: { usage, isModerator } }): Promise<Reply> {
    const mine = await usage.mine();
    const community = (await isModerator()) ? await usage.community() : undefined;
    const month = await usage.month();
    const lines = [
      words.usage.mine(mine.used, mine.limit),
      words.usage.sources[mine.source],
      ...(mine.reserved > 0 ? [words.usage.reserved(mine.reserved)] : []),
      words.usage.left(Math.max(0, mine.limit - mine.used - mine.reserved)),
      ...(mine.granted.used > 0 ? [words.usage.fromGrants(mine.granted.used)] : []),
      ...(mine.granted.left > 0 ? [words.usage.granted(mine.granted.left)] : []),
      words.usage.resets(lengthOfTime(mine.resetsAt - now)),
      ...(community === undefined
        ? []
        : [
            words.usage.community(community.used, community.people, community.jobs),
            ...(community.ceiling === undefined
              ? []
              : [words.usage.ceiling(community.used + community.reserved, community.ceiling)]),
          ]),
      ...(month === undefined ? [] : monthLines(month, words)),
    ];
    const { title } = words.usage;
    // What everybody uses, and what it costs, is for the owner alone, whatever the platform can do in this chat.
    return month === undefined
      ? infoReply({ title, lines })
      : { kind: 'message', audience: 'caller', view: { tone: 'info', title, lines } };
  },
});
