import { defineAction } from '../../src/command/command.ts';
import { UserError } from '../../src/command/errors.ts';
import { subcommands } from '../texts/settings.ts';
import { message } from './people.ts';

export const channels = defineAction({
  description: 'Where pictures and videos are made',
  translations: subcommands.channels,
  options: {
    where: {
      kind: 'choice',
      description: 'everywhere; only where here was said; or no longer here',
      choices: ['everywhere', 'here', 'not-here'],
      required: true,
    },
    channel: {
      kind: 'channel',
      description: 'With not-here: another channel, for example a deleted one, as /settings show names it',
    },
  },
  rules({ where, channel }, words) {
    if (channel !== undefined && where !== undefined && where !== 'not-here')
      throw new UserError(words.settings.channelWithNotHere);
  },
  async run({ args: { where, channel }, words, ports: { settings } }) {
    const open = await settings.setChannels(where, channel);
    const said = words.settings.channelsSet;
    const isUnlimited = where === 'not-here' && open === undefined;
    const sentence = channel === undefined ? said[isUnlimited ? 'unlimited' : where] : said.removed(channel);
    return message(words, sentence, ...(open?.length === 0 ? [said.none] : []));
  },
});
