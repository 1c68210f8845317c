import { defineAction } from '../../src/command/command.ts';
import { infoReply } from '../../src/command/reply.ts';
import { removeMenu, subcommands } from '../texts/settings.ts';
import { reason } from './people.ts';

/** Takes a result away, and keeps its photos from being used again. */
export const remove = defineAction({
  description: 'Remove a result, and refuse its photos from now on',
  translations: subcommands.remove,
  jobMenu: { title: removeMenu, job: 'result', asks: 'reason' },
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
    const removed = await ports.removals.remove(args.result, args.reason ?? '');
    const { remaining, blanked, unreachable, unknown, blocked } = removed;
    const isEverywhere = remaining + blanked + unreachable + unknown === 0;
    return infoReply({
      title: said.title,
      lines: [
        ...(removed.isKnown ? [said.known] : []),
        ...(isEverywhere ? [said.everywhere] : []),
        ...(remaining > 0 ? [said.remaining(remaining)] : []),
        ...(blanked > 0 ? [said.blanked(blanked)] : []),
        ...(unreachable > 0 ? [said.unreachable(unreachable)] : []),
        ...(unknown > 0 ? [said.unknownPlaces(unknown)] : []),
        blocked === undefined ? said.pending : said.blocked[blocked],
      ],
    });
  },
});
