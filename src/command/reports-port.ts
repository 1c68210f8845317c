import type { Reply } from './reply.ts';

/** What a moderator can do about a reported result: once, and only one of these. */
export const REPORT_DECISIONS = ['remove', 'block', 'dismiss'] as const;
export type ReportDecision = (typeof REPORT_DECISIONS)[number];

export interface ReportsPort {
  /** Checks the permission itself, and is audited. */
  decide(id: string, decision: ReportDecision): Promise<Reply>;
}
