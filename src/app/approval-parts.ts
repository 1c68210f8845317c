import type { Caller } from '../command/place.ts';
import { createApprovals } from '../community/approvals/approvals.ts';
import type { Audit } from '../community/rules/audit.ts';
import type { Moderators } from '../community/rules/moderators.ts';
import type { CommunityRules } from '../community/rules/settings.ts';
import { type ApprovalNoticeParts, createApprovalNotices } from './notices/approval-notices.ts';
import { createApprovalChanges } from './ports/approvals-port.ts';

/** Approvals: which communities the owners have approved, what they decide, and how they are asked. */
export function createApprovalParts(
  parts: Omit<ApprovalNoticeParts, 'approvals'> & {
    readonly store: Parameters<typeof createApprovals>[0];
    /** `COMMUNITIES=approved` */
    readonly isNeeded: boolean;
    readonly moderators: Pick<Moderators, 'isOwner'>;
    readonly audit: Pick<Audit, 'note'>;
    readonly rules: Pick<CommunityRules, 'language'>;
    readonly newId: () => string;
  },
) {
  const { store, isNeeded, moderators, audit, outgoing, rules, clock, newId } = parts;
  const approvals = createApprovals(store, clock.now, newId);
  return {
    approvals,
    isUnapproved: async (caller: Caller, community: string): Promise<boolean> =>
      isNeeded && !moderators.isOwner(caller) && !(await approvals.isApproved(community)),
    approvalChanges: createApprovalChanges(approvals, audit, outgoing, rules),
    askOwners: createApprovalNotices({ ...parts, approvals }),
  };
}
