import type { Adapter, Membership, Memberships } from '../../adapters/adapter.ts';
import { type Clock, sleep, waitAtMost } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { Members } from '../../base/members/members.ts';
import { createOncePer } from '../../base/once-per.ts';
import { isPersonal, type Place, turnKey } from '../../command/place.ts';
import type { Aliases } from '../../community/aliases/aliases.ts';
import type { Approvals } from '../../community/approvals/approvals.ts';
import type { Campaigns } from '../../community/campaigns/campaigns.ts';
import { type CommunityRules, isForgotten } from '../../community/rules/community-rules.ts';
import type { LeftCommunities } from '../../community/rules/left-communities.ts';
import type { Log } from '../../log/log.ts';
import type { Platform } from '../../platforms/platforms.ts';
import type { GrantRecords } from '../../store/tables/grants.ts';
import type { ApprovalAsking } from '../notices/approval-notices.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';

/** How often platforms are asked where the bot is: a community that was added may need an approval. */
const LIST_EVERY_MS = 5 * 60_000;
/** How often that is compared with all communities that have something here. */
const COMPARE_EVERY_MS = 6 * 3_600_000;
const LONGEST_STOP_MS = 3_000;

/** Notices where the bot was added and taken from; a community that it was taken from is forgotten after 30 days. */
export function createCommunityWatch(parts: {
  readonly platforms: Pick<PlatformRegistry, 'all'>;
  readonly leftCommunities: LeftCommunities;
  readonly approvals: Pick<Approvals, 'isApproved' | 'isKnown' | 'forget'>;
  readonly rules: CommunityRules;
  readonly aliases: Pick<Aliases, 'clear'>;
  readonly campaigns: Pick<Campaigns, 'clear'>;
  readonly grants: Pick<GrantRecords, 'list' | 'takeBack'>;
  /** Records about communities, whose keys are ids of communities. */
  readonly records: readonly Records[];
  /** Undefined: communities need no approval. */
  readonly askOwners: ((asking: ApprovalAsking) => void) | undefined;
  readonly members: Pick<Members, 'hold'>;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { leftCommunities, approvals, rules, grants, askOwners, clock, log } = parts;
  const stopping = new AbortController();
  const isNews = createOncePer(clock);
  /** Where the bot was when the platform was asked last. */
  const before = new Map<Platform, ReadonlySet<string>>();

  const askFor = async (asking: ApprovalAsking): Promise<void> => {
    if (askOwners && !(await approvals.isKnown(asking.place.community))) askOwners(asking);
  };

  const list = async (adapter: Adapter, isComplete: boolean): Promise<void> => {
    const { platform } = adapter;
    const all = await adapter.communities?.();
    if (all === undefined) return;
    const there = new Set(all.map(({ community }) => community));
    const was = before.get(platform) ?? new Set();
    for (const community of was) if (!there.has(community)) await leftCommunities.left(community);
    for (const { community, name } of all) {
      if (was.has(community)) continue;
      await leftCommunities.over(community);
      const place = { platform, community, channel: '', direct: false };
      await askFor({ place, locale: 'en', ...defined({ name }) });
    }
    before.set(platform, there);
    if (!isComplete) return;
    for (const records of parts.records)
      for await (const [key, stored] of records.iterator()) {
        if (!key.startsWith(`${platform}:`) || isPersonal(key) || isForgotten(stored)) continue;
        if (!there.has(key)) await leftCommunities.left(key);
      }
  };

  /**
   * Forgets what a community has here: campaigns, aliases (at the service, too), grants, settings (but for an
   * owner's word), its approval. Jobs, counters and audit
   * lines end by themselves. Safe to repeat after a crash: the settings, which know its other ids, go last.
   */
  const forget = async (community: string): Promise<void> => {
    await parts.campaigns.clear(community);
    await parts.aliases.clear(community);
    const first = await rules.first(community);
    const others = await rules.otherIds(community);
    const ids = [community, ...others];
    for (const { person } of await grants.list(first))
      await grants.takeBack({ community: first, ids, person, at: clock.now() });
    await approvals.forget(ids);
    await rules.forget(community, others);
  };

  const forgetLeft = async (community: string): Promise<void> => {
    // It may have come back this moment.
    if (!(await leftCommunities.has(community))) return;
    const isMoved = (await rules.present(community)) !== community;
    if (!isMoved) await forget(community);
    await leftCommunities.over(community);
    if (isMoved) return;
    log.info(
      isPersonal(community) ? {} : { community },
      'the bot left this community 30 days ago; it is forgotten',
    );
  };
  const forgetDue = async (): Promise<void> => {
    // One that cannot be forgotten now keeps no other from being.
    for (const community of await leftCommunities.due()) await attempt('left', () => forgetLeft(community));
  };

  const attempt = async (what: string, work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => {
      if (isNews(what)) log.warn({ err: error, what }, 'communities could not be looked through; retrying');
    });

  const run = async (ended: AbortSignal): Promise<void> => {
    let comparedAt = Number.NEGATIVE_INFINITY;
    while (!ended.aborted) {
      const isComplete = clock.now() - comparedAt >= COMPARE_EVERY_MS;
      if (isComplete) comparedAt = clock.now();
      for (const adapter of parts.platforms.all())
        if (isComplete || askOwners) await attempt(adapter.platform, () => list(adapter, isComplete));
      if (isComplete) await attempt('left', forgetDue);
      await sleep(clock, askOwners ? LIST_EVERY_MS : COMPARE_EVERY_MS, ended).catch(() => undefined);
    }
  };

  const isFirstUse = createOncePer(clock);

  const memberships: Memberships = {
    async joined({ place, by, name }: Membership): Promise<'waits' | undefined> {
      await leftCommunities.over(place.community);
      // A person who may be written to again asks by using the bot.
      if (place.direct || askOwners === undefined) return undefined;
      await askFor({
        ...{ place, person: by.name, asker: turnKey(by), locale: by.locale, isAdded: true },
        ...defined({ name }),
      });
      return (await approvals.isApproved(place.community)) ? undefined : 'waits';
    },
    async left(community): Promise<void> {
      // A group that became a supergroup lives on under its new id.
      if ((await rules.present(community)) === community) await leftCommunities.left(community);
    },
  };

  return {
    memberships,
    /**
     * A platform may report in the wrong order, or never, that the bot is back: a command from there proves it.
     */
    noticeUse({ community }: Place): void {
      if (isFirstUse(community)) void attempt('used', () => leftCommunities.used(community));
    },
    /** The returned function stops it. */
    start(): () => Promise<void> {
      const held = attempt('lock', () => parts.members.hold('communities', run, stopping.signal));
      return async () => {
        stopping.abort();
        await waitAtMost(clock, LONGEST_STOP_MS, held);
      };
    },
  };
}
