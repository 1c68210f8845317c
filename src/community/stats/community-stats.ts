import { Keyv } from 'keyv';
import { type Clock, DAY_MS, HOUR_MS } from '../../base/clock.ts';
import { filterKey } from '../../command/request.ts';
import type { CommunityStats } from '../../command/stats-port.ts';
import { localDay, timeIn } from '../../command/time-zone.ts';
import { FILTER_LIST_NAMES } from '../../kinds/choices.ts';
import { commandOf } from '../../kinds/kinds.ts';
import type { Tallies, TallyCount } from '../../store/tables/tallies.ts';
import { createCachedLoad } from '../cached-load.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { type FilterOrderDependencies, filterUses } from '../catalog/filter-order.ts';
import { createLruStore } from '../lru-store.ts';

const DAYS = 30;
const FRESH_MS = 5_000;
const MOST_KEPT = 200;
const MOST_FILTERS = 5;
const LONGEST_ID = 8;

/** Lists the dates of 30 days up to this one, the oldest first. */
function datesUntil(date: string): readonly string[] {
  const last = timeIn('UTC', date);
  return Array.from({ length: DAYS }, (_, index) => localDay('UTC', last - (DAYS - 1 - index) * DAY_MS));
}

const sumOf = (all: readonly TallyCount[], what: 'count' | 'credits'): number =>
  all.reduce((sum, each) => sum + each[what], 0);

interface StatsDependencies extends Pick<FilterOrderDependencies, 'tallies' | 'aliasesOf' | 'idsOf'> {
  /** Counts the people who used credits in these communities on these UTC days. */
  readonly peopleOn: (days: readonly string[], communities: readonly string[]) => Promise<number>;
  readonly timeZoneOf: (community: string) => Promise<string>;
  readonly catalogs: Pick<Catalogs, 'peek'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Makes the statistics of a community for 30 days of its time zone; an hour counts to the day in which it begins. */
export function createCommunityStats(parts: StatsDependencies) {
  const { tallies, clock, catalogs } = parts;

  /** Finds the name of a filter, or a short id for one that is on no list any more. */
  const filterName = (key: string, aliases: ReadonlyMap<string, string>): string => {
    const [list = '', reference = ''] = key.split(':', 2);
    const known = FILTER_LIST_NAMES.find((name) => name === list);
    const found = known && catalogs.peek(known)?.find((entry) => filterKey(known, entry.reference) === key);
    return found?.name ?? aliases.get(key) ?? reference.slice(0, LONGEST_ID);
  };

  const read = async (community: string): Promise<CommunityStats> => {
    const ids = await parts.idsOf(community);
    const timeZone = await parts.timeZoneOf(community);
    const now = clock.now();
    const dates = datesUntil(localDay(timeZone, now));
    const begins = dates.map((date) => timeIn(timeZone, date) / HOUR_MS);
    const first = Math.ceil(begins[0] ?? 0);
    const all = async (what: Parameters<Tallies['since']>[1]) =>
      (await Promise.all(ids.map((id) => tallies.since(id, what, first)))).flat();
    const [jobs, ends, uses, people, aliases] = await Promise.all([
      all('job'),
      all('end'),
      filterUses(parts, community, now),
      parts.peopleOn(datesUntil(localDay('UTC', now)), ids),
      parts.aliasesOf(community),
    ]);
    const aliasNames = new Map(aliases.map(({ id, name }) => [`alias:${id}`, name]));

    const byDate = ({ hour }: TallyCount): string | undefined =>
      dates[begins.findLastIndex((begin) => begin <= hour)];
    const jobsOf = Map.groupBy(jobs, byDate);
    const endsOf = Map.groupBy(ends, byDate);
    const creditsOn = (date: string): number =>
      sumOf(jobsOf.get(date) ?? [], 'credits') - sumOf(endsOf.get(date) ?? [], 'credits');
    const counted = [...Map.groupBy(jobs, ({ name }) => commandOf(name))].map(([name, each]) => ({
      name,
      jobs: sumOf(each, 'count'),
      credits: sumOf(each, 'credits'),
    }));
    return {
      timeZone,
      days: dates.map((date) => ({
        date,
        jobs: sumOf(jobsOf.get(date) ?? [], 'count'),
        credits: Math.max(0, creditsOn(date)),
      })),
      commands: counted.toSorted((a, b) => b.jobs - a.jobs),
      filters: uses
        .slice(0, MOST_FILTERS)
        .map(([key, jobs]) => ({ name: filterName(key, aliasNames), jobs })),
      people,
      failed: sumOf(
        ends.filter(({ name }) => name !== 'cancelled'),
        'count',
      ),
    };
  };
  // The statistics are cached, because many rows may have to be read.
  const known = new Keyv<CommunityStats>({
    store: createLruStore({ most: MOST_KEPT, ttlMs: FRESH_MS, clock }),
    serialization: false,
  });
  return createCachedLoad(known, read);
}
