import { Keyv } from 'keyv';
import { addTo } from '../../base/add-to.ts';
import { type Clock, waitAtMost } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { FilterOrder, LastChoices } from '../../command/catalog-port.ts';
import { isOpenIn } from '../../command/desk/access/check-access.ts';
import type { JobSummary } from '../../command/jobs-port.ts';
import { type Caller, type Place, personKey } from '../../command/place.ts';
import { filterKeyOf, type GenerateRequest, takesOption, typedOption } from '../../command/request.ts';
import { hourOf, type Tallies } from '../../store/tables/tallies.ts';
import { createBriefCache } from '../brief-cache.ts';
import { createCachedLoad } from '../cached-load.ts';
import { createLruStore } from '../lru-store.ts';

export type FilterOrders = ReturnType<typeof createFilterOrders>;

/** The parts of a job from which the order of filters is made. */
export interface UsedFilter extends Pick<JobSummary, 'private' | 'community' | 'channel'> {
  readonly request: GenerateRequest;
}

/** The sources of the order of filters. */
export interface FilterOrderDependencies {
  /** The latest jobs of a person, the latest first. */
  readonly jobsOf: (person: string) => Promise<readonly UsedFilter[]>;
  readonly tallies: Pick<Tallies, 'since'>;
  /** The aliases of a community, because tallies have their ids, and lists their names. */
  readonly aliasesOf: (
    community: string,
  ) => Promise<readonly { readonly name: string; readonly id?: string }[]>;
  /** All ids that a community has or has had. */
  readonly idsOf: (community: string) => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * The life of a person's latest jobs is short, because a deletion of their data must take effect in other processes, too.
 */
const RECENT_FRESH_MS = 2_000;
const USED_FRESH_MS = 60_000;
const MOST_KEPT = 2_000;
/** How many of the most used filters come first; more would fill whole pages. */
const MOST_USED = 12;
const USED_DAYS = 30;
/**
 * How long a list waits for its order, which is well within the deadline of a suggestion; after that it has its plain order.
 */
const WAIT_MS = 400;

/** Counts how often each filter was used in a community in 30 days, the most used first. */
export async function filterUses(
  { tallies, idsOf }: Pick<FilterOrderDependencies, 'tallies' | 'idsOf'>,
  community: string,
  now: number,
): Promise<readonly (readonly [key: string, count: number])[]> {
  const since = hourOf(now) - USED_DAYS * 24;
  const counts = new Map<string, number>();
  for (const id of await idsOf(community)) {
    for (const { name, count } of await tallies.since(id, 'filter', since)) addTo(counts, name, count);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

/** What these jobs, the latest first, say of their person's last choices. A choice that the latest of them left out is none. */
function lastChoices(jobs: readonly UsedFilter[], { direct }: Place): LastChoices {
  const latest = (option: 'ratio' | 'look'): string | undefined => {
    const job = jobs.find(({ request }) => takesOption(request, option));
    return job && typedOption(job.request, option);
  };
  const genders = jobs.map(({ request }) => typedOption(request, 'gender'));
  return defined({
    // A scene in a person's own words needs no gender.
    gender: genders.find((gender) => gender !== undefined),
    ratio: latest('ratio'),
    look: latest('look'),
    // A direct chat is private anyway.
    private: jobs[0]?.private && !direct ? 'yes' : undefined,
  });
}

/** Finds which filters come first for a person: those that they used last, then those that their community uses most. */
export function createFilterOrders(parts: FilterOrderDependencies) {
  const { jobsOf, aliasesOf, clock, onError } = parts;
  const recentJobs = createBriefCache(jobsOf, clock, { freshMs: RECENT_FRESH_MS, most: MOST_KEPT });
  const used = new Keyv<readonly string[]>({
    store: createLruStore({ most: MOST_KEPT, ttlMs: USED_FRESH_MS, clock }),
    serialization: false,
  });
  const usedIn = createCachedLoad(used, mostUsed);

  async function mostUsed(community: string): Promise<readonly string[]> {
    const uses = await filterUses(parts, community, clock.now());
    const aliases = new Map(
      (await aliasesOf(community)).map(({ id, name }) => [`alias:${id}`, `alias:${name}`]),
    );
    return uses.slice(0, MOST_USED).map(([name]) => aliases.get(name) ?? name);
  }

  const soon = async <T>(work: Promise<readonly T[]>): Promise<readonly T[]> => {
    try {
      return (await waitAtMost(clock, WAIT_MS, work)) ?? [];
    } catch (error) {
      onError(error);
      return [];
    }
  };

  return {
    /**
     * Makes the order for a list. `alone`: only the caller sees the list. If others see it, jobs elsewhere and private ones
     * do not count, so that they learn nothing of them.
     */
    async of(caller: Caller, place: Place, alone: boolean): Promise<FilterOrder> {
      const [jobs, popular] = await Promise.all([
        soon(recentJobs.get(personKey(caller))),
        soon(usedIn(place.community)),
      ]);
      const shown = jobs.filter((job) => alone || place.direct || isOpenIn(job, place));
      const keys = shown.flatMap(({ request }) => filterKeyOf(request) ?? []);
      return { recent: [...new Set(keys)], used: popular, last: lastChoices(shown, place) };
    },
    /** Forgets a person whose data was deleted. */
    forget: (caller: Caller): void => recentJobs.forget(personKey(caller)),
  };
}
