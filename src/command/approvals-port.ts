import type { Reply } from './reply.ts';

/** What an owner can do about a community that waits. */
export const APPROVAL_DECISIONS = ['approve', 'dismiss'] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** For owners alone, checked here, and audited; but for `isOpen`. */
export interface ApprovalsPort {
  /** Whether the caller can use everything here: an owner has approved it, or no approval is needed. */
  isOpen(): Promise<boolean>;
  /** Whether communities need approval at all. */
  readonly isNeeded: boolean;
  /** Without an id: this community. `changed`: whether it was not approved before. */
  approve(community?: string): Promise<{ readonly community: string; readonly changed: boolean }>;
  /** `changed`: whether it was approved. */
  revoke(community?: string): Promise<{ readonly community: string; readonly changed: boolean }>;
  /** `id`: in the button of a notice. */
  decide(id: string, decision: ApprovalDecision): Promise<Reply>;
}
