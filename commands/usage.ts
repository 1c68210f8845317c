import { defineCommand } from '../src/command/command.ts';
import { infoReply } from '../src/command/reply.ts';
import { lengthOfTime } from '../src/words/time.ts';

export default defineCommand({
  name: 'usage',
  description: 'Credits used and left today',
  personal: true,
  examples: ['/usage'],
  options: {},
  async run({ words, now, ports: { usage, isModerator } }) {
    const mine = await usage.mine();
    const community = (await isModerator()) ? await usage.community() : undefined;
    return infoReply({
      title: words.usage.title,
      lines: [
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
      ],
    });
  },
});
