import type { Reply } from './reply.ts';

/** What can wait for an owner: communities that ask for approval, reported results, held results, and requests for removal. */
export const WAITING_LISTS = ['approvals', 'reports', 'held', 'requests'] as const;
export type WaitingList = (typeof WAITING_LISTS)[number];

/** How the whole program is doing, and what waits for a decision: for owners alone, in their direct chat with the bot. */
export interface OverviewPort {
  /** Undefined: the caller is no owner, or this is no direct chat. */
  show(): Promise<Reply | undefined>;
  /** The same in the pressed message. */
  back(): Promise<Reply>;
  /** One entry of a list in the pressed message, with the buttons that decide about it. `number` counts from 0. */
  entry(list: WaitingList, number: number): Promise<Reply>;
}
