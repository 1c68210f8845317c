import { type DurationModel, isYoung, learned } from './durations.ts';
import { CHEAPEST_LOOK_MS, DEAREST_LOOK_MS, SCOUT_LOOKS_WORTH } from './schedule.ts';

export type Load = {
  /** Jobs at the service, by kind. */
  running: readonly { model: DurationModel; jobs: number }[];
  callsPerSecond: number;
  /** The part of the calls that looks may take; submissions have the rest. */
  shareForLooks: number;
};

/**
 * The price of a look at which the expected looks of all running jobs fit the budget. A job of mean duration m
 * costs A / sqrt(2 price) + 1/2 looks over its life, so the rate of all is a sum that is solved for the price.
 */
export function lookPrice({ running, callsPerSecond, shareForLooks }: Load): number {
  const budget = (callsPerSecond * shareForLooks) / 1000;
  let slope = 0;
  let least = 0;
  for (const { model, jobs } of running) {
    const { total } = learned(model);
    const closer = isYoung(model) ? Math.sqrt(SCOUT_LOOKS_WORTH) : 1;
    slope += (closer * jobs * total.looksPerJob) / total.meanMs;
    least += jobs / (2 * total.meanMs);
  }
  // Even one look at each job may be more than the budget; the limiter in front then makes looks wait.
  if (!(budget > least)) return running.length === 0 ? CHEAPEST_LOOK_MS : DEAREST_LOOK_MS;
  const price = (slope / (budget - least)) ** 2 / 2;
  return Math.min(DEAREST_LOOK_MS, Math.max(CHEAPEST_LOOK_MS, price));
}
