import type { Clock } from '../../base/clock.ts';
import { createOncePer } from '../../base/once-per.ts';

/** Whether something is news: what was told of within the last hour is not. */
export const createOnceAnHour = (clock: Pick<Clock, 'now'>): ((what: string) => boolean) =>
  createOncePer(clock, 60 * 60_000);
