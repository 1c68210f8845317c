import { defineAction } from '../../src/command/command.ts';
import { infoReply } from '../../src/command/reply.ts';
import { reason } from './people.ts';

/** Takes a result away, and keeps its photos from being used again. */
export const remove = defineAction({
  description: 'Remove a result, and refuse its photos from now on',
  options: {
    result: {
      kind: 'text',
      description: 'Link to its message, or number of its job',
      max: 300,
      required: true,
    },
    reason,
  },
  async run({ args, words: { removal: said }, ports }) {
    const { remaining, blocked, isKnown } = await ports.removals.remove(args.result, args.reason ?? '');
    return infoReply({
      title: said.title,
      lines: [
        ...(isKnown ? [said.known] : []),
        remaining === 0 ? said.everywhere : said.remaining(remaining),
        blocked === undefined ? said.pending : said.blocked[blocked],
      ],
    });
  },
});
