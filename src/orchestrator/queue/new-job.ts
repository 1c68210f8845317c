import { randomFillSync } from 'node:crypto';
import { dayOf } from '../job/day.ts';
import type { OpeningJob, Order } from '../job/job.ts';
import { FIRST_SEARCH_MS, OPENING_MS } from '../steps/opening.ts';

const ID_BYTES = 12;
/** Filled for many ids at once: asking the system for each would cost more than the rest of the job. */
const random = Buffer.alloc(ID_BYTES * 256);
let used = random.length;

/** 16 random characters. */
function newId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += ID_BYTES;
  return random.toString('base64url', used - ID_BYTES, used);
}

/** An order as a job whose card is not shown yet. */
export const newJob = (
  order: Omit<Order, 'dailyCredits' | 'mostGiven' | 'grantsOf' | 'communityCredits' | 'filter'>,
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
