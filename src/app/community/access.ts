import type { Clock } from '../../base/clock.ts';
import { type Caller, personKey } from '../../command/place.ts';
import { createApprovalsPort } from '../../community/approvals/approvals-port.ts';
import { createAllowanceOf } from '../../community/rules/allowance.ts';
import { createCommunityGate } from '../../community/rules/community-rules.ts';
import { createModerators } from '../../community/rules/moderators.ts';
import { createSettingsPort } from '../../community/rules/settings-port.ts';
import type { Config } from '../../config/config.ts';
import type { Store } from '../../store/tables/store.ts';
import type { Notices } from '../notices/open.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { CommunityRecords } from './records.ts';

/** Who may do what in a community: its moderators, its rules and settings, and the owners' approval of it. */
export function openAccess(parts: {
  readonly config: Config;
  readonly store: Pick<Store, 'grants' | 'jobs'>;
  readonly platforms: PlatformRegistry;
  readonly records: Pick<CommunityRecords, 'rules' | 'approvals'>;
  readonly notices: Pick<Notices, 'owners' | 'audit'>;
  readonly clock: Clock;
}) {
  const { config, store, platforms, clock } = parts;
  const { rules, approvals } = parts.records;
  const { owners, audit } = parts.notices;

  const moderators = createModerators(
    owners.people.map(personKey),
    async (caller, place) => (await platforms.of(place.platform)?.isModerator(caller, place)) ?? false,
    owners.inConsole,
  );
  const approvalNeeded = config.communities === 'approved';
  const isUnapproved = async (caller: Caller, community: string): Promise<boolean> =>
    approvalNeeded && !moderators.isOwner(caller) && !(await approvals.isApproved(community));
  const gate = createCommunityGate(rules, (caller, { community }) => isUnapproved(caller, community));
  const approvalsPort = createApprovalsPort({
    approvals,
    rules,
    moderators,
    audit,
    gate,
    say: platforms.say,
    isNeeded: approvalNeeded,
    ownerWords: owners.words,
  });
  const allowances = createAllowanceOf(config.user.dailyCredits, config.user.mostDailyCredits);
  const settingsPort = createSettingsPort({
    rules,
    moderators,
    audit,
    allowances,
    grants: store.grants,
    personName: async (user, place) => platforms.of(place.platform)?.personName?.(user, place),
    onDisk: store.jobs.onDisk,
    now: clock.now,
  });

  return { moderators, approvalNeeded, isUnapproved, gate, allowances, approvalsPort, settingsPort };
}
