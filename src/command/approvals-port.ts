import type { Reply } from './reply.ts';

/** The decisions of an owner about a community that waits. */
export const APPROVAL_DECISIONS = ['approve', 'dismiss'] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** Lets owners decide which communities may use the bot. Each change checks that the caller is an owner, and is audited. */
export interface ApprovalsPort {
  /** Whether the caller can use everything here: an owner has approved it, or no approval is needed. */
  isOpen(): Promise<boolean>;
  /** Whether communities need approval at all. */
  readonly isNeeded: boolean;
  /** Approves a community, by default this one. `changed`: whether it was not approved before. */
  approve(community?: string): Promise<{ readonly community: string; readonly changed: boolean }>;
  /** Takes the approval of a community back. `changed`: whether it was approved. */
  revoke(community?: string): Promise<{ readonly community: string; readonly changed: boolean }>;
  /** Carries out the press of a button in a notice to owners, which holds the `id`. */
  decide(id: string, decision: ApprovalDecision): Promise<Reply>;
}
