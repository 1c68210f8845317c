import { type Clock, waitAtMost } from '../../base/clock.ts';
import type { Incoming } from '../../command/desk.ts';
import { turnKey } from '../../command/place.ts';
import type { CommunityStats, StatsPort } from '../../command/stats-port.ts';
import { timeIn } from '../../command/time-zone.ts';
import { inlineJpeg } from '../../command/view.ts';
import type { Permission } from '../../community/rules/moderators.ts';
import type { Log } from '../../log/log.ts';
import { type Chart, groupDigits, layOutChart } from '../../picture/chart.ts';
import type { Decoder } from '../../picture/decoder.ts';
import type { Words } from '../../words/words.ts';
import { sum } from '../figures/series.ts';

/** The longest that drawing may take; then the numbers are shown without a picture. */
const DRAWING_MS = 15_000;
const MARK_EVERY = 7;

/** The chart of a community's last weeks. */
export function chartOf(stats: CommunityStats, { stats: words }: Words): Chart {
  const { days, commands, filters, people, failed, timeZone } = stats;
  const [jobs, credits] = [days.map((day) => day.jobs), days.map((day) => day.credits)];
  // From the last day backwards.
  const marks = days
    .map(({ date }, at) => ({ at, text: words.date(timeIn('UTC', date)) }))
    .filter(({ at }) => (days.length - 1 - at) % MARK_EVERY === 0);
  return {
    title: words.title,
    subtitle: timeZone,
    totals: [
      { label: words.jobs, value: sum(jobs) },
      { label: words.credits, value: sum(credits) },
      { label: words.people, value: people },
      { label: words.failed, value: failed },
    ],
    series: [
      { label: words.jobsByDay, values: jobs, marks },
      { label: words.creditsByDay, values: credits, marks },
    ],
    lists: [
      {
        label: words.commands,
        rows: commands.map((each) => ({
          name: `/${each.name}`,
          value: each.jobs,
          text: `${groupDigits(each.jobs)} / ${groupDigits(each.credits)}`,
        })),
      },
      {
        label: words.filters,
        rows: filters.map((each) => ({ name: each.name, value: each.jobs, text: groupDigits(each.jobs) })),
      },
    ],
  };
}

/** A community's statistics for its moderators, as numbers and as a picture. */
export function createStatsPort(
  parts: {
    readonly decoder: Pick<Decoder, 'compose'>;
    readonly clock: Clock;
    readonly log: Pick<Log, 'warn'>;
  },
  statsOf: (community: string) => Promise<CommunityStats>,
) {
  const { decoder, clock, log } = parts;
  return (incoming: Incoming, words: Words, permission: Permission): StatsPort => ({
    async read() {
      await permission.demand();
      return statsOf(incoming.place.community);
    },
    async draw(stats, alt) {
      const composition = layOutChart(chartOf(stats, words));
      const { width, height } = composition;
      const drawing = decoder
        .compose(composition, turnKey(incoming.caller))
        .catch((error: unknown) => void log.warn({ err: error }, 'statistics could not be drawn'));
      const bytes = await waitAtMost(clock, DRAWING_MS, drawing);
      return bytes && inlineJpeg('statistics.jpg', alt, { bytes, width, height });
    },
  });
}
