import { type DurationModel, isYoung, learned } from './durations.ts';
import { CHEAPEST_POLL_MS, DEAREST_POLL_MS, SCOUT_POLLS_WORTH } from './schedule.ts';

export type Load = {
  /** Jobs at the service, by kind. */
  running: readonly { model: DurationModel; jobs: number }[];
  callsPerSecond: number;
  /** The part of the calls that polls may take; submissions have the rest. */
  shareForPolls: number;
};

/**
 * The price of a poll at which the expected polls of all running jobs fit the budget. A job of mean duration m
 * costs A / sqrt(2 price) + 1/2 polls over its life, so the rate of all is a sum that is solved for the price.
 */
export function pollPrice({ running, callsPerSecond, shareForPolls }: Load): number {
  const budget = (callsPerSecond * shareForPolls) / 1000;
  let slope = 0;
  let least = 0;
  for (const { model, jobs } of running) {
    const { total } = learned(model);
    const closer = isYoung(model) ? Math.sqrt(SCOUT_POLLS_WORTH) : 1;
    slope += (closer * jobs * total.pollsPerJob) / total.meanMs;
    least += jobs / (2 * total.meanMs);
  }
  // Even one poll of each job may be more than the budget; the limiter in front then makes polls wait.
  if (!(budget > least)) return running.length === 0 ? CHEAPEST_POLL_MS : DEAREST_POLL_MS;
  const price = (slope / (budget - least)) ** 2 / 2;
  return Math.min(DEAREST_POLL_MS, Math.max(CHEAPEST_POLL_MS, price));
}
