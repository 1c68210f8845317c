import { defineAction } from '../../src/command/command.ts';
import { infoReply } from '../../src/command/reply.ts';

export const channels = defineAction({
  description: 'Where pictures and videos are made',
  options: {
    where: {
      kind: 'choice',
      description: 'everywhere; only where here was said; or no longer here',
      choices: ['everywhere', 'here', 'not-here'],
      required: true,
    },
  },
  async run({ args, words, settings }) {
    const open = await settings.setChannels(args.where);
    const said = words.settings.channelsSet;
    const lines = [said[args.where === 'not-here' && open === undefined ? 'unlimited' : args.where]];
    if (open?.length === 0) lines.push(said.none);
    return infoReply({ title: words.settings.title, lines });
  },
});
