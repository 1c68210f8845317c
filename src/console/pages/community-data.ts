import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { ApprovalsPort } from '../../command/approvals-port.ts';
import type { Incoming } from '../../command/desk.ts';
import type { Caller } from '../../command/place.ts';
import type { SettingsPort } from '../../command/settings-port.ts';
import type { Approvals } from '../../community/approvals/approvals.ts';
import type { Campaigns } from '../../community/campaigns/campaigns.ts';
import type { AllowanceOf } from '../../community/rules/allowance.ts';
import { ACTION_PREFIXES, trailEntryOf } from '../../community/rules/audit.ts';
import type { CommunityRules } from '../../community/rules/community-rules.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import { PLATFORMS } from '../../platforms/platforms.ts';
import type { Store } from '../../store/tables/store.ts';
import type { Words } from '../../words/words.ts';

export type CommunityData = ReturnType<typeof createCommunityData>;
export type CommunityDetails = Awaited<ReturnType<CommunityData['details']>>;

type Acts = Pick<SettingsPort, 'pause' | 'resume' | 'setCredits' | 'set'> &
  Readonly<Record<'approve' | 'revoke', () => Promise<unknown>>>;

/** The parts of the program that the pages about communities read and change. */
export interface CommunityDataDependencies {
  readonly approvalNeeded: boolean;
  /** The most credits that all people of a community can use a day. */
  readonly ceiling: number | undefined;
  readonly store: Pick<Store, 'communityList' | 'usage' | 'audit' | 'jobSearch'>;
  readonly rules: CommunityRules;
  readonly approvals: Approvals;
  readonly campaigns: Pick<Campaigns, 'of' | 'upcoming'>;
  readonly allowances: AllowanceOf;
  /** The owner as a caller in the console, without an account on a platform. */
  readonly inConsole: Caller;
  readonly settings: (incoming: Incoming) => SettingsPort;
  readonly approvalDecisions: (incoming: Incoming, words: Words) => ApprovalsPort;
  readonly clock: Pick<Clock, 'now'>;
}

/** The namespaces of records whose keys are communities. */
const NAMESPACES = ['settings', 'approvals'];
const PER_PAGE = 25;
const LATEST_JOBS = 10;
const LATEST_LINES = 15;
const MOST_CAMPAIGNS_OF = 50;
/**
 * The actions of audit lines that are shown: all but accepted jobs, which are almost all lines and have a list of their own.
 */
const SHOWN_ACTIONS = [
  ...ACTION_PREFIXES.reports,
  ...ACTION_PREFIXES.moderators,
  ...ACTION_PREFIXES.settings,
  ...ACTION_PREFIXES.aliases,
];

/** Reads and changes communities and their campaigns for the console's pages. */
export function createCommunityData(parts: CommunityDataDependencies) {
  const { store, rules, approvals, campaigns, allowances, clock, approvalNeeded, ceiling } = parts;
  const today = (): string => dayOf(clock.now());

  const rowOf = async (id: string) => {
    const [settings, { reserved, spent, jobs, people }, isApproved] = await Promise.all([
      rules.show(id),
      store.usage.community(today(), id),
      approvalNeeded ? approvals.isApproved(id) : undefined,
    ]);
    return {
      id,
      pause: settings.paused,
      /** Whether an owner has approved the community; undefined if no community needs that. */
      isApproved,
      /** The credits of one person a day. */
      allowance: allowances.ofCommunity(settings).credits,
      /** The credits that all its people have used today. */
      credits: reserved + spent,
      jobs,
      people,
      settings,
    };
  };
  const details = async (named: string) => {
    const id = await rules.present(named);
    const row = await rowOf(id);
    const { credits, creditsByOwner } = row.settings;
    const changedBy = creditsByOwner ? 'owner' : 'moderator';
    const allowanceBy: 'default' | 'owner' | 'moderator' = credits === undefined ? 'default' : changedBy;
    return {
      ...row,
      allowanceBy,
      campaigns: [...(await campaigns.of(id))].flatMap(([alias, list]) =>
        list.map((entry) => ({ ...entry, alias, community: id })),
      ),
      latestJobs: (await store.jobSearch.find({ community: id }, LATEST_JOBS)).jobs,
      trail: (await store.audit.recent(id, LATEST_LINES, { actions: SHOWN_ACTIONS })).map((line) => ({
        ...trailEntryOf(line),
        // The actor is shown in full, as in the export.
        who: line.actor,
      })),
    };
  };

  return {
    async page(after: string | undefined) {
      const { ids, next } = await store.communityList.page(NAMESPACES, PER_PAGE, after);
      const rows = ids
        .filter((id) => PLATFORMS.some((platform) => id.startsWith(`${platform}:`)))
        // The former id of a community that has moved is left out.
        .map(async (id) => ((await rules.present(id)) === id ? [await rowOf(id)] : []));
      return { list: (await Promise.all(rows)).flat(), ...defined({ next }) };
    },
    details,
    /** The communities that wait for approval; undefined if no community needs that. */
    waiting: approvalNeeded ? approvals.waiting : undefined,
    /** Lists the campaigns with the soonest next steps, and whether there are more. */
    upcoming: () => campaigns.upcoming(MOST_CAMPAIGNS_OF),
    /** Binds the actions of the owner to a community; each writes an audit line. */
    acts(community: string, words: Words): Acts {
      const place = { platform: 'web', community, channel: '', direct: false } as const;
      const incoming = { event: 'console', caller: parts.inConsole, place };
      return { ...parts.settings(incoming), ...parts.approvalDecisions(incoming, words) };
    },
    ceiling,
  };
}
