import { localTime } from '../../src/base/time-zone.ts';
import { defineAction } from '../../src/command/command.ts';
import { infoReply } from '../../src/command/reply.ts';

export const timezone = defineAction({
  description: 'Time zone of campaigns and statistics',
  options: { name: { kind: 'time-zone', description: 'For example Europe/Berlin', required: true } },
  async run({ args, words, settings, now }) {
    await settings.setTimeZone(args.name);
    const lines = [
      words.settings.timeZoneSet(args.name, localTime(args.name, now)),
      words.settings.timeZoneKept,
    ];
    return infoReply({ title: words.settings.title, lines });
  },
});
