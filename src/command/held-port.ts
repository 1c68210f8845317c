import type { Reply } from './reply.ts';

/** What a moderator can decide about a result that is held because of its content. */
export const HELD_DECISIONS = ['show', 'remove'] as const;
export type HeldDecision = (typeof HELD_DECISIONS)[number];

/** Results that wait for a moderator. Each method checks the permission itself, where the job was asked for, and is audited. */
export interface HeldPort {
  /** Shows the result to the caller alone, with what can be decided. */
  look(job: string): Promise<Reply>;
  decide(job: string, decision: HeldDecision): Promise<Reply>;
}
