import { isDeepStrictEqual } from 'node:util';
import { MINUTE_MS, sleep, waitAtMost } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { CampaignEntry } from '../../command/aliases-port.ts';
import type { Caller } from '../../command/place.ts';
import { localTime, timeIn } from '../../command/time-zone.ts';
import { refuse } from '../community-error.ts';
import { type Campaign, createCampaignRecords, timeOf } from './campaign-records.ts';
import { createCampaignTimer } from './campaign-timer.ts';
import { type CampaignParts, createCarryOut } from './carry-out.ts';

export type Campaigns = ReturnType<typeof createCampaigns>;

const MOST_OF_ALIAS = 20;
const MOST_OF_COMMUNITY = 200;
const PAUSE_MS = 250;
/** For what this process is doing: its calls to the service wait for the repoint. */
const LONGEST_WAIT_MS = 3_000;
/** For what another process is doing: the service may take a minute to answer. */
const LONGEST_WAIT_FOR_OTHER_MS = 65_000;
/** An answer waits so long for what is due at once. */
const LONGEST_NUDGE_MS = 2_000;
/** Longer than a repoint takes; if that failed, the campaign goes on then. */
const HELD_MS = 30_000;
/** What another process does at a moment it does by its own clock, which differs from this one by seconds. */
const APART_MS = 10_000;

export interface WantedCampaign {
  readonly name: string;
  readonly filter: string;
  /** Local times (`readLocalTime`). */
  readonly from: string;
  readonly until?: string | undefined;
}

/** One without an end is over as soon as it has begun. */
const endOf = ({ from, until = from }: Pick<Campaign, 'from' | 'until'>): number => until;

function overlaps(a: Campaign, b: Campaign): boolean {
  if (a.from === b.from) return true;
  return a.from < b.from ? endOf(a) > b.from : endOf(b) > a.from;
}

/** What a moderator has asked for: the same twice is one. */
const wishOf = ({ alias, filter, from, until, by }: Campaign) => [alias, filter, from, until, by.id];

const isBegun = ({ state }: Campaign): boolean => state !== 'coming';

/** The service is being called for it, or was when a process died, or will be in a moment. */
const isInFlight = ({ state, outcome, retry }: Campaign, now: number): boolean =>
  (state === 'starting' || state === 'ending') && outcome === undefined && (retry?.at ?? 0) <= now;

/** Campaigns of communities: what moderators schedule, and the timer that carries it out. The caller checks permission. */
export function createCampaigns(store: Records, parts: CampaignParts) {
  const { aliases, zoneOf, clock, newId } = parts;
  const { now } = clock;
  const records = createCampaignRecords(store);
  const timer = createCampaignTimer(records, createCarryOut(records, parts), parts);
  /** Carries out what is due in a community. */
  const nudge = async (community: string): Promise<void> => {
    await waitAtMost(clock, LONGEST_NUDGE_MS, timer.nudge(community));
  };
  const ofAlias = async (community: string, name: string): Promise<readonly Campaign[]> =>
    (await records.all(community)).filter(({ alias }) => alias === name);
  /** Takes those of an alias away for which `isGone` is true. */
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
      const [from, until] = [localTime(zone, other.from), other.until && localTime(zone, other.until)];
      refuse({ code: 'campaign-overlap', filter: other.label, from, until: until || undefined });
    }
    if (others.length >= MOST_OF_ALIAS) refuse({ code: 'campaign-limit', limit: MOST_OF_ALIAS });
    if (all.length >= MOST_OF_COMMUNITY) refuse({ code: 'campaign-limit', limit: MOST_OF_COMMUNITY });
  };

  const timesOf = (zone: string, wanted: WantedCampaign): Pick<Campaign, 'from' | 'until'> => {
    const from = timeIn(zone, wanted.from);
    const until = wanted.until === undefined ? undefined : timeIn(zone, wanted.until);
    // The current minute means now.
    if (from < now() - (now() % MINUTE_MS))
      refuse({ code: 'campaign-past', time: localTime(zone, from), now: localTime(zone, now()) });
    if (until !== undefined && until <= from) refuse({ code: 'campaign-order' });
    return { from, ...defined({ until }) };
  };

  return {
    start: timer.start,
    /** `begin` is called after all checks, before it is stored. */
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
      // A command that is delivered again after a crash has done its work.
      if (all.some(isSame)) return added;
      requireFree(added, all, zone);
      await begin();
      // Noted first: an entry without a campaign is harmless, a campaign without an entry would never begin.
      await records.enlist(community, added.from);
      await records.edit(community, (before) => {
        if (before.some(isSame)) return undefined;
        requireFree(added, before, zone);
        return [...before, added];
      });
      if (added.from <= now()) await nudge(community);
      return added;
    },
    /** Takes back what is coming, ends what is running. */
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
        // Another moderator was faster.
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
    /** By alias, in the order of time. */
    of: async (community: string): Promise<ReadonlyMap<string, readonly CampaignEntry[]>> =>
      Map.groupBy(
        (await records.all(community)).toSorted((a, b) => timeOf(a) - timeOf(b)),
        ({ alias }) => alias,
      ),
    /** Those of the communities whose next steps are soonest, and whether these are all. */
    async upcoming(communities: number) {
      const due = await records.index();
      const next = due.slice(0, communities);
      const found = await Promise.all(
        next.map(async ([community]) =>
          (await records.all(community)).map((campaign) => ({ ...campaign, community })),
        ),
      );
      const list = found.flat().toSorted((a, b) => timeOf(a) - timeOf(b));
      return { list, isAll: next.length === due.length };
    },
    /**
     * The alias is about to be repointed by a moderator: no process changes it meanwhile. What one is doing with it at this
     * moment is waited for.
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
    /** The alias was repointed by a moderator: what is running ends, and nothing returns. */
    replaced: (community: string, name: string) => take(community, name, isBegun),
    /** The alias was deleted, or is made anew. */
    forget: (community: string, name: string) => take(community, name, () => true),
    /** Removes the campaigns of all aliases: the community is forgotten. */
    clear: records.clear,
    /** After the aliases have moved: those whose name was taken have another one. */
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
          // They are there already after a crash between the two writes.
          ...named.filter(({ id }) => !there.some((other) => other.id === id)),
        ]);
      });
      await records.postpone(from);
    },
  };
}
