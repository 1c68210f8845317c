import { isDeepStrictEqual } from 'node:util';
import { MINUTE_MS, sleep, waitAtMost } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { CampaignEntry } from '../../command/aliases-port.ts';
import type { Caller } from '../../command/place.ts';
import { localTime, timeIn } from '../../command/time-zone.ts';
import { refuse } from '../community-error.ts';
import { type Campaign, createCampaignRecords, nextStepAt } from './campaign-records.ts';
import { createCampaignTimer } from './campaign-timer.ts';
import { type CampaignDependencies, createCarryOut } from './carry-out.ts';

export type Campaigns = ReturnType<typeof createCampaigns>;

const MOST_OF_ALIAS = 20;
const MOST_OF_COMMUNITY = 200;
const PAUSE_MS = 250;
/** The longest wait for a step in this process, whose calls to the service wait for the repoint. */
const LONGEST_WAIT_MS = 3_000;
/** The longest wait for a step in another process, because the service may take a minute to answer. */
const LONGEST_WAIT_FOR_OTHER_MS = 65_000;
/** How long an answer waits for steps that are due at once. */
const LONGEST_NUDGE_MS = 2_000;
/** How long campaigns are held during a repoint: longer than one takes. If it fails, they go on afterwards. */
const HELD_MS = 30_000;
/** How much the clock of another process may differ, by which that process begins its steps. */
const APART_MS = 10_000;

/** A campaign as a moderator has typed it. */
export interface WantedCampaign {
  readonly name: string;
  readonly filter: string;
  /** Begin and end as local times (`readLocalTime`). */
  readonly from: string;
  readonly until?: string | undefined;
}

/** The end of a campaign; one without an end is over as soon as it has begun. */
const endOf = ({ from, until = from }: Pick<Campaign, 'from' | 'until'>): number => until;

function overlaps(a: Campaign, b: Campaign): boolean {
  if (a.from === b.from) return true;
  return a.from < b.from ? endOf(a) > b.from : endOf(b) > a.from;
}

/** The fields by which two requests of a moderator are the same campaign. */
const wishOf = ({ alias, filter, from, until, by }: Campaign) => [alias, filter, from, until, by.id];

const isBegun = ({ state }: Campaign): boolean => state !== 'coming';

/** Whether a call to the service for the campaign is in progress, was when a process died, or will be in a moment. */
const isInFlight = ({ state, outcome, retry }: Campaign, now: number): boolean =>
  (state === 'starting' || state === 'ending') && outcome === undefined && (retry?.at ?? 0) <= now;

