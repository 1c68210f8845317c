import type { SharedPace } from '../../base/members/members.ts';
import { createCallLine } from './call-line.ts';
import { type Calls, LATE_MS, UNEVEN_MS } from './call-pacing.ts';

/**
 * The most calls for which time is reserved at once. Time is reserved only for calls that wait, so that other processes can use
 * the rest.
 */
const MOST_AT_ONCE = 5;
/**
 * At high rates, time for as many calls as fit into this duration is reserved, because every reservation locks the same row.
 */
const LONGEST_MS = 50;
/** At low rates, at most 1/4 s of calls is reserved at once. */
const LONGEST_PER_SECOND = 4;
const AGAIN_MS = 500;
const LONGEST_SLACK_MS = 2_000;
/** Tolerance for rounding errors in sums of times. */
const ROUNDING_MS = 0.001;

/** A reserved block of time in which only this process begins calls. */
interface Block {
  /** The earliest time of the next call. */
  next: number;
  /** The latest time of a call. */
  readonly last: number;
  /** How long after its time a call may begin. */
  readonly lateMs: number;
  /** By how much the reserved time may have begun earlier than known here. */
  readonly unsureMs: number;
  readonly slackMs: number;
  /** How many calls may still begin in this block. */
  calls: number;
  isUsed: boolean;
}

/**
 * Paces the calls of several processes together: every call begins in time that was reserved for it, apart from the calls
 * before and after it. When nothing can be reserved, calls wait. A fixed share of the limit for each live process would not do:
 * measured at 10 calls a second, four processes with shares began 11 in a second, two that two others joined 14, and one busy
 * process of four 2.5.
 */
export function createSharedPacing(perSecond: number, pace: SharedPace): Calls {
  const everyMs = (1000 + UNEVEN_MS) / perSecond;
  const most = Math.max(MOST_AT_ONCE, Math.floor(LONGEST_MS / everyMs));
  const atOnce = Math.max(1, Math.min(most, Math.floor(perSecond / LONGEST_PER_SECOND)));
  const line = createCallLine();
  /** Reserved blocks in the order of their times. */
  const blocks: Block[] = [];
  let timer: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let isAsking = false;
  let isStopped = false;
  /** Extra time in each reservation, for a process that is often too late to use what it has reserved. */
  let slackMs = 0;

  /**
   * The number of calls to reserve time for. Calls that are not for jobs get their time one by one, so that most of it is left
   * to jobs of other processes.
   */
  const wanted = (): number => {
    const forJobs = line.waiting('submit') + line.waiting('poll');
    return forJobs + Math.min(1, line.waiting() - forJobs);
  };

  const used = (block: Block, lateMs: number): void => {
    block.isUsed = true;
    const less = block.slackMs > LATE_MS ? block.slackMs / 2 : 0;
    if (lateMs <= LATE_MS / 2 + less) slackMs = Math.min(slackMs, less);
  };
  const missed = (block: Block): void => {
    const more = Math.min(LONGEST_SLACK_MS, Math.max(LATE_MS, block.slackMs * 2));
    slackMs = Math.max(slackMs, more);
  };
  const run = (): void => {
    for (let block = blocks[0]; block !== undefined && !isStopped; block = blocks[0]) {
      const now = performance.now();
      const at = Math.max(block.next, now - block.lateMs);
      if (block.calls === 0 || at > block.last) {
        if (!block.isUsed) missed(block);
        blocks.shift();
      } else if (block.next > now) {
        clearTimeout(timer);
        timer = setTimeout(run, Math.ceil(block.next - now));
        break;
      } else {
        if (!block.isUsed) used(block, now - block.next + block.unsureMs);
        block.next = at + everyMs;
        block.calls -= 1;
        line.next()?.begin();
      }
    }
    reserve();
  };
  const ask = async (calls: number): Promise<void> => {
    const slack = slackMs;
    const { delayMs, lateMs } = await pace.reserve(calls * everyMs + slack);
    const begin = performance.now() + delayMs;
    const latest = (calls - 1) * everyMs + slack - Math.max(0, lateMs - LATE_MS);
    blocks.push({
      next: begin,
      last: begin + latest + ROUNDING_MS,
      lateMs: Math.max(0, LATE_MS - lateMs),
      unsureMs: lateMs,
      slackMs: slack,
      calls,
      isUsed: false,
    });
  };
  const reserve = (): void => {
    const reserved = blocks.reduce((sum, { calls }) => sum + calls, 0);
    const missing = wanted() - reserved;
    // The next block is reserved when half of the current one is used.
    if (isAsking || isStopped || missing <= 0 || reserved > atOnce / 2) return;
    isAsking = true;
    const asked = (): void => {
      isAsking = false;
      run();
    };
    ask(Math.min(atOnce, missing)).then(asked, () => {
      again = setTimeout(asked, AGAIN_MS);
    });
  };

  return {
    pace: line.paced(reserve),
    waiting: line.waiting,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      clearTimeout(again);
    },
  };
}
