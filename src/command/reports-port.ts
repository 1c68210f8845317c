import type { Reply } from './reply.ts';

/** The decisions of a moderator about a reported result: one of them is made, once. */
export const REPORT_DECISIONS = ['remove', 'block', 'dismiss'] as const;
export type ReportDecision = (typeof REPORT_DECISIONS)[number];

/** The reports that moderators decide about. */
export interface ReportsPort {
  /** Carries out a decision. It checks the permission itself, and is audited. */
  decide(id: string, decision: ReportDecision): Promise<Reply>;
}
