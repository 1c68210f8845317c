import { defined } from '../../src/base/defined.ts';
import { defineAction } from '../../src/command/command.ts';
import { requestedPage } from '../../src/command/desk/questions/paging.ts';
import { UserError } from '../../src/command/errors.ts';
import { infoReply } from '../../src/command/reply.ts';
import { type SettingsPort, TRAIL_KINDS, type TrailEntry } from '../../src/command/settings-port.ts';
import { localTime } from '../../src/command/time-zone.ts';
import type { Line } from '../../src/command/view.ts';
import { subcommands } from '../texts/settings.ts';
import { personSpan } from './people.ts';

const ENTRIES_PER_PAGE = 15;
/** The most entries that are shown; `npm run audit` shows older ones. */
const MOST_ENTRIES = 20 * ENTRIES_PER_PAGE;

/** Fetches the name of each person once. */
async function entryLines(
  list: readonly TrailEntry[],
  settings: SettingsPort,
  zone: string,
): Promise<readonly Line[]> {
  const ids = [...new Set(list.map(({ who }) => who))];
  const people = new Map(
    await Promise.all(ids.map(async (id) => [id, await personSpan(id, settings)] as const)),
  );
  return list.map(({ at, who, what }) => [`${localTime(zone, at)} `, people.get(who) ?? who, ` ${what}`]);
}

export const log = defineAction({
  description: 'Send the audit trail to this channel, or stop; without a value: its latest entries',
  translations: subcommands.log,
  options: {
    where: { kind: 'choice', description: 'here or off', choices: ['here', 'off'] },
    kind: { kind: 'choice', description: 'Only entries of this kind', choices: TRAIL_KINDS },
    user: { kind: 'user', description: 'Only entries of this person' },
  },
  rules({ where, user, kind }, words) {
    if (where !== undefined && (user !== undefined || kind !== undefined))
      throw new UserError(words.settings.logOrEntries);
  },
  async run(call) {
    const { args, words } = call;
    const { settings } = call.ports;
    const { title, recent, noEntries, logHere, logOff } = words.settings;
    if (args.where !== undefined) {
      await settings.setLog(args.where === 'here');
      return infoReply({ title, lines: [args.where === 'here' ? logHere : logOff] });
    }
    const entries = await settings.recent(MOST_ENTRIES, defined({ user: args.user, kind: args.kind }));
    const { list, note, turning } = await requestedPage(entries, ENTRIES_PER_PAGE, call);
    if (list.length === 0) return infoReply({ title, lines: [[{ bold: recent }], noEntries] });
    const zone = await settings.timeZone();
    const shown = await entryLines(list, settings, zone);
    const lines = [[{ bold: recent }], words.campaign.zone(zone), ...shown, ...note];
    return infoReply({ title, lines, ...turning });
  },
});
