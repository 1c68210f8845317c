import { randomBytes } from 'node:crypto';
import { dayOf } from '../job/day.ts';
import type { OpeningJob, Order } from '../job/job.ts';
import { FIRST_SEARCH_MS, OPENING_MS } from '../steps/opening.ts';

/** 16 random characters. */
const newId = (): string => randomBytes(12).toString('base64url');

/** An order as a job whose card is not shown yet. */
export const newJob = (
  order: Omit<Order, 'dailyCredits' | 'grantsOf' | 'communityCredits' | 'filter'>,
  now: number,
): OpeningJob => ({
  ...order,
  id: newId(),
  state: 'opening',
  day: dayOf(now),
  charge: 'reserved',
  createdAt: now,
  history: [{ state: 'opening', at: now }],
  due: now + (order.answer === undefined ? OPENING_MS : FIRST_SEARCH_MS),
  looks: 0,
  attempts: 0,
  shownProgress: 0,
  settled: false,
  version: 1,
});
