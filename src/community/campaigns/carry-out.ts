import { backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { createFairBudget, withSlot } from '../../base/limits/fair-budget.ts';
import type { Members } from '../../base/members/members.ts';
import { type Caller, turnKey } from '../../command/place.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { Aliases } from '../aliases/aliases.ts';
import { CommunityError } from '../community-error.ts';
import {
  type Campaign,
  type CampaignOutcome,
  type CampaignRecords,
  dueAt,
  nextOfEach,
} from './campaign-records.ts';

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** The pause before steps of a community that waits for an owner's approval are tried again. */
const APPROVAL_PAUSE_MS = 30_000;
/** A step that failed for this long is given up. */
const GIVE_UP_MS = 7 * 24 * 60 * 60_000;

/** How many steps run at once, in all and for one person, so that a person with many communities does not delay others. */
const STEPS_AT_ONCE = { total: 8, perPerson: 4 };

/** How campaigns tell what they have done. */
export interface CampaignNotices {
  /** Writes the outcome into the audit trail; with `again` only if that was not done before a crash. */
  happened(community: string, campaign: Campaign, outcome: CampaignOutcome, again: boolean): Promise<void>;
  /** Tells that the service could not be reached, and that the step is retried. */
  delayed(community: string, campaign: Campaign): Promise<void>;
}

/** The parts of the program that campaigns use. */
export interface CampaignDependencies {
  readonly aliases: Pick<Aliases, 'forPerson' | 'pointTo'>;
  /** The community's time zone as an IANA name. */
  readonly zoneOf: (community: string) => Promise<string>;
  /** Whether the community must be approved by an owner before anything is done there for this person. */
  readonly isUnapproved: (by: Caller, community: string) => Promise<boolean>;
  readonly notices: CampaignNotices;
  /** The processes that share the store, one of which carries out campaigns. */
  readonly members: Pick<Members, 'hold' | 'isShared'>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly onError: (error: unknown) => void;
}

/** Whether a retry can help, which it cannot after a refusal. */
function isTemporary(error: unknown): boolean {
  if (error instanceof GenerationError) return true;
  if (!(error instanceof CommunityError)) return false;
  const codes = ['service-unavailable', 'service-credentials', 'service-address', 'alias-uncertain'];
  return codes.includes(error.reason.code);
}

const withOutcome = ({ retry: _, ...campaign }: Campaign, outcome: CampaignOutcome): Campaign => ({
  ...campaign,
  outcome,
});

/** Makes the function that carries out the due steps of a community. Each step is idempotent, and is announced once. */
export function createCarryOut(records: CampaignRecords, parts: CampaignDependencies) {
  const { aliases, isUnapproved, notices, clock } = parts;
  const { now } = clock;
  const steps = createFairBudget(STEPS_AT_ONCE);
  /** Finds the campaign that ends when this one starts; the filter from before that one returns at the end of this one. */
  const runningBefore = async (community: string, { alias }: Campaign): Promise<Campaign | undefined> =>
    (await records.all(community)).find(
      (each) => each.alias === alias && each.state === 'running' && each.outcome === undefined,
    );

  /**
   * Whether the campaign has begun without this store knowing, which was restored from before the begin: the alias points to
   * its filter already.
   */
  const isUnknownBegin = (
    { filter }: Campaign,
    current: string | undefined,
    pointed: string | undefined,
  ): boolean => current === filter && pointed !== undefined && pointed !== filter;

  const hasBegunUnknown = async (community: string, campaign: Campaign): Promise<boolean> => {
    let hasBegun = false;
    await aliases.pointTo(community, campaign.alias, campaign, async (current, pointed) => {
      hasBegun = isUnknownBegin(campaign, current, pointed);
      return false;
    });
    return hasBegun;
  };

  /**
   * Stores the outcome of a step, announces it, then sets the campaign's next state; false if the campaign was changed
   * meanwhile.
   */
  const conclude = async (
    community: string,
    campaign: Campaign,
    made: Omit<CampaignOutcome, 'at'> | undefined,
  ): Promise<boolean> => {
    const outcome = campaign.outcome ?? { what: 'failed' as const, ...made, at: now() };
    const concluded = withOutcome(campaign, outcome);
    if (campaign.outcome === undefined) {
      const left = outcome.what === 'start' ? await runningBefore(community, campaign) : undefined;
      const what = left?.before === campaign.before ? 'end' : 'replaced';
      const over = left && ([left, withOutcome(left, { what, at: outcome.at })] as const);
      if (!(await records.swap(community, [campaign, concluded], ...(over ? [over] : [])))) return false;
      if (over) await conclude(community, over[1], undefined);
    }
    await notices.happened(community, concluded, outcome, campaign.outcome !== undefined);
    const { outcome: __, ...next } = concluded;
    const isRunning = outcome.what === 'start' && campaign.until !== undefined;
    return records.swap(community, [concluded, isRunning ? { ...next, state: 'running' } : undefined]);
  };

  /** Notes a retry with exponential backoff, and tells about the first one. */
  const later = async (community: string, campaign: Campaign): Promise<void> => {
    const { count = 0, since = now() } = campaign.retry ?? {};
    const retry = { at: now() + backoff(count, FIRST_PAUSE_MS, LONGEST_PAUSE_MS), count: count + 1, since };
    if ((await records.swap(community, [campaign, { ...campaign, retry }])) && count === 0)
      await notices.delayed(community, campaign);
  };

  /** Starts a campaign; returns whether the next step of its alias can follow. */
  const start = async (community: string, campaign: Campaign): Promise<boolean> => {
    const isOver = campaign.state === 'coming' && campaign.until !== undefined && campaign.until <= now();
    if (isOver && !(await hasBegunUnknown(community, campaign).catch(() => false)))
      return conclude(community, campaign, { what: 'missed' });
    let current = campaign;
    let isOurs = true;
    await aliases.pointTo(community, campaign.alias, campaign, async (there, pointed) => {
      if (campaign.state === 'coming') {
        const filter = isUnknownBegin(campaign, there, pointed) ? pointed : there;
        const left = await runningBefore(community, campaign);
        const before = left !== undefined && left.filter === filter ? left.before : filter;
        current = { ...campaign, state: 'starting', ...defined({ before }) };
      }
      // The swap is needed for a repeated step, too, because a moderator may have held the campaign meanwhile.
      isOurs = await records.swap(community, [campaign, current]);
      return isOurs;
    });
    return isOurs && conclude(community, current, { what: 'start' });
  };

  /** Ends a campaign; returns whether the next step of its alias can follow. */
  const end = async (community: string, campaign: Campaign): Promise<boolean> => {
    const { before, alias } = campaign;
    if (before === undefined)
      return conclude(community, campaign, { what: 'failed', reason: 'filter-unknown' });
    let current = campaign;
    let isOurs = true;
    let isReplaced = false;
    const to = { filter: before, label: before, listed: false };
    await aliases.pointTo(community, alias, to, async (filter) => {
      // If the alias was repointed without us, the former filter does not return.
      isReplaced = campaign.state === 'running' && filter !== campaign.filter;
      if (isReplaced) return false;
      current = { ...campaign, state: 'ending' };
      isOurs = await records.swap(community, [campaign, current]);
      return isOurs;
    });
    return isOurs && conclude(community, current, { what: isReplaced ? 'replaced' : 'end' });
  };

  const step = async (community: string, campaign: Campaign): Promise<boolean> => {
    if (campaign.outcome !== undefined) return conclude(community, campaign, undefined);
    const isStart = campaign.state === 'coming' || campaign.state === 'starting';
    try {
      return await (isStart ? start : end)(community, campaign);
    } catch (error) {
      const isOld = now() - (campaign.retry?.since ?? now()) > GIVE_UP_MS;
      // The record is read again, because the step may have stored that it began.
      const stored = (await records.all(community)).find(({ id }) => id === campaign.id);
      if (stored === undefined || stored.outcome !== undefined) return false;
      if (isTemporary(error) && !isOld) {
        await later(community, stored);
        return false;
      }
      if (!isTemporary(error) && !(error instanceof CommunityError)) throw error;
      const reason = error instanceof CommunityError ? error.reason.code : 'service-unavailable';
      return conclude(community, stored, { what: 'failed', reason });
    }
  };

  return async (community: string, ended: AbortSignal): Promise<void> => {
    /** Aliases whose next step must wait. */
    const waiting = new Set<string>();
    let earliest = 0;
    const next = async (): Promise<Campaign | undefined> =>
      nextOfEach(await records.all(community)).find(
        (each) => dueAt(each) <= now() && !waiting.has(each.alias) && !ended.aborted,
      );
    const doNext = async (): Promise<void> => {
      // The next step is looked up again, because it may have changed while others had their turns.
      const due = await next();
      if (due === undefined) return;
      const waitsForApproval = due.outcome === undefined && (await isUnapproved(due.by, community));
      if (waitsForApproval) earliest = now() + APPROVAL_PAUSE_MS;
      if (waitsForApproval || !(await step(community, due))) waiting.add(due.alias);
    };
    for (let due = await next(); due !== undefined; due = await next())
      await withSlot(steps, turnKey(due.by), doNext);
    await records.postpone(community, earliest);
  };
}
