import { type Action, defineAction } from '../../src/command/command.ts';
import type { Option } from '../../src/command/option.ts';
import type { AliasEntry, CampaignEntry } from '../../src/command/ports.ts';
import { infoReply } from '../../src/command/reply.ts';
import { localTime } from '../../src/command/time-zone.ts';
import type { Line } from '../../src/command/view.ts';
import type { Words } from '../../src/words/words.ts';

/** Maximum number of campaigns shown for each alias in the list of all aliases. */
const MOST_SHOWN = 3;

function campaignLine({ label, from, until, state }: CampaignEntry, words: Words, zone: string): string {
  const end = until === undefined ? undefined : localTime(zone, until);
  if (state === 'coming' || end === undefined)
    return words.campaign.coming(label, localTime(zone, from), end);
  return words.campaign.running(label, end);
}

/** What is running or coming, in the community's time zone; `zone` says which, if there is anything. */
export function campaignLines(list: readonly AliasEntry[], words: Words, zone: string) {
  return {
    of({ campaigns = [] }: AliasEntry, withMaker = false): readonly Line[] {
      const shown = withMaker ? campaigns : campaigns.slice(0, MOST_SHOWN);
      const lines = shown.map((each): Line => {
        const line = campaignLine(each, words, zone);
        return withMaker ? [`${line} · `, { person: each.by.id, name: each.by.name }] : line;
      });
      return shown.length === campaigns.length ? lines : [...lines, `… +${campaigns.length - shown.length}`];
    },
    zone: list.some(({ campaigns = [] }) => campaigns.length > 0) ? [words.campaign.zone(zone)] : [],
  };
}

export function schedule(
  name: Option & { kind: 'alias'; required: true },
  filter: Option & { kind: 'reference'; required: true },
  refuseNumber: (typed: string, words: Words) => void,
): Action {
  return defineAction({
    description: 'Repoint an alias at a time, and back later',
    options: {
      name,
      filter,
      from: {
        kind: 'time',
        description: 'Day or time: 2026-10-25 or 2026-10-25T18:00',
        required: true,
      },
      until: { kind: 'time', description: 'When the filter of before returns; left out: it stays' },
    },
    async run({ args, words, aliases, settings }) {
      refuseNumber(args.filter, words);
      const { label, from, until } = await aliases.schedule(args.name, args.filter, args.from, args.until);
      const zone = await settings.timeZone();
      const end = until === undefined ? undefined : localTime(zone, until);
      const lines = [
        words.campaign.scheduled(args.name, label, localTime(zone, from), end),
        words.campaign.zone(zone),
      ];
      return infoReply({ title: words.alias.title, lines });
    },
  });
}

export function unschedule(name: Option & { kind: 'alias'; required: true }): Action {
  return defineAction({
    description: 'Take back what is scheduled for an alias, and end what is running',
    options: { name },
    async run({ args, words, aliases }) {
      const { taken, ended } = await aliases.unschedule(args.name);
      const lines = [
        ...(ended ? [words.campaign.ended(args.name)] : []),
        ...(taken > 0 ? [words.campaign.unscheduled(args.name, taken)] : []),
      ];
      return infoReply({ title: words.alias.title, lines });
    },
  });
}