/** Schedules the campaigns of communities, and carries them out by a timer. The caller checks permission. */
export function createCampaigns(store: Records, parts: CampaignDependencies) {
  const { aliases, zoneOf, clock, newId } = parts;
  const { now } = clock;
  const records = createCampaignRecords(store);
  const timer = createCampaignTimer(records, createCarryOut(records, parts), parts);
  /** Carries out the due steps of a community now, and waits a moment for them. */
  const nudge = async (community: string): Promise<void> => {
    await waitAtMost(clock, LONGEST_NUDGE_MS, timer.nudge(community));
  };
  const ofAlias = async (community: string, name: string): Promise<readonly Campaign[]> =>
    (await records.all(community)).filter(({ alias }) => alias === name);
  /** Removes the campaigns of an alias for which `isGone` is true. */
  const take = async (
    community: string,
    name: string,
    isGone: (campaign: Campaign) => boolean,
  ): Promise<void> => {
    if ((await ofAlias(community, name)).length === 0) return;
    await records.edit(community, (all) => all.filter((each) => each.alias !== name || !isGone(each)));
  };

  const requireFree = (added: Campaign, all: readonly Campaign[], zone: string): void => {
    const others = all.filter(({ alias }) => alias === added.alias);
    const other = others.find((each) => overlaps(added, each));
    if (other !== undefined) {
      const from = localTime(zone, other.from);
      const until = other.until === undefined ? undefined : localTime(zone, other.until);
      refuse({ code: 'campaign-overlap', filter: other.label, from, until });
    }
    if (others.length >= MOST_OF_ALIAS) refuse({ code: 'campaign-limit', limit: MOST_OF_ALIAS });
    if (all.length >= MOST_OF_COMMUNITY) refuse({ code: 'campaign-limit', limit: MOST_OF_COMMUNITY });
  };

  const timesOf = (zone: string, wanted: WantedCampaign): Pick<Campaign, 'from' | 'until'> => {
    const from = timeIn(zone, wanted.from);
    const until = wanted.until === undefined ? undefined : timeIn(zone, wanted.until);
    // A time in the current minute means now.
    if (from < now() - (now() % MINUTE_MS))
      refuse({ code: 'campaign-past', time: localTime(zone, from), now: localTime(zone, now()) });
    if (until !== undefined && until <= from) refuse({ code: 'campaign-order' });
    return { from, ...defined({ until }) };
  };

  return {
    start: timer.start,
    /** Schedules a campaign. `begin` is awaited after all checks, before the campaign is stored. */
    async schedule(
      community: string,
      by: Caller,
      wanted: WantedCampaign,
      begin: () => Promise<void>,
    ): Promise<CampaignEntry> {
      const zone = await zoneOf(community);
      const { alias, filter } = await aliases.forPerson(by).check(community, wanted.name, wanted.filter);
      const { platform, id, name, locale } = by;
      const added: Campaign = {
        id: newId(),
        state: 'coming',
        alias: alias.name,
        aliasId: alias.id,
        filter: filter.id,
        label: filter.name,
        listed: filter.model !== 'unknown',
        ...timesOf(zone, wanted),
        by: { platform, id, name, locale },
      };
      const isSame = (each: Campaign): boolean => isDeepStrictEqual(wishOf(each), wishOf(added));
      const all = await records.all(community);
      // The command may be delivered again after a crash in which the campaign was stored.
      if (all.some(isSame)) return added;
      requireFree(added, all, zone);
      await begin();
      // The index is written first, because an entry without a campaign is harmless, while a campaign without an entry would
      // never begin.
      await records.enlist(community, added.from);
      await records.edit(community, (before) => {
        if (before.some(isSame)) return undefined;
        requireFree(added, before, zone);
        return [...before, added];
      });
      if (added.from <= now()) await nudge(community);
      return added;
    },
    /** Removes the campaigns of an alias that have not begun, and ends the one that is running. */
    async unschedule(
      community: string,
      name: string,
      begin: () => Promise<void>,
    ): Promise<{ readonly taken: number; readonly ended: boolean }> {
      const refuseNone = (there: readonly Campaign[]): void => {
        if (there.length === 0) refuse({ code: 'campaign-none', name });
      };
      refuseNone(await ofAlias(community, name));
      await begin();
      let taken = 0;
      let ended = false;
      await records.edit(community, (all) => {
        const mine = all.filter(({ alias }) => alias === name);
        // Another moderator may have removed them meanwhile.
        refuseNone(mine);
        taken = mine.filter((each) => !isBegun(each)).length;
        ended = mine.some(isBegun);
        return all
          .filter((each) => each.alias !== name || isBegun(each))
          .map((each) => {
            if (each.alias !== name) return each;
            const { retry: _, ...begun } = each;
            return { ...begun, until: Math.min(each.until ?? now(), now()) };
          });
      });
      if (ended) await nudge(community);
      return { taken, ended };
    },
    /** The campaigns of a community by alias, in the order of their next steps. */
    of: async (community: string): Promise<ReadonlyMap<string, readonly CampaignEntry[]>> =>
      Map.groupBy(
        (await records.all(community)).toSorted((a, b) => nextStepAt(a) - nextStepAt(b)),
        ({ alias }) => alias,
      ),
    /** Lists the campaigns of the communities with the soonest next steps, and whether these are all. */
    async upcoming(communities: number) {
      const due = await records.index();
      const next = due.slice(0, communities);
      const found = await Promise.all(
        next.map(async ([community]) =>
          (await records.all(community)).map((campaign) => ({ ...campaign, community })),
        ),
      );
      const list = found.flat().toSorted((a, b) => nextStepAt(a) - nextStepAt(b));
      return { list, isAll: next.length === due.length };
    },
    /**
     * Holds the campaigns of an alias that a moderator is about to repoint, so that no process changes it meanwhile. A step
     * in progress is waited for.
     */
    async hold(community: string, name: string): Promise<void> {
      const apartMs = timer.isElsewhere() ? APART_MS : 0;
      const isNear = (each: Campaign): boolean => isBegun(each) || each.from <= now() + HELD_MS + apartMs;
      const near = async () => (await ofAlias(community, name)).filter(isNear);
      const longestMs = (): number => (timer.isElsewhere() ? LONGEST_WAIT_FOR_OTHER_MS : LONGEST_WAIT_MS);
      let there = await near();
      for (let waited = 0; there.some((each) => isInFlight(each, now() + apartMs)); waited += PAUSE_MS) {
        if (waited >= longestMs()) break;
        await sleep(clock, PAUSE_MS);
        there = await near();
      }
      if (there.length === 0) return;
      await records.edit(community, (all) =>
        all.map((each) => {
          if (each.alias !== name || !isNear(each) || each.outcome !== undefined) return each;
          return { ...each, retry: { count: 0, since: now(), ...each.retry, at: now() + HELD_MS + apartMs } };
        }),
      );
    },
    /** Ends the running campaign of an alias that a moderator has repointed; its former filter does not return. */
    replaced: (community: string, name: string) => take(community, name, isBegun),
    /** Removes all campaigns of an alias that was deleted or is made anew. */
    forget: (community: string, name: string) => take(community, name, () => true),
    /** Removes all campaigns of a community that is being forgotten. */
    clear: records.clear,
    /** Moves the campaigns of a community after its aliases, some of which may have got another name. */
    async move(
      from: string,
      to: string,
      nameOf: (aliasId: string) => Promise<string | undefined>,
    ): Promise<void> {
      await records.moveAll(from, async (moved) => {
        const named = await Promise.all(
          moved.map(async (each) => ({ ...each, alias: (await nameOf(each.aliasId)) ?? each.alias })),
        );
        await records.edit(to, (there) => [
          ...there,
          // After a crash between the two writes, some of them are there already.
          ...named.filter(({ id }) => !there.some((other) => other.id === id)),
        ]);
      });
      await records.postpone(from);
    },
  };
}
