import type { Reply } from './reply.ts';

/** The decisions of an owner that a notice about a request for removal has buttons for. */
export const REQUEST_DECISIONS = ['remove', 'nothing'] as const;
export type RequestDecision = (typeof REQUEST_DECISIONS)[number];

/** Lets owners decide about requests of people outside the chat. Each decision checks that the caller is an owner, and is audited. */
export interface RequestsPort {
  /** Carries out the press of a button in a notice to owners, which holds the `id`. */
  decide(id: string, decision: RequestDecision): Promise<Reply>;
}
